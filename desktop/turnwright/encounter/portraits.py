"""Portraits: the image of a combatant or creature, and all portraits in an encounter."""

from collections.abc import Iterator

from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.running import Combatant, GuestCreature
from turnwright.encounter.state import Lookup, Record


def portrait_of(lookup: Lookup, record: Record | None) -> str:
    """Return the image file of a combatant, roster entry or creature, or an empty string.

    Combatants and entries without their own portrait use the one of their roster entry or creature.
    """
    if isinstance(record, Combatant | RosterEntry):
        entry = record if isinstance(record, RosterEntry) else lookup.get(RosterEntry, record.roster)
        kind = lookup.get(Creature, record.creature) or lookup.get(GuestCreature, record.creature)
        return next((source.portrait for source in (record, entry, kind) if source is not None and source.portrait), "")
    return record.portrait if isinstance(record, Creature) else ""


def portraits_in(lookup: Lookup) -> Iterator[tuple[str, str, str]]:
    """Yield the table, id and image file of each record with a portrait."""
    for records in (lookup.all(Creature), lookup.all(GuestCreature), lookup.all(RosterEntry), lookup.all(Combatant)):
        yield from ((record.table, record.id, record.portrait) for record in records if record.portrait)
