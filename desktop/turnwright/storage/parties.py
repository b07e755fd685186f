"""The party of an encounter as a library record."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from turnwright.encounter.prepared import CharacterState, Creature, Party, RosterEntry
from turnwright.encounter.state import Encounter
from turnwright.storage.library import Library

DEFAULT_SIDE = "party"
NO_STATES: Mapping[str, CharacterState | None] = MappingProxyType({})


def party_members(encounter: Encounter) -> tuple[RosterEntry, ...]:
    """Return the party's entries: all with a player, and the others on the players' sides (else `party`)."""
    roster = tuple(encounter.all(RosterEntry))
    sides = {entry.side for entry in roster if entry.player} or {DEFAULT_SIDE}
    return tuple(entry for entry in roster if entry.player or entry.side in sides)


def party_of(
    encounter: Encounter, id: str, name: str, states: Mapping[str, CharacterState | None] = NO_STATES
) -> Party:
    """Return an encounter's party without its places in that encounter; `states` by the id of the roster entry.

    A member of whom no state is given keeps the one it was prepared with.
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
    creatures = tuple(one for id_ in used if (one := encounter.get(Creature, id_)) is not None)
    return Party(id, name, creatures, bare)


def party_name(library: Library, system: str, encounter: Encounter) -> str:
    """Return the name of the library's party that an encounter's members come from, empty where there is none.

    It has the same players and names; of several the one with most members here.
    """
    here = {_called(entry, encounter.get(Creature, entry.creature)) for entry in party_members(encounter)}
    best, found = 0, ""
    for entry in library.entries_for(system):
        record = library.load(entry)[0] if entry.kind == "party" else None
        if isinstance(record, Party):
            creatures = {one.id: one for one in record.creatures}
            there = {_called(one, creatures.get(one.creature)) for one in record.roster}
            if there <= here and len(there) > best:
                best, found = len(there), record.name
    return found


def _called(entry: RosterEntry, creature: Creature | None) -> tuple[str, str]:
    return entry.player, entry.name or (creature.name if creature is not None else entry.creature)
