"""Reads features of 5etools records: traits, actions, spellcasting, and the lair actions of their legendary groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from turnwright.importers.common import as_list, as_mapping, as_text
from turnwright.importers.five_e_tools.copies import RecordLibrary
from turnwright.importers.five_e_tools.tags import plain, plain_entry
from turnwright.importers.stat_block import PrintedFeature
from turnwright.importers.statblock_text.header_lines import ABILITIES
from turnwright.importers.statblock_text.numbers import as_int
from turnwright.importers.statblock_text.phases import ONLY_MYTHIC
from turnwright.storage.conversion_report import ConversionReport

Record = dict[str, Any]
SECTIONS: Final = (
    ("trait", "trait"), ("action", "action"), ("bonus", "bonus"), ("reaction", "reaction"), ("legendary", "legendary"),
    ("mythic", "legendary"),
)  # fmt: skip
_HEADERS: Final = (
    ("actionNote", "Actions"), ("actionHeader", "Actions"), ("bonusNote", "Bonus Actions"), ("bonusHeader", "Bonus Actions"),
    ("reactionNote", "Reactions"), ("reactionHeader", "Reactions"), ("mythicHeader", "Mythic Actions"),
)  # fmt: skip
_TIMES: Final = (
    ("charges", "charge"), ("recharge", ""), ("rest", "/Rest"), ("restLong", "/Long Rest"), ("daily", "/Day"), ("weekly", "/Week"),
    ("monthly", "/Month"), ("yearly", "/Year"), ("legendary", " legendary action"),
)  # fmt: skip
_ORDINALS: Final = {1: "1st", 2: "2nd", 3: "3rd"}


def features_of(record: Record, library: RecordLibrary, report: ConversionReport) -> Iterator[PrintedFeature]:
    """Yield every feature of a creature, in the order of a stat block."""
    casting = [(_shown_as(block), block) for block in map(as_mapping, as_list(record.get("spellcasting")))]
    for section, cost in SECTIONS:
        for entry in as_list(record.get(section)):
            if isinstance(entry, dict):
                only = ONLY_MYTHIC if section == "mythic" else ""
                yield PrintedFeature(plain(as_text(entry.get("name"))), _text(entry), cost, only)
            else:
                report.add_note(section, str(entry)[:300], "feature has no name; kept without one")
                yield PrintedFeature("", plain_entry(entry), cost)
        if section == "mythic" and as_list(record.get("mythic")):
            report.add_note("mythic", "", "imported as legendary actions of a second phase, at zero hit points")
        yield from (_spells(block, cost) for place, block in casting if place == section)
    for key, title in _HEADERS:
        if record.get(key):
            yield PrintedFeature(title, plain_entry(record[key]), "trait")
    if as_list(record.get("legendaryHeader")):
        yield PrintedFeature("Legendary Actions", plain_entry(record["legendaryHeader"]), "trait")
    if record.get("legendaryActionsLair"):
        report.add_remark("legendary", f"{as_text(record['legendaryActionsLair'])} legendary actions in its lair")
    yield from _lair_actions(record, library, report)


def spellcasting_ability(record: Record) -> str:
    """Return the spellcasting ability in a creature's spellcasting blocks, or an empty string if there is none."""
    abilities = (as_text(as_mapping(block).get("ability")).lower() for block in as_list(record.get("spellcasting")))
    return next((ability for ability in abilities if ability in ABILITIES), "")


def _text(entry: Record) -> str:
    inner = entry.get("entries", entry.get("entry", entry.get("items", [])))
    return plain_entry(inner)


def _shown_as(casting: Any) -> str:
    """Return the section in which a spellcasting block is displayed."""
    section = as_text(as_mapping(casting).get("displayAs")) or "trait"
    return section if section in dict(SECTIONS) else "trait"


def _spells(casting: Any, cost: str) -> PrintedFeature:
    """Return a spellcasting block as a feature, with a line for each frequency or level."""
    block = as_mapping(casting)
    hidden = {as_text(spell) for spell in as_list(block.get("hidden"))}
    lines = [plain_entry(block.get("headerEntries", []))]
    for key, label in (("constant", "Constant"), ("will", "At will"), ("ritual", "Rituals")):
        if block.get(key) and key not in hidden:
            lines.append(f"{label}: {_listed(block[key])}")
    for key, words in _TIMES:
        for often, spells in as_mapping(block.get(key)).items() if key not in hidden else ():
            number = often.rstrip("e")
            each = " each" if often.endswith("e") else ""
            label = (
                f"Recharge {number}{'-6' if number != '6' else ''}" if key == "recharge" else f"{number}{words}{each}"
            )
            lines.append(f"{label}: {_listed(spells)}")
    for level, level_data in as_mapping(block.get("spells")).items() if "spells" not in hidden else ():
        lines.append(f"{_level(level, as_mapping(level_data))}: {_listed(as_mapping(level_data).get('spells'))}")
    lines.append(plain_entry(block.get("footerEntries", [])))
    name = plain(as_text(block.get("name"))) or "Spellcasting"
    return PrintedFeature(name, "\n".join(line for line in lines if line), cost)


def _level(level: str, data: Any) -> str:
    number = as_int(level) or 0
    if not number:
        return "Cantrips (at will)"
    ordinal = _ORDINALS.get(number, f"{number}th")
    slots, lower = as_int(data.get("slots")), as_int(data.get("lower"))
    span = f"{_ORDINALS.get(lower, f'{lower}th')}-{ordinal}" if lower and lower != number else ordinal
    if not slots:
        return f"{span} level"
    return f"{span} level ({slots} {f'{ordinal}-level ' if lower else ''}slot{'' if slots == 1 else 's'})"


def _listed(spells: Any) -> str:
    names = []
    for spell in as_list(spells):
        record = as_mapping(spell)
        if record.get("hidden"):
            continue
        names.append(plain_entry(record.get("entry", "") if record else spell))
    return ", ".join(name for name in names if name)


def _lair_actions(record: Record, library: RecordLibrary, report: ConversionReport) -> Iterator[PrintedFeature]:
    reference = record.get("legendaryGroup")
    if not reference:
        return
    group = library.legendary_group(reference)
    if group is None:
        name = as_text(as_mapping(reference).get("name"))
        report.add_note("legendaryGroup", name, "legendary group not in these files; its lair actions are missing")
        return
    number = 0
    for entry in as_list(group.get("lairActions")):
        if as_text(as_mapping(entry).get("type")) != "list":
            continue
        for item in as_list(as_mapping(entry).get("items")):
            number += 1
            name = plain(as_text(as_mapping(item).get("name"))).rstrip(".:")
            bare = {key: value for key, value in item.items() if key != "name"} if isinstance(item, dict) else item
            yield PrintedFeature(name or f"Lair Action {number}", plain_entry(bare), "lair")
    others = [entry for entry in as_list(group.get("lairActions")) if as_text(as_mapping(entry).get("type")) != "list"]
    if others:
        yield PrintedFeature("Lair Actions", plain_entry(others), "trait" if number else "lair")
