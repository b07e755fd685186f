"""The import formats, in the order in which they may claim a file.

A format is recognised by content, never by a file's name. Its module is loaded only when something is imported.
"""

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Final

import msgspec

from turnwright.importers.documents import ParsedDocument
from turnwright.importers.results import ImportedRecord, SkippedFile, UnreadRecord
from turnwright.importers.vocabulary import terms

MODULES: Final[tuple[str, ...]] = terms("formats", "modules")
ReadDocuments = Callable[[Iterable[ParsedDocument], str], Iterator[ImportedRecord | UnreadRecord | SkippedFile]]


def _nothing(_document: ParsedDocument) -> str:
    return ""


class ImportFormat(msgspec.Struct, frozen=True):
    """One format: `claims` returns whether it can read a document; `read` yields the records of all claimed documents.

    `read` takes the documents together, since some formats spread a creature over several, and the id of the rule
    system that the user chose, or an empty string to detect it. It never raises an error for a document's content.
    `describe_other_content` describes a document of the same collection without importable records, or returns an empty
    string. `is_native`: its records were written by Turnwright and aren't processed further.
    """

    id: str
    title: str
    claims: Callable[[ParsedDocument], bool]
    read: ReadDocuments
    describe_other_content: Callable[[ParsedDocument], str] = _nothing
    is_native: bool = False


def formats() -> tuple[ImportFormat, ...]:
    """Return all formats, the most specific first."""
    return tuple(import_module(f"turnwright.importers.{name}").FORMAT for name in MODULES)
