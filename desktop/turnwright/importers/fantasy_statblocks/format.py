"""Obsidian's Fantasy Statblocks and Initiative Tracker: bestiaries in JSON, JSON5 or YAML, and blocks in notes.

A block may extend another of the same import. Encounters copy the creatures that they name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Creature
from turnwright.importers.common import as_list, as_mapping, as_text, required_name, shipped_creature, system_for
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.fantasy_statblocks import basic5e, notes, pathfinder
from turnwright.importers.fantasy_statblocks.encounters import encounter_of, title_of
from turnwright.importers.formats import ImportFormat
from turnwright.importers.results import ImportedRecord, UnreadRecord, convert_record
from turnwright.importers.vocabulary import terms
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionReport, UnreadableError

_OTHER_GAMES: Final = ("daggerheart", "fate", "13th", "bunkers", "fantasy age", "shadow", "savage", "cypher")
_MERGED: Final = ("traits", "actions", "bonusactions", "reactions", "legendaryactions", "mythicactions", "lairactions")
_SHIPPED: Final = "shipped creature"
_OVER: Final[Mapping[str, tuple[str, ...]]] = terms("fantasy_statblocks", "over")
MAX_STEPS: Final = 40
Data = Mapping[str, Any]


def claims(document: ParsedDocument) -> bool:
    """Whether a document contains stat blocks or encounters of these Obsidian plugins."""
    return notes.has_blocks(document)


def read(documents: Iterable[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord]:
    """Yield the creatures of all documents, then the encounters with copies of them."""
    found = list(chain.from_iterable(map(notes.blocks_in, documents)))
    yield from (one for one in found if isinstance(one, UnreadRecord))
    blocks = [one for one in found if isinstance(one, notes.FoundBlock)]
    bestiary = Bestiary([block for block in blocks if block.kind == notes.STAT_BLOCK])
    ids = IdAllocator()
    known: dict[str, Creature] = {}
    systems: dict[str, str] = {}
    for block in blocks:
        if block.kind != notes.STAT_BLOCK or bestiary.is_reference(block.data):
            continue
        place = f"block at line {block.line}" if block.line else "a stat block"
        name = notes.name_of(block.data.get("name")) or notes.name_of(block.data.get("monster")) or place
        result = convert_record(block.file, name, _imported_creature, block, name, bestiary, ids, system)
        if isinstance(result, ImportedRecord) and isinstance(result.record, Creature):
            known.setdefault(result.name.casefold(), result.record)
            systems.setdefault(result.name.casefold(), result.system)
        yield result
    used = systems.values()
    usual = "pf2e" if used and all(one == "pf2e" for one in used) else "dnd5e"
    for block in blocks:
        if block.kind == notes.ENCOUNTER:
            title, game = title_of(block), system_for(system, usual)
            yield convert_record(block.file, title, _imported_encounter, block, title, known, game)


def _imported_creature(
    block: notes.FoundBlock, called: str, bestiary: Bestiary, ids: IdAllocator, system: str
) -> ImportedRecord:
    report = ConversionReport(called)
    data = bestiary.resolved(block.data, report, system)
    shipped = data.pop(_SHIPPED, None)
    name = required_name(notes.name_of(data.get("name")) or (shipped.name if shipped else None))
    layout = as_text(data.get("layout"))
    if any(word in layout.lower() for word in _OTHER_GAMES):
        raise UnreadableError(f"layout {layout!r} belongs to a game that Turnwright can't import")
    paths = pathfinder.is_pathfinder(data)
    reader = pathfinder if paths else basic5e
    if shipped is not None:
        creature = _over(shipped, data, reader, name, ids, report)
        return ImportedRecord(name, creature, _system_of(data, system), block.file, report.notes)
    creature = reader.creature_of(data, name, ids, report)
    return ImportedRecord(name, creature, "pf2e" if paths else system_for(system, "dnd5e"), block.file, report.notes)


def _system_of(data: Data, system: str) -> str:
    return "pf2e" if pathfinder.is_pathfinder(data) else system_for(system, "dnd5e")


def _over(base: Creature, data: Data, reader: Any, name: str, ids: IdAllocator, report: ConversionReport) -> Creature:
    """Return a creature of the library with the fields and features that a block states for itself."""
    quiet = ConversionReport(name)
    own = reader.creature_of({"hp": base.hp, "ac": base.ac, **data}, name, ids, quiet)
    for note in quiet.notes:
        if note.field.partition(":")[0] in data or ":" in note.field:
            report.add_note(note.field, note.text, note.why)
    fields = {field: getattr(own, field) for key in _OVER.keys() & data.keys() for field in _OVER[key]}
    replaced = {feature.name.casefold() for feature in own.features}
    features = (*(feature for feature in base.features if feature.name.casefold() not in replaced), *own.features)
    report.add_note("monster", base.name, "the rest comes from the creature of the shipped library")
    return msgspec.structs.replace(base, id=own.id, name=name, features=features, role="", **fields)


def _imported_encounter(block: notes.FoundBlock, title: str, known: dict[str, Creature], system: str) -> ImportedRecord:
    report = ConversionReport(title)
    encounter = encounter_of(block, known, system, report)
    return ImportedRecord(title, encounter, system, block.file, report.notes)


class Bestiary:
    """The stat blocks of an import by name, ignoring case."""

    def __init__(self, found: Sequence[notes.FoundBlock]) -> None:
        self._blocks: dict[str, Data] = {}
        for block in found:
            if name := notes.name_of(block.data.get("name")):
                self._blocks.setdefault(name.casefold(), block.data)

    def is_reference(self, data: Data) -> bool:
        """Whether a block only refers to another block of the bestiary."""
        bases = _bases(data)
        shown = data.keys() - {*notes.LINKS, "layout", "dice", "columns", "render", "image"}
        return not shown and bool(bases) and bases[0].casefold() in self._blocks

    def resolved(self, data: Data, report: ConversionReport, system: str) -> dict[str, Any]:
        """Return a block merged with those it extends. Raise UnreadableError if it is circular or a base is missing.

        A base that only the shipped library has is under the key `_SHIPPED`.
        """
        return self._merged(data, report, iter(range(MAX_STEPS)), system)

    def _merged(self, data: Data, report: ConversionReport, steps: Iterator[int], system: str) -> dict[str, Any]:
        if next(steps, None) is None:
            raise UnreadableError("extends itself, or too many other stat blocks")
        merged: dict[str, Any] = {}
        for base in _bases(data):
            other = self._blocks.get(base.casefold())
            if other is None or other is data:
                if (shipped := shipped_creature(base, _system_of(data, system), "dnd5e")) is not None:
                    merged[_SHIPPED] = shipped
                    continue
                if "hp" not in data:
                    raise UnreadableError(f"extends {base!r}, which is not among the imported files")
                why = "the extended stat block is not among the imported files; only this block is used"
                report.add_note("monster", base, why)
                continue
            merged.update(self._merged(other, report, steps, system))
        for key, value in data.items():
            _put(merged, key, value)
        return merged


def _bases(data: Data) -> list[str]:
    values = [data.get(key) for key in notes.LINKS]
    named = (link for value in values for link in (value if isinstance(value, list) else [value]))
    return [name for link in named if (name := notes.name_of(link))]


def _put(merged: dict[str, Any], key: str, value: Any) -> None:
    """Override a key of the base block: features are merged by name, other values are replaced."""
    plain = key.rstrip("+")
    if key != plain:
        merged[plain] = [*as_list(merged.get(plain)), *as_list(value)]
    elif plain in _MERGED and isinstance(value, list) and isinstance(merged.get(plain), list):
        names = {_called(feature) for feature in value}
        merged[plain] = [*(feature for feature in merged[plain] if _called(feature) not in names), *value]
    elif value is not None or plain not in merged:
        merged[plain] = value


def _called(feature: Any) -> str:
    first = feature[0] if isinstance(feature, list) and feature else as_mapping(feature).get("name")
    return as_text(first).strip().casefold()


FORMAT = ImportFormat("fantasy_statblocks", "Fantasy Statblocks and Initiative Tracker (Obsidian)", claims, read)
