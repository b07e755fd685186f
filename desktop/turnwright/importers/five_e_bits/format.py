"""Reads the 5e-bits SRD database: its files of 2014 and 2024, and single monsters from its API."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from turnwright.encounter.prepared import NamedNumbers
from turnwright.importers.common import as_list, as_mapping, as_text
from turnwright.importers.creature_columns import ABILITIES, column_fields, note_unknown_fields
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.five_e_bits.features import SECTIONS, features_of
from turnwright.importers.five_e_bits.head import (
    armor_fields,
    conditions_of,
    movement_fields,
    proficiency_fields,
    sense_fields,
)
from turnwright.importers.five_e_bits.multiattacks import with_structured_multiattacks
from turnwright.importers.formats import ImportFormat
from turnwright.importers.results import ImportedRecord, UnreadRecord
from turnwright.importers.stat_block import StatBlock, read_blocks
from turnwright.importers.statblock_text import header_lines
from turnwright.importers.statblock_text.numbers import as_int
from turnwright.storage.conversion_report import ConversionReport, UnreadableError

Record = Mapping[str, Any]
_KNOWN: Final = frozenset({
    *(section for section, _cost in SECTIONS),
    *(name for _id, name in ABILITIES),
    *("index", "name", "size", "type", "subtype", "alignment", "armor_class", "hit_points", "hit_dice"),
    *("hit_points_roll", "speed", "proficiencies", "damage_vulnerabilities", "damage_resistances", "damage_immunities"),
    *("condition_immunities", "senses", "languages", "challenge_rating", "proficiency_bonus", "xp", "xp_in_lair", "url"),
    *("desc", "forms", "environments", "image", "updated_at"),
})  # fmt: skip
_YEAR = re.compile(r"/api/(\d{4})/")


def claims(document: ParsedDocument) -> bool:
    """Return whether a document contains monsters of this database, or the API's list of their names."""
    return any(_is_monster(record) or _is_name(record) for record in _records(document.data)[:50])


def describe_other_content(document: ParsedDocument) -> str:
    """Return a description of a document of this database without monsters, or an empty string for any other."""
    for record in _records(document.data)[:5]:
        match = re.match(r"/api/(?:\d{4}/)?([a-z-]+)/", as_text(record.get("url")))
        if match and "index" in record and match[1] != "monsters":
            return f"no creatures; not imported: {match[1].replace('-', ' ')}"
    return ""


def read(documents: Sequence[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord]:
    """Yield the monsters of the documents."""
    return read_blocks(documents, system, _several, _block, odd="not a monster")


def _block(record: Record, name: str, report: ConversionReport) -> StatBlock:
    if not _is_monster(record):
        raise UnreadableError(
            "only a name; the statistics are in another file" if _is_name(record) else "not a monster"
        )
    note_unknown_fields(record, _KNOWN, report)
    fields = column_fields(record, report)
    fields |= armor_fields(record.get("armor_class"), report)
    fields |= movement_fields(as_mapping(record.get("speed")), report)
    fields |= sense_fields(as_mapping(record.get("senses")), report)
    fields |= proficiency_fields(as_list(record.get("proficiencies")), report)
    features_and_sources = features_of(record, report)
    casting = [
        spells for _feature, source in features_and_sources if (spells := as_mapping(source.get("spellcasting")))
    ]
    if record.get("xp_in_lair"):
        report.add_remark("xp", f"{record['xp_in_lair']} in its lair")
    for form in as_list(record.get("forms")):
        if name_of_form := as_text(as_mapping(form).get("name")):
            report.add_note("forms", name_of_form, "another form, which the source lists as a separate creature")
    return StatBlock(
        name,
        kind=as_text(record.get("type")),
        size=as_text(record.get("size")),
        tags=_tags(record.get("subtype")),
        hit_dice=as_text(record.get("hit_points_roll")) or as_text(record.get("hit_dice")),
        languages=_line(record.get("languages")),
        immunities=_damage(record.get("damage_immunities")),
        resistances=_damage(record.get("damage_resistances")),
        vulnerabilities=_damage(record.get("damage_vulnerabilities")),
        condition_immunities=conditions_of(as_list(record.get("condition_immunities")), report),
        features=with_structured_multiattacks(features_and_sources, report),
        source=_source(record),
        proficiency=as_int(record.get("proficiency_bonus")) or 0,
        spellcasting=_casting_ability(casting),
        slots=_slots(casting),
        xp=as_int(record.get("xp")) or 0,
        environments=tuple(
            as_text(environment) for environment in as_list(record.get("environments")) if as_text(environment)
        ),
        description=_line(record.get("desc"), "\n"),
        names={kind: f"damage_{kind}" for kind in ("immunities", "resistances", "vulnerabilities")},
        **fields,
    )


def _damage(value: Any) -> list[str]:
    """Return the texts of a list of damage types, each a text or a record with a name."""
    entries = value if isinstance(value, list) else [value] if value else []
    return [as_text(as_mapping(entry).get("name")) or as_text(entry) for entry in entries]


def _casting_ability(casting: Sequence[Record]) -> str:
    abilities = [as_text(as_mapping(spells.get("ability")).get("index")) for spells in casting]
    return next((ability for ability in abilities if ability in header_lines.ABILITIES), "")


def _slots(casting: Sequence[Record]) -> NamedNumbers:
    slots = next((as_mapping(spells.get("slots")) for spells in casting if as_mapping(spells.get("slots"))), {})
    return tuple((str(level), count) for level, value in slots.items() if (count := as_int(value)))


def _tags(value: Any) -> tuple[str, ...]:
    return tuple(tag for part in as_text(value).split(",") if (tag := part.strip().lower()))


def _line(value: Any, between: str = ", ") -> str:
    return between.join(as_text(part) for part in value) if isinstance(value, list) else as_text(value).strip()


def _source(record: Record) -> str:
    """Return the edition of a record as its source. The address is omitted, because lists are sorted by source."""
    year = _YEAR.search(as_text(record.get("url")))
    edition = {"2014": "SRD 5.1", "2024": "SRD 5.2"}.get(year[1], year[1]) if year else "SRD"
    return f"5e-bits: {edition}"


def _several(data: Any) -> list[Any]:
    mapping = as_mapping(data)
    return as_list(mapping.get("results")) if "results" in mapping else [data] if mapping else as_list(data)


def _records(data: Any) -> list[Record]:
    return [record for record in _several(data) if isinstance(record, dict)]


def _is_monster(record: Record) -> bool:
    return isinstance(record.get("index"), str) and "hit_points" in record and "armor_class" in record


def _is_name(record: Record) -> bool:
    return isinstance(record.get("index"), str) and "/monsters/" in as_text(record.get("url"))


FORMAT = ImportFormat("five_e_bits", "5e-bits database", claims, read, describe_other_content)
