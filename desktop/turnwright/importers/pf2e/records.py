"""Converts the records of documents in any format to creatures of Pathfinder 2e."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from turnwright.importers.common import required_name, text_at
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.pf2e.creatures import creature_of
from turnwright.importers.pf2e.stat_block import SourceStatBlock
from turnwright.importers.results import ImportedRecord, SkippedFile, UnreadRecord, convert_record
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.ids import IdAllocator

SYSTEM: Final = "pf2e"
BlockOf = Callable[[Mapping[str, Any], str, ConversionReport], SourceStatBlock]


def records_in(document: ParsedDocument) -> list[Any]:
    """Return the records of a document: the entries of its list, or its only record."""
    return document.data if isinstance(document.data, list) else [document.data]


def convert_records(
    documents: Sequence[ParsedDocument], is_creature: Callable[[Any], bool], block_of: BlockOf
) -> Iterator[ImportedRecord | UnreadRecord | SkippedFile]:
    """Yield a creature for each creature record of the documents, from the stat block that `block_of` reads.

    Documents without creatures are skipped.
    """
    ids = IdAllocator()
    for document in documents:
        records = [entry for entry in records_in(document) if is_creature(entry)]
        if not records:
            yield SkippedFile(document.file)
        for record in records:
            called = text_at(record, "name").strip()
            yield convert_record(document.file, called, _imported, record, document.file, ids, block_of)


def _imported(record: Mapping[str, Any], file: str, ids: IdAllocator, block_of: BlockOf) -> ImportedRecord:
    name = required_name(record.get("name"))
    report = ConversionReport(name)
    block = block_of(record, name, report)
    creature = creature_of(block, ids.allocate(name, "creature"), report)
    return ImportedRecord(name, creature, SYSTEM, file, report.notes)
