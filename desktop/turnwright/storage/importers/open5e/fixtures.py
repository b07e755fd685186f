"""Reads the files of Open5e's databases: rows of a table each, with the database and the table as their model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from turnwright.storage.importers.common import as_text
from turnwright.storage.importers.documents import ParsedDocument
from turnwright.storage.importers.results import SkippedFile, UnreadRecord

Record = Mapping[str, Any]
_BOOKS: Final = frozenset({"document", "license", "publisher", "gamesystem"})


class FixtureFile(msgspec.Struct, frozen=True):
    """A file of a database: its rows by table, and the number of its entries that are no rows."""

    document: ParsedDocument
    tables: Mapping[str, list[Record]]
    odd: int

    def without_creatures(self, what: str, *, several: bool) -> UnreadRecord | SkippedFile:
        """Return a finding about a file that has none of `what`; `several`: other files have some."""
        models = sorted(self.tables)
        if several or _BOOKS.issuperset(models):
            return SkippedFile(self.document.file)
        kinds = ", ".join(models)[:100]
        why = f"holds no {what} but records of the kind {kinds}, which are not imported"
        return UnreadRecord(self.document.file, "", why)

    def odd_entries(self) -> Iterator[UnreadRecord]:
        """Yield a finding about the entries that are no rows, if there are any."""
        if self.odd:
            yield UnreadRecord(self.document.file, "", f"{self.odd:,} of its entries are no records of this database")


def is_fixture(document: ParsedDocument, database: str) -> bool:
    """Return whether a document holds rows of a database."""
    return any(as_text(row.get("model")).lower().startswith(database) for row in islice(_rows(document.data), 5))


def fixture_folders(documents: Sequence[ParsedDocument], database: str) -> list[list[FixtureFile]]:
    """Return the files of a database by folder."""
    folders: dict[Path, list[FixtureFile]] = {}
    for document in documents:
        tables: dict[str, list[Record]] = {}
        rows = list(_rows(document.data))
        for row in rows:
            tables.setdefault(as_text(row.get("model")).lower().removeprefix(database), []).append(row)
        odd = (len(document.data) if isinstance(document.data, list) else 1) - len(rows)
        folders.setdefault(document.path.parent, []).append(FixtureFile(document, tables, odd))
    return list(folders.values())


def rows_of(files: Iterable[FixtureFile], table: str) -> Iterator[Record]:
    """Yield the rows of a table in several files."""
    return (row for file in files for row in file.tables.get(table, ()))


def _rows(data: Any) -> Iterator[Record]:
    rows = data if isinstance(data, list) else [data]
    return (row for row in rows if isinstance(row, dict) and isinstance(row.get("fields"), dict))
