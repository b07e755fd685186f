"""Hints such as "did you mean …?" with the known name closest to an unknown one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

LIKENESS: Final = 0.65  # the similarity of a short name and the same name with a missing letter
CLOSE: Final = 0.85  # names this similar are hardly two different things


def nearest_hint(name: str, known: Iterable[str], likeness: float = LIKENESS) -> str:
    """Return a hint with the known name closest to an unknown name, or an empty string. Case is ignored."""
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
    """Return an upper limit of the similarity of two names, from the letters that both have in any order."""
    return 2 * (Counter(one) & Counter(other)).total() / max(1, len(one) + len(other))
