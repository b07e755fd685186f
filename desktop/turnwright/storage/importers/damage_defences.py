"""Damage resistances, immunities and vulnerabilities from a source's lines: types, clauses, and nonmagical weapons."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.statblock_text import header_lines


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
        if read.mundane and weapons:
            mundane = True
            continue
        for clause in read.clauses:
            kinds.setdefault(clause)
            report.add_note(field, clause, "is kept as it is worded")
    return tuple(kinds), mundane


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
