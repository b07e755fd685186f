"""Damage resistances, immunities and vulnerabilities from a source's lines: types, clauses, and nonmagical weapons."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.statblock_text import header_lines
from turnwright.storage.statblock_text.damage import TYPES


def damage_types_with_clauses(
    parts: Iterable[str], field: str, report: ConversionReport, *, weapons: bool
) -> tuple[tuple[str, ...], bool]:
    """Return damage types with verbatim clauses, which are reported, and whether nonmagical weapons are among them.

    `weapons`: a creature has a field for nonmagical weapons here, so that they are no clause.
    """
    kinds: dict[str, None] = {}
    mundane = False
    for part in parts:
        read = header_lines.damage_types(part)
        kinds.update(dict.fromkeys(read.kinds))
        mundane = mundane or (read.mundane and weapons)
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


def damage_fields(read: Callable[[str], tuple[tuple[str, ...], bool]]) -> dict[str, Any]:
    """Return a creature's fields about damage: `read` gives the types of one of them, and whether it has nonmagical weapons."""
    immunities, mundane_immunity = read("immunities")
    resistances, mundane_resistance = read("resistances")
    vulnerabilities, _ = read("vulnerabilities")
    return {
        "immunities": immunities,
        "mundane_immunity": mundane_immunity,
        "resistances": resistances,
        "mundane_resistance": mundane_resistance,
        "vulnerabilities": vulnerabilities,
    }
