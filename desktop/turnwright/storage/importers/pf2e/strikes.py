"""Reads Strikes: reach, range and properties from their traits, and the damage of a hit."""

from __future__ import annotations

import re
from typing import Any, Final

from turnwright.encounter.prepared import Feature
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.ids import IdAllocator
from turnwright.storage.importers.pf2e.damage import expression
from turnwright.storage.importers.pf2e.stat_block import SourceStrike
from turnwright.storage.importers.pf2e.terms import id_of

_REACH = re.compile(r"^reach[ -]?(?:(?P<feet>\d+)(?:[ -](?:feet|ft\.?))?)?$")
_RANGE = re.compile(r"^(?P<kind>range(?:[ -]increment)?|thrown)[ -](?P<feet>\d+)(?:[ -](?:feet|ft\.?))?$")
_ONLY_FAR = re.compile(r"^range(?:[ -]increment)?[ -]\d+(?:[ -](?:feet|ft\.?))?$")
_DISTANCE = re.compile(r"(?<=^thrown)[ -]\d+(?:[ -](?:feet|ft\.?))?$")
_DIE = re.compile(r"^(?P<word>deadly|fatal|two-hand|jousting|fatal-aim)[ -](?P<count>\d*)d(?P<sides>\d+)$")
_LETTER = re.compile(r"^(?P<word>versatile|modular)[ -]?(?P<kind>[a-z]{1,12})$")
REACH: Final = 5


def feature_of(strike: SourceStrike, ids: IdAllocator, weapons: tuple[str, ...], report: ConversionReport) -> Feature:
    """Return a Strike as a feature: its numbers from the source's own, its traits as properties."""
    traits = tuple(one.strip().lower() for one in strike.traits if one.strip())
    properties, figures = _traits(strike, traits)
    if any(_is_called(strike.name.lower(), one) for one in weapons):
        properties = ("weapon", *properties)
    field = f"Strike {strike.name}"
    if strike.attack is None and strike.parts:
        report.add_note(field, strike.name, "names no attack bonus")
    if not strike.parts and not strike.extra_effects:
        report.add_note(field, strike.name, "names no damage")
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
    for one in traits:
        if found := _REACH.match(one):
            reach = int(found["feet"]) if found["feet"] else 2 * REACH
            properties.append("reach")
        elif found := _RANGE.match(one):
            feet = found["feet"]
            ranges.append(f"{feet}/{feet}" if found["kind"] == "range" else feet)
            properties.extend(["thrown"] if found["kind"] == "thrown" else [])
        elif found := _DIE.match(one):
            count = "" if found["count"] in ("", "1") else found["count"]
            properties.append(f"{found['word']}-{count}d{found['sides']}")
        elif found := _LETTER.match(one):
            properties.append(f"{found['word']}-{found['kind']}")
        else:
            properties.append(id_of(one))
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
    """Return the damage and the persistent damage of a hit; the rest is reported."""
    at_once = [part for part in strike.parts if part.category not in ("persistent", "splash")]
    lasting = [part for part in strike.parts if part.category == "persistent"]
    for part in strike.parts:
        said = f"{part.formula} {part.type} {part.category}"
        if part.category == "splash":
            report.add_note(field, said, "hits those around too; it stays in the text")
        elif part.type == "untyped":
            report.add_note(field, said, "is of a type that isn't said plainly; it is counted as damage of no type")
        elif part.category not in ("", "persistent"):
            report.add_note(field, said, f"is counted as {part.type} damage")
    found = expression(at_once), expression(lasting)
    for parts, said in zip((at_once, lasting), found, strict=True):
        if parts and not said:
            report.add_note(field, " + ".join(f"{one.formula} {one.type}" for one in parts), "is no dice expression")
    return found


def _text(strike: SourceStrike, traits: tuple[str, ...]) -> str:
    """Return the text of a Strike beside its numbers: traits, splash and the like, a hit's effects, its own text."""
    listed = ", ".join(_DISTANCE.sub("", one) for one in traits if not _REACH.match(one) and not _ONLY_FAR.match(one))
    besides = [
        f"{one.formula} {one.type} {one.category}" for one in strike.parts if one.category in ("splash", "precision")
    ]
    besides.extend(strike.extra_effects)
    sentences = [
        f"{listed[:1].upper()}{listed[1:]}." if listed else "",
        f"Plus {' and '.join(besides)}." if besides else "",
    ]
    head = " ".join(one for one in sentences if one)
    return "\n".join(one for one in (head, strike.text) if one)
