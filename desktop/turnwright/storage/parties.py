"""The party of an encounter as a library record."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import Creature, Party, RosterEntry
from turnwright.encounter.state import Encounter

DEFAULT_SIDE = "party"


def party_members(encounter: Encounter) -> tuple[RosterEntry, ...]:
    """Return the party's entries: all with a player, and the others on the players' sides (else `party`)."""
    roster = tuple(encounter.all(RosterEntry))
    sides = {entry.side for entry in roster if entry.player} or {DEFAULT_SIDE}
    return tuple(entry for entry in roster if entry.player or entry.side in sides)


def party_of(encounter: Encounter, id: str, name: str) -> Party:
    """Return an encounter's party, without its positions and states in that encounter."""
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
        )
        for entry in members
    )
    used = dict.fromkeys(entry.creature for entry in members)
    creatures = tuple(one for id_ in used if (one := encounter.get(Creature, id_)) is not None)
    return Party(id, name, creatures, bare)
