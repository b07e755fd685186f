"""Reads damage resistances, immunities and vulnerabilities from text: damage types, clauses, and nonmagical weapons."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from turnwright.importers.statblock_text import header_lines
from turnwright.importers.statblock_text.damage import TYPES
from turnwright.storage.conversion_report import ConversionReport

Defence = tuple[
    tuple[str, ...], tuple[str, ...] | None
]  # types and clauses; materials excepted from nonmagical weapons


def damage_types_with_clauses(parts: Iterable[str], field: str, report: ConversionReport, *, weapons: bool) -> Defence:
    """Return damage types and verbatim clauses, and the materials excepted from nonmagical weapons.

    The second value is None if nonmagical weapons aren't included. If `weapons`, the creature has a separate field for
    them, and they aren't listed as a clause. Every clause is reported.
    """
    kinds: dict[str, None] = {}
    mundane: tuple[str, ...] | None = None
    for part in parts:
        read = header_lines.damage_types(part)
        kinds.update(dict.fromkeys(read.kinds))
        if weapons and read.weapons is not None:
            mundane = (*(mundane or ()), *read.weapons)
        for clause in read.clauses:
            if clause != read.nonmagical or not weapons:
                kinds.setdefault(clause)
                report.add_note(field, clause, "not a damage type; kept as worded")
    return tuple(kinds), mundane


def conditions_with_clauses(value: Any, field: str, report: ConversionReport) -> tuple[str, ...]:
    """Return condition immunities, with unknown clauses verbatim. Clauses and damage types among them are reported."""
    read = header_lines.condition_list(value)
    for clause in read.clauses:
        report.add_note(field, clause, "not a condition; kept as worded")
    for kind in read.kinds:
        if kind in TYPES:
            report.add_note(field, kind, "damage type among the condition immunities; kept there")
    return (*read.kinds, *read.clauses)


def damage_fields(read: Callable[[str], Defence]) -> dict[str, Any]:
    """Return a creature's fields for immunities, resistances and vulnerabilities.

    `read` takes the name of a field, and returns its damage types and the materials excepted from nonmagical weapons.
    """
    immunities, mundane_immunity = read("immunities")
    resistances, mundane_resistance = read("resistances")
    vulnerabilities, _ = read("vulnerabilities")
    return {
        "immunities": immunities,
        "mundane_immunity": mundane_immunity is not None,
        "resistances": resistances,
        "mundane_resistance": mundane_resistance is not None,
        "mundane_except": tuple(dict.fromkeys((*(mundane_immunity or ()), *(mundane_resistance or ())))),
        "vulnerabilities": vulnerabilities,
    }
