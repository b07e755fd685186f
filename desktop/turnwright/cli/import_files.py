"""`turnwright import`: foreign files into a folder of TOML files, with a report by record; `take-back` undoes it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from turnwright.storage.importers.import_files import import_paths
from turnwright.storage.importers.import_manifest import read_manifest
from turnwright.storage.importers.pending_import import Again
from turnwright.storage.importers.results import ImportOutcome, RecordCounts, UnderstoodFeature
from turnwright.storage.importers.take_back import take_back
from turnwright.storage.traits.understand import Extent
from turnwright.workspace.folders import folders

_MOST_NAMES = 20
_STATES = (
    ("new", "new"),
    ("changed", "changed"),
    ("same", "the same"),
    ("edited", "edited by you"),
    ("removed", "removed by you"),
)
_EXTENTS: tuple[tuple[Extent, str], ...] = (
    ("whole", "understood as a whole"),
    ("part", "in part"),
    ("reminder", "as reminders"),
    ("off", "without effect in a fight"),
)


def import_files(
    paths: Sequence[Path], into: Path, *, system: str = "", again: Again = "skip", as_json: bool = False
) -> int:
    """Import files and folders into a folder under `into`. 1 where a record or a file could not be read.

    `again` is what becomes of records that an earlier import put there.
    """
    try:
        outcome = import_paths(paths, into, system=system, again=again, backups=folders().backups)
    except OSError as error:
        print(f"turnwright import: nothing was imported: {error.strerror or error}", file=sys.stderr)
        return 1
    if as_json:
        print(msgspec.json.encode(outcome).decode())
        return 1 if outcome.unread else 0
    for line in _summary_lines(outcome, again):
        print(one_line(line))
    for one in outcome.unread:
        record = f"{one.record}: " if one.record else ""
        print(one_line(f"{one.file}: {record}{one.why}"), file=sys.stderr)
    return 1 if outcome.unread else 0


def take_back_import(folder: Path) -> int:
    """Move the files of an import out of its folder into the backups. 1 where that folder is of no import."""
    if read_manifest(folder) is None:
        print(f"turnwright take-back: {folder} is not the folder of an import", file=sys.stderr)
        return 1
    try:
        taken = take_back(folder, folders().backups)
    except OSError as error:
        print(f"turnwright take-back: nothing was changed: {error.strerror or error}", file=sys.stderr)
        return 1
    if taken.aside is not None:
        print(f"{taken.count} file{'s' if taken.count != 1 else ''} moved to {taken.aside}")
    for name in taken.kept:
        print(one_line(f"{name}: kept, for you edited it"))
    return 0


def _summary_lines(outcome: ImportOutcome, again: Again) -> list[str]:
    """Return the report of an import in lines: its comparison, its records, the notes, and its folder."""
    kinds = Counter((one.kind, one.system) for one in outcome.placed)
    lines = _compared(outcome.counts, again) if outcome.counts else []
    lines += [
        f"{count} {kind}{'s' if count != 1 else ''} ({system})" for (kind, system), count in sorted(kinds.items())
    ]
    lines += [f"{one.record}: {one.field}: {one.why}: {one.text}" for one in outcome.reports]
    if outcome.gone:
        names = ", ".join(outcome.gone[:_MOST_NAMES]) + (" …" if len(outcome.gone) > _MOST_NAMES else "")
        lines.append(f"{len(outcome.gone)} no longer in the source, and kept: {names}")
    lines += understood_lines(outcome.understood, outcome.unplayed)
    if outcome.skipped:
        lines.append(f"{len(outcome.skipped)} other files hold nothing to import")
    lines += [f"what was written over is in {written.aside}" for written in outcome.written if written.aside]
    return [*lines, outcome.folder or "nothing was imported"]


def understood_lines(understood: Sequence[UnderstoodFeature], unplayed: int) -> list[str]:
    """Return what the catalogue of traits understood, in numbers by how far and by entry; nothing where that is nothing."""
    if not understood:
        return []
    extents = Counter(each.extent for each in understood)
    entries = Counter(entry for each in understood for entry in each.entries)
    numbers = [f"{extents[extent]} {words}" for extent, words in _EXTENTS if extents[extent]]
    return [
        f"features that play: {', '.join(numbers)}; {unplayed} others are text only",
        ", ".join(f"{entry} {number}" for entry, number in entries.most_common()),
    ]


def _compared(counts: RecordCounts, again: Again) -> list[str]:
    """Return how a source compares with its last import, and the option that does more than was done."""
    found = ", ".join(f"{number} {words}" for name, words in _STATES if (number := getattr(counts, name)))
    lines = [f"imported before: {found}"]
    if counts.changed and again == "skip":
        lines.append("what has changed stays as it was: --again update writes it")
    return lines


def one_line(text: str) -> str:
    """Return text of a foreign file on one line, without control characters for the terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
