"""Reads Open5e's newer fixtures: creatures, traits, actions and attacks, which are joined by their keys.

A creature is spread over four tables, usually in four files of a folder. A missing table is reported once per file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from turnwright.importers.common import as_text
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.formats import ImportFormat
from turnwright.importers.open5e.fixtures import FixtureFile, fixture_folders, is_fixture, rows_of
from turnwright.importers.open5e.sources import Book, newer_book
from turnwright.importers.open5e.v2_creature import RelatedRows, block_of, default_alignment
from turnwright.importers.results import ImportedRecord, SkippedFile, UnreadRecord
from turnwright.importers.stat_block import StatBlock, read_block
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.ids import IdAllocator

Record = Mapping[str, Any]
_DATABASE: Final = "api_v2."
_CHILDREN: Final[Mapping[str, str]] = {
    "creatureaction": "actions", "creatureactionattack": "attacks of actions", "creaturetrait": "traits",
}  # fmt: skip


def claims(document: ParsedDocument) -> bool:
    """Return whether a document is a fixture of Open5e's newer database."""
    return is_fixture(document, _DATABASE)


def read(documents: Sequence[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord | SkippedFile]:
    """Yield the creatures of the documents, with each folder's tables joined."""
    folders = fixture_folders(documents, _DATABASE)
    files = [file for together in folders for file in together]
    licences = {_key(row): as_text(row["fields"].get("name")) for row in rows_of(files, "license")}
    books = {_key(row): newer_book(_key(row), row["fields"], licences) for row in rows_of(files, "document")}
    several = any("creature" in file.tables for file in files)
    ids = IdAllocator()
    for together in folders:
        yield from _Folder(together, books, several).results(ids, system)


class _Folder:
    """The joined tables of one folder."""

    def __init__(self, files: Sequence[FixtureFile], books: Mapping[str, Book], several: bool) -> None:
        self._files = files
        self._books = books
        self._several = several
        self._creatures = {_key(row) for row in rows_of(files, "creature")}
        self._traits = _by_parent(rows_of(files, "creaturetrait"))
        self._actions = _by_parent(rows_of(files, "creatureaction"))
        self._attacks = _by_parent(rows_of(files, "creatureactionattack"))
        self._acting = {_key(row) for rows in self._actions.values() for row in rows}
        self._plain = default_alignment([row["fields"] for row in rows_of(files, "creature")])

    def results(self, ids: IdAllocator, system: str) -> Iterator[ImportedRecord | UnreadRecord | SkippedFile]:
        """Yield the records of each document of the folder."""
        for file in self._files:
            rows, name = file.tables.get("creature", []), file.document.file
            for number, row in enumerate(rows, 1):
                called = as_text(row["fields"].get("name")) or _key(row) or f"record {number}"
                notes = self._file_notes() if number == 1 else ()
                block = partial(self._block, notes)
                yield read_block(name, called, row, row["fields"].get("name"), block, ids, system)
            if not rows:
                yield self._without_creatures(file)
            yield from file.odd_entries()
            yield from self._orphans(file)

    def _file_notes(self) -> Sequence[tuple[str, str, str]]:
        """Return the notes that apply to a whole file of creatures: missing tables, columns with a default value."""
        present = {model for file in self._files for model in file.tables}
        notes = [
            (
                f"the whole file: {name}",
                f"api_v2.{name}",
                f"table missing; the creatures have no {content}",
            )
            for name, content in _CHILDREN.items()
            if name not in present
        ]
        if self._plain:
            notes.append(
                ("alignment", self._plain, "same for every creature of the file; treated as a default and ignored")
            )
        return notes

    def _block(
        self, notes: Iterable[tuple[str, str, str]], row: Record, name: str, report: ConversionReport
    ) -> StatBlock:
        fields, key = row["fields"], _key(row)
        for note in notes:
            report.add_note(*note)
        document = as_text(fields.get("document"))
        book = self._books.get(document) or newer_book(document, {}, {})
        traits = [trait["fields"] for trait in self._traits.get(key, ())]
        actions = [
            (action["fields"], [attack["fields"] for attack in self._attacks.get(_key(action), ())])
            for action in self._actions.get(key, ())
        ]
        if self._plain:
            fields = {**fields, "alignment": ""}
        return block_of(fields, RelatedRows(traits, actions), name, book, report)

    def _without_creatures(self, file: FixtureFile) -> UnreadRecord | SkippedFile:
        parts = [content for model, content in _CHILDREN.items() if model in file.tables]
        if parts and not self._creatures:
            why = f"only {parts[0]}; the file with the creatures isn't in this folder"
            return UnreadRecord(file.document.file, "", why)
        return file.without_creatures("creatures", several=self._several)

    def _orphans(self, file: FixtureFile) -> Iterator[UnreadRecord]:
        """Yield a finding on each table that has rows without an owner, if the folder contains creatures."""
        if not self._creatures:
            return
        owners = dict.fromkeys(_CHILDREN, self._creatures) | {"creatureactionattack": self._acting}
        for model, parents in owners.items():
            rows = file.tables.get(model, ()) if parents else ()
            lost = [row for row in rows if as_text(row["fields"].get("parent")) not in parents]
            if lost:
                why = f"records without an owner in this folder: {len(lost):,}, for example {_key(lost[0])}"
                yield UnreadRecord(file.document.file, "", why)


def _by_parent(rows: Iterable[Record]) -> dict[str, list[Record]]:
    by_parent: dict[str, list[Record]] = {}
    for row in rows:
        by_parent.setdefault(as_text(row["fields"].get("parent")), []).append(row)
    return by_parent


def _key(row: Record) -> str:
    return as_text(row.get("pk"))


FORMAT = ImportFormat("open5e_v2", "Open5e, newer database", claims, read)
