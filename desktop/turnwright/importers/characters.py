"""Player characters of other programs: a party of one with its state, for the library or a fight."""

from collections.abc import Iterable
from typing import Final

import msgspec

from turnwright.encounter import prepared, roles
from turnwright.encounter.state import Encounter, entry_name, unique_id
from turnwright.storage import atomic, fights

WORKED_OUT: Final = "missing in the file; worked out from"
_SLOT: Final = "slot."  # the tracks of spell slots, with the level after it
_LINKS: Final = ("controller", "rides")


class Character(msgspec.Struct, frozen=True):
    """The facts in a source about a player character that aren't in its stat block.

    `hp` are the current hit points, or None for the maximum. `used` are spent spell slots by level. `assumed` are the
    fields of the stat block that were worked out.
    """

    classes: str = ""
    player_name: str = ""
    hp: int | None = None
    temp_hp: int = 0
    dead: bool = False
    used: prepared.NamedNumbers = ()
    conditions: tuple[prepared.LastingCondition, ...] = ()
    companions: tuple[prepared.Creature, ...] = ()
    notes: str = ""
    assumed: frozenset[str] = frozenset()


class Assumptions:
    """Collects the numbers that a file lacks, with the formulas by which they were worked out."""

    def __init__(self, report: fights.ConversionReport) -> None:
        self._report, self.fields = report, set[str]()

    def add(self, field: str, value: int | str, how: str, *, called: str = "") -> None:
        """Note that a field of the stat block was worked out; `called` is its name in the report."""
        self.fields |= {field, called}
        number = f"{value:+d}" if isinstance(value, int) and field == "attack" else str(value)
        self._report.add_note(called or field, number, f"{WORKED_OUT} {how}")


def party_of_one(creature: prepared.Creature, person: Character) -> prepared.Party:
    """Return a character, with its companions, as a party."""
    tags = tuple(dict.fromkeys((*creature.tags, roles.CHARACTER_TAG)))
    own = tuple(sorted(person.assumed & set(prepared.Creature.__struct_fields__)))
    features = tuple(_with_assumed(feature, person.assumed) for feature in creature.features)
    block = msgspec.structs.replace(creature, tags=tags, classes=person.classes, assumed=own, features=features)
    slots, hp = dict(creature.slots), creature.hp if person.hp is None else min(person.hp, creature.hp)
    left = tuple((f"{_SLOT}{level}", max(0, slots[level] - used)) for level, used in person.used if level in slots)
    state = prepared.CharacterState(hp, person.temp_hp, person.dead, left, person.conditions)
    entry = prepared.RosterEntry(
        creature.id, creature.id, side=roles.PARTY, role="character", player=person.player_name, notes=person.notes,
        state=None if state == prepared.CharacterState(creature.hp) else state,
    )  # fmt: skip
    pets = [
        prepared.RosterEntry(one.id, one.id, side=roles.PARTY, role="companion", controller=entry.id)
        for one in person.companions
    ]
    return prepared.Party(creature.id, creature.name, (block, *person.companions), (entry, *pets))


def _with_assumed(feature: prepared.Feature, assumed: frozenset[str]) -> prepared.Feature:
    fields = tuple(field for field in ("attack", "damage", "dc") if f"{feature.name}: {field}" in assumed)
    return msgspec.structs.replace(feature, assumed=fields) if fields else feature


def joined(party: prepared.Party, others: Iterable[prepared.Party]) -> prepared.Party:
    """Return a party with the members of others. Members with the same name get their new stat block and state."""
    creatures, roster = {one.id: one for one in party.creatures}, {one.id: one for one in party.roster}
    for other in others:
        blocks, ids = Encounter((*other.creatures, *other.roster)), dict[str, str]()
        for member in other.roster:
            name, known = entry_name(blocks, member), Encounter((*creatures.values(), *roster.values()))
            former = next((one for one in roster.values() if entry_name(known, one) == name), None)
            id = ids[member.id] = former.id if former is not None else unique_id(member.id, roster, "member")
            stat_block = former.creature if former is not None else unique_id(member.creature, creatures, "creature")
            creatures[stat_block] = msgspec.structs.replace(
                blocks.need(prepared.Creature, member.creature), id=stat_block
            )
            links = {link: ids.get(getattr(member, link), "") for link in _LINKS}
            new = msgspec.structs.replace(member, id=id, creature=stat_block, **links)
            roster[id] = new if former is None else msgspec.structs.replace(former, state=member.state)
    return msgspec.structs.replace(party, creatures=tuple(creatures.values()), roster=tuple(roster.values()))


def new_party(name: str) -> prepared.Party:
    """Return an empty party with a name."""
    return prepared.Party(atomic.slug(name, "party"), name)
