"""Damage resistances, immunities and vulnerabilities from a source's lines: types, clauses, and nonmagical weapons."""

from __future__ import annotations

from collections.abc import Iterable

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
