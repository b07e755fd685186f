"""Roster counts that depend on the party size."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from turnwright.encounter.prepared import RosterEntry

USUAL_PARTY = 4  # the party size if there are no characters yet
MOST = 500
_PER = re.compile(r"(\d{1,3})\s+per\s+(?:(\d{1,2})\s+)?characters?", re.IGNORECASE)
_STEP = re.compile(r"(\d{1,2})\s*:\s*(\d{1,3})")


def count_for(counts: str, characters: int) -> int | None:
    """Return the count for a number of characters (at least 1), or None if the text is invalid.

    `2 per character` and `1 per 2 characters` multiply and round up. `3: 2, 4: 3, 6: 5` is a table: the last step
    reached applies, or the first if none is reached.
    """
    per = _PER.fullmatch(counts.strip())
    if per is not None:
        share, group_size = int(per[1]), int(per[2] or 1)
        return min(MOST, max(1, -(-share * characters // group_size))) if share and group_size else None
    matches = [_STEP.fullmatch(piece.strip()) for piece in counts.split(",")]
    steps = {int(match[1]): int(match[2]) for match in matches if match is not None}
    if len(steps) < len(matches) or not all(1 <= number <= MOST for number in steps.values()):
        return None
    return steps[max((size for size in steps if size <= characters), default=min(steps))]


def character_count(roster: Iterable[RosterEntry]) -> int:
    """Return the number of player characters in a roster, or the usual party size if there are none."""
    return sum(entry.count for entry in roster if entry.player) or USUAL_PARTY


def with_party_counts(roster: Iterable[RosterEntry]) -> dict[str, RosterEntry]:
    """Return the roster entries whose counts change with the party size, keyed by id, with their new counts."""
    entries = tuple(roster)
    changed: dict[str, RosterEntry] = {}
    for entry in entries:
        count = count_for(entry.counts, character_count(entries)) if entry.counts else None
        if count is not None and count != entry.count:
            changed[entry.id] = msgspec.structs.replace(entry, count=count)
    return changed
