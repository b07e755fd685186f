"""Reads features of 5e-bits records: numbers from nested data, and the field of each damage from the feature's text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from turnwright.encounter.prepared import Feature
from turnwright.importers.common import as_list, as_mapping, as_text
from turnwright.importers.creature_columns import feature_entries, note_unknown_fields
from turnwright.importers.damage_placement import normalised_dice
from turnwright.importers.stat_block import PrintedFeature, read_feature
from turnwright.importers.statblock_text.header_lines import ABILITIES
from turnwright.importers.statblock_text.numbers import as_int
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.ids import IdAllocator

SECTIONS: Final = (
    ("special_abilities", "trait"),
    ("actions", "action"),
    ("bonus_actions", "bonus"),
    ("reactions", "reaction"),
    ("legendary_actions", "legendary"),
    ("mythic_actions", "legendary"),
    ("lair_actions", "lair"),
)
_KNOWN: Final = frozenset({
    *("name", "desc", "attack_bonus", "damage", "dc", "usage", "spellcasting", "options", "attacks"),
    *("multiattack_type", "actions", "action_options"),
})  # fmt: skip
_PERIODS: Final[Mapping[str, str]] = {
    "per day": "day", "per rest": "rest", "per long rest": "long-rest", "per hour": "hour", "per week": "week",
}  # fmt: skip
_ROLLS = re.compile(r"to hit|Attack Roll", re.IGNORECASE)


def features_of(record: Mapping[str, Any], report: ConversionReport) -> list[tuple[Feature, Mapping[str, Any]]]:
    """Return each feature with its source record, in the order of a stat block."""
    ids = IdAllocator()
    entries = feature_entries(record, SECTIONS, report)
    return [(_feature(source, cost, ids, report), source) for cost, _number, source in entries]


def _feature(source: Mapping[str, Any], cost: str, ids: IdAllocator, report: ConversionReport) -> Feature:
    name = as_text(source.get("name")).strip() or "Nameless"
    text = _text(source.get("desc"))
    note_unknown_fields(source, _KNOWN, report, name)
    parts = _one_of(source, name, report)
    known = _usage(source, name, report) | _rolls(parts, name, text, report)
    damage = [_part(as_mapping(part), name, report) for part in as_list(parts.get("damage"))]
    printed = PrintedFeature(name, text, cost, known=known, damage=tuple(filter(None, damage)))
    return read_feature(printed, ids, report)


def _text(value: Any) -> str:
    return "\n".join(as_text(line) for line in value) if isinstance(value, list) else as_text(value)


def _one_of(source: Mapping[str, Any], name: str, report: ConversionReport) -> Mapping[str, Any]:
    """Return the record that contains a feature's numbers: the feature's own, or the first of several options."""
    choices = as_list(as_mapping(as_mapping(source.get("options")).get("from")).get("options")) or as_list(
        source.get("attacks")
    )
    named: list[Mapping[str, Any]] = [choice for choice in choices if isinstance(choice, dict)]
    if not named or "dc" in source or "attack_bonus" in source:
        return source
    for choice in named[1:]:
        report.add_note(
            f"{name}: options",
            as_text(choice.get("name")),
            "additional option; only the first option is used",
        )
    return named[0]


def _usage(source: Mapping[str, Any], name: str, report: ConversionReport) -> dict[str, Any]:
    usage = as_mapping(source.get("usage"))
    kind, times = as_text(usage.get("type")).lower(), as_int(usage.get("times"))
    known: dict[str, Any] = {}
    if kind == "recharge on roll":
        face = as_int(usage.get("min_value"))
        if face is not None and 2 <= face <= 6 and as_text(usage.get("dice") or "1d6") == "1d6":
            known["recharge"] = face
        else:
            report.add_note(f"{name}: usage", usage, "unknown recharge; ignored")
    elif kind == "recharge after rest":
        known = {"uses": times or 1, "per": "rest" if "short" in as_list(usage.get("rest_types")) else "long-rest"}
    elif kind in _PERIODS and times:
        known = {"uses": times, "per": _PERIODS[kind]}
    elif usage and kind != "at will":
        report.add_note(f"{name}: usage", usage, "unknown usage limit; ignored")
    if usage.get("times_in_lair"):
        report.add_note(
            f"{name}: usage", f"{usage['times_in_lair']} in its lair", "uses in its lair ignored; uses elsewhere kept"
        )
    return known


def _rolls(parts: Mapping[str, Any], name: str, text: str, report: ConversionReport) -> dict[str, Any]:
    """Return the attack, the saving throw and the spellcasting numbers."""
    known: dict[str, Any] = {}
    bonus = as_int(parts.get("attack_bonus"))
    if bonus is not None and (bonus or _ROLLS.search(text)):
        known["attack"] = bonus
    spells = as_mapping(parts.get("spellcasting"))
    for key, field in (("dc", "dc"), ("modifier", "attack")):
        figure = as_int(spells.get(key))
        if figure is not None:
            known[field] = figure
    save = as_mapping(parts.get("dc"))
    if not save:
        return known
    ability, dc = as_text(as_mapping(save.get("dc_type")).get("index")).lower(), as_int(save.get("dc_value"))
    if ability not in ABILITIES or dc is None:
        report.add_note(f"{name}: dc", save, "not a saving throw with a DC; ignored")
    elif "escape DC" in text and not re.search(r"saving throw", text, re.IGNORECASE):
        report.add_note(
            f"{name}: dc", f"{ability} {dc}", "escape DC according to the text; not imported as a saving throw"
        )
    else:
        known |= {"save": ability, "dc": dc, "half": as_text(save.get("success_type")) == "half"}
    return known


def _part(damage: Mapping[str, Any], name: str, report: ConversionReport) -> str:
    """Return one part of damage. If the source offers a choice, use the first option; the text names the others."""
    if "from" in damage:
        choices = [as_mapping(option) for option in as_list(as_mapping(damage["from"]).get("options"))]
        return _part(choices[0], name, report) if choices else ""
    dice = normalised_dice(as_text(damage.get("damage_dice")))
    if not dice:
        report.add_note(f"{name}: damage", damage, "no dice given; ignored")
        return ""
    kind = as_mapping(damage.get("damage_type"))
    return f"{dice} {as_text(kind.get('index') or kind.get('name')).lower()}".strip()
