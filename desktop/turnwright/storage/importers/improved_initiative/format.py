"""Improved Initiative: lists of creatures, exports of a whole library, saved encounters, and player characters.

An export is one flat mapping: `Creatures.<id>`, `PersistentCharacters.<id>`, `SavedEncounters.<id>`, `Spells.<id>`,
and beside them lists of ids (`Creatures`) and settings. Files name no rule system: they are read as those of 5e.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.ids import IdAllocator
from turnwright.storage.importers.common import as_mapping, as_text, system_for
from turnwright.storage.importers.documents import ParsedDocument
from turnwright.storage.importers.formats import ImportFormat
from turnwright.storage.importers.improved_initiative.encounters import encounter_of, is_encounter
from turnwright.storage.importers.improved_initiative.statblocks import creature_of, is_statblock
from turnwright.storage.importers.results import ImportedRecord, UnreadRecord, convert_record
from turnwright.storage.statblock_text.markup import plain_text

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


class _Found(NamedTuple):
    """One record of a file: its kind, its key and its data."""

    kind: str
    key: str
    data: Mapping[str, Any]


def claims(document: ParsedDocument) -> bool:
    """Return whether a document holds stat blocks, characters or encounters of Improved Initiative."""
    data = document.data
    if isinstance(data, list):
        return any(_is_record(one) for one in data[:20])
    if not isinstance(data, dict):
        return False
    return _is_record(data) or any(
        isinstance(key, str) and key.startswith(tuple(_KINDS)) and isinstance(value, dict) and "Name" in value
        for key, value in data.items()
    )


def read(documents: Sequence[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord]:
    """Yield creatures, characters and encounters; the rest of an export is reported."""
    own = system_for(system, SYSTEM)
    library = {
        as_text(one.data.get("Id")) or one.key: one.data
        for document in documents
        for one in _records(document)
        if one.kind == "creature"
    }
    ids = IdAllocator()
    for document in documents:
        for found in _records(document):
            name = as_text(found.data.get("Name")).strip()[:200] or found.key
            yield convert_record(document.file, name, _imported, found, name, document.file, own, ids, library)


def _is_record(data: Any) -> bool:
    return is_statblock(data) or is_encounter(data) or _is_character(data)


def _is_character(data: Any) -> bool:
    return isinstance(data, dict) and is_statblock(data.get("StatBlock")) and "Combatants" not in data


def _records(document: ParsedDocument) -> Iterator[_Found]:
    data = document.data
    for number, one in enumerate(data if isinstance(data, list) else [data] if _is_record(data) else [], 1):
        kind = "character" if _is_character(one) else "encounter" if is_encounter(one) else "creature"
        yield _Found(kind, f"number {number}", one if isinstance(one, dict) else {})
    if isinstance(data, dict) and not _is_record(data):
        for key, one in data.items():
            kind = _kind_of(str(key))
            if kind:
                yield _Found(kind, str(key), as_mapping(one))


def _kind_of(key: str) -> str:
    """Return the kind of an export's key, empty for a list of ids."""
    found = next((kind for start, kind in _KINDS.items() if key.startswith(start)), "")
    return found or ("" if f"{key}." in _KINDS else "unknown")


def _imported(
    found: _Found, name: str, file: str, system: str, ids: IdAllocator, library: Mapping[str, Any]
) -> ImportedRecord:
    report = ConversionReport(name)
    if found.kind == "encounter":
        record: Any = encounter_of(found.data, library, system, report)
    elif found.kind == "character":
        record = _character(found.data, ids, report)
    elif found.kind == "creature":
        record = creature_of(found.data, ids, report)
    else:
        raise UnreadableError(_NO_RECORD.get(found.kind, "is no creature, character or encounter"))
    return ImportedRecord(name, record, system, file, report.notes)


_NO_RECORD: Final[Mapping[str, str]] = {
    "spell": "is a spell by itself; the library keeps no such records",
    "setting": "is a setting of the program",
}


def _character(data: Mapping[str, Any], ids: IdAllocator, report: ConversionReport) -> Any:
    """Return a character that is kept between encounters, with its notes."""
    block = as_mapping(data.get("StatBlock"))
    block = {**block, "Name": block.get("Name") or data.get("Name"), "Player": block.get("Player") or "player"}
    creature = creature_of(block, ids, report, plain_text(as_text(data.get("Notes"))))
    now = data.get("CurrentHP")
    if isinstance(now, int) and now != creature.hp:
        report.add_note("CurrentHP", as_text(now), "a creature of the library is whole")
    return creature


FORMAT: Final = ImportFormat("improved_initiative", "Improved Initiative", claims, read)
