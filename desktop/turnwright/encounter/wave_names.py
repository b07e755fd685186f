"""Converts the ids of waves to display names."""

from __future__ import annotations

import re

_ID = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")


def wave_name(wave: str) -> str:
    """Return the display name of a wave: `second-boat` becomes "Second boat". Free text isn't changed."""
    if not _ID.fullmatch(wave):
        return wave
    words = wave.replace("-", " ").replace("_", " ")
    return words[:1].upper() + words[1:]
