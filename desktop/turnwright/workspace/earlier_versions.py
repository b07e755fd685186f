"""Earlier versions of a document's file: backups made by each save, and the changes that restoring one would make."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import msgspec

from turnwright.storage.atomic import backups_of

CONTEXT = 2  # number of lines shown around each change
MAX_LINES = 20_000  # maximum length of a text; longer ones are not compared


class EarlierVersion(msgspec.Struct, frozen=True):
    """A copy of a file made before a save, and the time of that save."""

    path: Path
    saved_over: datetime


def earlier_versions(path: Path, backups: Path) -> list[EarlierVersion]:
    """Return the earlier versions of a file, newest first."""
    versions = [
        EarlierVersion(copy, datetime.fromtimestamp(copy.stat().st_mtime).astimezone())
        for copy in backups_of(path, backups)
    ]
    return versions[::-1]


def changed_lines(now: str, then: str) -> list[str]:
    """Return the differences between two texts as lines that begin with a plus, a minus, or a space if unchanged.

    Each group of lines is preceded by the heading of its table. Raise ValueError if a text is too long to compare.
    """
    from difflib import SequenceMatcher  # only needed in this dialog

    here, there = now.splitlines(), then.splitlines()
    if max(len(here), len(there)) > MAX_LINES:
        raise ValueError(f"more than {MAX_LINES:,} lines")
    lines: list[str] = []
    for group in SequenceMatcher(None, here, there, autojunk=False).get_grouped_opcodes(CONTEXT):
        start = group[0][1]
        heading = next((line for line in reversed(here[:start]) if line.startswith("[")), "")
        lines += [""] * bool(lines) + [f"  {heading}"] * bool(heading)
        for kind, a, b, c, d in group:
            lines += [f"  {line}" for line in here[a:b]] if kind == "equal" else []
            lines += [f"- {line}" for line in here[a:b] if kind != "equal"]
            lines += [f"+ {line}" for line in there[c:d] if kind != "equal"]
    return lines
