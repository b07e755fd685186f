"""The variables of a prepared encounter that tuning can change, with their limits and commands."""

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
from turnwright.play.setup.prepared_records import Edit, Remove

VariableKind = Literal["count", "hp", "dice", "damage", "world", "wave"]
SWITCHES: Final = ("world", "wave")
HUNDRED: Final = 100
LEAST_HP, MOST_HP, HP_STEP = 70, 130, 10  # percent
MORE: Final = 3  # maximum number of dice added to or removed from a countdown
_DICE = re.compile(r"(\d+)d")


class Variable(msgspec.Struct, frozen=True):
    """A value that tuning can change, from `low` to `high` in increments of `step`. `now` is its current value.

    `kind` is one of these: the count of a roster entry (0 removes it), its hit points in percent, the dice of a
    countdown, the damage dice of a world action (0 switches it off), whether a world action without damage is on (1 or
    0), or whether a wave arrives (1 or 0). `subject` is the id of the record, and `item` that of the world action.
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
        """The variable's name on the command line."""
        return ":".join(filter(None, (self.kind, self.subject, self.item)))

    @property
    def least(self) -> int:
        """The lowest possible value, regardless of the limits."""
        return int(self.kind in ("dice", "hp"))


Values = Mapping[Variable, int]


def variables_of(encounter: Encounter) -> tuple[Variable, ...]:
    """Return an encounter's variables with wide limits. A started fight has no variables."""
    return tuple(_variables(encounter)) if clock_of(encounter).phase == "preparing" else ()


def _variables(encounter: Encounter) -> Iterator[Variable]:
    party = {roster_entry.side for roster_entry in encounter.all(RosterEntry) if roster_entry.player}
    foes = [
        roster_entry
        for roster_entry in encounter.all(RosterEntry)
        if roster_entry.side not in party and not roster_entry.bystander
    ]
    for entry in foes:
        yield Variable("count", entry.id, "", entry.count, 0, max(2 * entry.count, entry.count + 2))
    for entry in foes:
        yield Variable("hp", entry.id, "", HUNDRED, LEAST_HP, MOST_HP, HP_STEP)
    for pool in encounter.all(Countdown):
        yield Variable("dice", pool.id, "", pool.dice, max(1, pool.dice - MORE), pool.dice + MORE)
    actions = [
        (place.id, world_action)
        for place in encounter.all(Environment)
        for world_action in place.actions
        if world_action.enabled
    ]
    for place, action in actions:
        if dice := _damage_dice(action.damage):
            yield Variable("damage", place, action.id, dice, 0, dice + MORE)
    for place, action in actions:
        if not _damage_dice(action.damage):
            yield Variable("world", place, action.id, 1, 0, 1)
    for wave in dict.fromkeys(foe.wave for foe in foes if foe.wave):
        yield Variable("wave", wave, "", 1, 0, 1)


def hit_points(begun: Encounter) -> dict[str, int]:
    """Return the maximum hit points of one member of each roster entry. `begun` is a started copy of the encounter."""
    return {combatant.roster: combatant.hp_max for combatant in begun.all(Combatant)}


def commands_for(encounter: Encounter, values: Values, hp: Mapping[str, int], merge: str = "") -> list[Command]:
    """Return the commands that set variables to values. With `merge` they form one undo step.

    `hp` are hit points, keyed by roster entry id.
    """
    records: dict[Key, Record | None] = {}
    for variable, value in values.items():
        if value != variable.now:
            _set(encounter, records, variable, value, hp)
    edits: list[Command] = [Edit(record, merge) for record in records.values() if record is not None]
    gone = tuple(key for key, record in records.items() if record is None)
    return [*edits, Remove(gone, merge)] if gone else edits


def damage_with(text: str, dice: int) -> str:
    """Return a damage expression with a different number of dice in its first dice term."""
    return _DICE.sub(f"{dice}d", text, count=1)


def _damage_dice(text: str) -> int:
    """Return the number of dice in the first dice term of a damage expression, or 0."""
    match = _DICE.search(text)
    return int(match[1]) if match else 0


def _set(
    encounter: Encounter, records: dict[Key, Record | None], variable: Variable, value: int, hp: Mapping[str, int]
) -> None:
    """Add the records that change for a variable's new value to `records`. A removed record is None."""
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
            actions = tuple(
                _action_with(action, value) if action.id == variable.item else action for action in place.actions
            )
            records[key_of(place)] = msgspec.structs.replace(place, actions=actions)
    elif not value:
        _leave_out_wave(encounter, records, variable.subject)


def _present(encounter: Encounter, records: Mapping[Key, Record | None], key: Key) -> Record | None:
    """Return a record including the changes so far."""
    return records[key] if key in records else encounter.record(key)


def _entry_with(entry: RosterEntry, kind: str, value: int, hp: Mapping[str, int]) -> RosterEntry | None:
    if kind == "hp":
        return msgspec.structs.replace(entry, hp=max(1, round(hp[entry.id] * value / HUNDRED)))
    return msgspec.structs.replace(entry, count=value, positions=entry.positions[:value]) if value else None


def _action_with(entry: EnvironmentEntry, dice: int) -> EnvironmentEntry:
    """Return a world action with this number of damage dice. With 0 dice, it is switched off.

    Reduced damage is changed in proportion.
    """
    if not dice:
        return msgspec.structs.replace(entry, enabled=False)
    lesser, whole = _damage_dice(entry.reduced_damage), _damage_dice(entry.damage)
    reduced = (
        damage_with(entry.reduced_damage, max(1, round(lesser * dice / whole))) if lesser else entry.reduced_damage
    )
    return msgspec.structs.replace(entry, damage=damage_with(entry.damage, dice), reduced_damage=reduced)


def _leave_out_wave(encounter: Encounter, records: dict[Key, Record | None], wave: str) -> None:
    """Remove a wave, its roster entries, and countdown outcomes that trigger it."""
    for entry in encounter.all(RosterEntry):
        if entry.wave == wave:
            records[key_of(entry)] = None
    if encounter.get(Wave, wave) is not None:
        records[Wave.table, wave] = None
    for pool in encounter.all(Countdown):
        if any(isinstance(outcome, AddWave) and outcome.wave == wave for outcome in pool.outcomes):
            now = _present(encounter, records, key_of(pool))
            assert isinstance(now, Countdown)
            outcomes = tuple(
                outcome for outcome in now.outcomes if not (isinstance(outcome, AddWave) and outcome.wave == wave)
            )
            records[key_of(pool)] = msgspec.structs.replace(now, outcomes=outcomes)
