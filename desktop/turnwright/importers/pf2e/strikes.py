"""Reads Strikes: reach, range and properties from their traits, and the damage of a hit."""

from __future__ import annotations

import re
from typing import Any, Final

from turnwright.encounter.prepared import Feature
from turnwright.importers.pf2e.damage import expression
from turnwright.importers.pf2e.stat_block import SourceStrike
from turnwright.importers.pf2e.terms import id_of
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.ids import IdAllocator

_REACH = re.compile(r"^reach[ -]?(?:(?P<feet>\d+)(?:[ -](?:feet|ft\.?))?)?$")
_RANGE = re.compile(r"^(?P<kind>range(?:[ -]increment)?|thrown)[ -](?P<feet>\d+)(?:[ -](?:feet|ft\.?))?$")
_ONLY_FAR = re.compile(r"^range(?:[ -]increment)?[ -]\d+(?:[ -](?:feet|ft\.?))?$")
_DISTANCE = re.compile(r"(?<=^thrown)[ -]\d+(?:[ -](?:feet|ft\.?))?$")
_DIE = re.compile(r"^(?P<word>deadly|fatal|two-hand|jousting|fatal-aim)[ -](?P<count>\d*)d(?P<sides>\d+)$")
_LETTER = re.compile(r"^(?P<word>versatile|modular)[ -]?(?P<kind>[a-z]{1,12})$")
REACH: Final = 5


def feature_of(strike: SourceStrike, ids: IdAllocator, weapons: tuple[str, ...], report: ConversionReport) -> Feature:
    """Convert a Strike to a feature, with the numbers from the source and with traits as properties."""
    traits = tuple(trait.strip().lower() for trait in strike.traits if trait.strip())
    properties, figures = _traits(strike, traits)
    if any(_is_called(strike.name.lower(), weapon) for weapon in weapons):
        properties = ("weapon", *properties)
    field = f"Strike {strike.name}"
    if strike.attack is None and strike.parts:
        report.add_note(field, strike.name, "no attack bonus given")
    if not strike.parts and not strike.extra_effects:
        report.add_note(field, strike.name, "no damage given")
    damage, ongoing = _damage(strike, field, report)
    return Feature(
        ids.allocate(strike.name, "strike"),
        strike.name,
        "action",
        attack=strike.attack,
        damage=damage,
        ongoing=ongoing,
        text=_text(strike, traits),
        properties=tuple(dict.fromkeys(properties)),
        **figures,
    )


def _traits(strike: SourceStrike, traits: tuple[str, ...]) -> tuple[tuple[str, ...], dict[str, Any]]:
    properties: list[str] = []
    reach, ranges = 0, []
    for trait in traits:
        if match := _REACH.match(trait):
            reach = int(match["feet"]) if match["feet"] else 2 * REACH
            properties.append("reach")
        elif match := _RANGE.match(trait):
            feet = match["feet"]
            ranges.append(f"{feet}/{feet}" if match["kind"] == "range" else feet)
            properties.extend(["thrown"] if match["kind"] == "thrown" else [])
        elif match := _DIE.match(trait):
            count = "" if match["count"] in ("", "1") else match["count"]
            properties.append(f"{match['word']}-{count}d{match['sides']}")
        elif match := _LETTER.match(trait):
            properties.append(f"{match['word']}-{match['kind']}")
        else:
            properties.append(id_of(trait))
    if strike.increment or strike.max_range:
        ranges.insert(0, str(strike.increment) if strike.increment else f"{strike.max_range}/{strike.max_range}")
    far = ranges[0] if ranges else ""
    is_ranged = strike.ranged if strike.ranged is not None else bool(far) and not reach
    if is_ranged and not far:
        properties.append("ranged")
    return tuple(properties), {"reach": 0 if is_ranged else reach or REACH, "range": far}


def _is_called(name: str, item: str) -> bool:
    return bool(name) and re.search(rf"(?<!\w){re.escape(name)}s?(?!\w)", item) is not None


def _damage(strike: SourceStrike, field: str, report: ConversionReport) -> tuple[str, str]:
    """Return the damage and the persistent damage of a hit. Other damage is reported."""
    at_once = [part for part in strike.parts if part.category not in ("persistent", "splash")]
    lasting = [part for part in strike.parts if part.category == "persistent"]
    for part in strike.parts:
        text = f"{part.formula} {part.type} {part.category}"
        if part.category == "splash":
            report.add_note(field, text, "splash damage; kept as text only")
        elif part.type == "untyped":
            report.add_note(field, text, "unclear damage type; imported as untyped damage")
        elif part.category not in ("", "persistent"):
            report.add_note(field, text, f"counted as {part.type} damage")
    expressions = expression(at_once), expression(lasting)
    for parts, text in zip((at_once, lasting), expressions, strict=True):
        if parts and not text:
            report.add_note(
                field,
                " + ".join(f"{damage_part.formula} {damage_part.type}" for damage_part in parts),
                "not a dice expression; ignored",
            )
    return expressions


def _text(strike: SourceStrike, traits: tuple[str, ...]) -> str:
    """Return the text of a Strike without its numbers: traits, splash and precision damage, effects, description."""
    listed = ", ".join(
        _DISTANCE.sub("", trait) for trait in traits if not _REACH.match(trait) and not _ONLY_FAR.match(trait)
    )
    effects = [
        f"{part.formula} {part.type} {part.category}"
        for part in strike.parts
        if part.category in ("splash", "precision")
    ]
    effects.extend(strike.extra_effects)
    sentences = [
        f"{listed[:1].upper()}{listed[1:]}." if listed else "",
        f"Plus {' and '.join(effects)}." if effects else "",
    ]
    head = " ".join(sentence for sentence in sentences if sentence)
    return "\n".join(line for line in (head, strike.text) if line)
