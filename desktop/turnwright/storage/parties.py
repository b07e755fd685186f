"""The party of an encounter as something to keep in a library."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import Creature, Party, RosterEntry
from turnwright.encounter.state import Encounter

DEFAULT_SIDE = "party"


def party_members(encounter: Encounter) -> tuple[RosterEntry, ...]:
    """Return who belongs to the party: everybody with a player, and who else is on a side of theirs (else `party`)."""
    roster = tuple(encounter.all(RosterEntry))
    sides = {entry.side for entry in roster if entry.player} or {DEFAULT_SIDE}
    return tuple(entry for entry in roster if entry.player or entry.side in sides)


def party_of(encounter: Encounter, id: str, name: str) -> Party:
    """Return an encounter's party, without where and how they stand in it."""
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
