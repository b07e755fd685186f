"""Player characters of other programs: a party of one with its state, for the library or a fight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import (
    CharacterState,
    Creature,
    LastingCondition,
    NamedNumbers,
    Party,
    RosterEntry,
)
from turnwright.encounter.roles import CHARACTER_TAG, PARTY
from turnwright.encounter.state import unique_id
from turnwright.storage.atomic import slug
from turnwright.storage.fights import ConversionReport

_MISSING: Final = "missing in the file; worked out from {how}"
SLOT: Final = "slot."  # the tracks of spell slots, with the level after it


class Character(msgspec.Struct, frozen=True):
    """What a source states about a player character in addition to its stat block.

    `hp` are the current hit points, or None if they are at their maximum. `used` are spent spell slots by level. The
    `companions` are creatures without turns of their own. `assumed` are the fields of its stat block that were worked out.
    """

    player: str = ""
    classes: str = ""
    hp: int | None = None
    temp_hp: int = 0
    dead: bool = False
    used: NamedNumbers = ()
    conditions: tuple[LastingCondition, ...] = ()
    companions: tuple[Creature, ...] = ()
    notes: str = ""
    assumed: frozenset[str] = frozenset()


class Assumptions:
    """Collects the numbers that a file lacks, with the formulas by which they were worked out."""

    def __init__(self, report: ConversionReport) -> None:
        self._report = report
        self.fields: set[str] = set()

    def add(self, field: str, value: int | str, how: str, *, called: str = "") -> None:
        """Note that a field of the stat block was worked out; `called` is its name in the report."""
        self.fields.add(field)
        number = f"{value:+d}" if isinstance(value, int) and field in _SIGNED else str(value)
        self._report.add_note(called or field, number, _MISSING.format(how=how))


_SIGNED: Final = frozenset({"attack", "saves", "skills", "initiative"})


def party_of_one(creature: Creature, character: Character) -> Party:
    """Return a character, with its companions, as a party."""
    block = msgspec.structs.replace(
        creature, tags=tuple(dict.fromkeys((*creature.tags, CHARACTER_TAG))), **_newer_fields(character)
    )
    entry = RosterEntry(
        creature.id, creature.id, side=PARTY, role="character", player=character.player, notes=character.notes,
        state=_state(block, character),
    )  # fmt: skip
    companions = tuple(
        RosterEntry(one.id, one.id, side=PARTY, role="companion", controller=entry.id) for one in character.companions
    )
    return Party(creature.id, creature.name, (block, *character.companions), (entry, *companions))


def _newer_fields(character: Character) -> dict[str, Any]:
    fields = {
        "classes": character.classes,
        "assumed": tuple(sorted(character.assumed & set(Creature.__struct_fields__))),
    }
    return {name: value for name, value in fields.items() if value and name in Creature.__struct_fields__}


def _state(creature: Creature, character: Character) -> CharacterState | None:
    """Return the state of a character, or None if it is rested and unhurt."""
    slots = dict(creature.slots)
    tracks = ((f"{SLOT}{level}", slots[level] - used) for level, used in character.used if level in slots)
    left = tuple((name, max(0, number)) for name, number in tracks)
    hp = creature.hp if character.hp is None else min(character.hp, creature.hp)
    state = CharacterState(hp, character.temp_hp, character.dead, left, character.conditions)
    return None if state == CharacterState(creature.hp) else state


def joined(party: Party, characters: Iterable[Party]) -> Party:
    """Return a party with characters of other parties. Members with the same name get their new stat block and state."""
    creatures = {creature.id: creature for creature in party.creatures}
    roster = {member.id: member for member in party.roster}
    for other in characters:
        blocks, ids = {creature.id: creature for creature in other.creatures}, dict[str, str]()
        for member in other.roster:
            block, name = blocks.get(member.creature), member.name or _name(blocks, member)
            former = next((one for one in roster.values() if (one.name or _name(creatures, one)) == name), None)
            ids[member.id] = former.id if former is not None else unique_id(member.id, roster, "member")
            id = former.creature if former is not None else unique_id(member.creature, creatures, "creature")
            if block is not None:
                creatures[id] = msgspec.structs.replace(block, id=id)
            if former is not None:
                roster[former.id] = msgspec.structs.replace(former, state=member.state)
                continue
            links = {name: ids.get(getattr(member, name), "") for name in ("controller", "rides")}
            roster[ids[member.id]] = msgspec.structs.replace(member, id=ids[member.id], creature=id, **links)
    return msgspec.structs.replace(party, creatures=tuple(creatures.values()), roster=tuple(roster.values()))


def new_party(name: str) -> Party:
    """Return an empty party with a name."""
    return Party(slug(name, "party"), name)


def _name(creatures: Mapping[str, Creature], member: RosterEntry) -> str:
    creature = creatures.get(member.creature)
    return creature.name if creature is not None else member.creature
