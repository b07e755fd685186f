"""Reads the files of Open5e's databases, and the books that its creatures come from.

The model of a row names its database and its table.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

import msgspec

from turnwright.encounter.state import grouped
from turnwright.importers.common import as_list, as_mapping, as_text
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.results import SkippedFile, UnreadRecord
from turnwright.importers.vocabulary import terms

Record = Mapping[str, Any]
_BOOKS: Final = frozenset({"document", "license", "publisher", "gamesystem"})
_A5E = re.compile(r"\ba5e\b|\blevel up\b|\badvanced 5(?:th|e)|\bmenagerie\b", re.IGNORECASE)
LICENCES: Final[Mapping[str, str]] = terms("open5e", "licences")


class FixtureFile(msgspec.Struct, frozen=True):
    """A database file: its rows, keyed by table, and the number of entries that aren't rows."""

    document: ParsedDocument
    tables: Mapping[str, list[Record]]
    odd: int

    def without_creatures(self, records: str, *, several: bool) -> UnreadRecord | SkippedFile:
        """Return a finding on a file without `records`. The file is skipped if other files contain some (`several`)."""
        models = sorted(self.tables)
        if several or _BOOKS.issuperset(models):
            return SkippedFile(self.document.file)
        kinds = ", ".join(models)[:100]
        why = f"no {records}; not imported: {kinds}"
        return UnreadRecord(self.document.file, "", why)

    def odd_entries(self) -> Iterator[UnreadRecord]:
        """Yield a finding on the entries that aren't rows, if there are any."""
        if self.odd:
            yield UnreadRecord(self.document.file, "", f"entries that aren't records of this database: {self.odd:,}")


def is_fixture(document: ParsedDocument, database: str) -> bool:
    """Return whether a document contains rows of a database."""
    return any(as_text(row.get("model")).lower().startswith(database) for row in islice(_rows(document.data), 5))


def fixture_folders(documents: Iterable[ParsedDocument], database: str) -> list[list[FixtureFile]]:
    """Return the files of a database, grouped by folder."""
    return list(grouped((each.path.parent, _fixture_file(each, database)) for each in documents).values())


def _fixture_file(document: ParsedDocument, database: str) -> FixtureFile:
    rows = list(_rows(document.data))
    tables = grouped((as_text(row.get("model")).lower().removeprefix(database), row) for row in rows)
    return FixtureFile(document, tables, (len(document.data) if isinstance(document.data, list) else 1) - len(rows))


def rows_of(files: Iterable[FixtureFile], table: str) -> Iterator[Record]:
    """Yield the rows of a table in several files."""
    return (row for file in files for row in file.tables.get(table, ()))


def _rows(data: Any) -> Iterator[Record]:
    rows = data if isinstance(data, list) else [data]
    return (row for row in rows if isinstance(row, dict) and isinstance(row.get("fields"), dict))


class Book(msgspec.Struct, frozen=True):
    """A book as its collection describes it. Unknown fields are empty."""

    key: str = ""
    title: str = ""
    licence: str = ""
    system: str = "dnd5e"

    def citation(self, page: int | None = None) -> str:
        """Return the citation of a creature's source, including the page if it is known."""
        title = self.title or self.key
        return f"Open5e{f': {title}' if title else ''}{f', page {page}' if page else ''}"


def system_of(*words: str) -> str:
    """Return the rule system suggested by a book's names: Level Up (A5E), or else D&D 5e."""
    return "a5e" if any(_A5E.search(word) for word in words if word) else "dnd5e"


def older_book(fields: Mapping[str, Any]) -> Book:
    """Return the book of a document in the older format, with slug, title and licence as text."""
    slug, title = as_text(fields.get("slug")), as_text(fields.get("title"))
    related = as_text(fields.get("v2_related_key"))
    return Book(slug, title, as_text(fields.get("license")), system_of(slug, title, related))


def newer_book(key: str, fields: Mapping[str, Any], licences: Mapping[str, str]) -> Book:
    """Return the book of a document in the newer format. `licences` maps keys to licence names."""
    game = key_of(fields.get("gamesystem"))
    title = as_text(fields.get("name"))
    named = [_licence(licence, licences) for licence in as_list(fields.get("licenses"))]
    system = ("a5e" if game.startswith("a5e") else "dnd5e") if game else system_of(key, title)
    return Book(key, title, "; ".join(filter(None, named)), system)


def key_of(value: Any) -> str:
    """Return the key of an object, which may be given as a key, as an object or as an address."""
    if isinstance(value, dict):
        value = value.get("key") or value.get("name")
    return as_text(value or "").rstrip("/").rpartition("/")[2]


def _licence(value: Any, licences: Mapping[str, str]) -> str:
    key = key_of(value)
    return as_text(as_mapping(value).get("name")) or licences.get(key) or LICENCES.get(key) or key
