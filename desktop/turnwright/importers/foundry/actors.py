"""Finds actors in exported data (single, in lists, in lines, in an adventure), and converts each separately."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from turnwright.importers.common import RATINGS, as_list, as_mapping, as_text, nested_value
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.results import ImportedRecord, UnreadRecord
from turnwright.importers.stat_block import BlockReader, StatBlock, read_block
from turnwright.importers.statblock_text.damage import as_int
from turnwright.importers.vocabulary import terms
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionReport, UnreadableError

MAX_ACTORS_CHECKED: Final = 50
MAX_ITEMS: Final = 2_000
MAX_VALUES: Final = 200
KINDS: Final = ("npc", "character")
_HOLDERS: Final = ("actors", "documents", "entries", "items")
Actor = Mapping[str, Any]
SENSES: Final = ("darkvision", "blindsight", "tremorsense", "truesight")
SIZES: Final[Mapping[str, str]] = terms("foundry", "sizes")
SKILLS: Final[Mapping[str, tuple[str, str]]] = terms("foundry", "skills")
ORDINALS: Final = ("Cantrips", "1st level", "2nd level", "3rd level", *(f"{n}th level" for n in range(4, 10)))
_PER: Final[Mapping[str, str]] = terms("foundry", "periods")
_FEET_PER_METRE: Final = 5 / 1.5
_METRES: Final = frozenset({"m", "meter", "meters", "metre", "metres"})
_MILES: Final = frozenset({"mi", "mile", "miles"})
_CAMEL = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_-]+")


def actors_in(data: Any) -> Iterator[Actor]:
    """Yield every mapping that has the shape of an actor: single, in a list, or in an adventure."""
    for record in map(as_mapping, data if isinstance(data, list) else [data]):
        nested: list[Any] = next((record[key] for key in _HOLDERS if isinstance(record.get(key), list)), [])
        yield from [record] if is_actor(record) else filter(is_actor, map(as_mapping, nested))


def is_actor(record: Actor) -> bool:
    """Return whether a mapping is an actor: it has a type, and system data with abilities or attributes."""
    system = system_of(record)
    return isinstance(record.get("type"), str) and ("abilities" in system or "attributes" in system)


def system_of(record: Actor) -> Mapping[str, Any]:
    """Return the system data of an actor or item, from `system`, or from `data` in early versions."""
    return as_mapping(record.get("system")) or as_mapping(record.get("data"))


def game_of(record: Actor) -> str:
    """Return the id of an actor's rule system, or an empty string if it isn't stated."""
    paths = ("_stats.systemId", "flags.exportSource.system", "_stats.exportSource.systemId")
    game = next(filter(None, (value_at(record, path) for path in paths)), "")
    return game if isinstance(game, str) else ""


def has_actor_of(document: ParsedDocument, is_of_format: Callable[[Actor], bool]) -> bool:
    """Return whether any of the first actors of a document matches `is_of_format`."""
    data = document.data[:MAX_ACTORS_CHECKED] if isinstance(document.data, list) else document.data
    return any(map(is_of_format, islice(actors_in(data), MAX_ACTORS_CHECKED)))


def convert_actors(
    documents: Sequence[ParsedDocument], is_of_format: Callable[[Actor], bool], block_of: BlockReader, system: str
) -> Iterator[ImportedRecord | UnreadRecord]:
    """Yield each actor as a creature, or as an `UnreadRecord` if it is unreadable or belongs to another rule system."""

    def block(actor: Actor, name: str, report: ConversionReport) -> StatBlock:
        if actor.get("type") not in KINDS:
            raise UnreadableError(f"actors of type {actor.get('type')!r} have no stat block")
        return block_of(actor, name, report)

    for document in documents:
        for actor in actors_in(document.data):
            name = actor.get("name")
            called = name if isinstance(name, str) else ""
            if is_of_format(actor):
                yield read_block(document.file, called, actor, name, block, IdAllocator(), system)
            else:
                why = f"actor of another game system ({game_of(actor) or 'not stated'})"
                yield UnreadRecord(document.file, called, why)


def items_of(actor: Actor) -> list[Mapping[str, Any]]:
    """Return the embedded items of an actor that are mappings. Raise UnreadableError if there are too many."""
    items = as_list(actor.get("items"))
    if len(items) > MAX_ITEMS:
        raise UnreadableError(f"{len(items):,} items; the limit is {MAX_ITEMS:,}")
    return [item for item in items if isinstance(item, dict)]


def values_of(table: Any) -> list[Mapping[str, Any]]:
    """Return the mappings in a list (early versions) or in a table keyed by random ids, in order.

    Raise UnreadableError if there are more than `MAX_VALUES`.
    """
    inner = table.values() if isinstance(table, dict) else as_list(table)
    if len(inner) > MAX_VALUES:
        raise UnreadableError(f"a list has {len(inner):,} entries; the limit is {MAX_VALUES}")
    return [value for value in inner if isinstance(value, dict)]


def value_at(record: Any, path: str) -> Any:
    """Return the value at a path of keys, or None if it doesn't exist."""
    return nested_value(record, *path.split("."))


def mapping_at(record: Any, path: str) -> Mapping[str, Any]:
    """Return the mapping at a path of keys, or an empty one if it doesn't exist."""
    return as_mapping(value_at(record, path))


def text_at(record: Any, path: str) -> str:
    """Return the stripped text at a path of keys, or an empty string if it doesn't exist."""
    return as_text(value_at(record, path)).strip()


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
    try:
        number = {notation: number for number, notation in RATINGS.items()}.get(text) or float(text)
    except ValueError:
        return 0.0
    return number if 0 <= number < 1_000 else 0.0


def title_from_key(key: str) -> str:
    """Convert a key to a title: `monstrousMenagerie` becomes `Monstrous Menagerie`."""
    return " ".join(part[:1].upper() + part[1:] for part in _CAMEL.split(key.strip()) if part)
