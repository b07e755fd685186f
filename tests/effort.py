"""How hard a property is tried: as often as a person waits for in the suite, twenty times as often where one explores."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "ci")


def examples(usual: int) -> int:
    """Return how many examples to try of a property that the suite tries with `usual`."""
    return usual * 20 if PROFILE == "explore" else usual


def steps(act: Callable[[], object]) -> int:
    """Return how many lines of Python an act runs: its work, which is the same on a busy machine."""
    count = 0

    def count_line(frame: object, event: str, arg: object) -> object:
        nonlocal count
        count += event == "line"
        return count_line

    before = sys.gettrace()
    sys.settrace(count_line)
    try:
        act()
    finally:
        sys.settrace(before)
    return count
