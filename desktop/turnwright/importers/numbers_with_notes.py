"""Reads cells with a number and a note: `12 (15 with mage armor)`, `135 (18d10 + 36)`."""

from __future__ import annotations

import re
from typing import Any

from turnwright.importers.common import as_text, challenge_rating
from turnwright.importers.statblock_text.numbers import as_int
from turnwright.storage.conversion_report import ConversionReport, UnreadableError

_LEADING = re.compile(r"\s*([+-]?\d{1,6})\b[\s,;:]*(.*)", re.DOTALL)


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
