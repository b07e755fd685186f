"""Open5e's older fixtures: monsters with JSON inside their text, and beside them their documents and lists of spells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.ids import IdAllocator
from turnwright.storage.importers.common import as_mapping, as_text, required_name, system_for
from turnwright.storage.importers.documents import ParsedDocument
from turnwright.storage.importers.formats import ImportFormat
from turnwright.storage.importers.open5e.sources import Book, older_book
from turnwright.storage.importers.open5e.v1_creature import creature_of
from turnwright.storage.importers.results import ImportedRecord, SkippedFile, UnreadRecord, convert_record

Record = Mapping[str, Any]
_PREFIX: Final = "api."
_INNER: Final = tuple(
    (f"{name}_json", name)
    for name in (
        *("actions", "bonus_actions", "reactions", "legendary_actions", "special_abilities"),
        *("speed", "skills", "environments", "spells"),
    )
)
_decode = msgspec.json.Decoder().decode


def claims(document: ParsedDocument) -> bool:
    """Return whether a document is a fixture of Open5e's older database."""
    first = islice(_rows(document.data), 5)
    return any(as_text(record.get("model")).lower().startswith(_PREFIX) for record in first)


def read(documents: Sequence[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord | SkippedFile]:
    """Yield the monsters of the documents; each folder's are read with the books and lists of spells in it."""
    folders: dict[Path, list[ParsedDocument]] = {}
    for document in documents:
        folders.setdefault(document.path.parent, []).append(document)
    ids = IdAllocator()
    several = any(_of_model(document, "monster") for document in documents)
    for together in folders.values():
        beside = _Beside(together)
        for document in together:
            if odd := _odd(document.data):
                yield UnreadRecord(document.file, "", f"{odd:,} of its entries are no records of this database")
            monsters = [row for row in _rows(document.data) if _model(row) == "monster"]
            if monsters:
                yield from (
                    beside.imported(row, number, document.file, ids, system) for number, row in enumerate(monsters, 1)
                )
            elif several or _of_model(document, "document"):
                yield SkippedFile(document.file)
            else:
                models = ", ".join(sorted({_model(row) for row in _rows(document.data)}))[:100]
                yield UnreadRecord(
                    document.file, "", f"holds no monsters but records of the kind {models}, which are not imported"
                )


class _Beside:
    """The tables beside the monsters of a folder: books by number, names of spells by monster."""

    def __init__(self, documents: Sequence[ParsedDocument]) -> None:
        self._books: dict[Any, Book] = {}
        self._spells: dict[str, list[str]] = {}
        self._a5e: set[Any] = set()
        for document in documents:
            for row in _rows(document.data):
                self._take(row)

    def _take(self, row: Record) -> None:
        fields, model = as_mapping(row.get("fields")), _model(row)
        if model == "document":
            self._books[_key(row.get("pk"))] = older_book(fields)
        elif model == "monsterspell":
            self._spells.setdefault(as_text(fields.get("monster")), []).append(as_text(fields.get("spell")))
        elif model == "monster" and as_text(row.get("pk")).endswith("-a5e"):
            self._a5e.add(_key(fields.get("document")))

    def imported(
        self, row: Record, number: int, file: str, ids: IdAllocator, system: str
    ) -> ImportedRecord | UnreadRecord:
        """Return a monster as an imported record, or the reason for which it can't be."""
        fields = as_mapping(row.get("fields"))
        called = as_text(fields.get("name")) or as_text(row.get("pk")) or f"record {number}"
        return convert_record(file, called, self._imported, fields, as_text(row.get("pk")), file, ids, system)

    def _imported(self, fields: Record, key: str, file: str, ids: IdAllocator, system: str) -> ImportedRecord:
        name = required_name(fields.get("name"))
        report = ConversionReport(name)
        book = self._book(fields)
        creature = creature_of(_opened(fields, report), name, ids, book, self._spells.get(key, ()), report)
        return ImportedRecord(name, creature, system_for(system, book.system), file, report.notes)

    def _book(self, fields: Record) -> Book:
        key = _key(fields.get("document"))
        book = self._books.get(key)
        if book is None:
            book = self._books[key] = Book(system="a5e" if key in self._a5e else "dnd5e")
        return book


def _opened(fields: Record, report: ConversionReport) -> Record:
    """Return a monster's fields with the JSON in their texts parsed."""
    record = dict(fields)
    for column, name in _INNER:
        text = record.pop(column, None)
        if text is None or text == "null":
            continue
        try:
            record[name] = _decode(text) if isinstance(text, str) and text else text
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            report.add_note(column, text, f"holds no JSON, and is not kept: {error}")
    return record


def _rows(data: Any) -> Iterator[Record]:
    rows = data if isinstance(data, list) else [data]
    return (row for row in rows if isinstance(row, dict) and isinstance(row.get("fields"), dict))


def _odd(data: Any) -> int:
    """Return the number of entries of a document that are no rows of a table."""
    return len(data) - sum(1 for _ in _rows(data)) if isinstance(data, list) else 0


def _model(row: Record) -> str:
    return _table(as_text(row.get("model")))


@lru_cache(maxsize=64)
def _table(model: str) -> str:
    """Return the table that a row's model names, without the database before it."""
    return model.lower().removeprefix(_PREFIX)


def _of_model(document: ParsedDocument, model: str) -> bool:
    return any(_model(row) == model for row in _rows(document.data))


def _key(value: Any) -> Any:
    return value if isinstance(value, str | int) else ""


FORMAT = ImportFormat("open5e_v1", "Open5e, older database", claims, read)
