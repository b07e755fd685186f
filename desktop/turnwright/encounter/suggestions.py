"""Hints such as "did you mean …?", which suggest the known name closest to an unknown one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

LIKENESS: Final = 0.65  # similarity of a short name and the same name without one letter
CLOSE: Final = 0.85  # names this similar probably mean the same


def nearest_hint(name: str, known: Iterable[str], likeness: float = LIKENESS) -> str:
    """Return a hint with the known name closest to an unknown one, ignoring case, or an empty string."""
    by_folded = {candidate.casefold(): candidate for candidate in sorted(known)}
    folded = name.casefold()
    matches = [
        candidate for candidate in by_folded if len(candidate) == len(folded) and sorted(candidate) == sorted(folded)
    ]
    similar = [candidate for candidate in by_folded if _likeness_at_most(candidate, folded) >= likeness]
    if similar and not matches:
        from difflib import get_close_matches  # only loaded after a typing mistake

        matches = get_close_matches(folded, similar, 1, likeness)
    return "".join(f" (did you mean {by_folded[candidate]!r}?)" for candidate in matches[:1])


def _likeness_at_most(one: str, other: str) -> float:
    """Return an upper limit of the similarity of two names, based on the letters they share in any order."""
    return 2 * (Counter(one) & Counter(other)).total() / max(1, len(one) + len(other))
