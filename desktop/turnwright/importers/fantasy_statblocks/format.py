"""Obsidian's Fantasy Statblocks and Initiative Tracker: bestiaries in JSON, JSON5 or YAML, and blocks in notes.

A block may extend another of the same import. Encounters copy the creatures that they name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from turnwright.encounter.prepared import Creature
from turnwright.importers.common import as_text, required_name, system_for
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.fantasy_statblocks import basic5e, pathfinder
from turnwright.importers.fantasy_statblocks.encounters import encounter_of, title_of
from turnwright.importers.fantasy_statblocks.inheritance import Bestiary
from turnwright.importers.fantasy_statblocks.notes import (
    ENCOUNTER,
    STAT_BLOCK,
    FoundBlock,
    blocks_in,
    has_blocks,
    name_of,
)
from turnwright.importers.formats import ImportFormat
from turnwright.importers.results import ImportedRecord, UnreadRecord, convert_record
from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.ids import IdAllocator

_OTHER_GAMES: Final = ("daggerheart", "fate", "13th", "bunkers", "fantasy age", "shadow", "savage", "cypher")


def claims(document: ParsedDocument) -> bool:
    """Whether a document contains stat blocks or encounters of these Obsidian plugins."""
    return has_blocks(document)


def read(documents: Sequence[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord]:
    """Yield the creatures of all documents, then the encounters with copies of them."""
    blocks: list[FoundBlock] = []
    for document in documents:
        for block_or_error in blocks_in(document):
            if isinstance(block_or_error, UnreadRecord):
                yield block_or_error
            else:
                blocks.append(block_or_error)
    bestiary = Bestiary([block for block in blocks if block.kind == STAT_BLOCK])
    ids = IdAllocator()
    known: dict[str, Creature] = {}
    systems: dict[str, str] = {}
    for block in blocks:
        if block.kind != STAT_BLOCK or bestiary.is_reference(block.data):
            continue
        name = name_of(block.data.get("name")) or name_of(block.data.get("monster")) or _place(block)
        result = convert_record(block.file, name, _imported_creature, block, name, bestiary, ids, system)
        if isinstance(result, ImportedRecord) and isinstance(result.record, Creature):
            known.setdefault(result.name.casefold(), result.record)
            systems.setdefault(result.name.casefold(), result.system)
        yield result
    used = systems.values()
    usual = "pf2e" if used and all(one == "pf2e" for one in used) else "dnd5e"
    for block in blocks:
        if block.kind == ENCOUNTER:
            title, game = title_of(block), system_for(system, usual)
            yield convert_record(block.file, title, _imported_encounter, block, title, known, game)


def _imported_creature(
    block: FoundBlock, called: str, bestiary: Bestiary, ids: IdAllocator, system: str
) -> ImportedRecord:
    report = ConversionReport(called)
    data = bestiary.resolved(block.data, report)
    name = required_name(name_of(data.get("name")) or None)
    layout = as_text(data.get("layout"))
    if any(word in layout.lower() for word in _OTHER_GAMES):
        raise UnreadableError(f"layout {layout!r} belongs to a game that Turnwright can't import")
    paths = pathfinder.is_pathfinder(data)
    creature = (pathfinder if paths else basic5e).creature_of(data, name, ids, report)
    return ImportedRecord(name, creature, "pf2e" if paths else system_for(system, "dnd5e"), block.file, report.notes)


def _imported_encounter(block: FoundBlock, title: str, known: dict[str, Creature], system: str) -> ImportedRecord:
    report = ConversionReport(title)
    encounter = encounter_of(block, known, system, report)
    return ImportedRecord(title, encounter, system, block.file, report.notes)


def _place(block: FoundBlock) -> str:
    return f"block at line {block.line}" if block.line else "a stat block"


FORMAT = ImportFormat("fantasy_statblocks", "Fantasy Statblocks and Initiative Tracker (Obsidian)", claims, read)
