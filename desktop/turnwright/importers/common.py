"""Helpers for all formats: plain values from parsed data, bounds checks, and the rule system of a record."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import nan
from types import MappingProxyType
from typing import Any, Final

import msgspec

from turnwright.encounter import field_specs, prepared
from turnwright.importers.statblock_text.damage import as_int
from turnwright.storage import atomic, fights, resources
from turnwright.storage.library.entries import read_library_file

MAX_FEATURES: Final = 500
MOST: Final = 1e12  # for numbers written as text
_USUAL: Final = {  # words for a field in notes, and the note if none has any of them
    "ac": (("ac ", "armor"), "missing; set to 10"),
    "abilities": (("abilities", "stats"), "missing; add them yourself"),
    "speeds": (("speed",), "missing; add them yourself"),
}
_FAMILY: Final = frozenset({"a5e", "dnd5e", "dnd5e-2024"})  # systems that can use each other's stat blocks


def as_mapping(value: Any) -> Mapping[str, Any]:
    """Return `value` if it is a mapping, otherwise an empty mapping."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return `value` if it is a list, otherwise an empty list."""
    return value if isinstance(value, list) else []


def lenient_number(value: Any, default: float = nan) -> float:
    """Return a number below a million million that may be written as text, or the default."""
    try:
        number = float(value.replace(",", ".") if isinstance(value, str) else value)
    except (TypeError, ValueError, OverflowError):
        return default
    return number if abs(number) < MOST else default


def as_text(value: Any) -> str:
    """Return a text or number as text, or an empty string for any other value."""
    if isinstance(value, str):
        return value
    return f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else ""


def nested_value(value: Any, *names: str) -> Any:
    """Return the value at a path of nested keys, or None if a key is missing."""
    for name in names:
        value = as_mapping(value).get(name)
    return value


def text_at(value: Any, *names: str) -> str:
    """Return the text or number at a path of nested keys as text, or an empty string for any other value."""
    return as_text(nested_value(value, *names))


def int_at(value: Any, *names: str) -> int | None:
    """Return the whole number at a path of nested keys, or None if there isn't one."""
    return as_int(nested_value(value, *names))


def number_at(value: Any, *names: str) -> int:
    """Return the whole number at a path of nested keys, or 0 if there isn't one."""
    return as_int(nested_value(value, *names)) or 0


def list_at(value: Any, *names: str) -> list[Any]:
    """Return the list at a path of nested keys, or an empty list."""
    return as_list(nested_value(value, *names))


def texts_at(value: Any, *names: str) -> tuple[str, ...]:
    """Return the texts and numbers of the list at a path of nested keys as texts, without empty ones."""
    return tuple(text for entry in list_at(value, *names) if (text := as_text(entry)))


def named_numbers(values: Iterable[tuple[str, Any]]) -> prepared.NamedNumbers:
    """Return the pairs whose value is a whole number; the others are dropped."""
    return tuple((name, number) for name, value in values if (number := as_int(value)) is not None)


def comma_parts(text: str) -> tuple[str, ...]:
    """Return the parts of a text between commas, without empty ones."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def required_name(name: Any) -> str:
    """Return a name with its spaces normalised. Raise UnreadableError if it is empty or not a text."""
    if not isinstance(name, str) or not name.strip():
        raise fights.UnreadableError("no name")
    return " ".join(name.split())[:200]


def check_bounds(creature: prepared.Creature, report: fights.ConversionReport | None = None) -> prepared.Creature:
    """Return the creature, after a note on each main field that its source lacks; a missing AC is 10.

    Raise UnreadableError if a field is out of bounds.
    """
    if report is not None and creature.type not in ("hazard", "object"):
        told = "".join(f"{note.field} {note.why}\n" for note in report.notes).lower()
        for field, (words, why) in _USUAL.items():
            if not getattr(creature, field) and not any(word in told for word in words):
                report.add_note(field, "", why)
        creature = creature if creature.ac else msgspec.structs.replace(creature, ac=prepared.Creature("", "").ac)
    if len(creature.features) > MAX_FEATURES:
        raise fights.UnreadableError(f"{len(creature.features):,} features; the limit is {MAX_FEATURES}")
    field, wrong = field_specs.problem_in(creature)
    if wrong:
        raise fights.UnreadableError(f"{field}: {wrong}")
    return creature


def system_for(requested: str, stated: str) -> str:
    """Return a record's rule system: the requested system if both are of the same family, otherwise the stated one."""
    return requested if requested in _FAMILY and stated in _FAMILY else stated


@lru_cache(maxsize=256)
def shipped_creature(name: str, *systems: str) -> prepared.Creature | None:
    """Return a creature of the shipped library by its name, from the first of the rule systems that has it, or None."""
    for system in systems:
        for path in sorted(resources.resource_path(f"library/{system}").rglob(f"{atomic.slug(name)}.toml")):
            record, _ = read_library_file(path)
            if isinstance(record, prepared.Creature) and record.name.casefold() == name.casefold():
                return record
    return None


RATINGS: Final[Mapping[float, str]] = MappingProxyType({0.125: "1/8", 0.25: "1/4", 0.5: "1/2"})


def challenge_rating(value: Any) -> str:
    """Return a challenge rating as printed (`1/4`, `11`) from `0.25`, `"0.250"`, `"1/4"`, `11` or `"CR 11"`.

    Return an empty string if the value isn't a challenge rating.
    """
    text = as_text(value).strip().upper().removeprefix("CR").strip()
    text = {"\u215b": "1/8", "\u00bc": "1/4", "\u00bd": "1/2"}.get(text, text)
    if re.fullmatch(r"\d{1,2}/\d{1,2}", text):
        return text
    try:
        number = float(text)
    except ValueError:
        return ""
    is_whole = 0 <= number < 1_000 and number.is_integer()
    return RATINGS.get(number) or (str(int(number)) if is_whole else "")
