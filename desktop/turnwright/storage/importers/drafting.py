"""What every reader of somebody's format needs: ids, whole numbers however they are written, and whose rules they are."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

import msgspec

from turnwright.encounter.bounds import problem_in
from turnwright.encounter.prepared import Creature, Feature
from turnwright.storage.importers.results import Unreadable
from turnwright.storage.importers.soundness import is_sound

MAX_FEATURES: Final = 500
_FAMILY: Final = frozenset({"a5e", "dnd5e"})  # stat blocks of either can be played by the rules of the other
_NOT_ID = re.compile(r"[^a-z0-9]+")
_WHOLE = re.compile(r"\s*([+\-\N{MINUS SIGN}\N{EN DASH}]?)\s*(\d{1,9})(?:\.0+)?\s*")
_RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))})


@lru_cache(maxsize=4096)
def slug(name: str, usual: str = "nameless") -> str:
    """Return an id for a name: small letters, digits and hyphens, at most sixty, a safe file name on any system."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower().replace("'", "")
    found = _NOT_ID.sub("-", plain).strip("-")[:60].strip("-") or usual
    return f"{found}-1" if found in _RESERVED else found


class Ids:
    """Ids that are given out once: a second one of the same name is numbered."""

    __slots__ = ("_given",)

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._given = dict.fromkeys(taken, 1)

    def of(self, name: str, usual: str = "nameless") -> str:
        """Return an id for a name that nobody else has."""
        first = id = slug(name, usual)
        if first not in self._given:
            self._given[first] = 1
            return first
        number = self._given[first]
        while id in self._given:
            number += 1
            id = f"{first}-{number + 1 if number < 2 else number}"
        self._given[first] = number
        self._given[id] = 1
        return id


def whole(value: Any) -> int | None:
    """Return a whole number however it is written (`5`, `5.0`, `"+5"`, `"\N{MINUS SIGN}1"`), None where it is none."""
    if type(value) is int or value is None:
        return value
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    found = _WHOLE.fullmatch(value.strip()) if isinstance(value, str) else None
    if not found:
        return None
    return int(found[2]) * (-1 if found[1] and found[1] != "+" else 1)


def mapping(value: Any) -> Mapping[str, Any]:
    """Return a mapping, an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def listed(value: Any) -> list[Any]:
    """Return a list, an empty one for anything else."""
    return value if isinstance(value, list) else []


def text_of(value: Any) -> str:
    """Return text or a number as text, nothing for anything else."""
    if isinstance(value, str):
        return value
    return f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else ""


def unreadable_unless_named(name: Any) -> str:
    """Return a name without spaces around it; Unreadable where there is none."""
    if not isinstance(name, str) or not name.strip():
        raise Unreadable("has no name")
    return " ".join(name.split())[:200]


def checked(creature: Creature) -> Creature:
    """Return a creature within its bounds; Unreadable where a figure is not one that any table could play."""
    if len(creature.features) > MAX_FEATURES:
        raise Unreadable(f"has {len(creature.features):,} features; at most {MAX_FEATURES} are read")
    field, wrong = ("", "") if is_sound(creature) else problem_in(creature)
    if wrong:
        raise Unreadable(f"{field}: {wrong}")
    return creature


def system_for(asked: str, said: str) -> str:
    """Return the rule system of a record: the one asked for where its rules are of the same family as those it is written for."""
    return asked if asked in _FAMILY and said in _FAMILY else said


def as_attack(feature: Feature, known: Mapping[str, Any]) -> Feature:
    """Return a feature with figures of its own put in the place of those it has."""
    return msgspec.structs.replace(feature, **known)


RATINGS: Final[Mapping[float, str]] = MappingProxyType({0.125: "1/8", 0.25: "1/4", 0.5: "1/2"})


def rating_of(value: Any) -> str:
    """Return a challenge rating as people write it (`1/4`, `11`) from any of `0.25`, `"0.250"`, `"1/4"`, `11`, `"CR 11"`."""
    text = text_of(value).strip().upper().removeprefix("CR").strip()
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
