"""Labels of a roster entry's members: its name, numbered where more than one bears it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import count

import msgspec

from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.running import GuestCreature
from turnwright.encounter.state import Lookup


def entry_name(lookup: Lookup, entry: RosterEntry) -> str:
    """Return the name of an entry's members, without a number."""
    creature = lookup.get(Creature, entry.creature) or lookup.get(GuestCreature, entry.creature)
    return entry.name or (creature.name if creature else "") or entry.creature


class NameCounts(msgspec.Struct):
    """The numbers of members with each name: in all, and in the entries before each entry by its id."""

    total: Counter[str]
    before: dict[str, int]


def name_counts(lookup: Lookup) -> NameCounts:
    """Return the numbers of the roster's members with each name."""
    found = NameCounts(Counter(), {})
    for entry in lookup.all(RosterEntry):
        name = entry_name(lookup, entry)
        found.before[entry.id] = found.total[name]
        found.total[name] += entry.count
    return found


def member_labels(
    lookup: Lookup, entry: RosterEntry, taken: frozenset[str] = frozenset(), counts: NameCounts | None = None
) -> Iterator[str]:
    """Yield labels for an entry's members, none of them taken; members of other entries with its name have others.

    `counts` are those of the roster, where they are asked for many entries.
    """
    name, counts = entry_name(lookup, entry), counts or name_counts(lookup)
    total = counts.total[name]
    if total <= 1 and name not in taken:
        yield name
    before = counts.before.get(entry.id, total)
    yield from (label for number in count(before + 1) if (label := f"{name} {number}") not in taken)


def creature_id(name: str) -> str:
    """Return a name as an id: small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-") or "creature"
