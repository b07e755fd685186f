"""Reads speeds, senses, damage types and conditions of an actor, with remarks or reports on the rest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.importers.common import as_list, as_mapping, as_text
from turnwright.storage.importers.damage_defences import Defence
from turnwright.storage.importers.foundry.reading import ActorReading
from turnwright.storage.importers.foundry.units import SIZES, in_feet, is_metric
from turnwright.storage.statblock_text.header_lines import damage_types
from turnwright.storage.statblock_text.numbers import as_int

_MUNDANE = re.compile(r"non-?magical", re.IGNORECASE)
_EXCEPT = re.compile(r"adamantine|silver|cold iron|except|aren't|not made", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+(?:[ -][a-z]+)?")
RawTraits = Mapping[str, Any]


def distances(
    raw: RawTraits, names: tuple[str, ...], field: str, attributes: RawTraits, reading: ActorReading
) -> tuple[tuple[str, int], ...]:
    """Return distances in feet by name, of those that are given; a limit of sight is a remark.

    A metre among feet is a slip: its number is taken as feet, and reported.
    """
    found: list[tuple[str, int]] = []
    slip = _mostly_feet(attributes)
    for name in names:
        one = as_mapping(raw.get(name))
        distance, unit = one.get("distance"), one.get("unit")
        if distance in (None, "", 0, "0"):
            continue
        if is_metric(unit) and slip:
            reading.report.add_note(
                f"{field}: {name}", f"{distance} {unit}", "is in metres where all else is in feet; read as feet"
            )
            unit = "feet"
        feet = in_feet(distance, unit)
        if feet is None or feet < 0:
            reading.report.add_note(f"{field}: {name}", as_text(distance), "is no distance; it isn't kept")
            continue
        found.append((name, feet))
        if one.get("otherwiseBlind"):
            reading.report.add_remark(field, f"{name}: blind beyond this radius")
    if field == "speeds" and as_int(as_mapping(raw.get("walk")).get("distance")) == 0:
        found.insert(0, ("walk", 0))
    return tuple(found)


def _mostly_feet(attributes: RawTraits) -> bool:
    units = [
        one.get("unit")
        for key in ("movement", "senses")
        for one in as_mapping(attributes.get(key)).values()
        if isinstance(one, dict) and "unit" in one
    ]
    return sum(map(is_metric, units)) * 2 < len(units)


def damage_defences_of(raw: Any, field: str, report: ConversionReport) -> Defence:
    """Return damage types and clauses, and what is excepted of nonmagical weapons in immunities or resistances.

    Clauses are reported.
    """
    types: dict[str, None] = {}
    mundane: tuple[str, ...] | None = None
    for one in as_list(raw):
        said = " ".join(as_text(one).split())
        weapons = damage_types(said if "from" in said.lower() else f"damage from {said}").weapons
        if field != "vulnerabilities" and weapons is not None:
            mundane = (*(mundane or ()), *weapons)
        elif field != "vulnerabilities" and _MUNDANE.search(said) and not _EXCEPT.search(said):
            mundane = mundane or ()
        elif _WORD.fullmatch(said.lower()):
            types.setdefault(said if " " in said else said.lower())
        elif said:
            report.add_note(field, said, "is a clause, which no figure can say; it is kept as it stands")
            types.setdefault(said)
    return tuple(types), mundane


def conditions_of(raw: Any) -> tuple[str, ...]:
    """Return conditions in small letters, each once."""
    return tuple(dict.fromkeys(as_text(one).strip().lower() for one in as_list(raw) if as_text(one).strip()))


def size_of(raw: Any, report: ConversionReport) -> str:
    """Return the size, medium for an unknown size."""
    said = as_text(raw).lower()
    if said in SIZES or said in SIZES.values():
        return SIZES.get(said, said)
    report.add_note("size", said, "is no size that is known; medium is taken")
    return "medium"
