"""Reads YAML files of the pathfinder-2-sqlite collection: one creature per file, in any version of the collection."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from turnwright.importers.common import as_list, as_text, int_at, list_at, named_numbers, nested_value, text_at
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.formats import ImportFormat
from turnwright.importers.pf2e.creatures import convert_records, records_in
from turnwright.importers.pf2e.markup import SAVES, tradition_in, unmarked_text
from turnwright.importers.pf2e.stat_block import (
    DamagePart,
    RankedSpell,
    SourceAbility,
    SourceNumber,
    SourceSpells,
    SourceStatBlock,
    SourceStrike,
)
from turnwright.importers.results import ImportedRecord, SkippedFile, UnreadRecord
from turnwright.importers.statblock_text.header_lines import ABILITIES
from turnwright.importers.vocabulary import terms
from turnwright.storage.fights import ConversionReport

COLLECTION: Final = "pathfinder-2-sqlite"
_SAVES: Final = {"fort": "Fortitude", "ref": "Reflex", "will": "Will"}
_ABILITY_LISTS: Final = ("sense", "automatic", "active", "proactive", "interaction")
_COSTS: Final[Mapping[str, tuple[str, int]]] = terms("pf2_yaml", "costs")
_HEAD = re.compile(r"^\s*\*\*[^*]*\*\*\s*(?:\[[^\]]*\])?\s*(?:\((?:__[^_]*__(?:,\s*)?)+\))?\s*")
_LINES: Final[tuple[tuple[str, str], ...]] = tuple(terms("pf2_yaml", "lines").items())


def claims(document: ParsedDocument) -> bool:
    """Whether a document contains creatures of this collection, or another of its tables."""
    return document.kind == "yaml" and (
        any(_is_creature(record) for record in records_in(document)) or _is_table(document.data)
    )


def read(documents: Iterable[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord | SkippedFile]:
    """Yield the creatures of the documents; the collection's other tables (conditions, for example) contain none."""
    del system  # all records are for Pathfinder 2e
    return convert_records(documents, _is_creature, _block)


def _is_creature(record: Any) -> bool:
    return isinstance(record, dict) and "ability_mods" in record and ("saves" in record or "hp" in record)


def _is_table(data: Any) -> bool:
    """Whether data is a table of the collection: one name with rows that cite their book."""
    rows = as_list(next(iter(data.values()), None)) if isinstance(data, dict) and len(data) == 1 else []
    return bool(rows) and all(_cited(row) for row in rows[:5])


def _cited(row: Any) -> bool:
    return any(isinstance(nested_value(source, "abbr"), str) for source in list_at(row, "source"))


def _block(record: Mapping[str, Any], name: str, report: ConversionReport) -> SourceStatBlock:
    ac = int_at(record, "ac")
    if ac is None:
        report.add_note("ac", text_at(record, "ac"), "not a number; set to 10")
    block = SourceStatBlock(
        name,
        **{field: read(record, field) for read, fields in _FIELDS for field in fields},
        kind=text_at(record, "type"),
        ac=ac or 0,
        ac_note="; ".join(_unbracketed(text_at(one, "descr")) for one in list_at(record, "ac_special")),
        abilities=named_numbers((id, nested_value(record, "ability_mods", f"{id}_mod")) for id in ABILITIES),
        saves=named_numbers((SAVES[key], nested_value(record, "saves", key)) for key in _SAVES),
        skills=tuple(_skills(record, report)),
        speeds=_numbers(record, "speed"),
        strikes=tuple(_strikes(record)),
        actions=tuple(_abilities(record, report)),
        spells=tuple(_spells(one) for one in list_at(record, "spell_lists")),
        description=unmarked_text(text_at(record, "description")),
        source=_source(record),
    )
    _add_remarks(record, report)
    return block


def _texts(record: Any, key: str) -> tuple[str, ...]:
    return tuple(text for value in list_at(record, key) if (text := unmarked_text(as_text(value)).strip()))


def _unbracketed(text: str) -> str:
    """Return a text without an unmatched bracket at its end."""
    text = unmarked_text(text).strip()
    return text[:-1].strip() if text.endswith(")") and text.count(")") > text.count("(") else text


def _numbers(record: Mapping[str, Any], key: str) -> tuple[SourceNumber, ...]:
    rows = [(text_at(row, "type"), int_at(row, "amount"), text_at(row, "misc")) for row in list_at(record, key)]
    return tuple(SourceNumber(*row) if row[0] else SourceNumber(row[2], None) for row in rows if row[0] or row[2])


# the readers of the fields that have the same names here
_FIELDS: Final[tuple[tuple[Callable[[Any, str], Any], tuple[str, ...]], ...]] = (
    (text_at, ("size", "rarity", "alignment")),
    (int_at, ("level", "hp", "perception")),
    (_texts, ("traits", "senses", "languages", "immunities", "items")),
    (_numbers, ("resistances", "weaknesses")),
)


def _skills(record: Mapping[str, Any], report: ConversionReport) -> Iterator[SourceNumber]:
    for skill in list_at(record, "skills"):
        name, bonus, note = text_at(skill, "name").strip(), int_at(skill, "bonus"), text_at(skill, "misc")
        if bonus is None or not name:
            report.add_note("skills", f"{name} {note}".strip(), "skill without a bonus; ignored")
        else:
            yield SourceNumber(name, bonus, note)


def _strikes(record: Mapping[str, Any]) -> Iterator[SourceStrike]:
    for key in ("melee_attacks", "melee", "ranged_attacks", "ranged"):
        for attack in list_at(record, key):
            damage = (*list_at(attack, "damage"), *list_at(attack, "plus_damage"))
            traits = _texts(attack, "traits")
            yield SourceStrike(
                " ".join(text_at(attack, "name").split()),
                int_at(attack, "to_hit"),
                traits,
                tuple(DamagePart(text_at(part, "formula"), unmarked_text(text_at(part, "type"))) for part in damage),
                (unmarked_text(text_at(attack, "plus_damage")),),
                # some ranged attacks are listed as melee
                ranged=key.startswith("ranged") or any(trait.lower().startswith("range") for trait in traits),
            )


def _abilities(record: Mapping[str, Any], report: ConversionReport) -> Iterator[SourceAbility]:
    for ability in (ability for key in _ABILITY_LISTS for ability in list_at(record, f"{key}_abilities")):
        name = " ".join(unmarked_text(text_at(ability, "name")).split())[:200] or "Ability"
        action_cost, text = text_at(ability, "action_cost").strip(), _text(ability)
        if action_cost.lower() not in _COSTS:
            report.add_note(f"{name}: action_cost", action_cost, "not a number of actions; kept in the text")
            text = f"[{action_cost}] {text}"
        cost, price = _COSTS.get(action_cost.lower(), ("trait", 1))
        reach = unmarked_text(text_at(ability, "range"))
        yield SourceAbility(name, cost, price, _texts(ability, "traits"), text, range=reach)


def _text(ability: Any) -> str:
    """Return the full text of an ability: its description, and any separate lines that this doesn't include."""
    text = unmarked_text(_HEAD.sub("", text_at(ability, "raw_description"), count=1)).lstrip("; ")
    lines = [(label, unmarked_text(text_at(ability, key)).strip("* ;")) for key, label in _LINES]
    stages = (unmarked_text(text_at(stage, "effect")) for stage in list_at(ability, "stages"))
    lines += [(f"Stage {number}", stage) for number, stage in enumerate(stages, 1)]
    missing = [f"{label} {value}".strip() for label, value in lines if value and value not in text]
    return "\n".join([*([text] if text else []), *missing])


def _spells(spell_list: Any) -> SourceSpells:
    spells = [
        RankedSpell(
            text_at(spell, "name"),
            int_at(group, "level") or 0,
            text_at(spell, "misc"),
            cantrip=key == "cantrips",
            constant=key == "constants",
        )
        for key in ("spell_lists", "cantrips", "constants")
        for group in list_at(spell_list, key)
        for spell in list_at(group, "spells")
    ]
    name = text_at(spell_list, "spells_source").strip() or "Spells"
    focus = int_at(spell_list, "focus_points")
    note = (f"{focus} Focus Point{'s' if focus != 1 else ''}" if focus else "", text_at(spell_list, "misc"))
    return SourceSpells(
        name,
        dc=int_at(spell_list, "dc") or 0,
        attack=int_at(spell_list, "attack_bonus"),
        tradition=tradition_in(name),
        spells=tuple(spells),
        note="; ".join(filter(None, note)),
    )


def _add_remarks(record: Mapping[str, Any], report: ConversionReport) -> None:
    """Add the notes on hit points and saves as remarks."""
    hp = _unbracketed(text_at(record, "hp_misc"))
    report.add_remark("hp", hp, "note on hit points; kept as a remark")
    for key, title in (("misc", ""), *((f"{key}_misc", f"{name}: ") for key, name in _SAVES.items())):
        if text := unmarked_text(text_at(record, "saves", key)):
            report.add_remark("saves", f"{title}{text}")
            report.add_note("saves", text, "conditional bonus; kept as a remark")


def _source(record: Mapping[str, Any]) -> str:
    sources = []
    for entry in (*list_at(record, "sources"), *list_at(record, "source")):
        book, page = text_at(entry, "abbr"), text_at(entry, "page_start")
        sources.append(f"{book}, page {page}" if book and page else book)
    return f"{COLLECTION}: {'; '.join(filter(None, sources))}" if any(sources) else COLLECTION


FORMAT: Final = ImportFormat("pf2-yaml", "Pathfinder 2e, YAML of pathfinder-2-sqlite", claims, read)
