"""Turns the records of documents into creatures of Pathfinder 2e, whichever their format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.ids import IdAllocator
from turnwright.storage.importers.common import required_name, text_at
from turnwright.storage.importers.documents import ParsedDocument
from turnwright.storage.importers.pf2e.creatures import creature_of
from turnwright.storage.importers.pf2e.stat_block import SourceStatBlock
from turnwright.storage.importers.results import ImportedRecord, SkippedFile, UnreadRecord, convert_record

SYSTEM: Final = "pf2e"
BlockOf = Callable[[Mapping[str, Any], str, ConversionReport], SourceStatBlock]


def records_in(document: ParsedDocument) -> list[Any]:
    """Return the records of a document: those of its list, or the only one."""
    return document.data if isinstance(document.data, list) else [document.data]


def convert_records(
    documents: Sequence[ParsedDocument], is_creature: Callable[[Any], bool], block_of: BlockOf
) -> Iterator[ImportedRecord | UnreadRecord | SkippedFile]:
    """Yield the creatures among the records of documents, by the stat block that `block_of` reads; others are skipped."""
    ids = IdAllocator()
    for document in documents:
        found = [one for one in records_in(document) if is_creature(one)]
        if not found:
            yield SkippedFile(document.file)
        for record in found:
            called = text_at(record, "name").strip()
            yield convert_record(document.file, called, _imported, record, document.file, ids, block_of)


def _imported(record: Mapping[str, Any], file: str, ids: IdAllocator, block_of: BlockOf) -> ImportedRecord:
    name = required_name(record.get("name"))
    report = ConversionReport(name)
    block = block_of(record, name, report)
    creature = creature_of(block, ids.allocate(name, "creature"), report)
    return ImportedRecord(name, creature, SYSTEM, file, report.notes)
