"""Counts that follow the size of the party: how many of a roster entry there are for so many characters."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from turnwright.encounter.prepared import RosterEntry

USUAL_PARTY = 4  # characters, where no player has one yet
MOST = 500
_PER = re.compile(r"(\d{1,3})\s+per\s+(?:(\d{1,2})\s+)?characters?", re.IGNORECASE)
_STEP = re.compile(r"(\d{1,2})\s*:\s*(\d{1,3})")


def count_for(counts: str, characters: int) -> int | None:
    """Return how many there are for so many characters, at least 1; None where the text can't be read.

    `2 per character` and `1 per 2 characters` multiply, rounded up; `3: 2, 4: 3, 6: 5` is a table, of which the last step
    that is reached holds, below all the first.
    """
    per = _PER.fullmatch(counts.strip())
    if per is not None:
        share, each = int(per[1]), int(per[2] or 1)
        return min(MOST, max(1, -(-share * characters // each))) if share and each else None
    found = [_STEP.fullmatch(piece.strip()) for piece in counts.split(",")]
    steps = {int(one[1]): int(one[2]) for one in found if one is not None}
    if len(steps) < len(found) or not all(1 <= number <= MOST for number in steps.values()):
        return None
    return steps[max((size for size in steps if size <= characters), default=min(steps))]


def character_count(roster: Iterable[RosterEntry]) -> int:
    """Return the number of players' characters in a roster, the usual one where it has none."""
    return sum(entry.count for entry in roster if entry.player) or USUAL_PARTY


def with_party_counts(roster: Iterable[RosterEntry]) -> dict[str, RosterEntry]:
    """Return the entries of a roster whose count is another for its characters, by id, each with that count."""
    entries = tuple(roster)
    found: dict[str, RosterEntry] = {}
    for entry in entries:
        count = count_for(entry.counts, character_count(entries)) if entry.counts else None
        if count is not None and count != entry.count:
            found[entry.id] = msgspec.structs.replace(entry, count=count)
    return found
