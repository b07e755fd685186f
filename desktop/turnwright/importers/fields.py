"""Reads fields that several formats share: columns of databases, cells with a number and a note, damage defences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from turnwright.importers.common import as_list, as_text, challenge_rating
from turnwright.importers.statblock_text import header_lines
from turnwright.importers.statblock_text.damage import TYPES
from turnwright.importers.statblock_text.numbers import as_int
from turnwright.storage.conversion_report import ConversionReport, UnreadableError

Record = Mapping[str, Any]
ABILITIES: Final = (
    ("str", "strength"), ("dex", "dexterity"), ("con", "constitution"),
    ("int", "intelligence"), ("wis", "wisdom"), ("cha", "charisma"),
)  # fmt: skip
_NOTHING: Final[tuple[Any, ...]] = (None, "", "null", "[]", "{}", [], {}, False)
_ANY_WEAPON = re.compile(
    r"(?:damage\s+from\s+)?non-?\s?magical\s+(?:weapons?|attacks?|weapon\s+attacks?)", re.IGNORECASE
)
_LEADING = re.compile(r"\s*([+-]?\d{1,6})\b[\s,;:]*(.*)", re.DOTALL)
Defence = tuple[
    tuple[str, ...], tuple[str, ...] | None
]  # types and clauses; materials excepted from nonmagical weapons


def column_fields(record: Record, report: ConversionReport, scores: str = "") -> dict[str, Any]:
    """Return the fields of a creature from its columns. Raise UnreadableError if it has no hit points.

    `scores` is the prefix of the ability columns.
    """
    hp = as_int(record.get("hit_points"))
    if hp is None or hp < 1:
        raise UnreadableError(f"hit_points: expected a number of hit points, found {record.get('hit_points')!r}")
    rating = challenge_rating(record.get("challenge_rating")) or challenge_rating(record.get("cr"))
    if not rating:
        report.add_note("challenge_rating", record.get("challenge_rating"), "not a challenge rating; left empty")
    abilities: list[tuple[str, int]] = []
    for id, name in ABILITIES:
        score = as_int(record.get(f"{scores}{name}"))
        if score is None:
            report.add_note(f"{scores}{name}", record.get(f"{scores}{name}"), "not an ability score; ignored")
        else:
            abilities.append((id, score))
    return {
        "hp": hp,
        "rating": rating,
        "abilities": tuple(abilities),
        "alignment": as_text(record.get("alignment")).strip(),
    }


def feature_entries(
    record: Record, sections: Sequence[tuple[str, str]], report: ConversionReport
) -> Iterator[tuple[str, int, Record]]:
    """Yield the cost, number and record of each feature in a creature's lists.

    Each of the `sections` is the key of a list and the cost of its features.
    """
    for section, cost in sections:
        if record.get(section) and not isinstance(record[section], list):
            report.add_note(section, record[section], "not a list of features; ignored")
        for number, entry in enumerate(as_list(record.get(section)), 1):
            if isinstance(entry, dict) and (entry.get("name") or entry.get("desc")):
                yield cost, number, entry
            else:
                report.add_note(f"{section} {number}", entry, "not a feature; ignored")


def note_unknown_fields(record: Record, known: frozenset[str], report: ConversionReport, owner: str = "") -> None:
    """Add a note on each unknown field with a value; `owner` is the feature that the record describes, if any."""
    for key in sorted(record.keys() - known):
        if record[key] not in _NOTHING:
            field = f"{owner}: {key}" if owner else key
            report.add_note(field, record[key], "unknown field; ignored")


def number_and_note(value: Any) -> tuple[int | None, str]:
    """Return the number at the start of a cell, and the rest of its text without surrounding brackets.

    The number is None if the cell doesn't start with a whole number; the second value is then the full text.
    """
    number = as_int(value)
    if number is not None:
        return number, ""
    text = as_text(value).strip()
    match = _LEADING.fullmatch(text)
    if not match:
        return None, text
    rest = match[2].strip()
    if rest.startswith("(") and rest.endswith(")") and rest.count("(") == 1:
        rest = rest[1:-1].strip()
    return int(match[1]), rest


def hit_points(value: Any, least: int = 1) -> tuple[int, str]:
    """Return a cell's hit points and the note after them. Raise UnreadableError if there are fewer than `least`."""
    hp, note = number_and_note(value)
    if hp is None:
        raise UnreadableError(f"hp: expected a number of hit points, found {note!r}" if note else "no hit points")
    if hp < least:
        raise UnreadableError(f"hp: expected at least {least}, found {hp}")
    return hp, note


def armor_class(value: Any, report: ConversionReport) -> tuple[int, str]:
    """Return the Armor Class of a cell and the note after it. If it has none, report that and return 0."""
    ac, note = number_and_note(value)
    if ac is None:
        report.add_note("ac", note, "not an Armor Class; set to 0" if note else "missing; set to 0")
        return 0, ""
    return ac, note


def rating_or_note(value: Any, report: ConversionReport) -> str:
    """Return a challenge rating as printed. If there is none, report that and return an empty string."""
    rating = challenge_rating(value)
    if not rating:
        report.add_note("cr", value or "", "not a challenge rating; left empty" if value else "missing; left empty")
    return rating


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
            if weapons and _ANY_WEAPON.fullmatch(clause):
                mundane = mundane or ()
            elif clause != read.nonmagical or not weapons:
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
