"""Damage resistances, immunities and vulnerabilities from a source's lines: types, clauses, and nonmagical weapons."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.statblock_text import header_lines
from turnwright.storage.statblock_text.damage import TYPES

Defence = tuple[
    tuple[str, ...], tuple[str, ...] | None
]  # types and clauses, and what is excepted of nonmagical weapons


def damage_types_with_clauses(parts: Iterable[str], field: str, report: ConversionReport, *, weapons: bool) -> Defence:
    """Return damage types with verbatim clauses, which are reported, and what is excepted of nonmagical weapons.

    That is None where nonmagical weapons aren't among them. `weapons`: a creature has a field for nonmagical weapons here, so that they are no clause.
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
                report.add_note(field, clause, "is kept as it is worded")
    return tuple(kinds), mundane


def conditions_with_clauses(value: Any, field: str, report: ConversionReport) -> tuple[str, ...]:
    """Return conditions with verbatim clauses, which are reported, and so are types of damage among them."""
    read = header_lines.condition_list(value)
    for clause in read.clauses:
        report.add_note(field, clause, "is kept as it is worded")
    for kind in read.kinds:
        if kind in TYPES:
            report.add_note(field, kind, "is a type of damage; it is kept where it stands")
    return (*read.kinds, *read.clauses)


def damage_fields(read: Callable[[str], Defence]) -> dict[str, Any]:
    """Return a creature's fields about damage: `read` gives the types of one, and what is excepted of nonmagical weapons."""
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
