"""`turnwright import`: foreign files into a folder of TOML files, with a report by record."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from turnwright.storage.importers.import_files import ImportOutcome, import_paths


def import_files(paths: Sequence[Path], into: Path, *, system: str = "", as_json: bool = False) -> int:
    """Import files and folders into a new folder under `into`. 1 where a record or a file could not be read."""
    try:
        outcome = import_paths(paths, into, system=system)
    except OSError as error:
        print(f"turnwright import: nothing was imported: {error.strerror or error}", file=sys.stderr)
        return 1
    if as_json:
        print(msgspec.json.encode(outcome).decode())
        return 1 if outcome.unread else 0
    for line in _summary_lines(outcome):
        print(one_line(line))
    for one in outcome.unread:
        record = f"{one.record}: " if one.record else ""
        print(one_line(f"{one.file}: {record}{one.why}"), file=sys.stderr)
    return 1 if outcome.unread else 0


def _summary_lines(outcome: ImportOutcome) -> list[str]:
    """Return the report of an import in lines: its records, the notes, and its folder."""
    kinds = Counter((one.kind, one.system) for one in outcome.placed)
    lines = [f"{count} {kind}{'s' if count != 1 else ''} ({system})" for (kind, system), count in sorted(kinds.items())]
    lines += [f"{one.record}: {one.field}: {one.why}: {one.text}" for one in outcome.reports]
    if outcome.skipped:
        lines.append(f"{len(outcome.skipped)} other files hold nothing to import")
    return [*lines, outcome.folder or "nothing was imported"]


def one_line(text: str) -> str:
    """Return text of a foreign file on one line, without control characters for the terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
