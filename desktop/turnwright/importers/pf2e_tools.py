"""Reads the creatures, hazards and vehicles of Pf2eTools, with their tags and copies, as neutral stat blocks."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from turnwright.importers import formats, results, vocabulary
from turnwright.importers.common import (
    as_list,
    as_mapping,
    as_text,
    int_at,
    list_at,
    named_numbers,
    nested_value,
    text_at,
)
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.five_e_tools.copies import Record, RecordLibrary
from turnwright.importers.five_e_tools.tags import plain, plain_entry
from turnwright.importers.pf2e import creatures, hazards, markup, stat_block
from turnwright.importers.statblock_text.damage import as_int
from turnwright.importers.statblock_text.header_lines import ABILITIES
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionReport

_UNITS: Final = {"action": "action", "reaction": "reaction", "free": "free"}
_LABELS: Final = ("frequency", "requirements", "trigger", "cost", "prerequisites")
_SAVES: Final = ("fort", "ref", "will")
_KNOWN: Final[frozenset[str]] = frozenset(vocabulary.terms("pf2e_tools", "fields"))
_RE: Final = vocabulary.Patterns("pf2e_tools")
_LISTS: Final = ("creature", "hazard", "vehicle")
_SIGNS: Final = {"creature": ("abilityMods", "savingThrows", "_copy"), "hazard": ("disable", "stealth"), "vehicle": ("pilotingCheck", "collision")}  # fmt: skip
_THINGS: Final[frozenset[str]] = frozenset(vocabulary.terms("pf2e_tools", "fields_of_things"))
_TEXTS: Final[Mapping[str, str]] = vocabulary.terms("pf2e_tools", "texts_of_things")
_NOT_SPEEDS: Final = frozenset({"abilities", "speedNote"})


def claims(document: ParsedDocument) -> bool:
    """Whether a document contains creatures, hazards or vehicles of Pf2eTools."""
    return any(_kind_of(record) for record in _records(document.data)[:20])


def read(documents: Iterable[ParsedDocument], system: str) -> Iterator[results.ImportedRecord | results.UnreadRecord]:
    """Yield the creatures of the documents. A creature may copy records from any of them."""
    del system  # all records are for Pathfinder 2e
    library = RecordLibrary(as_mapping(document.data) for document in documents)
    ids = IdAllocator()

    def block(record: Mapping[str, Any], name: str, report: ConversionReport) -> stat_block.SourceStatBlock:
        kind = _kind_of(record)
        whole = library.resolved(dict(record), report, kind or "creature")
        for key, value in whole.items():
            if (
                key not in (_KNOWN if kind == "creature" else _THINGS)
                and not key.startswith("_")
                and value not in (None, "", [], {})
            ):
                report.add_note(key, as_text(value) or plain_entry(value), "unknown field; ignored")
        whole |= as_mapping(whole.get("defenses"))
        return _thing(whole, name, kind, report) if kind in _LISTS[1:] else _block(whole, name, report)

    for document in documents:
        for number, record in enumerate(_records(document.data), 1):
            if isinstance(record, dict):
                label = text_at(record, "name").strip() or f"record {number}"
                yield results.convert_record(
                    document.file, label, creatures.imported, record, document.file, ids, block
                )
            else:
                yield results.UnreadRecord(document.file, f"record {number}", "not a creature")


def _records(data: Any) -> list[Any]:
    table = as_mapping(data)
    if _kind_of(data):
        return [data]
    return [record for key in _LISTS for record in as_list(table.get(key))] if table else as_list(data)


def _kind_of(record: Any) -> str:
    """Return the list to which a record belongs, or an empty string if it isn't one of Pf2eTools."""
    data = as_mapping(record)
    if not isinstance(data.get("name"), str) or not {"source", "level"} <= data.keys():
        return ""
    return next((kind for kind, signs in _SIGNS.items() if not data.keys().isdisjoint(signs)), "")


def _thing(record: Record, name: str, kind: str, report: ConversionReport) -> stat_block.SourceStatBlock:
    """Return the stat block of a hazard or a vehicle, which may have no hit points. A vehicle is an object."""
    routine = list_at(record, "routine")
    inside = [
        entry for entry in routine if text_at(entry, "type") in ("attack", "ability") or text_at(entry, "activity")
    ]
    entries = [*list_at(record, "abilities"), *list_at(record, "actions"), *inside]
    attacks = [entry for entry in entries if text_at(entry, "type") == "attack"]
    parts = {
        "abilities": [entry for entry in entries if entry not in attacks],
        "attacks": [*list_at(record, "attacks"), *attacks],
        "description": record.get("description") or record.get("entries") or [],
        "hardness": None,
        "traits": [trait for trait in list_at(record, "traits") if as_text(trait).lower() not in markup.SIZES],
        "size": next((trait for trait in list_at(record, "traits") if as_text(trait).lower() in markup.SIZES), ""),
    }
    block = _block({**record, **parts}, name, report)
    hazards.add_hardness(_main(record.get("hardness")), report)
    report.add_remark("hp", f"BT {broken}" if (broken := _main(record.get("bt"))) else "")
    for key in ("hp", "hardness"):
        others = list(as_mapping(record.get(key)).items())[1:]
        report.add_remark(key, ", ".join(f"{part} {as_text(value)}" for part, value in others))
    report.add_remark("hp", text_at(record, "notes", "default"))
    is_complex = "complex" in block.traits
    texts = {title: _entries(record.get(key)) for key, title in _TEXTS.items() if key != "routine"}
    steps = [entry for entry in routine if entry not in inside]
    words = plain_entry(
        [_RE.actions.sub(r"(\1 actions)", as_text(step)) if isinstance(step, str) else step for step in steps]
    )
    texts |= {} if is_complex else {"Routine": words}
    usual, pools = hazards.routine_of(words if is_complex else "", report)
    stealth = as_mapping(record.get("stealth"))
    bonus = next((number for key in ("bonus", "value") if (number := int_at(stealth, key)) is not None), None)
    if bonus is None and (dc := int_at(stealth, "dc")) is not None:
        bonus = dc - markup.DC_BASE
    said = (
        f"DC {markup.DC_BASE + bonus}" if bonus is not None else "",
        text_at(stealth, "minProf"),
        text_at(stealth, "notes"),
    )
    report.add_remark("stealth", plain(" ".join(filter(None, said))))
    further = [stat_block.SourceAbility(title, text=text) for title, text in texts.items() if text]
    return msgspec.structs.replace(
        block,
        kind="object" if kind == "vehicle" else kind,
        hazard=kind == "hazard",
        hp=block.hp or 0,
        traits=(*block.traits, *(("simple",) if kind == "hazard" and not is_complex else ())),
        skills=() if bonus is None else (stat_block.SourceNumber("stealth", bonus),),
        actions=(*usual, *block.actions, *further),
        pools=pools,
    )


def _main(value: Any) -> int | None:
    """Return a number, or the first number of a table, such as that of its only part: `{std: 12}`, `{door: 12}`."""
    numbers = (as_int(number) for number in (value, *as_mapping(value).values()))
    return next((number for number in numbers if number is not None), None)


def _entries(value: Any) -> str:
    """Return a part of a hazard or vehicle as text: entries, words, or a table such as `{long: 20, wide: 5}`."""
    table = as_mapping(value)
    if table and "entries" not in table:
        return ", ".join(f"{key} {_entries(held)}" for key, held in table.items())
    return plain_entry(table.get("entries", value or []))


def _block(record: Record, name: str, report: ConversionReport) -> stat_block.SourceStatBlock:
    pools = as_list(record.get("hp")) or [record.get("hp")]
    points = (value for pool in pools for value in (nested_value(pool, "hp"), nested_value(pool, "std"), _main(pool)))
    page, traits = text_at(record, "page"), map(as_text, list_at(record, "traits"))
    size, rarity = text_at(record, "size").lower(), text_at(record, "rarity").lower()
    _remarks(record, report)
    return stat_block.SourceStatBlock(
        name,
        int_at(record, "level"),
        **markup.trait_fields(traits, size, rarity, text_at(record, "alignment")),
        kind="creature",
        ac=_main(record.get("ac")) or 0,
        ac_note=_others(record.get("ac")),
        hp=next((number for value in points if (number := as_int(value)) is not None), None),
        abilities=named_numbers((id, nested_value(record, "abilityMods", id)) for id in ABILITIES),
        saves=named_numbers((markup.SAVES[key], _main(nested_value(record, "savingThrows", key))) for key in _SAVES),
        perception=int_at(record, "perception", "std"),
        skills=tuple(_skills(record)),
        senses=_texts(record, "senses"),
        languages=_texts(record, "languages", "languages"),
        speeds=tuple(_speeds(record)),
        immunities=_texts(record, "immunities"),
        resistances=_amounts(record, "resistances"),
        weaknesses=_amounts(record, "weaknesses"),
        strikes=tuple(map(_strike, list_at(record, "attacks"))),
        actions=tuple(_abilities(record, report)),
        spells=tuple(map(_spells, list_at(record, "spellcasting"))),
        items=_texts(record, "items"),
        description=plain_entry(record.get("description", [])),
        source=f"Pf2eTools: {text_at(record, 'source')}{page and f', page {page}'}",
    )


def _remarks(record: Record, report: ConversionReport) -> None:
    """Add the notes on hit points, saves, speeds and languages as remarks."""
    for pool in list_at(record, "hp"):
        for note in (*list_at(pool, "abilities"), nested_value(pool, "note"), nested_value(pool, "name")):
            report.add_remark("hp", plain(as_text(note)))
    if record.get("hardness"):
        hard = as_text(record["hardness"]) or text_at(record, "hardness", "std")
        report.add_remark("hp", f"hardness {hard}")
    for about, key in (("saves", "savingThrows"), ("speeds", "speed"), ("languages", "languages")):
        for note in list_at(record, key, "abilities"):
            report.add_remark(about, plain_entry(note))
    for key in _SAVES:
        words = _others(nested_value(record, "savingThrows", key))
        report.add_remark("saves", words and f"{key.title()} {words}")


def _others(value: Any) -> str:
    """Return the conditional numbers of a table, such as `25 with shield raised`."""
    parts: list[str] = []
    for name, number in as_mapping(value).items():
        if name in ("abilities", "note", "notes"):
            parts += map(plain_entry, number if isinstance(number, list) else [number or ""])
        elif name not in ("std", "default") and number not in (None, [], {}):
            parts.append(f"{as_text(number)} {name}".strip())
    return "; ".join(filter(None, parts))


def _name(entry: Any) -> str:
    return plain(text_at(entry, "name") or as_text(entry))


def _texts(value: Any, *names: str) -> tuple[str, ...]:
    """Return the entries of a list with their notes and ranges: `scent (imprecise) 60 feet`."""
    texts = []
    for entry in list_at(value, *names):
        aside, far = plain(text_at(entry, "type") or text_at(entry, "note")), text_at(entry, "range")
        far = f"{far} feet" if int_at(entry, "range") else far
        texts.append(" ".join(filter(None, (_name(entry), aside and f"({aside})", far))))
    return tuple(texts)


def _skills(record: Record) -> Iterator[stat_block.SourceNumber]:
    for name, value in as_mapping(record.get("skills")).items():
        number = as_int(value["std"] if isinstance(value, dict) and "std" in value else value)
        yield stat_block.SourceNumber(str(name), number, _others(value))


def _speeds(record: Record) -> Iterator[stat_block.SourceNumber]:
    speed = record.get("speed")
    for name, value in (as_mapping(speed) or {"land": speed}).items():
        if name not in _NOT_SPEEDS and (feet := as_int(value)) is not None:
            yield stat_block.SourceNumber(str(name), feet)


def _amounts(record: Record, key: str) -> stat_block.Numbered:
    if all(isinstance(entry, str) for entry in list_at(record, key)):
        return ", ".join(map(plain, list_at(record, key)))
    return tuple(
        stat_block.SourceNumber(_name(entry), int_at(entry, "amount"), plain(text_at(entry, "note")).strip("() "))
        for entry in list_at(record, key)
    )


def _strike(source: Any) -> stat_block.SourceStrike:
    dealt, types = plain(text_at(source, "damage") or text_at(source, "damage2")), list_at(source, "types")
    if len(types) == 1 and _RE.dice.fullmatch(dealt):
        dealt = f"{dealt} {as_text(types[0])}"
    return stat_block.SourceStrike(
        plain(text_at(source, "name")),
        int_at(source, "attack"),
        _texts(source, "traits"),
        dealt,
        _texts(source, "effects"),
        text_at(source, "range").lower() == "ranged",
    )


def _abilities(record: Record, report: ConversionReport) -> Iterator[stat_block.SourceAbility]:
    held = record.get("abilities")
    lists = [held] if isinstance(held, list) else [list_at(held, place) for place in ("top", "mid", "bot")]
    for source in (as_mapping(entry) for listed in lists for entry in listed):
        unit = text_at(source, "activity", "unit")
        name = plain(text_at(source, "name")) or "Ability"
        if unit and unit not in _UNITS:
            report.add_note(f"{name}: activity", unit, "unknown action type; treated as a passive ability")
        lines = [f"{key.title()} {text}" for key in _LABELS if (text := _label(source.get(key)))]
        own = {**source, "name": ""} if text_at(source, "type") == "affliction" else source.get("entries", [])
        text = "\n".join([*lines, plain_entry(own)]).strip()
        count = int_at(source, "activity", "number") or 1
        yield stat_block.SourceAbility(name, _UNITS.get(unit, "trait"), count, _texts(source, "traits"), text)


def _label(value: Any) -> str:
    if not as_mapping(value):
        return plain_entry(value) if value else ""
    number = int_at(value, "number")  # a structured frequency: `{number: 1, unit: day}`
    words = {1: "once", 2: "twice"}.get(number or 0, f"{number} times" if number else "")
    unit = text_at(value, "unit") or text_at(value, "customUnit")
    return plain(text_at(value, "special")) or f"{words} per {unit}".strip()


def _spells(source: Any) -> stat_block.SourceSpells:
    spells = []
    for level, held in as_mapping(nested_value(source, "entry")).items():
        constant = level == "constant"
        for place, group in as_mapping(held).items() if constant else [(level, held)]:
            rank = int_at(group, "level") if level == "0" else as_int(place)
            for one in list_at(group, "spells"):
                notes = (text_at(one, "amount"), *map(as_text, list_at(one, "notes") or list_at(one, "note")))
                note = ", ".join(f"\u00d7{part}" if part.isdecimal() else plain(part) for part in notes if part)
                spells.append(
                    stat_block.RankedSpell(_name(one), rank or 0, note, cantrip=level == "0", constant=constant)
                )
    points = text_at(source, "fp")
    return stat_block.SourceSpells(
        plain(text_at(source, "name")) or "Spells",
        int_at(source, "DC") or 0,
        int_at(source, "attack"),
        text_at(source, "tradition").lower(),
        spells=tuple(spells),
        note=points and f"{points} Focus Points",
    )


FORMAT: Final = formats.ImportFormat("pf2e_tools", "Pf2eTools bestiaries", claims, read)
