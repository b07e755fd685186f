"""Reads whole numbers in various notations."""

from __future__ import annotations

import re
from typing import Any, Final

NUMBERS: Final = {
    "a": 1, "an": 1, "one": 1, "once": 1, "two": 2, "twice": 2, "three": 3, "thrice": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
}  # fmt: skip
_WHOLE = re.compile(r"\s*([+\-\N{MINUS SIGN}\N{EN DASH}]?)\s*(\d{1,9})(?:\.0+)?\s*")


def as_int(value: Any) -> int | None:
    """Return a whole number in any notation (`5`, `5.0`, `"+5"`, `"−1"`), or None for other values."""
    if type(value) is int or value is None:
        return value
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    match = _WHOLE.fullmatch(value.strip()) if isinstance(value, str) else None
    if not match:
        return None
    return int(match[2]) * (-1 if match[1] and match[1] != "+" else 1)


def number_in_words(text: str) -> int:
    """Return a number from digits or a word (`3`, `three`, `thrice`), or 0 for any other text."""
    return NUMBERS.get(text.lower()) or (int(text) if text.isdecimal() else 0)
