"""Fight files, and reports of problems in files of other programs.

Reads and writes fight files, which store the running state of an encounter next to its file.

A fight file doesn't contain the prepared records, only a digest of the encounter text when the fight was started.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import SourceNote
from turnwright.encounter.state import RUNNING, Encounter, Record
from turnwright.storage.findings import Finding, FindingCollector, located_findings
from turnwright.storage.made_with import MADE_WITH, note_newer_version, with_version
from turnwright.storage.migrations import FORMAT, OLDEST_FIGHT, SINGLE_RECORDS, migrate_file
from turnwright.storage.toml.reader import read_keyed, read_struct, type_name
from turnwright.storage.toml.record_tree import StructTable, dump, table_of, table_of_structs
from turnwright.storage.toml.references import check_running_references
from turnwright.storage.toml.source import TomlSource, parse_toml, read_toml

MAX_FIGHT_BYTES = 64_000_000
_HEAD = ("format", MADE_WITH, "of", "journal")


FIGHT_SUFFIX: Final = ".fight.toml"


class Fight(msgspec.Struct, frozen=True):
    """A fight file's content.

    `records` is None if there was an error; `prepared_digest` is the digest of the encounter's text.
    """

    records: tuple[Record, ...] | None
    journal: tuple[Mapping[str, Any], ...] = ()
    prepared_digest: str = ""
    findings: tuple[Finding, ...] = ()
    digest: str = ""


def fight_path(path: Path) -> Path:
    """Return the path of an encounter's fight file."""
    return path.with_name(path.name.removesuffix(".toml") + FIGHT_SUFFIX)


def fight_text(encounter: Encounter, journal: Sequence[Mapping[str, Any]], prepared_digest: str) -> str:
    """Return the text of a fight file. Raise TypeError if a journal line has a value that TOML doesn't support."""
    tree = with_version(StructTable(format=FORMAT, of=prepared_digest, journal=list(journal)), "format")
    for kind in RUNNING:
        records = tuple(encounter.all(kind))
        if records:
            tree[kind.table] = table_of(records[0]) if kind in SINGLE_RECORDS else table_of_structs(records)
    return dump(tree)


def read_fight(path: Path, prepared: Encounter) -> Fight:
    """Read the fight file of a prepared encounter. Never raises because of the file's content."""
    return _load(read_toml(path, MAX_FIGHT_BYTES), path, prepared)


def parse_fight(data: bytes, path: Path, prepared: Encounter) -> Fight:
    """Read a fight from the bytes of its file. `path` is only used in findings."""
    return _load(parse_toml(data, path), path, prepared)


def _load(source: TomlSource, path: Path, prepared: Encounter) -> Fight:
    if source.tables is None:
        return Fight(None, findings=source.findings, digest=source.digest)
    notes = FindingCollector()
    tables = migrate_file(source.tables, notes, OLDEST_FIGHT) or {}
    records = _records(tables, notes)
    journal = _journal(tables.get("journal", []), notes)
    of = tables.get("of", "")
    if not isinstance(of, str):
        notes.error(("of",), f"expected text, found {type_name(of)}")
    if not notes.has_errors:
        kept = (record for record in prepared if not isinstance(record, RUNNING))
        check_running_references(Encounter((*kept, *records)), notes)
    note_newer_version(tables, notes)
    findings = located_findings(notes, str(path), source.text)
    if notes.has_errors:
        return Fight(None, findings=findings, digest=source.digest)
    return Fight(records, journal, of, findings, source.digest)


def _records(tables: Mapping[str, Any], notes: FindingCollector) -> tuple[Record, ...]:
    records: list[Record] = []
    for kind in RUNNING:
        table = tables.get(kind.table)
        if table is None:
            continue
        if kind in SINGLE_RECORDS:
            record = read_struct(kind, table, (kind.table,), notes, id=kind.table)
            records.extend([record] if record is not None else [])
        else:
            records.extend(read_keyed(kind, table, (kind.table,), notes))
    for key in tables:
        if key not in _HEAD and all(kind.table != key for kind in RUNNING):
            notes.warn((key,), "unknown key in a fight file; ignored")
    return tuple(records)


def _journal(lines: Any, notes: FindingCollector) -> tuple[Mapping[str, Any], ...]:
    if not isinstance(lines, list) or not all(isinstance(line, dict) for line in lines):
        notes.error(("journal",), "expected a list of tables")
        return ()
    return tuple(lines)


class ConversionNote(msgspec.Struct, frozen=True):
    """A note on a field that was kept as text only, changed or ignored.

    `field` and `text` are the field's name and content in the source. `why` is a phrase without a leading verb. It
    states the problem and its consequence (`not a size; treated as Medium`). It is printed after the field, and is a
    heading in the window.
    """

    record: str
    field: str
    text: str
    why: str

    def __str__(self) -> str:
        """Return `record: field: reason: "text"`, without the text if it is empty."""
        text = f': "{self.text}"' if self.text else ""
        return f"{self.record}: {self.field}: {self.why}{text}"


class UnreadableError(Exception):
    """Raised with a reason if a record can't be read. The rest of the file is still read."""


class ConversionReport:
    """The notes on one record, and the remarks to store in it. Repeated notes are listed once."""

    __slots__ = ("_told", "record", "remarks")

    def __init__(self, record: str) -> None:
        self.record = record
        self.remarks: list[SourceNote] = []
        self._told: dict[ConversionNote, None] = {}

    def add_note(self, field: str, text: object, why: str) -> None:
        """Add a note on a field, or on a text in it. Values that aren't text are shown by their `repr`."""
        words = text if isinstance(text, str) else repr(text)
        self._told[ConversionNote(self.record, field, words[:400], why)] = None

    def add_remark(self, about: str, text: str, why: str = "", *, field: str = "") -> None:
        """Store a text of the source as a remark on a field of the record, and add a note if there is a reason.

        `field` is the field's name in the source, if it differs.
        """
        if text:
            self.remarks.append(SourceNote(about, text))
        if text and why:
            self.add_note(field or about, text, why)

    def take_back_note(self, field: str, text: str) -> None:
        """Remove the notes on a text of a field that could be read as a number after all."""
        self._told = {note: None for note in self._told if (note.field, note.text) != (field, text[:400])}

    @property
    def notes(self) -> tuple[ConversionNote, ...]:
        """All notes, in the order in which they were added."""
        return tuple(self._told)
