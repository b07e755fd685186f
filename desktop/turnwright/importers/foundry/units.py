"""Converts distances to feet, and defines skill names, size names and proficiency bonuses."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from turnwright.importers.common import RATINGS, as_text
from turnwright.importers.statblock_text.numbers import as_int

ABILITIES: Final = ("str", "dex", "con", "int", "wis", "cha")
SPEEDS: Final = ("walk", "fly", "swim", "climb", "burrow")
SENSES: Final = ("darkvision", "blindsight", "tremorsense", "truesight")
SIZES: Final[Mapping[str, str]] = MappingProxyType({
    "tiny": "tiny", "sm": "small", "med": "medium", "lg": "large", "huge": "huge", "grg": "gargantuan", "titan": "titanic",
})  # fmt: skip
SKILLS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({
    "acr": ("acrobatics", "dex"), "ani": ("animal-handling", "wis"), "arc": ("arcana", "int"),
    "ath": ("athletics", "str"), "cul": ("culture", "int"), "dec": ("deception", "cha"), "eng": ("engineering", "int"),
    "his": ("history", "int"), "ins": ("insight", "wis"), "itm": ("intimidation", "cha"),
    "inv": ("investigation", "int"), "med": ("medicine", "wis"), "nat": ("nature", "int"), "prc": ("perception", "wis"),
    "prf": ("performance", "cha"), "per": ("persuasion", "cha"), "rel": ("religion", "int"), "sci": ("science", "int"),
    "slt": ("sleight-of-hand", "dex"), "ste": ("stealth", "dex"), "sur": ("survival", "wis"),
})  # fmt: skip
ORDINALS: Final = ("Cantrips", "1st level", "2nd level", "3rd level", *(f"{n}th level" for n in range(4, 10)))
_PER: Final[Mapping[str, str]] = MappingProxyType({
    "day": "day", "dawn": "day", "dusk": "day", "lr": "long-rest", "longrest": "long-rest", "sr": "rest",
    "shortrest": "rest", "rest": "rest", "week": "week", "hour": "hour", "minute": "minute", "round": "round",
    "turn": "turn", "turnstart": "round", "turnend": "round", "encounter": "encounter", "initiative": "encounter",
    "combat": "encounter",
})  # fmt: skip
_FEET_PER_METRE: Final = 5 / 1.5
_METRES: Final = frozenset({"m", "meter", "meters", "metre", "metres"})
_MILES: Final = frozenset({"mi", "mile", "miles"})
_CAMEL = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_-]+")


def is_metric(unit: Any) -> bool:
    """Return whether a unit is the metre."""
    return isinstance(unit, str) and unit.strip().lower() in _METRES


def in_feet(value: Any, unit: Any = "ft") -> int | None:
    """Return a distance in feet (1.5 metres are 5 feet), or None if it isn't a number."""
    number = as_int(value)
    if number is None and isinstance(value, float) and math.isfinite(value):
        number = round(value) if not is_metric(unit) else round(value * 2) / 2  # type: ignore[assignment]  # half metres
    if number is None:
        return None
    if is_metric(unit):
        return round(number * _FEET_PER_METRE)
    if isinstance(unit, str) and unit.strip().lower() in _MILES:
        return number * 5_280
    return number


def refill_period(text: Any) -> str:
    """Return the period after which uses are restored, or an empty string if it is unknown."""
    return _PER.get(text.lower(), "") if isinstance(text, str) else ""


def proficiency_bonus(rating: float) -> int:
    """Return the proficiency bonus for a challenge rating."""
    return 2 + max(0, math.ceil(rating) - 1) // 4


def proficiency_multiplier(value: Any) -> float:
    """Return the multiplier of the proficiency bonus (0, 0.5, 1 or 2), or 0 for any other value."""
    return float(value) if isinstance(value, int | float) and 0 <= value <= 2 else 0.0


def rating_number(rating: Any) -> float:
    """Return a challenge rating in any notation as a number, or 0 if it isn't a rating."""
    text = as_text(rating).strip()
    for number, notation in RATINGS.items():
        if notation == text:
            return number
    try:
        rating_value = float(text)
    except ValueError:
        return 0.0
    return rating_value if 0 <= rating_value < 1_000 else 0.0


def title_from_key(key: str) -> str:
    """Convert a key to a title: `monstrousMenagerie` becomes `Monstrous Menagerie`."""
    return " ".join(part[:1].upper() + part[1:] for part in _CAMEL.split(key.strip()) if part)
