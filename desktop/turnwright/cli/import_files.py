"""`turnwright import`: imports files of other programs as a folder of TOML files. `undo-import` undoes it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.cli.exit_codes import USAGE
from turnwright.importers.files.import_files import import_paths
from turnwright.importers.files.import_manifest import read_manifest
from turnwright.importers.files.pending_import import Again
from turnwright.importers.files.take_back import take_back
from turnwright.importers.results import ImportOutcome, RecordCounts, UnderstoodFeature
from turnwright.importers.traits.understand import Extent
from turnwright.workspace.folders import folders

_MOST_NAMES = 20
_STATES = (
    ("new", "new"),
    ("changed", "changed"),
    ("same", "unchanged"),
    ("edited", "edited by you"),
    ("removed", "removed by you"),
)
_EXTENTS: tuple[tuple[Extent, str], ...] = (
    ("whole", "recognised in full"),
    ("part", "in part"),
    ("reminder", "as reminders"),
    ("off", "without effect in a fight"),
)


def import_files(
    paths: Sequence[Path], into: Path, *, system: str, again: Again, as_json: bool, systems: RuleSystems
) -> int:
    """Import files and folders into a new folder in `into`. Return 1 if a record or a file can't be read.

    `again` tells what to do with records that were imported before.
    """
    if system and system not in systems.ids:
        expected = ", ".join(systems.ids)
        print(f"turnwright import: unknown rule system '{system}'; expected one of {expected}", file=sys.stderr)
        return USAGE
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
    for unread in outcome.unread:
        record = f"{unread.record}: " if unread.record else ""
        print(one_line(f"{unread.file}: {record}{unread.why}"), file=sys.stderr)
    return 1 if outcome.unread else 0


def undo_import(folder: Path, systems: RuleSystems) -> int:
    """Move the files of an import to the backups.

    Return 1 if that fails, or if the folder doesn't contain an import.
    """
    if read_manifest(folder) is None:
        print(f"turnwright undo-import: {folder} is not the folder of an import", file=sys.stderr)
        return 1
    try:
        undone = take_back(folder, folders().backups)
    except OSError as error:
        print(f"turnwright undo-import: nothing was changed: {error.strerror or error}", file=sys.stderr)
        return 1
    if undone.aside is not None:
        print(f"{undone.count} file{'s' if undone.count != 1 else ''} moved to {undone.aside}")
    for name in undone.kept:
        print(one_line(f"{name}: kept, because you edited it"))
    return 0


def _summary_lines(outcome: ImportOutcome, again: Again) -> list[str]:
    """Return the lines of an import report: the comparison with earlier imports, records, notes, and the folder."""
    kinds = Counter((record.kind, record.system) for record in outcome.placed)
    lines = _compared(outcome.counts, again) if outcome.counts else []
    lines += [
        f"{count} {kind}{'s' if count != 1 else ''} ({system})" for (kind, system), count in sorted(kinds.items())
    ]
    lines += [str(note) for note in outcome.reports]
    if outcome.gone:
        names = ", ".join(outcome.gone[:_MOST_NAMES]) + (" …" if len(outcome.gone) > _MOST_NAMES else "")
        lines.append(f"{len(outcome.gone)} kept that are no longer in the source: {names}")
    lines += understood_lines(outcome.understood, outcome.unplayed)
    if outcome.skipped:
        lines.append(f"{len(outcome.skipped)} other files have nothing to import")
    lines += [f"overwritten files are in {written.aside}" for written in outcome.written if written.aside]
    return [*lines, outcome.folder or "nothing was imported"]


def understood_lines(understood: Sequence[UnderstoodFeature], unplayed: int) -> list[str]:
    """Return the numbers of recognised traits by extent and by catalogue entry, or nothing if there aren't any."""
    if not understood:
        return []
    extents = Counter(feature.extent for feature in understood)
    entries = Counter(entry for feature in understood for entry in feature.entries)
    numbers = [f"{extents[extent]} {words}" for extent, words in _EXTENTS if extents[extent]]
    return [
        f"features with effects: {', '.join(numbers)}; {unplayed} others are only text",
        ", ".join(f"{entry} {number}" for entry, number in entries.most_common()),
    ]


def _compared(counts: RecordCounts, again: Again) -> list[str]:
    """Compare a source with its last import. The lines also name the option that would import changes."""
    numbers = ", ".join(f"{number} {words}" for name, words in _STATES if (number := getattr(counts, name)))
    lines = [f"compared with the last import: {numbers}"]
    if counts.changed and again == "skip":
        lines.append("changed records were skipped; --again update overwrites them")
    return lines


def one_line(text: str) -> str:
    """Return a text from an imported file on one line, without control characters."""
    return "".join(character if character.isprintable() else " " for character in text)
