"""Which picture shows a creature, and which pictures of creatures an encounter names."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.running import Combatant, GuestCreature
from turnwright.encounter.state import Lookup, Record


def portrait_of(lookup: Lookup, record: Record | None) -> str:
    """Return the picture's file of a combatant, a roster entry or a creature: its own, else that of what it is; or nothing."""
    if isinstance(record, Combatant | RosterEntry):
        entry = record if isinstance(record, RosterEntry) else lookup.get(RosterEntry, record.roster)
        kind = lookup.get(Creature, record.creature) or lookup.get(GuestCreature, record.creature)
        found = (one.portrait for one in (record, entry, kind) if one is not None and one.portrait)
        return next(found, "")
    return record.portrait if isinstance(record, Creature) else ""


def portraits_in(lookup: Lookup) -> Iterator[tuple[str, str, str]]:
    """Yield the table, the id and the picture's file of each record that names one."""
    for records in (lookup.all(Creature), lookup.all(GuestCreature), lookup.all(RosterEntry), lookup.all(Combatant)):
        for one in records:
            if one.portrait:
                yield one.table, one.id, one.portrait
