"""Stores the documents of one format: in memory up to a limit, after which they are read again from their files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, overload

import msgspec

from turnwright.importers.documents import ParsedDocument, read_document
from turnwright.importers.results import UnreadRecord

MAX_HELD: Final = 32_000_000  # characters of text; parsed data takes several times as much memory


class DocumentStore(Sequence[ParsedDocument]):
    """Documents in the order in which they were added. `lost` contains the files that couldn't be read again."""

    def __init__(self) -> None:
        self._held: list[ParsedDocument | Path] = []
        self._letters = 0
        self.lost: dict[str, UnreadRecord] = {}

    def add(self, document: ParsedDocument) -> None:
        """Add a document at the end."""
        self._letters += len(document.text)
        if self._letters > MAX_HELD:
            self._held.append(document.path)
        elif document.kind == "json":  # the parsed data is complete, so the text isn't needed
            self._held.append(msgspec.structs.replace(document, text=""))
        else:
            self._held.append(document)

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self) -> Iterator[ParsedDocument]:
        for held in self._held:
            document = self._read(held)
            if document is not None:
                yield document

    @overload
    def __getitem__(self, index: int) -> ParsedDocument: ...
    @overload
    def __getitem__(self, index: slice) -> list[ParsedDocument]: ...
    def __getitem__(self, index: int | slice) -> ParsedDocument | list[ParsedDocument]:
        if isinstance(index, slice):
            return [document for held in self._held[index] if (document := self._read(held)) is not None]
        document = self._read(self._held[index])
        if document is None:
            raise IndexError(index)
        return document

    def _read(self, held: ParsedDocument | Path) -> ParsedDocument | None:
        if isinstance(held, ParsedDocument):
            return held
        result = read_document(held)
        if isinstance(result, ParsedDocument):
            return result
        why = result.why if isinstance(result, UnreadRecord) else "it has changed"
        self.lost[str(held)] = UnreadRecord(str(held), "", f"could not be read a second time: {why}")
        return None
