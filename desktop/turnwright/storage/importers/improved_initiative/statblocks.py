"""Stat blocks of Improved Initiative as creatures.

Its lists were split on commas blindly, so that they are joined and read again. Its initiative modifier comes on top of
Dexterity's. A number that a block doesn't have stays at the record's default, and is reported.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from turnwright.encounter.prepared import Creature, Feature, NamedNumbers, SourceNote
from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.ids import IdAllocator
from turnwright.storage.importers.common import (
    MAX_FEATURES,
    as_list,
    as_mapping,
    as_text,
    challenge_rating,
    check_bounds,
    required_name,
)
from turnwright.storage.statblock_text import header_lines
from turnwright.storage.statblock_text.feature_names import read_usage
from turnwright.storage.statblock_text.features import feature_of, with_multiattacks
from turnwright.storage.statblock_text.markup import plain_text
from turnwright.storage.statblock_text.numbers import as_int

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
    """Return whether a mapping is a stat block: a name and hit points, in its spelling."""
    return (
        isinstance(data, dict)
        and isinstance(data.get("Name"), str)
        and isinstance(data.get("HP"), dict)
        and "Value" in data["HP"]
    )


def creature_of(block: Mapping[str, Any], ids: IdAllocator, report: ConversionReport, notes: str = "") -> Creature:
    """Return the creature of a stat block; UnreadableError where it can't be played."""
    name = required_name(block.get("Name"))
    kind = header_lines.type_line(as_text(block.get("Type")))
    player = bool(as_text(block.get("Player")))
    remarks: list[SourceNote] = []
    read: list[str] = []
    fields: dict[str, Any] = {
        "id": ids.allocate(name),
        "name": name,
        "type": kind.type,
        "tags": (*kind.tags, *((PLAYER,) if player else ())),
        "alignment": kind.alignment,
        "notes": notes,
        "source": as_text(block.get("Source")) or "Improved Initiative",
        "languages": ", ".join(as_text(one) for one in as_list(block.get("Languages"))),
        "description": plain_text(as_text(block.get("Description"))),
    }
    if kind.size:
        fields["size"] = kind.size
    if kind.remark:
        remarks.append(SourceNote("type", kind.remark))
    fields["level" if player else "rating"] = _challenge(block, report, player=player)
    fields |= _hit_points(block, remarks, report) | _armor(block, report) | _abilities(block, report)
    fields |= _speeds(block, remarks, report) | _bonuses(block, remarks, report)
    fields |= _senses(block, remarks, report) | _damage(block, report)
    features = _features(block, report)
    for feature in features:
        if not fields.get("spellcasting") and (ability := header_lines.spellcasting_in(feature.text)):
            fields["spellcasting"] = ability
            read.append("spellcasting")
        if not fields.get("slots") and (slots := header_lines.slots_in(feature.text)):
            fields["slots"] = slots
            read.append("slots")
    fields["legendary"] = _legendary(block, report)
    _initiative(block, fields, remarks, report)
    _unread(block, report)
    return check_bounds(Creature(features=features, remarks=tuple(remarks), read=tuple(read), **fields))


def _challenge(block: Mapping[str, Any], report: ConversionReport, *, player: bool) -> Any:
    said = block.get("Challenge")
    found = (as_int(said) or 0) if player else challenge_rating(said)
    if not found and as_text(said):
        report.add_note("Challenge", said, "is no level" if player else "is no challenge rating")
    return found


def _hit_points(block: Mapping[str, Any], remarks: list[SourceNote], report: ConversionReport) -> dict[str, Any]:
    said = as_mapping(block.get("HP"))
    hp = as_int(said.get("Value"))
    if hp is None or hp < 1:
        raise UnreadableError("has no hit points")
    notes = as_text(said.get("Notes")).strip()
    if dice := _DICE.fullmatch(notes):
        return {"hp": hp, "hit_dice": "".join(dice[1].split()).replace("+-", "-")}
    if notes:
        remarks.append(SourceNote("hp", notes))
        report.add_note("HP", notes, "are no hit dice; kept as a remark")
    return {"hp": hp}


def _armor(block: Mapping[str, Any], report: ConversionReport) -> dict[str, Any]:
    said = as_mapping(block.get("AC"))
    ac = as_int(said.get("Value"))
    if ac is None:
        report.add_note("AC", said.get("Value", ""), "is not given; 10 stands in its place")
        return {}
    notes = as_text(said.get("Notes")).strip()
    whole_brackets = notes.startswith("(") and notes.endswith(")") and notes.count("(") == 1
    return {"ac": ac, "ac_note": notes[1:-1].strip() if whole_brackets else notes}


def _abilities(block: Mapping[str, Any], report: ConversionReport) -> dict[str, Any]:
    said = {key.lower()[:3]: as_int(value) for key, value in as_mapping(block.get("Abilities")).items()}
    found = tuple((ability, value) for ability in header_lines.ABILITIES if (value := said.get(ability)) is not None)
    if len(found) < len(header_lines.ABILITIES):
        report.add_note(
            "Abilities", block.get("Abilities") or "", "not all six are given; the usual stand in their place"
        )
    return {"abilities": found}


def _speeds(block: Mapping[str, Any], remarks: list[SourceNote], report: ConversionReport) -> dict[str, Any]:
    found = header_lines.speeds(block.get("Speed"))
    if found.rest:
        remarks.append(SourceNote("speeds", found.rest))
        report.add_note("Speed", found.rest, "is kept as a remark")
    if not found.distances:
        report.add_note("Speed", "", "is not given; the usual one stands in its place")
        return {"hovers": found.hovers}
    return {"speeds": found.distances, "hovers": found.hovers}


def _bonuses(block: Mapping[str, Any], remarks: list[SourceNote], report: ConversionReport) -> dict[str, Any]:
    fields: dict[str, NamedNumbers] = {}
    for key, field, known in (("Saves", "saves", header_lines.ABILITIES), ("Skills", "skills", header_lines.SKILLS)):
        found: dict[str, int] = {}
        for one in as_list(block.get(key)):
            said = as_text(as_mapping(one).get("Name"))
            bonus = as_int(as_mapping(one).get("Modifier"))
            id = said.strip().lower()[:3] if key == "Saves" else "-".join(said.lower().split())
            if bonus is None or id not in known:
                words = f"{said} {as_text(as_mapping(one).get('Modifier'))}".strip() or str(one)
                remarks.append(SourceNote(field, words))
                report.add_note(key, words, "is kept as a remark")
            else:
                found.setdefault(id, bonus)
        fields[field] = tuple(found.items())
    return fields


def _senses(block: Mapping[str, Any], remarks: list[SourceNote], report: ConversionReport) -> dict[str, Any]:
    found = header_lines.senses(block.get("Senses"))
    if found.rest:
        remarks.append(SourceNote("senses", found.rest))
        report.add_note("Senses", found.rest, "is kept as a remark")
    return {"senses": found.distances, "passives": found.passives}


def _damage(block: Mapping[str, Any], report: ConversionReport) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for key, field in (
        ("DamageVulnerabilities", "vulnerabilities"),
        ("DamageResistances", "resistances"),
        ("DamageImmunities", "immunities"),
    ):
        found = header_lines.damage_types(block.get(key))
        clauses = found.clauses
        if found.mundane and field != "vulnerabilities":
            fields["mundane_immunity" if field == "immunities" else "mundane_resistance"] = True
            clauses = tuple(clause for clause in clauses if clause != found.nonmagical)
        for clause in clauses:
            report.add_note(key, clause, "is no damage type; kept as it is worded")
        fields[field] = (*found.kinds, *clauses)
    conditions = header_lines.condition_list(block.get("ConditionImmunities"))
    for clause in conditions.clauses:
        report.add_note("ConditionImmunities", clause, "is no condition; kept as it is worded")
    return fields | {"condition_immunities": (*conditions.kinds, *conditions.clauses)}


def _features(block: Mapping[str, Any], report: ConversionReport) -> tuple[Feature, ...]:
    number = sum(len(as_list(block.get(key))) for key in COSTS)
    if number > MAX_FEATURES:
        raise UnreadableError(f"has {number:,} features; at most {MAX_FEATURES} are read")
    ids = IdAllocator()
    found: list[Feature] = []
    for key, cost in COSTS.items():
        for one in as_list(block.get(key)):
            if not isinstance(one, dict):
                report.add_note(key, one, "is no feature")
                continue
            name, text = as_text(one.get("Name")), as_text(one.get("Content"))
            usage = read_usage(as_text(one.get("Usage")))
            known = {field: getattr(usage, field) for field in ("recharge", "uses") if getattr(usage, field)}
            if known.get("uses"):
                known["per"] = usage.per
            shown = f"{name} {usage.name}".strip()
            feature = feature_of(ids, shown, text, cost, report, known or None)
            found.append(feature)
            if key == "MythicActions":
                report.add_note(
                    f"{key}: {name}", name, "is read as a legendary action; when it may be used stands in the text"
                )
    return with_multiattacks(tuple(found), report)


def _legendary(block: Mapping[str, Any], report: ConversionReport) -> int:
    if not as_list(block.get("LegendaryActions")):
        return 0
    for key in ("LegendaryActions", "Traits"):
        for one in as_list(block.get(key)):
            if count := header_lines.legendary_count(
                f"{as_text(as_mapping(one).get('Name'))}. {as_text(as_mapping(one).get('Content'))}"
            ):
                return count
    if count := header_lines.legendary_count(as_text(block.get("Description"))):
        return count
    report.add_note("LegendaryActions", "", "how many there are a round is not said")
    return 0


def _initiative(
    block: Mapping[str, Any], fields: dict[str, Any], remarks: list[SourceNote], report: ConversionReport
) -> None:
    besides = as_int(block.get("InitiativeModifier")) or 0
    dexterity = dict(fields["abilities"]).get("dex", 10)
    if besides:
        fields["initiative"] = (dexterity - 10) // 2 + besides
    special = as_text(block.get("InitiativeSpecialRoll")) or (
        "advantage" if block.get("InitiativeAdvantage") is True else ""
    )
    if special:
        remarks.append(SourceNote("initiative", special))
        report.add_note("InitiativeSpecialRoll", special, "is kept as a remark")


def _unread(block: Mapping[str, Any], report: ConversionReport) -> None:
    """Report the unknown fields of a block, unless they are empty or the program's own."""
    for key in block.keys() - _READ - _OF_THE_PROGRAM:
        if block[key] not in (None, "", [], {}, False):
            why = "pictures are not kept" if key == "ImageURL" else "is no field that is known here"
            report.add_note(key, block[key], why)
