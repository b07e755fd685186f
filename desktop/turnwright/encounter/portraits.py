"""Which picture shows a creature, and which pictures of creatures an encounter names."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.running import Combatant, GuestCreature
from turnwright.encounter.state import Lookup, Record


def portrait_of(lookup: Lookup, record: Record | None) -> str:
    """Return the picture's file of a combatant, a roster entry or a creature: its own, else that of what it is; or nothing."""
    if isinstance(record, Combatant):
        return record.portrait or portrait_of(
            lookup, lookup.get(RosterEntry, record.roster) or _kind(lookup, record.creature)
        )
    if isinstance(record, RosterEntry):
        return record.portrait or portrait_of(lookup, _kind(lookup, record.creature))
    return record.portrait if isinstance(record, Creature) else ""


def portraits_in(lookup: Lookup) -> Iterator[tuple[str, str, str]]:
    """Yield the table, the id and the picture's file of each record that names one."""
    for kind in (Creature, GuestCreature, RosterEntry, Combatant):
        yield from ((kind.table, one.id, one.portrait) for one in lookup.all(kind) if one.portrait)


def _kind(lookup: Lookup, creature: str) -> Creature | None:
    return lookup.get(Creature, creature) or lookup.get(GuestCreature, creature)
