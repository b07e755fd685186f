"""Converts stat blocks of Improved Initiative to creatures.

Improved Initiative splits lists at every comma, so they are joined and read again. Its initiative modifier is added to
the Dexterity modifier. A missing number is reported, and keeps its default value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from turnwright.encounter.prepared import Creature, Feature, NamedNumbers
from turnwright.importers.common import (
    MAX_FEATURES,
    as_mapping,
    as_text,
    challenge_rating,
    check_bounds,
    int_at,
    list_at,
    named_numbers,
    nested_value,
    required_name,
    text_at,
)
from turnwright.importers.damage_defences import (
    Defence,
    conditions_with_clauses,
    damage_fields,
    damage_types_with_clauses,
)
from turnwright.importers.statblock_text import header_lines
from turnwright.importers.statblock_text.feature_names import read_usage
from turnwright.importers.statblock_text.features import feature_of, with_multiattacks
from turnwright.importers.statblock_text.markup import plain_text
from turnwright.importers.statblock_text.numbers import as_int
from turnwright.importers.statblock_text.phases import ONLY_MYTHIC
from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.ids import IdAllocator

COSTS: Final[Mapping[str, str]] = MappingProxyType({
    "Traits": "trait",
    "Actions": "action",
    "BonusActions": "bonus",
    "Reactions": "reaction",
    "LegendaryActions": "legendary",
    "MythicActions": "legendary",
})  # fmt: skip
PLAYER: Final = "player"
_READ: Final = frozenset({
    *COSTS, "Name", "Source", "Type", "HP", "AC", "InitiativeModifier", "InitiativeAdvantage", "InitiativeSpecialRoll",
    "Speed", "Abilities", "DamageVulnerabilities", "DamageResistances", "DamageImmunities", "ConditionImmunities",
    "Saves", "Skills", "Senses", "Languages", "Challenge", "Description", "Player",
})  # fmt: skip
_OF_THE_PROGRAM: Final = frozenset({"Id", "Version", "LastUpdateMs", "UpdatedTime"})
_DICE = re.compile(r"\(?\s*(\d{1,3}d\d{1,3}(?:\s*[+\-\u2212\u2013]\s*-?\d{1,4})*)\s*\)?")


def is_statblock(data: Any) -> bool:
    """Return whether a mapping is a stat block: it has a name and hit points in this program's form."""
    return (
        isinstance(data, dict)
        and isinstance(data.get("Name"), str)
        and isinstance(data.get("HP"), dict)
        and "Value" in data["HP"]
    )


def creature_of(block: Mapping[str, Any], ids: IdAllocator, report: ConversionReport, notes: str = "") -> Creature:
    """Return the creature of a stat block. Raise UnreadableError if it can't be used in a fight."""
    name = required_name(block.get("Name"))
    kind = header_lines.type_line(text_at(block, "Type"))
    player = bool(text_at(block, "Player"))
    fields: dict[str, Any] = {
        "id": ids.allocate(name),
        "name": name,
        "type": kind.type,
        "tags": (*kind.tags, *((PLAYER,) if player else ())),
        "alignment": kind.alignment,
        "notes": notes,
        "source": text_at(block, "Source") or "Improved Initiative",
        "languages": ", ".join(as_text(language) for language in list_at(block, "Languages")),
        "description": plain_text(text_at(block, "Description")),
    }
    if kind.size:
        fields["size"] = kind.size
    report.add_remark("type", kind.remark)
    fields["level" if player else "rating"] = _challenge(block, report, player=player)
    fields |= _hit_points(block, report) | _armor(block, report) | _abilities(block, report)
    fields |= _speeds(block, report) | _bonuses(block, report)
    senses = header_lines.senses(block.get("Senses"))
    report.add_remark("senses", senses.rest, "kept as a remark", field="Senses")
    fields |= {"senses": senses.distances, "passives": senses.passives} | _damage(block, report)
    features = fields["features"] = _features(block, report)
    ability, slots = header_lines.spellcasting_and_slots(feature.text for feature in features)
    fields |= {"spellcasting": ability, "slots": slots}
    fields["read"] = tuple(field for field in ("spellcasting", "slots") if fields[field])
    fields["legendary"] = _legendary(block, report)
    _initiative(block, fields, report)
    _unread(block, report)
    return check_bounds(Creature(remarks=tuple(report.remarks), **fields))


def _challenge(block: Mapping[str, Any], report: ConversionReport, *, player: bool) -> Any:
    stated = block.get("Challenge")
    rating = (as_int(stated) or 0) if player else challenge_rating(stated)
    if not rating and as_text(stated):
        report.add_note("Challenge", stated, f"not a {'level' if player else 'challenge rating'}; left empty")
    return rating


def _hit_points(block: Mapping[str, Any], report: ConversionReport) -> dict[str, Any]:
    hp, notes = int_at(block, "HP", "Value"), text_at(block, "HP", "Notes").strip()
    if hp is None or hp < 1:
        raise UnreadableError("no hit points")
    if dice := _DICE.fullmatch(notes):
        return {"hp": hp, "hit_dice": "".join(dice[1].split()).replace("+-", "-")}
    report.add_remark("hp", notes, "not hit dice; kept as a remark", field="HP")
    return {"hp": hp}


def _armor(block: Mapping[str, Any], report: ConversionReport) -> dict[str, Any]:
    ac, notes = int_at(block, "AC", "Value"), text_at(block, "AC", "Notes").strip()
    if ac is None:
        report.add_note("AC", nested_value(block, "AC", "Value") or "", "no Armor Class given; default used")
        return {}
    whole_brackets = notes.startswith("(") and notes.endswith(")") and notes.count("(") == 1
    return {"ac": ac, "ac_note": notes[1:-1].strip() if whole_brackets else notes}


def _abilities(block: Mapping[str, Any], report: ConversionReport) -> dict[str, Any]:
    stated = {key.lower()[:3]: value for key, value in as_mapping(block.get("Abilities")).items()}
    scores = named_numbers((ability, stated.get(ability)) for ability in header_lines.ABILITIES)
    if len(scores) < len(header_lines.ABILITIES):
        report.add_note(
            "Abilities", block.get("Abilities") or "", "fewer than six ability scores; defaults used for the others"
        )
    return {"abilities": scores}


def _speeds(block: Mapping[str, Any], report: ConversionReport) -> dict[str, Any]:
    speeds = header_lines.speeds(block.get("Speed"))
    report.add_remark("speeds", speeds.rest, "kept as a remark", field="Speed")
    if not speeds.distances:
        report.add_note("Speed", "", "no speed given; default used")
        return {"hovers": speeds.hovers}
    return {"speeds": speeds.distances, "hovers": speeds.hovers}


def _bonuses(block: Mapping[str, Any], report: ConversionReport) -> dict[str, Any]:
    fields: dict[str, NamedNumbers] = {}
    for key, field, known_ids in (
        ("Saves", "saves", header_lines.ABILITIES),
        ("Skills", "skills", header_lines.SKILLS),
    ):
        bonuses: dict[str, int] = {}
        for entry in list_at(block, key):
            name, bonus = text_at(entry, "Name"), int_at(entry, "Modifier")
            id = name.strip().lower()[:3] if key == "Saves" else "-".join(name.lower().split())
            if bonus is None or id not in known_ids:
                words = f"{name} {text_at(entry, 'Modifier')}".strip() or str(entry)
                report.add_remark(field, words, "kept as a remark", field=key)
            else:
                bonuses.setdefault(id, bonus)
        fields[field] = tuple(bonuses.items())
    return fields


def _damage(block: Mapping[str, Any], report: ConversionReport) -> dict[str, Any]:
    def read(field: str) -> Defence:
        key = f"Damage{field.title()}"
        line = header_lines.joined_text(block.get(key))
        return damage_types_with_clauses([line], key, report, weapons=field != "vulnerabilities")

    fields = damage_fields(read)
    conditions = conditions_with_clauses(block.get("ConditionImmunities"), "ConditionImmunities", report)
    return fields | {"condition_immunities": conditions}


def _features(block: Mapping[str, Any], report: ConversionReport) -> tuple[Feature, ...]:
    number = sum(len(list_at(block, key)) for key in COSTS)
    if number > MAX_FEATURES:
        raise UnreadableError(f"{number:,} features; the limit is {MAX_FEATURES}")
    ids = IdAllocator()
    features: list[Feature] = []
    for key, cost in COSTS.items():
        for entry in list_at(block, key):
            if not isinstance(entry, dict):
                report.add_note(key, entry, "not a feature; ignored")
                continue
            name, text = text_at(entry, "Name"), text_at(entry, "Content")
            usage = read_usage(text_at(entry, "Usage"))
            known = {field: getattr(usage, field) for field in ("recharge", "uses") if getattr(usage, field)}
            if usage.uses:
                known["per"] = usage.per
            if key == "MythicActions":
                known["only"] = ONLY_MYTHIC
                report.add_note(
                    f"{key}: {name}", name, "imported as a legendary action of a second phase, at zero hit points"
                )
            features.append(feature_of(ids, f"{name} {usage.name}".strip(), text, cost, report, known))
    return with_multiattacks(tuple(features), report)


def _legendary(block: Mapping[str, Any], report: ConversionReport) -> int:
    if not list_at(block, "LegendaryActions"):
        return 0
    for key in ("LegendaryActions", "Traits"):
        for entry in list_at(block, key):
            if count := header_lines.legendary_count(f"{text_at(entry, 'Name')}. {text_at(entry, 'Content')}"):
                return count
    if count := header_lines.legendary_count(text_at(block, "Description")):
        return count
    report.add_note("LegendaryActions", "", "the number of legendary actions per round is missing; set it yourself")
    return 0


def _initiative(block: Mapping[str, Any], fields: dict[str, Any], report: ConversionReport) -> None:
    if modifier := int_at(block, "InitiativeModifier"):
        fields["initiative"] = (dict(fields["abilities"]).get("dex", 10) - 10) // 2 + modifier
    special = text_at(block, "InitiativeSpecialRoll") or (
        "advantage" if block.get("InitiativeAdvantage") is True else ""
    )
    report.add_remark("initiative", special, "kept as a remark", field="InitiativeSpecialRoll")


def _unread(block: Mapping[str, Any], report: ConversionReport) -> None:
    """Report the unknown fields of a block, unless they are empty or internal to the program."""
    for key in block.keys() - _READ - _OF_THE_PROGRAM:
        if block[key] not in (None, "", [], {}, False):
            why = "pictures aren't imported" if key == "ImageURL" else "unknown field; ignored"
            report.add_note(key, block[key], why)
