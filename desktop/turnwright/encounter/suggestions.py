"""The hint of a finding at the name that was perhaps meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest_hint(name: str, known: Iterable[str], likeness: float = 0.6) -> str:
    """Return a hint at the known name most like an unknown name, empty where none is. Case makes no difference."""
    by_folded = {one.casefold(): one for one in sorted(known)}
    found = get_close_matches(name.casefold(), by_folded, 1, likeness)
    return "".join(f" (did you mean {by_folded[one]!r}?)" for one in found)
