"""Reads the files of Open5e's databases: rows whose model names the database and the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from turnwright.importers.common import as_text
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.results import SkippedFile, UnreadRecord

Record = Mapping[str, Any]
_BOOKS: Final = frozenset({"document", "license", "publisher", "gamesystem"})


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


def fixture_folders(documents: Sequence[ParsedDocument], database: str) -> list[list[FixtureFile]]:
    """Return the files of a database, grouped by folder."""
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
