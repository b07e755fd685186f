"""Converts a neutral stat block of the 5e family to a creature of the library."""

from __future__ import annotations

import re
from typing import Any, Final

from turnwright.encounter.prepared import Creature, Feature
from turnwright.importers.common import MAX_FEATURES, challenge_rating, check_bounds
from turnwright.importers.damage_defences import (
    Defence,
    conditions_with_clauses,
    damage_fields,
    damage_types_with_clauses,
)
from turnwright.importers.damage_placement import normalised_dice
from turnwright.importers.fifth_edition.stat_block import PrintedFeature, PrintedStatBlock
from turnwright.importers.numbers_with_notes import armor_class, hit_points
from turnwright.importers.statblock_text import header_lines
from turnwright.importers.statblock_text.features import feature_of, with_multiattacks
from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.ids import IdAllocator

_DICE = re.compile(r"\d{0,3}d\d{1,3}(?:\s*[+\-\u2212\u2013]\s*\d{1,4})?", re.IGNORECASE)
_HIT_DICE = re.compile(rf"\(?\s*({_DICE.pattern})\s*\)?(.*)", re.IGNORECASE | re.DOTALL)
_RATING = re.compile(r"\s*(?:CR\s*)?(\d{1,2}/\d{1,2}|\d{1,3}|[\u00bc\u00bd\u215b])(?![\d/])", re.IGNORECASE)
_XP = re.compile(r"(\d{1,3}(?:,\d{3}){1,2}|\d{1,7})\s*XP\b|\bXP\s*:?\s*(\d{1,3}(?:,\d{3}){1,2}|\d{1,7})", re.IGNORECASE)
_PROFICIENCY = re.compile(r"\b(?:PB|proficiency(?:\s+bonus)?)\s*:?\s*\+?(\d{1,2})\b", re.IGNORECASE)
_ATTACK_HEAD = re.compile(r"(?:Melee|Ranged)\s+(?:or\s+\w+\s+)?(?:Weapon\s+|Spell\s+)?Attack\b")
_NONE: Final = frozenset({"", "-", "--", "\N{EM DASH}", "\N{EN DASH}", "none"})


def creature_of(block: PrintedStatBlock, ids: IdAllocator, report: ConversionReport) -> Creature:
    """Return the creature of a stat block. Raise UnreadableError if it can't be used in a fight."""
    kind = header_lines.type_line(block.kind)
    if not kind.size:
        report.add_note("size", block.kind, "not a size; treated as Medium")
    report.add_remark("type", kind.remark)
    report.add_remark("gear", block.gear)
    features = _features(block, report)
    spellcasting, slots = header_lines.spellcasting_and_slots(feature.text for feature in features)
    read = [] if block.spellcasting or not spellcasting else ["spellcasting"]
    return check_bounds(
        Creature(
            id=ids.allocate(block.name),
            name=block.name,
            size=kind.size or "medium",
            type=kind.type,
            tags=kind.tags,
            alignment=kind.alignment,
            **_armor_class(block, report),
            **_hit_points(block, report),
            **_speeds(block, report),
            **_bonuses(block, report),
            **_senses(block, report),
            **_rating(block, report),
            **damage_fields(lambda field: _damage(getattr(block, field), field, report)),
            condition_immunities=_conditions(block.condition_immunities, report),
            languages="" if block.languages.strip() in _NONE else block.languages.strip(),
            initiative=block.initiative,
            maneuver_dc=block.maneuver_dc,
            features=features,
            spellcasting=block.spellcasting or spellcasting,
            slots=block.slots or slots,
            legendary=block.legendary,
            environments=block.environments,
            description=block.description,
            notes=block.notes,
            source=block.source,
            remarks=tuple(report.remarks),
            read=(*read, *(("slots",) if slots and not block.slots else ())),
        )
    )


def _armor_class(block: PrintedStatBlock, report: ConversionReport) -> dict[str, Any]:
    ac, note = armor_class(block.armor_class.removeprefix("AC ").strip(), report)
    return {"ac": ac, "ac_note": note}


def _hit_points(block: PrintedStatBlock, report: ConversionReport) -> dict[str, Any]:
    """Return hit points and hit dice. If only hit dice are given (`4d8 + 4`), their average gives the hit points."""
    text = block.hit_points.strip()
    if dice := _DICE.fullmatch(text):
        hit_dice = normalised_dice(dice[0])
        report.add_note("hp", text, "only hit dice given; their average used as hit points")
        return {"hp": _mean(hit_dice), "hit_dice": hit_dice}
    hp, note = hit_points(text)
    dice = _HIT_DICE.fullmatch(note)
    if dice is None:
        report.add_remark("hp", note, "not hit dice; kept as a remark")
        return {"hp": hp}
    report.add_remark("hp", dice[2].strip(" ;,()"), "text beside the hit dice; kept as a remark")
    return {"hp": hp, "hit_dice": normalised_dice(dice[1])}


def _mean(dice: str) -> int:
    match = re.fullmatch(r"(\d*)d(\d+)([+-]\d+)?", dice)
    if match is None:
        raise UnreadableError(f"hp: expected a number of hit points, found {dice!r}")
    return max(1, int(match[1] or 1) * (int(match[2]) + 1) // 2 + int(match[3] or 0))


def _speeds(block: PrintedStatBlock, report: ConversionReport) -> dict[str, Any]:
    speeds = header_lines.speeds(block.speed)
    report.add_remark("speeds", speeds.rest, "kept as a remark", field="speed")
    if not speeds.distances:
        report.add_note("speed", block.speed, "no speed given; default used")
        return {"hovers": speeds.hovers}
    return {"speeds": speeds.distances, "hovers": speeds.hovers}


def _bonuses(block: PrintedStatBlock, report: ConversionReport) -> dict[str, Any]:
    """Return ability scores, saves and skills."""
    if len(block.abilities) < len(header_lines.ABILITIES):
        scores = ", ".join(f"{id} {score}" for id, score in block.abilities)
        report.add_note("abilities", scores, "fewer than six ability scores; defaults used for the others")
    fields: dict[str, Any] = {"abilities": block.abilities}
    for field, text, read in (
        ("saves", block.saves, header_lines.saves),
        ("skills", block.skills, header_lines.skills),
    ):
        line = read("" if text.strip() in _NONE else text)
        fields[field] = line.bonuses
        report.add_remark(field, line.rest, "kept as a remark")
    return fields


def _senses(block: PrintedStatBlock, report: ConversionReport) -> dict[str, Any]:
    senses = header_lines.senses(block.senses)
    rest = "" if senses.rest.strip() in _NONE else senses.rest
    report.add_remark("senses", rest, "kept as a remark")
    return {"senses": senses.distances, "passives": senses.passives}


def _rating(block: PrintedStatBlock, report: ConversionReport) -> dict[str, Any]:
    """Return the challenge rating, with experience points and the proficiency bonus if the line contains them."""
    text = block.rating.strip()
    match = _RATING.match(text)
    rating = challenge_rating(match[1]) if match else ""
    if not rating:
        report.add_note("cr", text, "not a challenge rating; left empty" if text else "missing; left empty")
    xp, bonus = _XP.search(text), _PROFICIENCY.search(text)
    points = int((xp[1] or xp[2]).replace(",", "")) if xp else 0
    return {"rating": rating, "xp": points, "proficiency": block.proficiency or (int(bonus[1]) if bonus else 0)}


def _damage(text: str, field: str, report: ConversionReport) -> Defence:
    parts = [] if text.strip() in _NONE else text.split(";")
    return damage_types_with_clauses(parts, field, report, weapons=field != "vulnerabilities")


def _conditions(text: str, report: ConversionReport) -> tuple[str, ...]:
    return conditions_with_clauses("" if text.strip() in _NONE else text, "condition immunities", report)


def _features(block: PrintedStatBlock, report: ConversionReport) -> tuple[Feature, ...]:
    if len(block.features) > MAX_FEATURES:
        raise UnreadableError(f"{len(block.features):,} features; the limit is {MAX_FEATURES}")
    ids = IdAllocator()
    features = [
        feature_of(ids, name, text, feature.cost, report, {"only": feature.only} if feature.only else None)
        for feature in block.features
        for name, text in [_named(feature)]
    ]
    return with_multiattacks(tuple(features), report)


def _named(feature: PrintedFeature) -> tuple[str, str]:
    """Return a feature's name and text. If the name is really the start of an attack, it is moved back to the text."""
    if _ATTACK_HEAD.match(feature.name):
        return "Attack", f"{feature.name}{'' if feature.text[:1] in ',.:;' else ' '}{feature.text}"
    return feature.name or "Nameless", feature.text
