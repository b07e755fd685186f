"""Finds saving throws in a text: `DC 14 Constitution saving throw`, `Dexterity Saving Throw: DC 15`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_ABILITIES = "Strength|Dexterity|Constitution|Intelligence|Wisdom|Charisma"
_AFTER = re.compile(rf"DC\s+(\d{{1,3}})\s+({_ABILITIES})\s+(?:saving\s+throw|save)", re.IGNORECASE)
_NUMBER = re.compile(r"DC\s+(\d{1,3})\b(?!\s*[+\u2212])")
_BEFORE = re.compile(
    rf"\b({_ABILITIES})\s+(?:saving\s+throws?|saves?)\s*[:,(]?\s*(?:(?:with\s+an?|against\s+an?|against)\s+)?$",
    re.IGNORECASE,
)
_OWN = re.compile(r"creature inside (?:of )?it[^.]{0,80}$|\bcan,? with an? successful\s+$", re.IGNORECASE)
_WINDOW = 50
_OWN_WINDOW = 120


class SaveMention(NamedTuple):
    """The ability, DC and text position of a saving throw."""

    ability: str
    dc: int
    start: int
    end: int


def saves_in(text: str, start: int = 0) -> Iterator[SaveMention]:
    """Yield the saving throws after `start` that a text requires of other creatures."""
    at = text.find("DC ", start)
    while at >= 0:
        if match := _AFTER.match(text, at):
            if _is_ones_own(text, at):
                at = text.find("DC ", at + 3)
                continue
            yield SaveMention(match[2][:3].lower(), int(match[1]), at, match.end())
        elif "av" in text[max(0, at - 30) : at]:
            number = _NUMBER.match(text, at)
            before = _BEFORE.search(text, max(0, at - _WINDOW), at) if number else None
            if before and number:
                yield SaveMention(before[1][:3].lower(), int(number[1]), before.start(), number.end())
        at = text.find("DC ", at + 3)


def _is_ones_own(text: str, at: int) -> bool:
    """Whether the feature's own creature makes the save, for example to hold a swallowed creature."""
    before = text[max(0, at - _OWN_WINDOW) : at]
    return ("inside" in before or "successful" in before) and _OWN.search(before) is not None


def first_save(text: str, start: int = 0) -> SaveMention | None:
    """Return the first saving throw after `start` that a text requires of other creatures, or None."""
    return next(saves_in(text, start), None)
