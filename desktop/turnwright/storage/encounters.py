"""Reads and writes encounter files.

Tables are first converted to records, then references are checked. All mistakes are collected. Writing only changes
the values that differ, so that comments, order and unknown keys are kept.
"""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from turnwright.encounter import field_specs, floors, portraits, roles
from turnwright.encounter.prepared import (
    Countdown,
    Creature,
    Environment,
    Handout,
    Map,
    Reminder,
    RosterEntry,
    Scene,
    Treasure,
    Wave,
)
from turnwright.encounter.state import PREPARED_TABLES, RUNNING, Change, Encounter, Record, count_for
from turnwright.storage import made_with, migrations, picture_files, unread
from turnwright.storage.editor import edited_text
from turnwright.storage.findings import Finding, FindingCollector, located_findings
from turnwright.storage.toml import parser, reader, record_tree, references
from turnwright.storage.toml.source import TomlSource, parse_toml, read_toml

HEAD = ("format", "system", "title", made_with.MADE_WITH)
_KEYED: tuple[type[Record], ...] = (Creature, RosterEntry, Environment, Countdown, Wave, Handout, Reminder, Treasure)
_KNOWN = frozenset(HEAD) | PREPARED_TABLES
_IN_HEAD = frozenset({"system", "title"})


class LoadedEncounter(msgspec.Struct, frozen=True):
    """The result of reading an encounter file. `text` is the file's text.

    `encounter` is None if there was an error. `readable` is the encounter without the records that have errors, or None
    if the file can't be read at all.
    """

    encounter: Encounter | None
    findings: tuple[Finding, ...] = ()
    digest: str = ""
    text: str = ""
    readable: Encounter | None = None


def read_encounter(path: Path, systems: Collection[str]) -> LoadedEncounter:
    """Read an encounter file for one of the rule systems. Never raises because of the file's content."""
    return _load(read_toml(path), path, systems, beside=path.parent)


def parse_encounter(data: bytes, path: Path, systems: Collection[str]) -> LoadedEncounter:
    """Read an encounter from the bytes of a file. `path` is only used in findings."""
    return _load(parse_toml(data, path), path, systems)


def _load(source: TomlSource, path: Path, systems: Collection[str], beside: Path | None = None) -> LoadedEncounter:
    if source.tables is None:
        return LoadedEncounter(None, source.findings, source.digest, source.text)
    notes = FindingCollector()
    tables = migrations.migrate_file(source.tables, notes)
    encounter = readable = None
    if tables is not None:
        check_system(tables, systems, notes)
        has_system = not notes.has_errors
        encounter = encounter_of(tables, notes)
        readable = encounter if has_system else None
        if beside is not None:
            _check_pictures(encounter, beside, notes)
        made_with.note_newer_version(tables, notes)
    findings = located_findings(notes, str(path), source.text)
    return LoadedEncounter(None if notes.has_errors else encounter, findings, source.digest, source.text, readable)


def _check_pictures(encounter: Encounter, folder: Path, notes: FindingCollector) -> None:
    """Warn of images of handouts, portraits and the map that can't be shown."""
    for handout in encounter.all(Handout):
        problem = picture_files.picture_problem(folder, handout.picture) if handout.picture else ""
        if problem:
            notes.warn((Handout.table, handout.id, "picture"), problem)
    for table, id, portrait in portraits.portraits_in(encounter):
        problem = picture_files.picture_problem(folder, portrait)
        if problem:
            notes.warn((table, id, "portrait"), problem)
    battle_map = encounter.get(Map, Map.table)
    for path, picture in floors.map_pictures(battle_map) if battle_map is not None else ():
        if problem := picture_files.picture_problem(folder, picture.file, picture_files.MAX_MAP_BYTES):
            notes.warn((Map.table, *path, "file"), problem)


def check_system(tables: Mapping[str, Any], systems: Collection[str], notes: FindingCollector) -> None:
    """Add an error if a file doesn't name one of the rule systems."""
    known = ", ".join(sorted(systems))
    system = tables.get("system")
    if "system" not in tables:
        notes.error((), f"missing key `system` (one of {known})")
    elif not isinstance(system, str):
        notes.error(("system",), f"expected one of {known}, found {reader.type_name(system)}")
    elif system not in systems:
        hint = field_specs.nearest_hint(system, systems)
        notes.error(("system",), f'unknown rule system "{system}"{hint}; expected one of {known}')


def encounter_of(tables: Mapping[str, Any], notes: FindingCollector) -> Encounter:
    """Convert plain tables of the newest format to an encounter without the records that have errors.

    A scene with errors is read as an empty scene of the same rule system.
    """
    for key in tables:
        if key not in _KNOWN:
            running = any(kind.table == key for kind in RUNNING)
            hint = notes.hint(key, _KNOWN)
            problem = "belongs in the fight file" if running else f"unknown key{hint}"
            notes.warn((key,), f"{problem}; kept")
    records: list[Record] = []
    scene = _scene(tables, notes)
    if scene is not None:
        records.append(scene)
    for kind in _KEYED:
        if kind.table in tables:
            records.extend(reader.read_keyed(kind, tables[kind.table], (kind.table,), notes))
    if Map.table in tables:
        grid = reader.read_struct(Map, tables[Map.table], (Map.table,), notes, id=Map.table)
        records += [grid] if grid is not None else []
    encounter = Encounter(records)
    counted = roles.with_party_counts(encounter)
    encounter = encounter.with_changes(
        [Change((entry.table, entry.id), encounter.need(RosterEntry, entry.id), entry) for entry in counted]
    )
    if not notes.has_errors:
        references.check_references(encounter, notes)
    return encounter


def _scene(tables: Mapping[str, Any], notes: FindingCollector) -> Scene | None:
    head = {key: tables[key] for key in ("title",) if key in tables}
    titled = reader.read_struct(Scene, head, (), notes)
    body = tables.get("scene", {})
    scene = reader.read_struct(Scene, body, ("scene",), notes, id="scene")
    if isinstance(body, dict):
        for key in _IN_HEAD & body.keys():
            notes.error(("scene", key), f"belongs at the top of the file, before the first table: {key} = …")
    system = tables.get("system")
    if not isinstance(system, str):
        return None
    return msgspec.structs.replace(scene or Scene(), title=titled.title if titled else "", system=system)


def tree_of(encounter: Encounter) -> record_tree.StructTable:
    """Convert the prepared records to the table tree of an encounter file."""
    scene = encounter.get(Scene, "scene") or Scene()
    tree = record_tree.StructTable(format=migrations.FORMAT, system=scene.system)
    tree["title"] = scene.title or record_tree.Default("")
    tree["scene"] = _usual_if_plain(record_tree.table_of(scene, excluded=_IN_HEAD))
    for kind in _KEYED:
        tables = record_tree.table_of_structs(tuple(_written(record) for record in encounter.all(kind)))
        tree[kind.table] = tables or record_tree.Default(tables)
    grid = encounter.get(Map, Map.table)
    tree[Map.table] = record_tree.table_of(grid) if grid else None
    return tree


def _written(record: Record) -> Record:
    """Return a record in its stored form.

    A count that depends on the party size is left out, because it is derived on reading.
    """
    follows = isinstance(record, RosterEntry) and record.counts and count_for(record.counts, 1) is not None
    return msgspec.structs.replace(record, count=1) if follows else record


def _usual_if_plain(fields: record_tree.StructTable) -> record_tree.StructTable | record_tree.Default:
    return fields if record_tree.plain_value(fields) else record_tree.Default(fields)


class EncounterFile:
    """The text of an encounter file as the user wrote it, or an empty string if the file was never saved.

    Every save edits this text, not the result of the previous save, so an undone change leaves no trace.
    """

    def __init__(self, text: str = "") -> None:
        self.text = text

    def render(self, encounter: Encounter, *, marked: bool = False) -> str:
        """Return the file's text, updated to the prepared records. Unchanged parts stay exactly as written.

        `marked`: if anything changed, also write this version of Turnwright.
        """
        tree = tree_of(encounter)
        if not self.text:
            return record_tree.dump(made_with.with_version(tree, "title") if marked else tree)
        old = parser.parse_tables(self.text.removeprefix("\ufeff"))
        if "format" not in old:
            tree["format"] = record_tree.Default(migrations.FORMAT)
        migrated = (
            None if old.get("format") in (None, migrations.FORMAT) else migrations.migrate_file(old, FindingCollector())
        )
        notes = FindingCollector()
        encounter_of(migrated or old, notes)
        unread.add_unread_parts(tree, migrated or old, unread.unread_parts(migrated or old, notes))
        before = [] if migrated is None else [_strict(migrated)]
        text = edited_text(self.text, old, *before, tree)
        if marked and text != self.text:
            tree = made_with.with_version(tree, "title")
            text = edited_text(self.text, old, *before, tree)
        return (
            text if _holds(text, encounter) else record_tree.dump(record_tree.with_unknown_keys(tree, migrated or old))
        )


def _strict(value: Any) -> Any:
    """Convert plain tables to a tree in which the order and presence of every key matter."""
    if isinstance(value, dict):
        return record_tree.OrderedTable({key: _strict(inner) for key, inner in value.items()})
    return [_strict(item) for item in value] if isinstance(value, list) else value


def _holds(text: str, encounter: Encounter) -> bool:
    """Whether a text contains exactly these prepared records."""
    try:
        tables = parser.parse_tables(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return False
    expected = prepared(encounter)
    if not (expected and isinstance(expected[0], Scene)):
        expected.insert(0, Scene())
    return list(encounter_of(tables, FindingCollector())) == expected


def prepared(records: Iterable[Record]) -> list[Record]:
    """Return the prepared records, without those of a running fight."""
    return [record for record in records if record.table in PREPARED_TABLES]
