"""How hard a property is tried: as often as a person waits for in the suite, ten times as often where one explores."""

from __future__ import annotations

import os

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "ci")


def examples(usual: int) -> int:
    """Return how many examples to try of a property that the suite tries with `usual`."""
    return usual * 10 if PROFILE == "explore" else usual
