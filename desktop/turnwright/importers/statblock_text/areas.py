"""Reads areas from sentences and normalises them: `60-foot cone`, `20-foot radius`, `60-foot line, 5 feet wide`.

A sphere is described by its radius; `each creature within 10 feet of it` is also a radius.
"""

from __future__ import annotations

import re
from typing import Final

_FEET = r"[\s-]*(?:foot|feet|ft\.?)"
_AREA = re.compile(
    rf"(?P<size>[0-9][0-9]{{0,3}}){_FEET}[\s-]*(?:"
    rf"(?:long|line)[,\s]+(?:and\s+|that\s+is\s+)*(?P<wide>\d{{1,3}}){_FEET}[\s-]*wide"
    rf"|wide[,\s]+(?:and\s+)?(?P<long>\d{{1,4}}){_FEET}[\s-]*long"
    rf"|radius[,\s]+(?P<high>\d{{1,4}}){_FEET}[\s-]*(?:high|tall)"
    rf"|(?P<shape>cone|cube|square|radius|sphere|line|emanation|cylinder|circle|spread|burst)\b)",
    re.IGNORECASE,
)
_LINE = re.compile(
    rf"\bline\s+(?:that\s+is\s+)?(?P<long>\d{{1,4}}){_FEET}\s+long[,\s]+(?:and\s+)?(?P<wide>\d{{1,3}}){_FEET}\s+wide",
    re.IGNORECASE,
)
_LIGHT = re.compile(r"\blight\s+(?:in|for|to|out)\b[^.]{0,24}$", re.IGNORECASE)
_WITHIN = re.compile(r"within\s+(\d{1,4})[\s-]*(?:feet|ft\.?|foot)\s+(?:of|that|makes?|must)\b")
_ALL: Final = frozenset({"each", "all", "every", "any"})
_THEY: Final = frozenset({"creature", "creatures", "humanoid", "humanoids", "enemy", "enemies", "foe", "foes"})
_ROUND: Final = frozenset({"sphere", "circle", "burst", "spread", "cylinder"})


def area_in(text: str) -> str:
    """Return the first area in a text that isn't an area of light, or an empty string."""
    for match in _AREA.finditer(text):
        if not _LIGHT.search(text, max(0, match.start() - 40), match.start()):
            return _written(match)
    if "line" in text and "wide" in text and (line := _LINE.search(text)):
        return area_of("line", int(line["long"]), int(line["wide"]))
    at = text.find("within ")
    while at > 0:
        around = _WITHIN.match(text, at)
        if around and _everybody(text[max(0, at - 50) : at].lower().split()):
            return area_of("radius", int(around[1]))
        at = text.find("within ", at + 6)
    return ""


def _everybody(words: list[str]) -> bool:
    """Whether the words end with a phrase such as `each creature` or `each other creature that is`."""
    if words[-2:-1] == ["that"]:
        words = words[:-2]
    return bool(words) and words[-1] in _THEY and bool(_ALL.intersection(words[-3:-1]))


def _written(match: re.Match[str]) -> str:
    if match["long"]:
        return area_of("line", int(match["long"]), int(match["size"]))
    if match["wide"]:
        return area_of("line", int(match["size"]), int(match["wide"]))
    if match["high"]:
        return area_of("cylinder", int(match["size"]), int(match["high"]))
    return area_of(match["shape"].lower(), int(match["size"]))


def area_of(shape: str, size: int, other: int = 0) -> str:
    """Describe an area of `size` feet.

    `other` is the width of a line or the height of a cylinder in feet, or 0 if unknown.
    """
    word = "radius" if shape in _ROUND else shape
    if not other:
        return f"{size}-foot {word}"
    return f"{size}-foot {word}, {other} feet {'wide' if shape == 'line' else 'high'}"
