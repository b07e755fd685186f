"""The verbs for files: `import`, `undo-import`, `export`, `backup`, `restore` and `understand`."""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import rtoml

from turnwright.bootstrap import RuleSystems
from turnwright.cli.commands import ending_problem
from turnwright.cli.terminal import USAGE, Failed, failing
from turnwright.encounter import prepared, state
from turnwright.importers.exporters import export, formats, printed
from turnwright.importers.files import import_manifest, imported_characters, pending_import, unknown_files
from turnwright.importers.files.import_files import import_paths
from turnwright.importers.files.notices import TITLES, first_names, notices
from turnwright.importers.results import ImportOutcome, RecordCounts, UnderstoodFeature
from turnwright.storage import backup, encounters, resources
from turnwright.storage.findings import Finding, errors_first
from turnwright.storage.library.entries import Library, read_library_file
from turnwright.storage.toml.source import read_toml
from turnwright.workspace.document import Document, open_document
from turnwright.workspace.files import OpenError
from turnwright.workspace.settings import folders

_MOST_NAMES = 20
_MOST_NOTICES = 12  # of each group
COUNTED: Mapping[str, Mapping[str, str]] = rtoml.loads(resources.read_text("command_line_counts.toml"))


def opened(file: Path, systems: RuleSystems, **options: Any) -> Document:
    """Open an encounter without locking it. Raise Failed with all mistakes if it can't be opened."""
    try:
        return open_document(file, systems, folders().state, locked=False, **options)
    except OpenError as error:
        raise Failed("\n".join(map(str, error.findings))) from error


def import_files(
    paths: Sequence[Path], into: Path, *, system: str, again: pending_import.Again, party: str, as_creatures: bool, as_json: bool,
    systems: RuleSystems,
) -> int:  # fmt: skip
    """Import files and folders into a new folder in `into`. Return 1 if a record or a file can't be read.

    `again` is the treatment of records that were imported before. Characters are added to the `party` with this name.
    """
    if system and system not in systems.ids:
        expected = ", ".join(systems.ids)
        raise Failed(f"turnwright import: unknown rule system '{system}'; expected one of {expected}", USAGE)
    with failing("turnwright import: nothing was imported"):
        outcome = import_paths(paths, into, system=system, again=again, backups=folders().backups)
        if party:
            outcome = imported_characters.add_to_party(outcome, party, Library(into), folders().backups)
        elif as_creatures:
            imported_characters.keep_as_creatures(outcome)
    if as_json:
        print(msgspec.json.encode(outcome).decode())
        return 1 if outcome.unread else 0
    for line in _summary_lines(outcome, again):
        print(one_line(line))
    for (file, why), records in state.grouped(((one.file, one.why), one.record) for one in outcome.unread).items():
        print(one_line(f"{file}: {f'{names}: ' if (names := first_names(records)) else ''}{why}"), file=sys.stderr)
    return 1 if outcome.unread else 0


def undo_import(folder: Path, systems: RuleSystems) -> int:
    """Move the files of an import to the backups.

    Return 1 if that fails, or if the folder doesn't contain an import.
    """
    if import_manifest.read_manifest(folder) is None:
        raise Failed(f"turnwright undo-import: {folder} is not the folder of an import")
    with failing("turnwright undo-import: nothing was changed"):
        undone = import_manifest.take_back(folder, folders().backups)
    if undone.aside is not None:
        print(f"{undone.count} file{'s' if undone.count != 1 else ''} moved to {undone.aside}")
    for name in undone.kept:
        print(one_line(f"{name}: kept, because you edited it"))
    return 0


def _summary_lines(outcome: ImportOutcome, again: pending_import.Again) -> list[str]:
    """Return the lines of an import report: the comparison with earlier imports, records, notes, and the folder."""
    kinds = Counter(
        ("character" if imported_characters.is_character(one) else one.kind, one.system) for one in outcome.placed
    )
    lines = _compared(outcome.counts, again) if outcome.counts else []
    lines += [
        f"{count} {kind}{'s' if count != 1 else ''} ({system})" for (kind, system), count in sorted(kinds.items())
    ]
    for group, told in notices(outcome.reports).items():
        lines += [f"{TITLES[group]} ({sum(len(one.notes) for one in told)}):"]
        lines += [f"  {one.text}" for one in told[:_MOST_NOTICES]]
        rest = told[_MOST_NOTICES:]
        lines += [f"  and {sum(len(one.notes) for one in rest)} others, which --json lists"] if rest else []
    if outcome.gone:
        names = ", ".join(outcome.gone[:_MOST_NAMES]) + (" …" if len(outcome.gone) > _MOST_NAMES else "")
        lines.append(f"{len(outcome.gone)} kept, although no longer in the source: {names}")
    lines += understood_lines(outcome.understood, outcome.unplayed)
    if outcome.skipped:
        lines.append(f"{len(outcome.skipped)} other files have nothing to import")
    lines += [f"overwritten files are in {written.aside}" for written in outcome.written if written.aside]
    return [*lines, outcome.folder or "nothing was imported"]


def understood_lines(understood: Sequence[UnderstoodFeature], unplayed: int) -> list[str]:
    """Return the numbers of recognised traits by extent and by catalogue entry, or nothing if there aren't any."""
    if not understood:
        return []
    extents = Counter[str](feature.extent for feature in understood)
    entries = Counter(entry for feature in understood for entry in feature.entries)
    numbers = [f"{extents[extent]} {words}" for extent, words in COUNTED["extents"].items() if extents[extent]]
    return [
        f"features with effects: {', '.join(numbers)}; {unplayed} others are only text",
        ", ".join(f"{entry} {number}" for entry, number in entries.most_common()),
    ]


def _compared(counts: RecordCounts, again: pending_import.Again) -> list[str]:
    """Compare a source with its last import. The lines also name the option that would import changes."""
    numbers = ", ".join(
        f"{number} {words}" for name, words in COUNTED["states"].items() if (number := getattr(counts, name))
    )
    lines = [f"compared with the last import: {numbers}"]
    if counts.changed and again == "skip":
        lines.append("changed records were skipped; --again update overwrites them")
    return lines


def one_line(text: str) -> str:
    """Return a text from an imported file on one line, without control characters."""
    return "".join(character if character.isprintable() else " " for character in text)


class _Content:
    """The content of the input files: one encounter, or creatures of one rule system."""

    def __init__(self) -> None:
        self.encounter: state.Encounter | None = None
        self.creatures: list[prepared.Creature] = []
        self.systems: set[str] = set()

    @property
    def system(self) -> str:
        """The id of the rule system."""
        return next(iter(self.systems), prepared.DEFAULT_SYSTEM)


def export_files(files: Sequence[Path], output: Path, format: str, systems: RuleSystems) -> int:
    """Export the content of files. Return 1 if a file can't be read, or if the output can't be written."""
    ending = next((form.ending for form in export.formats_of(format).values() if not form.apart), "")
    wrong_ending = ending_problem(output, (ending,)) if ending else ""
    if wrong_ending:
        raise Failed(f"turnwright export: {wrong_ending}", USAGE)
    content = _Content()
    for path in files:
        problem = _read(path, content, systems)
        if not problem and content.encounter is not None and len(files) > 1:
            problem = f"{path}: an encounter can't be exported together with other files"
        if problem:
            raise Failed(one_line(f"turnwright export: {problem}"))
    try:
        rules = systems.get(content.system)
    except LookupError:
        expected = ", ".join(systems.ids)
        raise Failed(f"turnwright export: unknown rule system '{content.system}'; expected one of {expected}") from None
    with failing(f"turnwright export: {output}", (OSError, ValueError)):
        form = None if format in ("toml", *export.FORMATS) else export.format_for(format, content.system)
        print(_written(content, output, form or format, rules.data.ability_scale.modifier))
    return 0


def _read(path: Path, content: _Content, systems: RuleSystems) -> str:
    """Read a file's content. Return an error message, or an empty string if there is none."""
    tables = read_toml(path).tables
    if tables is not None and "kind" in tables:
        system = str(tables.get("system", ""))
        record, findings = read_library_file(path)
        if isinstance(record, prepared.Creature):
            content.creatures.append(record)
            content.systems.add(system)
            return f"{path}: the rule system differs from that of the previous file" if len(content.systems) > 1 else ""
        if record is None:
            return _first(findings)
        return f"{path}: expected an encounter or a creature; this is another kind of library file"
    loaded = encounters.read_encounter(path, systems.ids)
    if loaded.encounter is None:
        return _first(loaded.findings)
    content.encounter = loaded.encounter
    scene = loaded.encounter.get(prepared.Scene, "scene")
    content.systems.add(scene.system if scene else prepared.DEFAULT_SYSTEM)
    return ""


def _first(findings: Sequence[Finding]) -> str:
    return str(errors_first(findings)[0]) if findings else "the file can't be read"


def _written(content: _Content, out: Path, form: formats.ExportFormat | str, modifier: printed.Modifier) -> str:
    """Write the content. Return the text to print: the losses, and the path of the output."""
    creatures = list(content.encounter.all(prepared.Creature)) if content.encounter else content.creatures
    title = export.title_of(content.encounter) if content.encounter else "creatures"
    if form == "toml":
        return str(export.creatures_folder(creatures, content.system, out, title))
    if not isinstance(form, str):
        path, notes = export.write_as(form, creatures, content.system, modifier, out, title)
        return "\n".join([*(one_line(str(loss)) for loss in notes), str(path)])
    exported: printed.ExportedText
    if content.encounter is not None:
        exported = export.write_encounter(content.encounter, out, form, modifier)
    else:
        exported = export.write_creatures(content.creatures, out, modifier)
    return "\n".join([*(one_line(str(loss)) for loss in exported.reports), str(out)])


def back_up(output: Path, systems: RuleSystems) -> int:
    """Save the library as one file. Return 1 if that fails."""
    with failing(f"turnwright backup: {output}"):
        count = backup.back_up_library(folders().library, output)
    print(f"{count} file{'s' if count != 1 else ''} in {output}")
    return 0


def restore(file: Path, systems: RuleSystems) -> int:
    """Replace the library with a backup. If that fails, nothing is changed and 1 is returned."""
    with failing("turnwright restore: nothing was changed"):
        restored = backup.restore_library(file, folders().library)
    print(f"{restored.files} file{'s' if restored.files != 1 else ''} in {folders().library}")
    if restored.previous_library is not None:
        print(f"the previous library is in {restored.previous_library}")
    return 0


def understand(folder: Path, *, check: bool, systems: RuleSystems) -> int:
    """Recognise traits in the files of a folder and save them. With `check`, only list them.

    Return 1 if a file has an error, or if a check finds changes.
    """
    if not folder.is_dir():
        raise Failed(f"turnwright understand: {folder} is not a folder")
    result = unknown_files.read_folder(folder)
    for finding in result.findings:
        print(one_line(str(finding)), file=sys.stderr)
    for file in result.files:
        print("\n".join(_lines(file)))
    with failing("turnwright understand"):
        aside = None if check else unknown_files.write_folder(folder, result, folders().backups)
    number = sum(len(file.features) for file in result.files)
    creatures = len(result.files)
    counted = f"{number} feature{'s' if number != 1 else ''} of {creatures} creature{'s' if creatures != 1 else ''}"
    print(f"{counted} {'would change' if check else 'changed'}")
    if aside is not None:
        print(f"the previous files are in {aside}")
    return 1 if result.findings or (check and result.files) else 0


def _lines(file: unknown_files.UnderstoodFile) -> list[str]:
    """Return a line for each recognised feature of a creature."""
    return [
        one_line(f"{file.creature}: {feature.feature.name}: {feature.extent}: {', '.join(feature.entries)}")
        for feature in file.features
    ]
