"""Earlier versions of a document's file: the copies that each save leaves, and what going back to one changes."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import msgspec

from turnwright.storage.atomic import backups_of

CONTEXT = 2  # lines shown around each change
MAX_LINES = 20_000  # of a text that is compared


class EarlierVersion(msgspec.Struct, frozen=True):
    """A copy of a file as it was before a save, and when that was."""

    path: Path
    saved_over: datetime


def earlier_versions(path: Path, backups: Path) -> list[EarlierVersion]:
    """Return the earlier versions of a file, the newest first."""
    found = [
        EarlierVersion(copy, datetime.fromtimestamp(copy.stat().st_mtime).astimezone())
        for copy in backups_of(path, backups)
    ]
    return found[::-1]


def changed_lines(now: str, then: str) -> list[str]:
    """Return the lines that turn one text into another: each begins with a plus, a minus, or a space where it stays.

    Above each group of them stands the heading of its table. ValueError for texts that are too long to be compared.
    """
    from difflib import SequenceMatcher  # for this dialog alone

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
