"""Labels of a roster entry's members: the name, a number if several members have the name, and a ring colour."""

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
    """Numbers of members by name: in total, and in the entries before each entry, keyed by entry id."""

    total: Counter[str]
    before: dict[str, int]


def name_counts(lookup: Lookup) -> NameCounts:
    """Return the numbers of members in the roster by name."""
    counts = NameCounts(Counter(), {})
    for entry in lookup.all(RosterEntry):
        name = entry_name(lookup, entry)
        counts.before[entry.id] = counts.total[name]
        counts.total[name] += entry.count
    return counts


def member_labels(
    lookup: Lookup, entry: RosterEntry, taken: frozenset[str] = frozenset(), counts: NameCounts | None = None
) -> Iterator[str]:
    """Yield labels for an entry's members.

    They aren't in `taken`, and differ from the labels of other entries with the same name. `counts` are the name counts
    of the roster. Pass them if you need labels for many entries.
    """
    used = set(taken)
    for label, ring in zip(_numbered(lookup, entry, taken, counts), chain(entry.rings, repeat("")), strict=False):
        ringed = ringed_label(label, ring, used)
        used.add(ringed)
        yield ringed


def ringed_label(label: str, ring: str, taken: Container[str]) -> str:
    """Return the label of a member with a coloured ring: `Goblin, red` instead of `Goblin 2`, unless it is taken."""
    if not ring:
        return label
    short = f"{_NUMBER.sub('', label)}, {ring}"
    return short if short not in taken else f"{label}, {ring}"


def unringed_label(label: str, ring: str, taken: Container[str]) -> str:
    """Return a label without its ring colour, with the lowest free number if the name is taken."""
    bare = label.removesuffix(f", {ring}") if ring else label
    if bare not in taken:
        return bare
    name = _NUMBER.sub("", bare)
    return next(candidate for number in count(1) if (candidate := f"{name} {number}") not in taken)


def _numbered(lookup: Lookup, entry: RosterEntry, taken: frozenset[str], counts: NameCounts | None) -> Iterator[str]:
    name, counts = entry_name(lookup, entry), counts or name_counts(lookup)
    total = counts.total[name]
    if total <= 1 and name not in taken:
        yield name
    before = counts.before.get(entry.id, total)
    yield from (label for number in count(before + 1) if (label := f"{name} {number}") not in taken)


def creature_id(name: str) -> str:
    """Convert a name to an id: lower-case letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-") or "creature"
