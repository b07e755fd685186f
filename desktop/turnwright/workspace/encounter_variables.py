"""What may vary in a prepared encounter, each within bounds, and the commands that set it to other values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal

import msgspec

from turnwright.encounter.countdown_outcomes import AddWave
from turnwright.encounter.lookups import clock_of
from turnwright.encounter.prepared import Countdown, Environment, EnvironmentEntry, RosterEntry, Wave
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter, Key, Record, key_of
from turnwright.play.kernel.commands import Command
from turnwright.play.setup.commands.edit import Edit
from turnwright.play.setup.commands.remove import Remove

VariableKind = Literal["count", "hp", "dice", "damage", "world", "wave"]
SWITCHES: Final = ("world", "wave")
HUNDRED: Final = 100
LEAST_HP, MOST_HP, HP_STEP = 70, 130, 10  # percent
MORE: Final = 3  # dice that a countdown may have more or fewer
_DICE = re.compile(r"(\d+)d")


class Variable(msgspec.Struct, frozen=True):
    """What may vary, from `low` to `high` by `step`; it is `now` in the encounter.

    `kind` is the number of a roster entry (0: without it), its hit points in percent, the dice of a countdown, the dice of
    a world action's damage (0: switched off), whether one that deals no dice is on, or whether a wave comes (1 or 0). `subject` is the id of the record, `item`
    that of the world action.
    """

    kind: VariableKind
    subject: str
    item: str
    now: int
    low: int
    high: int
    step: int = 1

    @property
    def id(self) -> str:
        """How it is called on the command line."""
        return ":".join(filter(None, (self.kind, self.subject, self.item)))

    @property
    def least(self) -> int:
        """The lowest value that it can have at all."""
        return int(self.kind in ("dice", "hp"))


Values = Mapping[Variable, int]


def variables_of(encounter: Encounter) -> tuple[Variable, ...]:
    """Return what may vary in an encounter, with wide bounds; nothing once its fight has begun."""
    return tuple(_variables(encounter)) if clock_of(encounter).phase == "preparing" else ()


def _variables(encounter: Encounter) -> Iterator[Variable]:
    party = {one.side for one in encounter.all(RosterEntry) if one.player}
    foes = [one for one in encounter.all(RosterEntry) if one.side not in party and not one.bystander]
    for one in foes:
        yield Variable("count", one.id, "", one.count, 0, max(2 * one.count, one.count + 2))
    for one in foes:
        yield Variable("hp", one.id, "", HUNDRED, LEAST_HP, MOST_HP, HP_STEP)
    for pool in encounter.all(Countdown):
        yield Variable("dice", pool.id, "", pool.dice, max(1, pool.dice - MORE), pool.dice + MORE)
    actions = [(place.id, one) for place in encounter.all(Environment) for one in place.actions if one.enabled]
    for place, action in actions:
        if dice := _damage_dice(action.damage):
            yield Variable("damage", place, action.id, dice, 0, dice + MORE)
    for place, action in actions:
        if not _damage_dice(action.damage):
            yield Variable("world", place, action.id, 1, 0, 1)
    for wave in dict.fromkeys(one.wave for one in foes if one.wave):
        yield Variable("wave", wave, "", 1, 0, 1)


def hit_points(begun: Encounter) -> dict[str, int]:
    """Return the most hit points of a member of each roster entry, by the begun copy of an encounter."""
    return {one.roster: one.hp_max for one in begun.all(Combatant)}


def commands_for(encounter: Encounter, values: Values, hp: Mapping[str, int], merge: str = "") -> list[Command]:
    """Return the commands that set variables to values; `hp` are hit points by roster entry. With `merge` they make one step."""
    records: dict[Key, Record | None] = {}
    for variable, value in values.items():
        if value != variable.now:
            _set(encounter, records, variable, value, hp)
    edits: list[Command] = [Edit(record, merge) for record in records.values() if record is not None]
    gone = tuple(key for key, record in records.items() if record is None)
    return [*edits, Remove(gone, merge)] if gone else edits


def damage_with(text: str, dice: int) -> str:
    """Return an expression of damage whose first dice are so many."""
    return _DICE.sub(f"{dice}d", text, count=1)


def _damage_dice(text: str) -> int:
    """Return how many dice the first term of an expression of damage has, 0 for none."""
    found = _DICE.search(text)
    return int(found[1]) if found else 0


def _set(
    encounter: Encounter, records: dict[Key, Record | None], variable: Variable, value: int, hp: Mapping[str, int]
) -> None:
    """Put the records with which a variable has a value among those that are to be; None for one taken out."""
    if variable.kind in ("count", "hp"):
        entry = _present(encounter, records, (RosterEntry.table, variable.subject))
        if isinstance(entry, RosterEntry):
            records[key_of(entry)] = _entry_with(entry, variable.kind, value, hp)
    elif variable.kind == "dice":
        pool = _present(encounter, records, (Countdown.table, variable.subject))
        if isinstance(pool, Countdown):
            records[key_of(pool)] = msgspec.structs.replace(pool, dice=value)
    elif variable.kind in ("damage", "world"):
        place = _present(encounter, records, (Environment.table, variable.subject))
        if isinstance(place, Environment):
            actions = tuple(_action_with(one, value) if one.id == variable.item else one for one in place.actions)
            records[key_of(place)] = msgspec.structs.replace(place, actions=actions)
    elif not value:
        _leave_out_wave(encounter, records, variable.subject)


def _present(encounter: Encounter, records: Mapping[Key, Record | None], key: Key) -> Record | None:
    """Return a record as it is to be so far."""
    return records[key] if key in records else encounter.record(key)


def _entry_with(entry: RosterEntry, kind: str, value: int, hp: Mapping[str, int]) -> RosterEntry | None:
    if kind == "hp":
        return msgspec.structs.replace(entry, hp=max(1, round(hp[entry.id] * value / HUNDRED)))
    return msgspec.structs.replace(entry, count=value, positions=entry.positions[:value]) if value else None


def _action_with(entry: EnvironmentEntry, dice: int) -> EnvironmentEntry:
    """Return a world action with so many dice of damage, those who are partly spared in proportion; with none it is off."""
    if not dice:
        return msgspec.structs.replace(entry, enabled=False)
    lesser, whole = _damage_dice(entry.reduced_damage), _damage_dice(entry.damage)
    reduced = (
        damage_with(entry.reduced_damage, max(1, round(lesser * dice / whole))) if lesser else entry.reduced_damage
    )
    return msgspec.structs.replace(entry, damage=damage_with(entry.damage, dice), reduced_damage=reduced)


def _leave_out_wave(encounter: Encounter, records: dict[Key, Record | None], wave: str) -> None:
    """Take a wave out with all that come in it and whatever calls it."""
    for entry in encounter.all(RosterEntry):
        if entry.wave == wave:
            records[key_of(entry)] = None
    if encounter.get(Wave, wave) is not None:
        records[Wave.table, wave] = None
    for pool in encounter.all(Countdown):
        if any(isinstance(one, AddWave) and one.wave == wave for one in pool.outcomes):
            now = _present(encounter, records, key_of(pool))
            assert isinstance(now, Countdown)
            kept = tuple(one for one in now.outcomes if not (isinstance(one, AddWave) and one.wave == wave))
            records[key_of(pool)] = msgspec.structs.replace(now, outcomes=kept)
