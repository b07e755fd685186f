"""Reads Open5e's older fixtures: monsters (with JSON inside some text fields), documents and spell lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec

from turnwright.importers.common import as_text
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.formats import ImportFormat
from turnwright.importers.open5e.fixtures import FixtureFile, fixture_folders, is_fixture, rows_of
from turnwright.importers.open5e.sources import Book, older_book
from turnwright.importers.open5e.v1_creature import block_of
from turnwright.importers.results import ImportedRecord, SkippedFile, UnreadRecord
from turnwright.importers.stat_block import StatBlock, read_block
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.ids import IdAllocator

Record = Mapping[str, Any]
_DATABASE: Final = "api."
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
    return is_fixture(document, _DATABASE)


def read(documents: Sequence[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord | SkippedFile]:
    """Yield the monsters of the documents. Books and spell lists are looked up in the same folder."""
    ids = IdAllocator()
    folders = fixture_folders(documents, _DATABASE)
    several = any("monster" in file.tables for files in folders for file in files)
    for files in folders:
        books, spells = _books(files), _spells(files)
        for file in files:
            name, monsters = file.document.file, file.tables.get("monster", [])
            yield from file.odd_entries()
            for number, row in enumerate(monsters, 1):
                key = as_text(row.get("pk"))
                called = as_text(row["fields"].get("name")) or key or f"record {number}"
                book = books.get(_key(row["fields"].get("document")), Book())
                block = partial(_block, book, spells.get(key, ()))
                yield read_block(name, called, row["fields"], row["fields"].get("name"), block, ids, system)
            if not monsters:
                yield file.without_creatures("monsters", several=several)


def _books(files: Sequence[FixtureFile]) -> dict[Any, Book]:
    """Return the books of a folder, keyed by id. A book without a record is recognised by its monsters' ids."""
    books = {_key(row.get("pk")): older_book(row["fields"]) for row in rows_of(files, "document")}
    for row in rows_of(files, "monster"):
        if as_text(row.get("pk")).endswith("-a5e"):
            books.setdefault(_key(row["fields"].get("document")), Book(system="a5e"))
    return books


def _spells(files: Sequence[FixtureFile]) -> dict[str, list[str]]:
    """Return the names of spells, keyed by monster."""
    spells: dict[str, list[str]] = {}
    for row in rows_of(files, "monsterspell"):
        spells.setdefault(as_text(row["fields"].get("monster")), []).append(as_text(row["fields"].get("spell")))
    return spells


def _block(book: Book, spells: Sequence[str], fields: Record, name: str, report: ConversionReport) -> StatBlock:
    return block_of(_opened(fields, report), name, book, spells, report)


def _opened(fields: Record, report: ConversionReport) -> Record:
    """Parse the JSON inside a monster's text fields."""
    record = dict(fields)
    for column, name in _INNER:
        text = record.pop(column, None)
        if text is None or text == "null":
            continue
        try:
            record[name] = _decode(text) if isinstance(text, str) and text else text
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            report.add_note(column, text, f"invalid JSON; ignored: {error}")
    return record


def _key(value: Any) -> Any:
    return value if isinstance(value, str | int) else ""


FORMAT = ImportFormat("open5e_v1", "Open5e, older database", claims, read)
