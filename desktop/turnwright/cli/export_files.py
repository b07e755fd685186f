"""`turnwright export`: exports creatures or an encounter for another program or as library files, and lists losses."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from turnwright.cli.commands import ending_problem
from turnwright.cli.exit_codes import USAGE
from turnwright.cli.import_files import one_line
from turnwright.encounter.prepared import DEFAULT_SYSTEM, Creature, Scene
from turnwright.encounter.state import Encounter
from turnwright.importers.exporters.export import creatures_folder, title_of, write_creatures, write_encounter
from turnwright.importers.exporters.improved_initiative import ExportedText, Modifier
from turnwright.storage.encounters import read_encounter
from turnwright.storage.findings import Finding
from turnwright.storage.library.entries import read_library_file
from turnwright.storage.toml.source import read_toml

if TYPE_CHECKING:
    from turnwright.bootstrap import RuleSystems


class _Content:
    """The content of the input files: one encounter, or creatures of one rule system."""

    def __init__(self) -> None:
        self.encounter: Encounter | None = None
        self.creatures: list[Creature] = []
        self.systems: set[str] = set()

    @property
    def system(self) -> str:
        """The id of the rule system."""
        return next(iter(self.systems), DEFAULT_SYSTEM)


def export_files(files: Sequence[Path], output: Path, format: str, systems: RuleSystems) -> int:
    """Export the content of files. Return 1 if a file can't be read, or if the output can't be written."""
    wrong_ending = ending_problem(output, (".json",)) if format != "toml" else ""
    if wrong_ending:
        print(f"turnwright export: {wrong_ending}", file=sys.stderr)
        return USAGE
    content = _Content()
    for path in files:
        problem = _read(path, content, systems)
        if not problem and content.encounter is not None and len(files) > 1:
            problem = f"{path}: an encounter can't be exported together with other files"
        if problem:
            print(one_line(f"turnwright export: {problem}"), file=sys.stderr)
            return 1
    try:
        modifier = systems.get(content.system).data.ability_scale.modifier
        print(_written(content, output, format, modifier))
    except LookupError:
        expected = ", ".join(systems.ids)
        print(f"turnwright export: unknown rule system '{content.system}'; expected one of {expected}", file=sys.stderr)
        return 1
    except (OSError, ValueError) as error:
        print(f"turnwright export: {output}: {getattr(error, 'strerror', None) or error}", file=sys.stderr)
        return 1
    return 0


def _read(path: Path, content: _Content, systems: RuleSystems) -> str:
    """Read a file's content. Return an error message, or an empty string if there is none."""
    tables = read_toml(path).tables
    if tables is not None and "kind" in tables:
        system = str(tables.get("system", ""))
        record, findings = read_library_file(path)
        if isinstance(record, Creature):
            content.creatures.append(record)
            content.systems.add(system)
            return f"{path}: another rule system than that of the file before it" if len(content.systems) > 1 else ""
        return (
            f"{path}: expected an encounter or a creature; this is another kind of library file"
            if record is not None
            else _first(findings)
        )
    loaded = read_encounter(path, systems.ids)
    if loaded.encounter is None:
        return _first(loaded.findings)
    content.encounter = loaded.encounter
    scene = loaded.encounter.get(Scene, "scene")
    content.systems.add(scene.system if scene else DEFAULT_SYSTEM)
    return ""


def _first(findings: Sequence[Finding]) -> str:
    return str(findings[0]) if findings else "the file can't be read"


def _written(content: _Content, out: Path, form: str, modifier: Modifier) -> str:
    """Write the content. Return the text to print: the losses, and the path of the output."""
    if form == "toml":
        creatures = list(content.encounter.all(Creature)) if content.encounter else content.creatures
        title = title_of(content.encounter) if content.encounter else "creatures"
        return str(creatures_folder(creatures, content.system, out, title))
    exported: ExportedText
    if content.encounter is not None:
        exported = write_encounter(content.encounter, out, form, modifier)
    else:
        exported = write_creatures(content.creatures, out, modifier)
    losses = [one_line(str(loss)) for loss in exported.reports]
    return "\n".join([*losses, str(out)])
