"""Open5e's newer fixtures: creatures, their traits, their actions and the attacks of these, joined by their keys.

A creature is spread over four tables, which are mostly in four files of a folder. A missing table is reported, once a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from operator import methodcaller
from pathlib import Path
from typing import Any, Final

from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.ids import IdAllocator
from turnwright.storage.importers.common import as_mapping, as_text, required_name, system_for
from turnwright.storage.importers.documents import ParsedDocument
from turnwright.storage.importers.formats import ImportFormat
from turnwright.storage.importers.open5e.sources import Book, newer_book
from turnwright.storage.importers.open5e.v2_creature import RelatedRows, creature_of
from turnwright.storage.importers.results import ImportedRecord, SkippedFile, UnreadRecord, convert_record

Record = Mapping[str, Any]
_PREFIX: Final = "api_v2."
_CHILDREN: Final[Mapping[str, str]] = {
    "creatureaction": "actions", "creatureactionattack": "attacks of their actions", "creaturetrait": "traits",
}  # fmt: skip
_BOOKS: Final = frozenset({"document", "license", "publisher", "gamesystem"})
_ENOUGH: Final = 10  # equal values in so many records are a column's default
_UNALIGNED: Final = frozenset({"", "unaligned", "any alignment", "any"})


def claims(document: ParsedDocument) -> bool:
    """Return whether a document is a fixture of Open5e's newer database."""
    first = islice(_rows(document.data), 5)
    return any(as_text(record.get("model")).lower().startswith(_PREFIX) for record in first)


def read(documents: Sequence[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord | SkippedFile]:
    """Yield the creatures of the documents, each folder's tables joined."""
    files = [_File(document) for document in documents]
    licences = {_key(row): as_text(row["fields"].get("name")) for row in _of(files, "license")}
    books = {_key(row): newer_book(_key(row), row["fields"], licences) for row in _of(files, "document")}
    folders: dict[Path, list[_File]] = {}
    for file in files:
        folders.setdefault(file.document.path.parent, []).append(file)
    several = any("creature" in file.tables for file in files)
    ids = IdAllocator()
    for together in folders.values():
        yield from _Folder(together, books, several).results(ids, system)


class _File:
    """One document, its rows by table."""

    def __init__(self, document: ParsedDocument) -> None:
        self.document = document
        self.tables: dict[str, list[Record]] = {}
        rows = list(_rows(document.data))
        for model, together in groupby(rows, methodcaller("get", "model")):
            self.tables.setdefault(_table(model), []).extend(together)
        self.odd = (len(document.data) if isinstance(document.data, list) else 1) - len(rows)


class _Folder:
    """The tables of one folder, joined."""

    def __init__(self, files: Sequence[_File], books: dict[str, Book], several: bool) -> None:
        self._files = files
        self._books = books
        self._several = several
        self._creatures = {_key(row) for row in _of(files, "creature")}
        self._traits = _by_parent(_of(files, "creaturetrait"))
        self._actions = _by_parent(_of(files, "creatureaction"))
        attacks = _by_parent(_of(files, "creatureactionattack"))
        self._attacks = {parent: [row["fields"] for row in rows] for parent, rows in attacks.items()}
        self._acting = {_key(row) for rows in self._actions.values() for row in rows}
        self._plain = _defaulted(row["fields"] for row in _of(files, "creature"))

    def results(self, ids: IdAllocator, system: str) -> Iterator[ImportedRecord | UnreadRecord | SkippedFile]:
        """Yield the records of each document of the folder."""
        for file in self._files:
            rows, name = file.tables.get("creature", []), file.document.file
            first = self._file_notes() if rows else ()
            for number, row in enumerate(rows, 1):
                called = as_text(as_mapping(row.get("fields")).get("name")) or _key(row) or f"record {number}"
                notes = first if number == 1 else ()
                yield convert_record(name, called, self._imported, row, name, ids, system, notes)
            if not rows:
                yield self._without_creatures(file)
            if file.odd:
                yield UnreadRecord(name, "", f"{file.odd:,} of its entries are no records of this database")
            yield from self._orphans(file)

    def _file_notes(self) -> Sequence[tuple[str, str, str]]:
        """Return the notes on a whole file of creatures: the missing tables, and columns of defaults."""
        present = {model for file in self._files for model in file.tables}
        told = [
            (
                f"the whole file: {name}",
                f"api_v2.{name}",
                f"this table isn't there, so that creatures are without their {what}",
            )
            for name, what in _CHILDREN.items()
            if name not in present
        ]
        if self._plain:
            told.append(("alignment", self._plain, "stands with every creature of the file: a default, and not kept"))
        return told

    def _imported(
        self, row: Record, file: str, ids: IdAllocator, system: str, told: Iterable[tuple[str, str, str]]
    ) -> ImportedRecord:
        fields, key = as_mapping(row.get("fields")), _key(row)
        name = required_name(fields.get("name"))
        report = ConversionReport(name)
        for one in told:
            report.add_note(*one)
        book = self._book(as_text(fields.get("document")))
        actions = [(action["fields"], self._attacks.get(_key(action), ())) for action in self._actions.get(key, ())]
        traits = [trait["fields"] for trait in self._traits.get(key, ())]
        if self._plain:
            fields = {**fields, "alignment": ""}
        creature = creature_of(fields, RelatedRows(traits, actions), name, ids, book, report)
        return ImportedRecord(name, creature, system_for(system, book.system), file, report.notes)

    def _book(self, key: str) -> Book:
        if key not in self._books:
            self._books[key] = newer_book(key, {}, {})
        return self._books[key]

    def _without_creatures(self, file: _File) -> UnreadRecord | SkippedFile:
        name, models = file.document.file, sorted(file.tables)
        tables = [_CHILDREN[model] for model in models if model in _CHILDREN]
        if tables and not self._creatures:
            return UnreadRecord(name, "", f"holds {tables[0]}, and the file of the creatures isn't beside it")
        if self._several or set(models) <= _BOOKS:
            return SkippedFile(name)
        kinds = ", ".join(models)[:100]
        return UnreadRecord(name, "", f"holds no creatures but records of the kind {kinds}, which are not imported")

    def _orphans(self, file: _File) -> Iterator[UnreadRecord]:
        """Yield one finding for each table of a file with rows without an owner, where there are owners at all."""
        if not self._creatures:
            return
        creatures, acting = self._creatures, self._acting
        tables: tuple[tuple[str, Mapping[str, Any], set[str]], ...] = (
            ("creatureaction", self._actions, creatures),
            ("creaturetrait", self._traits, creatures),
            ("creatureactionattack", self._attacks, acting),
        )
        for model, by_parent, those in tables:
            if not those or by_parent.keys() <= those:
                continue
            lost = [row for row in file.tables.get(model, ()) if as_text(row["fields"].get("parent")) not in those]
            if lost:
                some = f"{len(lost):,} of its records belong to nobody in this folder, {_key(lost[0])} among them"
                yield UnreadRecord(file.document.file, "", some)


def _by_parent(rows: Iterable[Record]) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    for row in rows:
        found.setdefault(as_text(row["fields"].get("parent")), []).append(row)
    return found


def _defaulted(creatures: Iterable[Record]) -> str:
    """Return the alignment that all of many creatures share, a column's default; empty where they differ."""
    count, said = 0, set()
    for fields in creatures:
        count += 1
        said.add(as_text(fields.get("alignment")).strip().lower())
    only = said.pop() if len(said) == 1 and count >= _ENOUGH else ""
    return "" if only in _UNALIGNED else only


def _rows(data: Any) -> Iterator[Record]:
    rows = data if isinstance(data, list) else [data]
    return (row for row in rows if isinstance(row, dict) and isinstance(row.get("fields"), dict))


def _of(files: Iterable[_File], model: str) -> Iterator[Record]:
    return (row for file in files for row in file.tables.get(model, ()))


def _table(model: Any) -> str:
    """Return the table that a row's model names, without the database before it."""
    return model.lower().removeprefix(_PREFIX) if isinstance(model, str) else ""


def _key(row: Record) -> str:
    return as_text(row.get("pk"))


FORMAT = ImportFormat("open5e_v2", "Open5e, newer database", claims, read)
