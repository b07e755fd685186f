"""Shared by the readers of all formats: plain values from parsed data, bounds, and the rule system of a record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from turnwright.encounter.bounds import problem_in
from turnwright.encounter.prepared import Creature, NamedNumbers
from turnwright.storage.conversion_report import UnreadableError
from turnwright.storage.importers.fast_validation import is_within_bounds
from turnwright.storage.statblock_text.numbers import as_int

MAX_FEATURES: Final = 500
_FAMILY: Final = frozenset({"a5e", "dnd5e"})  # stat blocks of either can be played by the rules of the other


def as_mapping(value: Any) -> Mapping[str, Any]:
    """Return a mapping, an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return a list, an empty one for anything else."""
    return value if isinstance(value, list) else []


def as_text(value: Any) -> str:
    """Return text or a number as text, nothing for anything else."""
    if isinstance(value, str):
        return value
    return f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else ""


def nested_value(value: Any, *names: str) -> Any:
    """Return the value under nested names, None where one of them isn't there."""
    for name in names:
        value = as_mapping(value).get(name)
    return value


def text_at(value: Any, *names: str) -> str:
    """Return the text or number under nested names as text, nothing for anything else."""
    return as_text(nested_value(value, *names))


def int_at(value: Any, *names: str) -> int | None:
    """Return the whole number under nested names, None where none is there."""
    return as_int(nested_value(value, *names))


def list_at(value: Any, *names: str) -> list[Any]:
    """Return the list under nested names, an empty one where none is there."""
    return as_list(nested_value(value, *names))


def named_numbers(values: Iterable[tuple[str, Any]]) -> NamedNumbers:
    """Return those values that are whole numbers, with their names."""
    return tuple((name, number) for name, value in values if (number := as_int(value)) is not None)


def required_name(name: Any) -> str:
    """Return a name without spaces around it; UnreadableError where there is none."""
    if not isinstance(name, str) or not name.strip():
        raise UnreadableError("has no name")
    return " ".join(name.split())[:200]


def check_bounds(creature: Creature) -> Creature:
    """Return a creature within its bounds; UnreadableError where a number is out of them."""
    if len(creature.features) > MAX_FEATURES:
        raise UnreadableError(f"has {len(creature.features):,} features; at most {MAX_FEATURES} are read")
    field, wrong = ("", "") if is_within_bounds(creature) else problem_in(creature)
    if wrong:
        raise UnreadableError(f"{field}: {wrong}")
    return creature


def system_for(requested: str, stated: str) -> str:
    """Return the rule system of a record: the requested system where it is of the same family as the stated one."""
    return requested if requested in _FAMILY and stated in _FAMILY else stated


RATINGS: Final[Mapping[float, str]] = MappingProxyType({0.125: "1/8", 0.25: "1/4", 0.5: "1/2"})


def challenge_rating(value: Any) -> str:
    """Return a challenge rating as people write it (`1/4`, `11`) from any of `0.25`, `"0.250"`, `"1/4"`, `11`, `"CR 11"`."""
    text = as_text(value).strip().upper().removeprefix("CR").strip()
    glyphs = {
        "\N{VULGAR FRACTION ONE EIGHTH}": "1/8",
        "\N{VULGAR FRACTION ONE QUARTER}": "1/4",
        "\N{VULGAR FRACTION ONE HALF}": "1/2",
    }
    text = glyphs.get(text, text)
    if re.fullmatch(r"\d{1,2}/\d{1,2}", text):
        return text
    try:
        number = float(text)
    except ValueError:
        return ""
    if not 0 <= number < 1_000:
        return ""
    return RATINGS.get(number) or (str(int(number)) if number.is_integer() else "")
