"""From a neutral stat block of the 5e family to a creature of the library."""

from __future__ import annotations

import re
from typing import Any, Final

from turnwright.encounter.prepared import Creature, Feature
from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.ids import IdAllocator
from turnwright.storage.importers.common import MAX_FEATURES, challenge_rating, check_bounds
from turnwright.storage.importers.damage_defences import (
    Defence,
    conditions_with_clauses,
    damage_fields,
    damage_types_with_clauses,
)
from turnwright.storage.importers.damage_placement import normalised_dice
from turnwright.storage.importers.fifth_edition.stat_block import PrintedFeature, PrintedStatBlock
from turnwright.storage.importers.numbers_with_notes import armor_class, hit_points
from turnwright.storage.statblock_text import header_lines
from turnwright.storage.statblock_text.features import feature_of, with_multiattacks

_DICE = re.compile(r"\d{0,3}d\d{1,3}(?:\s*[+\-\u2212\u2013]\s*\d{1,4})?", re.IGNORECASE)
_HIT_DICE = re.compile(rf"\(?\s*({_DICE.pattern})\s*\)?(.*)", re.IGNORECASE | re.DOTALL)
_RATING = re.compile(r"\s*(?:CR\s*)?(\d{1,2}/\d{1,2}|\d{1,3}|[\u00bc\u00bd\u215b])(?![\d/])", re.IGNORECASE)
_XP = re.compile(r"(\d{1,3}(?:,\d{3}){1,2}|\d{1,7})\s*XP\b|\bXP\s*:?\s*(\d{1,3}(?:,\d{3}){1,2}|\d{1,7})", re.IGNORECASE)
_PROFICIENCY = re.compile(r"\b(?:PB|proficiency(?:\s+bonus)?)\s*:?\s*\+?(\d{1,2})\b", re.IGNORECASE)
_ATTACK_HEAD = re.compile(r"(?:Melee|Ranged)\s+(?:or\s+\w+\s+)?(?:Weapon\s+|Spell\s+)?Attack\b")
_NONE: Final = frozenset({"", "-", "--", "\N{EM DASH}", "\N{EN DASH}", "none"})


def creature_of(block: PrintedStatBlock, ids: IdAllocator, report: ConversionReport) -> Creature:
    """Return a stat block as a creature within its bounds; UnreadableError where it can't be played."""
    kind = header_lines.type_line(block.kind)
    if not kind.size:
        report.add_note("size", block.kind, "is no size; it is taken for medium")
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
    """Return hit points and hit dice; hit dice by themselves (`4d8 + 4`) are those of the mean that they give."""
    text = block.hit_points.strip()
    if dice := _DICE.fullmatch(text):
        found = normalised_dice(dice[0])
        report.add_note("hp", text, "gives hit dice only; their mean stands for the hit points")
        return {"hp": _mean(found), "hit_dice": found}
    hp, note = hit_points(text)
    dice = _HIT_DICE.fullmatch(note)
    if dice is None:
        report.add_remark("hp", note, "are no hit dice; kept as a remark")
        return {"hp": hp}
    report.add_remark("hp", dice[2].strip(" ;,()"), "stands beside the hit dice; kept as a remark")
    return {"hp": hp, "hit_dice": normalised_dice(dice[1])}


def _mean(dice: str) -> int:
    found = re.fullmatch(r"(\d*)d(\d+)([+-]\d+)?", dice)
    if found is None:
        raise UnreadableError(f"hp: {dice!r} is no number of hit points")
    return max(1, int(found[1] or 1) * (int(found[2]) + 1) // 2 + int(found[3] or 0))


def _speeds(block: PrintedStatBlock, report: ConversionReport) -> dict[str, Any]:
    found = header_lines.speeds(block.speed)
    report.add_remark("speeds", found.rest, "is kept as a remark", field="speed")
    if not found.distances:
        report.add_note("speed", block.speed, "gives no speed; the usual one stands in its place")
        return {"hovers": found.hovers}
    return {"speeds": found.distances, "hovers": found.hovers}


def _bonuses(block: PrintedStatBlock, report: ConversionReport) -> dict[str, Any]:
    """Return ability scores, saves and skills."""
    if len(block.abilities) < len(header_lines.ABILITIES):
        said = ", ".join(f"{id} {score}" for id, score in block.abilities)
        report.add_note("abilities", said, "are not six ability scores; the usual stand in their place")
    fields: dict[str, Any] = {"abilities": block.abilities}
    for field, text, read in (
        ("saves", block.saves, header_lines.saves),
        ("skills", block.skills, header_lines.skills),
    ):
        found = read("" if text.strip() in _NONE else text)
        fields[field] = found.bonuses
        report.add_remark(field, found.rest, "is kept as a remark")
    return fields


def _senses(block: PrintedStatBlock, report: ConversionReport) -> dict[str, Any]:
    found = header_lines.senses(block.senses)
    rest = "" if found.rest.strip() in _NONE else found.rest
    report.add_remark("senses", rest, "is kept as a remark")
    return {"senses": found.distances, "passives": found.passives}


def _rating(block: PrintedStatBlock, report: ConversionReport) -> dict[str, Any]:
    """Return the challenge rating, with experience points and the proficiency bonus where the line has them."""
    text = block.rating.strip()
    found = _RATING.match(text)
    rating = challenge_rating(found[1]) if found else ""
    if not rating:
        report.add_note("cr", text, "is no challenge rating" if text else "is not given")
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
        raise UnreadableError(f"has {len(block.features):,} features; at most {MAX_FEATURES} are read")
    ids = IdAllocator()
    found = [
        feature_of(ids, name, text, one.cost, report, {"only": one.only} if one.only else None)
        for one in block.features
        for name, text in [_named(one)]
    ]
    return with_multiattacks(tuple(found), report)


def _named(feature: PrintedFeature) -> tuple[str, str]:
    """Return a feature's name and text; where the head of an attack was taken for its name, that is text again."""
    if _ATTACK_HEAD.match(feature.name):
        return "Attack", f"{feature.name}{'' if feature.text[:1] in ',.:;' else ' '}{feature.text}"
    return feature.name or "Nameless", feature.text
