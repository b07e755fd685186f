"""Labels of a roster entry's members: its name, numbered where more than one bears it, with the colour of a ring."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator
from itertools import chain, count, repeat
from typing import Final

import msgspec

from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.running import GuestCreature
from turnwright.encounter.state import Lookup

_NUMBER: Final = re.compile(r" \d+$")


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
    used = set(taken)
    for label, ring in zip(_numbered(lookup, entry, taken, counts), chain(entry.rings, repeat("")), strict=False):
        chosen = ringed_label(label, ring, used)
        used.add(chosen)
        yield chosen


def ringed_label(label: str, ring: str, taken: Container[str]) -> str:
    """Return the label of one whose miniature has a ring: `Goblin 2` with a red one is `Goblin, red`, where that is free."""
    if not ring:
        return label
    short = f"{_NUMBER.sub('', label)}, {ring}"
    return short if short not in taken else f"{label}, {ring}"


def unringed_label(label: str, ring: str, taken: Container[str]) -> str:
    """Return a label without the colour of its ring, with the lowest number that is free where the name alone isn't."""
    bare = label.removesuffix(f", {ring}") if ring else label
    if bare not in taken:
        return bare
    name = _NUMBER.sub("", bare)
    return next(found for number in count(1) if (found := f"{name} {number}") not in taken)


def _numbered(lookup: Lookup, entry: RosterEntry, taken: frozenset[str], counts: NameCounts | None) -> Iterator[str]:
    name, counts = entry_name(lookup, entry), counts or name_counts(lookup)
    total = counts.total[name]
    if total <= 1 and name not in taken:
        yield name
    before = counts.before.get(entry.id, total)
    yield from (label for number in count(before + 1) if (label := f"{name} {number}") not in taken)


def creature_id(name: str) -> str:
    """Return a name as an id: small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-") or "creature"
