"""Reads and writes adventures: a folder with `adventure.toml`, the plan, and `adventure.run.toml`, the progress.

The encounters of an adventure are separate files in the folder or below it. Writing only changes the values that
differ, so that comments, order and unknown keys are kept.
"""

from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, Final

import msgspec

from turnwright.encounter.adventure import STEP_KINDS, Adventure, AdventureRun, AdventureStep
from turnwright.encounter.field_specs import nearest_hint
from turnwright.storage import atomic, encounters, fights, made_with, migrations, picture_files
from turnwright.storage.editor import edited_text
from turnwright.storage.findings import Finding, FindingCollector, located_findings
from turnwright.storage.toml import parser, reader, record_tree
from turnwright.storage.toml.source import head_of_encounter, read_toml

PLAN: Final = "adventure.toml"
RUN: Final = "adventure.run.toml"
_DEPTH: Final = 2  # folders between an encounter and its adventure's folder
_HEAD = frozenset({"format", "kind", made_with.MADE_WITH})


class LoadedAdventure(msgspec.Struct, frozen=True):
    """The plan of an adventure, read from a file. `adventure` is None if there was an error."""

    path: Path
    adventure: Adventure | None
    findings: tuple[Finding, ...] = ()
    text: str = ""


def read_adventure(path: Path, systems: Collection[str]) -> LoadedAdventure:
    """Read the plan of an adventure. Never raises because of the file's content."""
    source = read_toml(path)
    if source.tables is None:
        return LoadedAdventure(path, None, source.findings, source.text)
    notes = FindingCollector()
    tables = migrations.migrate_file(source.tables, notes, record=Adventure)
    adventure = reader.read_struct(Adventure, tables, (), notes, foreign_keys=_HEAD) if tables is not None else None
    if adventure is not None and tables is not None:
        encounters.check_system(tables, systems, notes)
        _check_steps(adventure, path.parent, notes)
        made_with.note_newer_version(tables, notes)
    findings = located_findings(notes, str(path), source.text)
    return LoadedAdventure(path, None if notes.has_errors else adventure, findings, source.text)


def _check_steps(adventure: Adventure, folder: Path, notes: FindingCollector) -> None:
    """Add findings about steps without a kind or with two, and about files that are missing or elsewhere."""
    seen: set[str] = set()
    for place, step in enumerate(adventure.steps):
        where = ("steps", place)
        kinds = [kind for kind in STEP_KINDS if getattr(step, kind)]
        if not kinds:
            notes.error(where, "expected one of the keys `part`, `scene`, `encounter` and `rest`")
        elif len(kinds) > 1 and kinds != ["scene", "rest"]:
            notes.error((*where, kinds[1]), f"a step can't have both `{kinds[0]}` and `{kinds[1]}`; make two steps")
        if step.encounter:
            problem = name_problem(step.encounter)
            if problem or step.encounter.casefold() in seen:
                notes.error((*where, "encounter"), problem or f'"{step.encounter}" is already a step of this adventure')
            elif not (folder / step.encounter).is_file():
                hint = nearest_hint(step.encounter, encounter_files(folder))
                notes.warn((*where, "encounter"), f'no file "{step.encounter}" in the adventure\'s folder{hint}')
            seen.add(step.encounter.casefold())
        for index, name in enumerate(step.handouts):
            if wrong := picture_files.picture_problem(folder, name):
                notes.warn((*where, "handouts", index), wrong)


def name_problem(name: str) -> str:
    """Return the reason why a name can't be that of an adventure's encounter, or an empty string."""
    path = PurePosixPath(name)
    if "\\" in name or "\0" in name or path.is_absolute() or ".." in path.parts or name[1:2] == ":":
        return "must be a file in the adventure's folder or below it, with / between folders"
    if path.suffix != ".toml" or path.name in (PLAN, RUN) or name.endswith(fights.FIGHT_SUFFIX):
        return f"expected the name of an encounter file (`.toml`), found {name!r}"
    return ""


def read_run(path: Path) -> tuple[AdventureRun, tuple[Finding, ...]]:
    """Read the progress of an adventure from its run file, and return it with the findings.

    If the file is missing, the adventure hasn't begun. If it has errors, the progress is empty.
    """
    source = read_toml(path)
    if source.tables is None:
        return AdventureRun(), source.findings if path.exists() else ()
    notes = FindingCollector()
    tables = migrations.migrate_file(_with_plain_values(source.tables), notes, record=AdventureRun)
    run = reader.read_struct(AdventureRun, tables, (), notes, foreign_keys=_HEAD) if tables is not None else None
    return run or AdventureRun(), located_findings(notes, str(path), source.text)


def _with_plain_values(tables: dict[str, Any]) -> dict[str, Any]:
    """Return the tables of a run file with known names as pairs, and TOML's dates as texts."""
    known, done = tables.get("known"), tables.get("done")
    if isinstance(known, dict):
        tables = {**tables, "known": [[name, value] for name, value in known.items()]}
    if isinstance(done, dict):
        tables = {**tables, "done": {key: _with_text_date(value) for key, value in done.items()}}
    return tables


def _with_text_date(table: Any) -> Any:
    at = table.get("at") if isinstance(table, dict) else None
    return {**table, "at": at.isoformat()} if isinstance(at, datetime) else table


def adventure_text(part: Adventure | AdventureRun, text: str = "") -> str:
    """Return the text of an adventure's file: `text`, the file as it is, with the values that differ changed."""
    tree = record_tree.StructTable(format=migrations.FORMAT, kind=type(part).kind)
    tree.update(record_tree.table_of(part))
    if isinstance(part, AdventureRun):
        tree["known"] = (
            record_tree.OrderedTable(part.known) if part.known else record_tree.Default(record_tree.OrderedTable())
        )
        old_tables = {**_tables(text), "done": _with_plain_values(_tables(text)).get("done", {})}
    else:
        old_tables = _tables(text)
    tree = (
        made_with.with_version(tree, "kind") if not old_tables or edited_text(text, old_tables, tree) != text else tree
    )
    if not old_tables or not (edited := _edited(text, old_tables, tree)):
        return _new_text(tree)
    return edited


def _edited(text: str, old_tables: dict[str, Any], tree: record_tree.StructTable) -> str:
    """Return the text with the values of a tree, or an empty string if the result isn't valid.

    The first steps of a plan get a header each, at the end.
    """
    edited = edited_text(text, old_tables, tree)
    if not old_tables.get("steps") and isinstance(steps := tree.pop("steps", None), list):
        edited = "\n".join((edited_text(text, old_tables, tree), *_step_texts(steps)))
    return edited if _tables(edited) else ""


def _tables(text: str) -> dict[str, Any]:
    """Return the tables of a text, or none if it isn't valid TOML."""
    with suppress(ValueError, RecursionError):
        return parser.parse_tables(text.removeprefix("\ufeff"))
    return {}


def _new_text(tree: record_tree.StructTable) -> str:
    """Return the text of a new file, with a header for each step."""
    steps = tree.pop("steps", None)
    return "\n".join((record_tree.dump(tree), *(_step_texts(steps) if isinstance(steps, list) else ())))


def _step_texts(steps: list[Any]) -> list[str]:
    return [record_tree.table_text(("steps", place), step) for place, step in enumerate(steps)]


def write_adventure(path: Path, part: Adventure | AdventureRun, backups: Path | None = None) -> None:
    """Write an adventure's plan or its progress. Raise OSError if that fails.

    The old content goes to `backups`, if that is a folder.
    """
    old = read_toml(path).text if path.exists() else ""
    text = adventure_text(part, old)
    if text != old:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic.replace_atomically(path, text.encode(), backups)


def encounter_files(folder: Path, depth: int = _DEPTH) -> tuple[str, ...]:
    """Return the names of the encounter files in a folder and below it, relative to the folder and sorted."""
    return tuple(sorted(_encounter_files(folder, "", depth), key=str.casefold))


def _encounter_files(folder: Path, before: str, depth: int) -> Iterator[str]:
    with suppress(OSError):
        for path in folder.iterdir():
            if path.name.startswith("."):
                continue
            if path.is_dir() and depth and not (path / PLAN).exists():
                yield from _encounter_files(path, f"{before}{path.name}/", depth - 1)
            elif path.suffix == ".toml" and not name_problem(path.name) and head_of_encounter(path):
                yield before + path.name


def encounter_at(folder: Path, adventure: Adventure, key: str) -> Path | None:
    """Return the encounter file that is open at a step: its own, else the one before it, else the one after it.

    An empty key is before the first step. Files that are missing are left out. Return None if there is none.
    """
    steps, place = adventure.steps, adventure.place_of(key)
    ordered = (*steps[place::-1], *steps[place + 1 :]) if place >= 0 else steps
    paths = (folder / step.encounter for step in ordered if step.encounter)
    return next((path for path in paths if path.is_file()), None)


def plan_of(encounter: Path) -> Path | None:
    """Return the path of the adventure that has an encounter file as a step, or None.

    The plan is in the encounter's folder, or up to two above it.
    """
    for folder in list(encounter.absolute().parents)[: _DEPTH + 1]:
        plan = folder / PLAN
        if plan.is_file():
            name = encounter.absolute().relative_to(folder).as_posix()
            tables = read_toml(plan).tables or {}
            steps = tables.get("steps")
            names = (
                (step.get("encounter") for step in steps if isinstance(step, dict)) if isinstance(steps, list) else ()
            )
            return plan if name in names else None
    return None


def found_adventures(folder: Path) -> tuple[tuple[Path, str], ...]:
    """Return the plans in the folders of a folder with their titles, sorted by title."""
    plans = []
    with suppress(OSError):
        plans = [inner / PLAN for inner in folder.iterdir() if (inner / PLAN).is_file()]
    titled = ((plan, (read_toml(plan).tables or {}).get("title")) for plan in plans)
    named = ((plan, title if isinstance(title, str) and title else plan.parent.name) for plan, title in titled)
    return tuple(sorted(named, key=lambda each: each[1].casefold()))


def adventure_from(folder: Path, title: str, system: str, party: str = "") -> Adventure:
    """Return the plan of an adventure with all encounters of an existing folder, by name."""
    return Adventure(
        title, system, party, steps=tuple(AdventureStep(encounter=name) for name in encounter_files(folder))
    )
