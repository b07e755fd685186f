"""Reads files of Improved Initiative: creature lists, exports of a whole library, saved encounters, player characters.

An export is one flat mapping with keys such as `Creatures.<id>`, `PersistentCharacters.<id>`, `SavedEncounters.<id>`
and `Spells.<id>`, and with lists of ids (`Creatures`) and settings. Files don't state a rule system; D&D 5e is
assumed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from turnwright.importers.common import as_mapping, as_text, system_for
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.formats import ImportFormat
from turnwright.importers.improved_initiative.encounters import encounter_of, is_encounter
from turnwright.importers.improved_initiative.statblocks import creature_of, is_statblock
from turnwright.importers.results import ImportedRecord, UnreadRecord, convert_record
from turnwright.importers.statblock_text.markup import plain_text
from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.ids import IdAllocator

SYSTEM: Final = "dnd5e"
_KINDS: Final[Mapping[str, str]] = {
    "Creatures.": "creature",
    "PlayerCharacters.": "creature",
    "PersistentCharacters.": "character",
    "SavedEncounters.": "encounter",
    "AutoSavedEncounters.": "encounter",
    "Spells.": "spell",
    "ImprovedInitiative.": "setting",
}


class _Entry(NamedTuple):
    """One record of a file: its kind, its key and its data."""

    kind: str
    key: str
    data: Mapping[str, Any]


def claims(document: ParsedDocument) -> bool:
    """Return whether a document contains stat blocks, characters or encounters of Improved Initiative."""
    data = document.data
    if isinstance(data, list):
        return any(_is_record(record) for record in data[:20])
    if not isinstance(data, dict):
        return False
    return _is_record(data) or any(
        isinstance(key, str) and key.startswith(tuple(_KINDS)) and isinstance(value, dict) and "Name" in value
        for key, value in data.items()
    )


def read(documents: Sequence[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord]:
    """Yield creatures, characters and encounters. Other content of an export is reported."""
    rules = system_for(system, SYSTEM)
    library = {
        as_text(record.data.get("Id")) or record.key: record.data
        for document in documents
        for record in _records(document)
        if record.kind == "creature"
    }
    ids = IdAllocator()
    for document in documents:
        for entry in _records(document):
            name = as_text(entry.data.get("Name")).strip()[:200] or entry.key
            yield convert_record(document.file, name, _imported, entry, name, document.file, rules, ids, library)


def _is_record(data: Any) -> bool:
    return is_statblock(data) or is_encounter(data) or _is_character(data)


def _is_character(data: Any) -> bool:
    return isinstance(data, dict) and is_statblock(data.get("StatBlock")) and "Combatants" not in data


def _records(document: ParsedDocument) -> Iterator[_Entry]:
    data = document.data
    for number, record in enumerate(data if isinstance(data, list) else [data] if _is_record(data) else [], 1):
        kind = "character" if _is_character(record) else "encounter" if is_encounter(record) else "creature"
        yield _Entry(kind, f"number {number}", record if isinstance(record, dict) else {})
    if isinstance(data, dict) and not _is_record(data):
        for key, record in data.items():
            kind = _kind_of(str(key))
            if kind:
                yield _Entry(kind, str(key), as_mapping(record))


def _kind_of(key: str) -> str:
    """Return the type of record for an export's key, or an empty string if the key has a list of ids."""
    kind = next((kind for start, kind in _KINDS.items() if key.startswith(start)), "")
    return kind or ("" if f"{key}." in _KINDS else "unknown")


def _imported(
    source: _Entry, name: str, file: str, system: str, ids: IdAllocator, library: Mapping[str, Any]
) -> ImportedRecord:
    report = ConversionReport(name)
    if source.kind == "encounter":
        record: Any = encounter_of(source.data, library, system, report)
    elif source.kind == "character":
        record = _character(source.data, ids, report)
    elif source.kind == "creature":
        record = creature_of(source.data, ids, report)
    else:
        raise UnreadableError(_NO_RECORD.get(source.kind, "not a creature, character or encounter"))
    return ImportedRecord(name, record, system, file, report.notes)


_NO_RECORD: Final[Mapping[str, str]] = {
    "spell": "spells can't be imported",
    "setting": "program setting; not imported",
}


def _character(data: Mapping[str, Any], ids: IdAllocator, report: ConversionReport) -> Any:
    """Return the creature of a player character that is kept between encounters, with its notes."""
    block = as_mapping(data.get("StatBlock"))
    block = {**block, "Name": block.get("Name") or data.get("Name"), "Player": block.get("Player") or "player"}
    creature = creature_of(block, ids, report, plain_text(as_text(data.get("Notes"))))
    now = data.get("CurrentHP")
    if isinstance(now, int) and now != creature.hp:
        report.add_note("CurrentHP", as_text(now), "current hit points ignored; maximum used")
    return creature


FORMAT: Final = ImportFormat("improved_initiative", "Improved Initiative", claims, read)
