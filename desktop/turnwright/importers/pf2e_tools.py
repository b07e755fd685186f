"""Reads Pf2eTools bestiaries, with their tags and copies, as neutral stat blocks of Pathfinder 2e."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from turnwright.importers.common import as_list, as_mapping, as_text, int_at, named_numbers, nested_value, text_at
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.five_e_tools.copies import RecordLibrary
from turnwright.importers.five_e_tools.tags import plain, plain_entry
from turnwright.importers.formats import ImportFormat
from turnwright.importers.pf2e.creatures import imported
from turnwright.importers.pf2e.lines import trait_fields
from turnwright.importers.pf2e.stat_block import (
    RankedSpell,
    SourceAbility,
    SourceNumber,
    SourceSpells,
    SourceStatBlock,
    SourceStrike,
)
from turnwright.importers.pf2e.terms import SAVES
from turnwright.importers.results import ImportedRecord, UnreadRecord, convert_record
from turnwright.importers.statblock_text.header_lines import ABILITIES
from turnwright.importers.statblock_text.numbers import as_int
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.ids import IdAllocator

Record = dict[str, Any]
_UNITS: Final = {"action": "action", "reaction": "reaction", "free": "free"}
_LABELS: Final = (
    ("frequency", "Frequency"),
    ("requirements", "Requirements"),
    ("trigger", "Trigger"),
    ("cost", "Cost"),
    ("prerequisites", "Prerequisites"),
)
_KNOWN: Final = frozenset({
    *("name", "source", "page", "level", "traits", "size", "rarity", "alignment", "perception", "senses", "languages", "skills"),
    *("abilityMods", "ac", "savingThrows", "hp", "hardness", "immunities", "weaknesses", "resistances", "speed", "attacks"),
    *("spellcasting", "abilities", "items", "description", "defenses", "creatureType", "isNpc", "alias", "group", "otherSources"),
    *("hasImages", "hasFluff", "summary", "foundryId", "add_hash"),
})  # fmt: skip
_NOT_SPEEDS: Final = frozenset({"abilities", "speedNote"})


def claims(document: ParsedDocument) -> bool:
    """Whether a document contains creatures of Pf2eTools."""
    return any(_is_creature(record) for record in _records(document.data)[:20])


def read(documents: Sequence[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord]:
    """Yield the creatures of the documents. A creature may copy records from any of them."""
    del system  # all records are for Pathfinder 2e
    library = RecordLibrary(as_mapping(document.data) for document in documents)
    ids = IdAllocator()

    def block(record: Mapping[str, Any], name: str, report: ConversionReport) -> SourceStatBlock:
        whole = library.resolved(dict(record), report, "creature")
        for key, value in whole.items():
            if key not in _KNOWN and not key.startswith("_") and value not in (None, "", [], {}):
                report.add_note(key, as_text(value) or plain_entry(value), "unknown field; ignored")
        return _block({**whole, **as_mapping(whole.get("defenses"))}, name, report)

    for document in documents:
        for number, record in enumerate(_records(document.data), 1):
            if isinstance(record, dict):
                label = text_at(record, "name").strip() or f"record {number}"
                yield convert_record(document.file, label, imported, record, document.file, ids, block)
            else:
                yield UnreadRecord(document.file, f"record {number}", "not a creature")


def _records(data: Any) -> list[Any]:
    table = as_mapping(data)
    if _is_creature(data):
        return [data]
    return as_list(table.get("creature")) if table else as_list(data)


def _is_creature(record: Any) -> bool:
    if not isinstance(record, dict) or not isinstance(record.get("name"), str) or "source" not in record:
        return False
    return "level" in record and ("abilityMods" in record or "savingThrows" in record or "_copy" in record)


def _block(record: Record, name: str, report: ConversionReport) -> SourceStatBlock:
    pools = as_list(record.get("hp")) or [record.get("hp")]
    hp = next((number for one in pools if (number := _hit_points(one)) is not None), None)
    _remarks(record, report)
    return SourceStatBlock(
        name,
        int_at(record, "level"),
        **trait_fields(
            map(as_text, as_list(record.get("traits"))),
            as_text(record.get("size")).lower(),
            as_text(record.get("rarity")).lower(),
            as_text(record.get("alignment")),
        ),
        kind="creature",
        ac=int_at(record, "ac", "std") or 0,
        ac_note=_others(record.get("ac"), ("std",)),
        hp=hp,
        abilities=named_numbers((id, as_mapping(record.get("abilityMods")).get(id)) for id in ABILITIES),
        saves=named_numbers(
            (SAVES[key], text_at(record, "savingThrows", key, "std")) for key in ("fort", "ref", "will")
        ),
        perception=int_at(record, "perception", "std"),
        skills=tuple(_skills(record)),
        senses=tuple(_sense(one) for one in as_list(record.get("senses"))),
        languages=_plain_list(nested_value(record, "languages", "languages")),
        speeds=tuple(_speeds(record)),
        immunities=tuple(_named(one) for one in as_list(record.get("immunities"))),
        resistances=tuple(_amounts(record, "resistances")),
        weaknesses=tuple(_amounts(record, "weaknesses")),
        strikes=tuple(_strike(as_mapping(one)) for one in as_list(record.get("attacks"))),
        actions=tuple(_abilities(record, report)),
        spells=tuple(_spells(as_mapping(one)) for one in as_list(record.get("spellcasting"))),
        items=_plain_list(record.get("items")),
        description=plain_entry(record.get("description", [])),
        source=f"Pf2eTools: {text_at(record, 'source')}{f', page {as_text(page)}' if (page := record.get('page')) else ''}",
    )


def _hit_points(value: Any) -> int | None:
    return next(
        (number for key in ("hp", "std") if (number := int_at(as_mapping(value), key)) is not None), as_int(value)
    )


def _remarks(record: Record, report: ConversionReport) -> None:
    """Add the notes on hit points, saves, speeds and languages as remarks."""
    for pool in as_list(record.get("hp")):
        for note in (
            *as_list(as_mapping(pool).get("abilities")),
            as_mapping(pool).get("note"),
            as_mapping(pool).get("name"),
        ):
            report.add_remark("hp", plain(as_text(note)))
    if record.get("hardness"):
        hard = as_text(record["hardness"]) or text_at(record, "hardness", "std")
        report.add_remark("hp", f"hardness {hard}")
    for about, key in (("saves", "savingThrows"), ("speeds", "speed"), ("languages", "languages")):
        for note in as_list(as_mapping(record.get(key)).get("abilities")):
            report.add_remark(about, plain_entry(note))
    saves = as_mapping(record.get("savingThrows"))
    for key in ("fort", "ref", "will"):
        report.add_remark("saves", f"{key.title()} {words}" if (words := _others(saves.get(key), ("std",))) else "")


def _others(value: Any, known: Sequence[str]) -> str:
    """Return the conditional numbers of a table, such as `25 with shield raised`."""
    parts = []
    for name, number in as_mapping(value).items():
        if name in known or number in (None, [], {}):
            continue
        if name in ("abilities", "note", "notes"):
            parts += [plain_entry(entry) for entry in (number if isinstance(number, list) else [number])]
        else:
            parts.append(f"{as_text(number)} {name}".strip())
    return "; ".join(part for part in parts if part)


def _skills(record: Record) -> Iterator[SourceNumber]:
    for name, value in as_mapping(record.get("skills")).items():
        number = as_int(as_mapping(value).get("std")) if isinstance(value, dict) else as_int(value)
        yield SourceNumber(str(name), number, _others(value, ("std",)))


def _sense(sense: Any) -> str:
    if isinstance(sense, str):
        return plain(sense)
    kind, feet = text_at(sense, "type"), int_at(sense, "range")
    range_text = text_at(sense, "range")
    far = f" {feet} feet" if feet else f" {range_text}" if range_text else ""
    return f"{plain(text_at(sense, 'name'))}{f' ({kind})' if kind else ''}{far}"


def _named(entry: Any) -> str:
    table = as_mapping(entry)
    note = plain(text_at(table, "note"))
    return f"{plain(text_at(table, 'name'))}{f' ({note})' if note else ''}" if table else plain(as_text(entry))


def _speeds(record: Record) -> Iterator[SourceNumber]:
    speed = record.get("speed")
    if as_int(speed) is not None:
        yield SourceNumber("land", as_int(speed))
    for name, value in as_mapping(speed).items():
        if name not in _NOT_SPEEDS and as_int(value) is not None:
            yield SourceNumber(str(name), as_int(value))


def _amounts(record: Record, key: str) -> Iterator[SourceNumber]:
    for entry in as_list(record.get(key)):
        table = as_mapping(entry)
        yield SourceNumber(
            plain(text_at(table, "name") or as_text(entry)),
            int_at(table, "amount"),
            plain(text_at(table, "note")).strip("() "),
        )


def _strike(source: Mapping[str, Any]) -> SourceStrike:
    return SourceStrike(
        plain(text_at(source, "name")),
        int_at(source, "attack"),
        _plain_list(source.get("traits")),
        plain(text_at(source, "damage") or text_at(source, "damage2")),
        _plain_list(source.get("effects")),
        text_at(source, "range").lower() == "ranged",
    )


def _plain_list(value: Any) -> tuple[str, ...]:
    return tuple(plain(as_text(one)) for one in as_list(value))


def _abilities(record: Record, report: ConversionReport) -> Iterator[SourceAbility]:
    held = record.get("abilities")
    lists = [held] if isinstance(held, list) else [as_mapping(held).get(place) for place in ("top", "mid", "bot")]
    for one in (one for each in lists for one in as_list(each)):
        source = as_mapping(one)
        activity = as_mapping(source.get("activity"))
        unit = text_at(activity, "unit")
        name = plain(text_at(source, "name")) or "Ability"
        if unit and unit not in _UNITS:
            report.add_note(f"{name}: activity", unit, "unknown action type; treated as a passive ability")
        lines = [f"{label} {said}" for key, label in _LABELS if (said := _label(source.get(key)))]
        own = {**source, "name": ""} if text_at(source, "type") == "affliction" else source.get("entries", [])
        text = "\n".join([*lines, plain_entry(own)]).strip()
        traits = _plain_list(source.get("traits"))
        yield SourceAbility(name[:200], _UNITS.get(unit, "trait"), int_at(activity, "number") or 1, traits, text)


def _label(value: Any) -> str:
    table = as_mapping(value)
    if table:  # a structured frequency: `{number: 1, unit: day}`
        number = int_at(table, "number")
        words = {1: "once", 2: "twice"}.get(number or 0, f"{number} times" if number else "")
        return (
            plain(text_at(table, "special"))
            or f"{words} per {text_at(table, 'unit') or text_at(table, 'customUnit')}".strip()
        )
    return plain_entry(value) if value else ""


def _spells(source: Mapping[str, Any]) -> SourceSpells:
    spells = []
    for level, held in as_mapping(source.get("entry")).items():
        if level == "constant":
            groups = [(as_int(rank) or 0, one, True) for rank, one in as_mapping(held).items()]
        else:
            groups = [((int_at(held, "level") if level == "0" else as_int(level)) or 0, held, False)]
        for rank, group, constant in groups:
            for one in as_list(as_mapping(group).get("spells")):
                notes = (
                    [as_text(one.get("amount")), *map(as_text, as_list(one.get("notes") or one.get("note")))]
                    if isinstance(one, dict)
                    else []
                )
                name = plain(text_at(one, "name") if isinstance(one, dict) else as_text(one))
                note = ", ".join(f"\u00d7{part}" if part.isdecimal() else plain(part) for part in notes if part)
                spells.append(RankedSpell(name, rank or 0, note, cantrip=level == "0", constant=constant))
    fp = text_at(source, "fp")
    return SourceSpells(
        plain(text_at(source, "name")) or "Spells",
        int_at(source, "DC") or 0,
        int_at(source, "attack"),
        text_at(source, "tradition").lower(),
        spells=tuple(spells),
        note=f"{fp} Focus Points" if fp else "",
    )


FORMAT: Final = ImportFormat("pf2e_tools", "Pf2eTools bestiaries", claims, read)
