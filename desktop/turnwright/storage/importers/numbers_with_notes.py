"""Reads cells that hold a number and words beside it: `12 (15 with mage armor)`, `135 (18d10 + 36)`."""

from __future__ import annotations

import re
from typing import Any

from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.importers.common import as_text, challenge_rating
from turnwright.storage.statblock_text.numbers import as_int

_LEADING = re.compile(r"\s*([+-]?\d{1,6})\b[\s,;:]*(.*)", re.DOTALL)


def number_and_note(value: Any) -> tuple[int | None, str]:
    """Return the first number of a cell and the rest of its text, without brackets around all of that.

    None where a cell does not begin with a whole number; everything in it is text then.
    """
    number = as_int(value)
    if number is not None:
        return number, ""
    text = as_text(value).strip()
    found = _LEADING.fullmatch(text)
    if not found:
        return None, text
    rest = found[2].strip()
    if rest.startswith("(") and rest.endswith(")") and rest.count("(") == 1:
        rest = rest[1:-1].strip()
    return int(found[1]), rest


def hit_points(value: Any, least: int = 1) -> tuple[int, str]:
    """Return the hit points of a cell and the words beside them; UnreadableError where it has fewer than `least`."""
    hp, note = number_and_note(value)
    if hp is None:
        raise UnreadableError(f"hp: {note!r} is no number of hit points" if note else "has no hit points")
    if hp < least:
        raise UnreadableError(f"hp: must be at least {least}; it is {hp}")
    return hp, note


def armor_class(value: Any, report: ConversionReport) -> tuple[int, str]:
    """Return the armour class of a cell and the words beside it; 0, and a note, where it has none."""
    ac, note = number_and_note(value)
    if ac is None:
        report.add_note("ac", note, "is no armour class" if note else "is not given")
        return 0, ""
    return ac, note


def rating_or_note(value: Any, report: ConversionReport) -> str:
    """Return a challenge rating as people write it; empty, and a note, where there is none."""
    rating = challenge_rating(value)
    if not rating:
        report.add_note("cr", value or "", "is no challenge rating" if value else "is not given")
    return rating
