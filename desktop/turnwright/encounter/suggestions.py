"""The hint of a finding at the name that was perhaps meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

LIKENESS: Final = 0.65  # of a name with a letter dropped to the whole name, where it has two or more
CLOSE: Final = 0.85  # of names so like each other that one is hardly meant beside the other


def nearest_hint(name: str, known: Iterable[str], likeness: float = LIKENESS) -> str:
    """Return a hint at the known name most like an unknown name, empty where none is. Case makes no difference."""
    by_folded = {one.casefold(): one for one in sorted(known)}
    folded = name.casefold()
    found = [one for one in by_folded if len(one) == len(folded) and sorted(one) == sorted(folded)]
    similar = [one for one in by_folded if _likeness_at_most(one, folded) >= likeness]
    if similar and not found:
        from difflib import get_close_matches  # for those who mistype

        found = get_close_matches(folded, similar, 1, likeness)
    return "".join(f" (did you mean {by_folded[one]!r}?)" for one in found[:1])


def _likeness_at_most(one: str, other: str) -> float:
    """Return how like each other two names are at most, from the letters that both have in any order."""
    return 2 * (Counter(one) & Counter(other)).total() / max(1, len(one) + len(other))
