"""Fight files: the running state that stands beside an encounter, written whole, and read with the same reader.

What was prepared is not in them, only a digest of the text that the fight was started from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from turnwright.encounter.running import Clock, Dice, Ids
from turnwright.encounter.state import RUNNING, Encounter, Record
from turnwright.storage.findings import Finding, Notes, located
from turnwright.storage.migrations import FORMAT, Format
from turnwright.storage.reader import named, read_keyed, read_struct
from turnwright.storage.references import check_running
from turnwright.storage.source import Source, parse_source, read_source
from turnwright.storage.tree import Fields, keyed_of, table_of

MAX_FIGHT_BYTES = 64_000_000
_SINGLE: tuple[type[Record], ...] = (Clock, Dice, Ids)
_HEAD = ("format", "of", "journal")
_NEWEST = Format()


class Fight(msgspec.Struct, frozen=True):
    """A running fight as read: no records where a finding is an error. `of` is the digest of what was prepared."""

    records: tuple[Record, ...] | None
    journal: tuple[Mapping[str, Any], ...] = ()
    of: str = ""
    findings: tuple[Finding, ...] = ()
    digest: str = ""


def fight_path(path: Path) -> Path:
    """Return the file beside an encounter that holds its running fight."""
    return path.with_name(path.name.removesuffix(".toml") + ".fight.toml")


def running(records: Iterable[Record]) -> tuple[Record, ...]:
    """Return those records that belong to a running fight."""
    return tuple(record for record in records if isinstance(record, RUNNING))


def fight_text(encounter: Encounter, journal: Sequence[Mapping[str, Any]], of: str) -> str:
    """Return the text of a fight file; TypeError where a journal line holds what a file cannot."""
    from turnwright.storage.dump import dump  # loaded with the first save, not at start-up

    tree = Fields(format=FORMAT, of=of, journal=list(journal))
    for kind in RUNNING:
        records = tuple(encounter.all(kind))
        if records:
            tree[kind.table] = table_of(records[0]) if kind in _SINGLE else keyed_of(records)
    return dump(tree)


def read_fight(path: Path, prepared: Encounter, newest: Format = _NEWEST) -> Fight:
    """Read a fight file to go with what was prepared; never raises for what stands in the file."""
    return _load(read_source(path, MAX_FIGHT_BYTES), path, prepared, newest)


def parse_fight(data: bytes, path: Path, prepared: Encounter, newest: Format = _NEWEST) -> Fight:
    """Read a fight file's bytes as `read_fight` reads the file; `path` is what findings name."""
    return _load(parse_source(data, path), path, prepared, newest)


def _load(source: Source, path: Path, prepared: Encounter, newest: Format) -> Fight:
    if source.tables is None:
        return Fight(None, findings=source.findings, digest=source.digest)
    notes = Notes()
    tables = newest.bring_up(source.tables, notes) or {}
    records = _records(tables, notes)
    journal = _journal(tables.get("journal", []), notes)
    of = tables.get("of", "")
    if not isinstance(of, str):
        notes.error(("of",), f"expected text, found {named(of)}")
    if not notes.has_errors:
        check_running(Encounter((*_prepared(prepared), *records)), notes)
    findings = located(notes, str(path), source.text)
    if notes.has_errors:
        return Fight(None, findings=findings, digest=source.digest)
    return Fight(records, journal, of, findings, source.digest)


def _prepared(encounter: Encounter) -> tuple[Record, ...]:
    return tuple(record for record in encounter if not isinstance(record, RUNNING))


def _records(tables: Mapping[str, Any], notes: Notes) -> tuple[Record, ...]:
    records: list[Record] = []
    for kind in RUNNING:
        table = tables.get(kind.table)
        if table is None:
            continue
        if kind in _SINGLE:
            record = read_struct(kind, table, (kind.table,), notes, id=kind.table)
            records.extend([record] if record is not None else [])
        else:
            records.extend(read_keyed(kind, table, (kind.table,), notes))
    for key in tables:
        if key not in _HEAD and all(kind.table != key for kind in RUNNING):
            notes.warn((key,), "is not a key that is known in a fight; it is left out")
    return tuple(records)


def _journal(lines: Any, notes: Notes) -> tuple[Mapping[str, Any], ...]:
    if not isinstance(lines, list) or not all(isinstance(line, dict) for line in lines):
        notes.error(("journal",), "expected a list of tables")
        return ()
    return tuple(lines)
