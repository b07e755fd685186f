"""Converts an encounter's party to a library record."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from turnwright.encounter.prepared import CharacterState, Creature, Party, RosterEntry
from turnwright.encounter.state import Encounter
from turnwright.storage.library.entries import Library

DEFAULT_SIDE = "party"
NO_STATES: Mapping[str, CharacterState | None] = MappingProxyType({})


def party_members(encounter: Encounter) -> tuple[RosterEntry, ...]:
    """Return the party's roster entries: those with a player, and others on the same sides.

    If no entry has a player, return the entries on the side `party`.
    """
    roster = tuple(encounter.all(RosterEntry))
    sides = {entry.side for entry in roster if entry.player} or {DEFAULT_SIDE}
    return tuple(entry for entry in roster if entry.player or entry.side in sides)


def party_of(
    encounter: Encounter, id: str, name: str, states: Mapping[str, CharacterState | None] = NO_STATES
) -> Party:
    """Return an encounter's party for the library, without positions and other facts about the encounter.

    `states` is keyed by roster entry id. Members without a new state keep their prepared state.
    """
    members = party_members(encounter)
    ids = {entry.id for entry in members}
    bare = tuple(
        msgspec.structs.replace(
            entry,
            wave="",
            place="",
            positions=(),
            outside=(),
            sneaking=False,
            hidden=False,
            elevation=0,
            controller=entry.controller if entry.controller in ids else "",
            rides=entry.rides if entry.rides in ids else "",
            state=states.get(entry.id, entry.state),
        )
        for entry in members
    )
    used = dict.fromkeys(entry.creature for entry in members)
    creatures = tuple(creature for id_ in used if (creature := encounter.get(Creature, id_)) is not None)
    return Party(id, name, creatures, bare)


def party_name(library: Library, system: str, encounter: Encounter) -> str:
    """Return the name of the library party used in an encounter, or an empty string.

    All members of the party must be in the encounter, with the same player and name. If several parties match, the
    largest is used.
    """
    here = {_called(entry, encounter.get(Creature, entry.creature)) for entry in party_members(encounter)}
    best, name = 0, ""
    for entry in library.entries_for(system):
        record = library.load(entry)[0] if entry.kind == "party" else None
        if isinstance(record, Party):
            creatures = {creature.id: creature for creature in record.creatures}
            there = {_called(member, creatures.get(member.creature)) for member in record.roster}
            if there <= here and len(there) > best:
                best, name = len(there), record.name
    return name


def _called(entry: RosterEntry, creature: Creature | None) -> tuple[str, str]:
    return entry.player, entry.name or (creature.name if creature is not None else entry.creature)
