"""Labels of a roster entry's members: its name, numbered where more than one bears it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.running import GuestCreature
from turnwright.encounter.state import Lookup


def entry_name(lookup: Lookup, entry: RosterEntry) -> str:
    """Return the name of an entry's members, without a number."""
    creature = lookup.get(Creature, entry.creature) or lookup.get(GuestCreature, entry.creature)
    return entry.name or (creature.name if creature else "") or entry.creature


def member_labels(lookup: Lookup, entry: RosterEntry, taken: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield labels for an entry's members, none of them taken; members of other entries with its name have others."""
    name = entry_name(lookup, entry)
    namesakes = [one for one in lookup.all(RosterEntry) if entry_name(lookup, one) == name]
    if sum(one.count for one in namesakes) <= 1 and name not in taken:
        yield name
    before = 0
    for one in namesakes:
        if one.id == entry.id:
            break
        before += one.count
    yield from (label for number in count(before + 1) if (label := f"{name} {number}") not in taken)
