"""`turnwright export`: creatures or an encounter for another program, or as library files; losses are reported."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from turnwright.cli.import_files import one_line
from turnwright.encounter.prepared import DEFAULT_SYSTEM, Creature, Scene
from turnwright.encounter.state import Encounter
from turnwright.storage.encounters import read_encounter
from turnwright.storage.exporters.export import creatures_folder, title_of, write_creatures, write_encounter
from turnwright.storage.exporters.improved_initiative import ExportedText, Modifier
from turnwright.storage.findings import Finding
from turnwright.storage.library import read_library_file
from turnwright.storage.toml_source import read_toml

if TYPE_CHECKING:
    from turnwright.bootstrap import RuleSystems


class _Held:
    """The content of the files: one encounter, or creatures of one system."""

    def __init__(self) -> None:
        self.encounter: Encounter | None = None
        self.creatures: list[Creature] = []
        self.games: set[str] = set()

    @property
    def system(self) -> str:
        """The id of its rule system."""
        return next(iter(self.games), DEFAULT_SYSTEM)


def export_files(files: Sequence[Path], out: Path, format_name: str, systems: RuleSystems) -> int:
    """Write the content of files in another format. 1 where a file can't be read, or the output can't be written."""
    held = _Held()
    for path in files:
        wrong = _read(path, held, systems)
        if not wrong and held.encounter is not None and len(files) > 1:
            wrong = f"{path}: an encounter is exported alone"
        if wrong:
            print(one_line(f"turnwright export: {wrong}"), file=sys.stderr)
            return 1
    try:
        modifier = systems.get(held.system).data.ability_scale.modifier
        print(_written(held, out, format_name, modifier))
    except LookupError:
        print(f"turnwright export: no rule system {held.system}: {', '.join(systems.ids)}", file=sys.stderr)
        return 1
    except (OSError, ValueError) as error:
        print(f"turnwright export: {out}: {getattr(error, 'strerror', None) or error}", file=sys.stderr)
        return 1
    return 0


def _read(path: Path, held: _Held, systems: RuleSystems) -> str:
    """Read a file's content; return an error, nothing where all is well."""
    tables = read_toml(path).tables
    if tables is not None and "kind" in tables:
        system = str(tables.get("system", ""))
        record, findings = read_library_file(path)
        if isinstance(record, Creature):
            held.creatures.append(record)
            held.games.add(system)
            return f"{path}: goes by other rules than the file before it" if len(held.games) > 1 else ""
        return f"{path}: is no creature" if record is not None else _first(findings)
    loaded = read_encounter(path, systems.ids)
    if loaded.encounter is None:
        return _first(loaded.findings)
    held.encounter = loaded.encounter
    scene = loaded.encounter.get(Scene, "scene")
    held.games.add(scene.system if scene else DEFAULT_SYSTEM)
    return ""


def _first(findings: Sequence[Finding]) -> str:
    return str(findings[0]) if findings else "can't be read"


def _written(held: _Held, out: Path, form: str, modifier: Modifier) -> str:
    """Write the content, and return the text to print: losses, and the output's path."""
    if form == "toml":
        creatures = list(held.encounter.all(Creature)) if held.encounter else held.creatures
        title = title_of(held.encounter) if held.encounter else "creatures"
        return str(creatures_folder(creatures, held.system, out, title))
    made: ExportedText
    if held.encounter is not None:
        made = write_encounter(held.encounter, out, form, modifier)
    else:
        made = write_creatures(held.creatures, out, modifier)
    told = [one_line(f"{one.record}: {one.field}: {one.why}: {one.text}") for one in made.reports]
    return "\n".join([*told, str(out)])
