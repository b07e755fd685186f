"""Reads speeds, senses, damage types and conditions of an actor. Anything else becomes a remark or is reported."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from turnwright.importers.common import as_list, as_mapping, as_text
from turnwright.importers.damage_defences import Defence
from turnwright.importers.foundry.reading import ActorReading
from turnwright.importers.foundry.units import SIZES, in_feet, is_metric
from turnwright.importers.statblock_text.header_lines import damage_types
from turnwright.importers.statblock_text.numbers import as_int
from turnwright.storage.conversion_report import ConversionReport

_MUNDANE = re.compile(r"non-?magical", re.IGNORECASE)
_EXCEPT = re.compile(r"adamantine|silver|cold iron|except|aren't|not made", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+(?:[ -][a-z]+)?")
RawTraits = Mapping[str, Any]


def distances(
    raw: RawTraits, names: tuple[str, ...], field: str, attributes: RawTraits, reading: ActorReading
) -> tuple[tuple[str, int], ...]:
    """Return the named distances in feet. A limit of sight becomes a remark.

    If only one distance is in metres, that is a mistake in the source: its number is read as feet, and reported.
    """
    found_distances: list[tuple[str, int]] = []
    slip = _mostly_feet(attributes)
    for name in names:
        data = as_mapping(raw.get(name))
        distance, unit = data.get("distance"), data.get("unit")
        if distance in (None, "", 0, "0"):
            continue
        if is_metric(unit) and slip:
            reading.report.add_note(
                f"{field}: {name}", f"{distance} {unit}", "in metres, but other distances are in feet; read as feet"
            )
            unit = "feet"
        feet = in_feet(distance, unit)
        if feet is None or feet < 0:
            reading.report.add_note(f"{field}: {name}", as_text(distance), "not a distance; ignored")
            continue
        found_distances.append((name, feet))
        if data.get("otherwiseBlind"):
            reading.report.add_remark(field, f"{name}: blind beyond this radius")
    if field == "speeds" and as_int(as_mapping(raw.get("walk")).get("distance")) == 0:
        found_distances.insert(0, ("walk", 0))
    return tuple(found_distances)


def _mostly_feet(attributes: RawTraits) -> bool:
    units = [
        data.get("unit")
        for key in ("movement", "senses")
        for data in as_mapping(attributes.get(key)).values()
        if isinstance(data, dict) and "unit" in data
    ]
    return sum(map(is_metric, units)) * 2 < len(units)


def damage_defences_of(raw: Any, field: str, report: ConversionReport) -> Defence:
    """Return damage types and clauses, and the exceptions to an immunity or resistance to nonmagical weapons.

    Clauses are reported.
    """
    types: dict[str, None] = {}
    mundane: tuple[str, ...] | None = None
    for entry in as_list(raw):
        text = " ".join(as_text(entry).split())
        weapons = damage_types(text if "from" in text.lower() else f"damage from {text}").weapons
        if field != "vulnerabilities" and weapons is not None:
            mundane = (*(mundane or ()), *weapons)
        elif field != "vulnerabilities" and _MUNDANE.search(text) and not _EXCEPT.search(text):
            mundane = mundane or ()
        elif _WORD.fullmatch(text.lower()):
            types.setdefault(text if " " in text else text.lower())
        elif text:
            report.add_note(field, text, "not a damage type; kept as worded")
            types.setdefault(text)
    return tuple(types), mundane


def conditions_of(raw: Any) -> tuple[str, ...]:
    """Return conditions in lower case, without duplicates."""
    return tuple(dict.fromkeys(as_text(entry).strip().lower() for entry in as_list(raw) if as_text(entry).strip()))


def size_of(raw: Any, report: ConversionReport) -> str:
    """Return the size, or medium if it is unknown, which is reported."""
    size = as_text(raw).lower()
    if size in SIZES or size in SIZES.values():
        return SIZES.get(size, size)
    report.add_note("size", size, "not a size; treated as Medium")
    return "medium"
