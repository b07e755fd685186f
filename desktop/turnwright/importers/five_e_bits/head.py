"""Reads the head of a 5e-bits record: armour class, speeds, senses, proficiencies, defences and abilities."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from turnwright.importers.common import as_list, as_mapping, as_text
from turnwright.importers.statblock_text import header_lines
from turnwright.importers.statblock_text.numbers import as_int
from turnwright.storage.conversion_report import ConversionReport

Record = Mapping[str, Any]
_MOVES: Final = ("walk", "fly", "swim", "climb", "burrow")
_FEET = re.compile(r"\s*(\d{1,5})\s*(?:ft\.?|feet|foot)?\s*(.*)", re.DOTALL | re.IGNORECASE)


def armor_fields(value: Any, report: ConversionReport) -> dict[str, Any]:
    """Return the highest armour class without spells and conditions, and its source. The others become remarks."""
    entries = [as_mapping(entry) for entry in value] if isinstance(value, list) else [{"value": value}]
    plain = [entry for entry in entries if entry.get("type") not in ("spell", "condition")] or entries
    worn = max(plain, key=lambda entry: as_int(entry.get("value")) or 0, default={})
    ac = as_int(worn.get("value"))
    if ac is None:
        report.add_note("armor_class", value, "not an Armor Class; set to 0")
        return {"ac": 0}
    for entry in (entry for entry in entries if entry is not worn):
        report.add_remark("ac", f"{as_text(entry.get('value'))} {_gives(entry, alone=False)}".strip())
    return {"ac": ac, "ac_note": _gives(worn, alone=True)}


def _gives(entry: Record, *, alone: bool) -> str:
    """Return the source of an armour class: `natural armor`, `leather armor, shield`, `with mage armor`."""
    if as_text(entry.get("desc")):
        return as_text(entry["desc"]).strip()
    kind = as_text(entry.get("type"))
    things = [as_text(as_mapping(thing).get("name")) for thing in as_list(entry.get("armor"))]
    for key, word in (("spell", "with"), ("condition", "while")):
        if as_mapping(entry.get(key)):
            return f"{word} {as_text(entry[key].get('name')).lower()}"
    if things:
        return ", ".join(things).lower()
    return {"natural": "natural armor", "dex": "" if alone else "without armor"}.get(
        kind, kind if kind != "armor" else ""
    )


def movement_fields(speed: Record, report: ConversionReport) -> dict[str, Any]:
    """Return speeds in feet, keyed by movement mode, and whether the creature hovers. Other text becomes a remark."""
    figures: list[tuple[str, int]] = []
    for way, value in speed.items():
        if way == "hover":
            continue
        feet = _feet(way, value, "speed", report) if way in _MOVES else None
        if feet is not None:
            figures.append((way, feet))
        else:
            report.add_remark("speeds", f"{way} {as_text(value)}".strip())
            report.add_note(f"speed: {way}", value, "not a movement mode with a distance; kept as a remark")
    return {"speeds": tuple(figures), "hovers": speed.get("hover") is True}


def _feet(name: str, value: Any, about: str, report: ConversionReport) -> int | None:
    """Return a distance in feet, or None if it isn't a distance. Text after it becomes a remark."""
    match = _FEET.fullmatch(as_text(value))
    if match and match[2].strip():
        report.add_remark(f"{about.removesuffix('s')}s", f"{name} {match[2].strip()}")
        report.add_note(f"{about}: {name}", as_text(value), "text after the distance kept as a remark")
    return int(match[1]) if match else None


def sense_fields(senses: Record, report: ConversionReport) -> dict[str, Any]:
    """Return senses in feet, and passive scores keyed by skill."""
    figures: list[tuple[str, int]] = []
    passives: list[tuple[str, int]] = []
    for sense, value in senses.items():
        number = as_int(value)
        if sense.startswith("passive_") and number is not None:
            passives.append((sense.removeprefix("passive_").replace("_", "-"), number))
            continue
        feet = None if sense.startswith("passive_") else _feet(sense, value, "senses", report)
        if feet is not None:
            figures.append((sense, feet))
        else:
            report.add_note(f"senses: {sense}", value, "not a distance; kept as a remark")
            report.add_remark("senses", f"{sense} {as_text(value)}".strip())
    return {"senses": tuple(figures), "passives": tuple(passives)}


def proficiency_fields(entries: list[Any], report: ConversionReport) -> dict[str, Any]:
    """Return saves and skills."""
    saves: list[tuple[str, int]] = []
    skills: list[tuple[str, int]] = []
    for entry in map(as_mapping, entries):
        index, bonus = as_text(as_mapping(entry.get("proficiency")).get("index")), as_int(entry.get("value"))
        ability, skill = index.removeprefix("saving-throw-"), index.removeprefix("skill-")
        if bonus is not None and ability != index and ability in header_lines.ABILITIES:
            saves.append((ability, bonus))
        elif bonus is not None and skill != index and skill in header_lines.SKILLS:
            skills.append((skill, bonus))
        else:
            report.add_note("proficiencies", index or entry, "unknown saving throw or skill; ignored")
    return {"saves": tuple(saves), "skills": tuple(skills)}


def conditions_of(entries: list[Any], report: ConversionReport) -> tuple[str, ...]:
    """Return the ids of the conditions in a list."""
    ids = [as_text(as_mapping(entry).get("index")) or as_text(entry) for entry in entries]
    for entry in (entry for entry, id in zip(entries, ids, strict=True) if not id):
        report.add_note("condition_immunities", entry, "not a condition; ignored")
    return tuple(dict.fromkeys(id.lower() for id in ids if id))
