"""How an id that a person has chosen reads where it has no name beside it."""

from __future__ import annotations

import re

_ID = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")


def wave_name(wave: str) -> str:
    """Return what a wave of reinforcements is called: `second-boat` is the "Second boat", words stand as written."""
    if not _ID.fullmatch(wave):
        return wave
    words = wave.replace("-", " ").replace("_", " ")
    return words[:1].upper() + words[1:]
