"""Finds actors in exported data: alone, in lists and lines, in an adventure; and reads each separately."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from turnwright.encounter.prepared import Creature
from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.importers.common import as_list, as_mapping, as_text, check_bounds, nested_value, required_name
from turnwright.storage.importers.documents import ParsedDocument
from turnwright.storage.importers.results import ImportedRecord, UnreadRecord, convert_record

MAX_ACTORS_CHECKED: Final = 50
MAX_ITEMS: Final = 2_000
MAX_VALUES: Final = 200
KINDS: Final = ("npc", "character")
_HOLDERS: Final = ("actors", "documents", "entries", "items")

Actor = Mapping[str, Any]


def actors_in(data: Any) -> Iterator[Actor]:
    """Yield every mapping in the shape of an actor: alone, in a list, or in an adventure."""
    for one in data if isinstance(data, list) else [data]:
        found = as_mapping(one)
        if is_actor(found):
            yield found
            continue
        held: list[Any] = next((found[key] for key in _HOLDERS if isinstance(found.get(key), list)), [])
        yield from (inner for inner in held if is_actor(as_mapping(inner)))


def is_actor(found: Actor) -> bool:
    """Return whether a mapping is an actor: it has a type, and system data with abilities or attributes."""
    system = system_of(found)
    return isinstance(found.get("type"), str) and ("abilities" in system or "attributes" in system)


def system_of(found: Actor) -> Mapping[str, Any]:
    """Return the system data of an actor or item: under `system`, or under `data` in early versions."""
    return as_mapping(found.get("system")) or as_mapping(found.get("data"))


def game_of(found: Actor) -> str:
    """Return the id of an actor's game; empty where it is not stated."""
    stats, exported = as_mapping(found.get("_stats")), as_mapping(as_mapping(found.get("flags")).get("exportSource"))
    said = stats.get("systemId") or exported.get("system") or as_mapping(stats.get("exportSource")).get("systemId")
    return said if isinstance(said, str) else ""


def has_actor_of(document: ParsedDocument, is_of_format: Callable[[Actor], bool]) -> bool:
    """Return whether one of the first actors of a document matches `is_of_format`."""
    if not isinstance(document.data, dict | list):
        return False
    data = document.data[:MAX_ACTORS_CHECKED] if isinstance(document.data, list) else document.data
    return any(is_of_format(actor) for actor, _ in zip(actors_in(data), range(MAX_ACTORS_CHECKED), strict=False))


def convert_actors(
    documents: Sequence[ParsedDocument],
    is_of_format: Callable[[Actor], bool],
    creature_of: Callable[[Actor, str, ConversionReport], Creature],
    system: str,
) -> Iterator[ImportedRecord | UnreadRecord]:
    """Yield the conversion of each actor; an unreadable or foreign actor yields a report and ends nothing."""
    for document in documents:
        for actor in actors_in(document.data):
            name = actor.get("name")
            called = name if isinstance(name, str) else ""
            if not is_of_format(actor):
                yield UnreadRecord(
                    document.file, called, f"is of another game ({game_of(actor) or 'it does not say which'})"
                )
                continue
            yield convert_record(document.file, called, _imported, actor, document.file, creature_of, system)


def _imported(
    actor: Actor, file: str, creature_of: Callable[[Actor, str, ConversionReport], Creature], system: str
) -> ImportedRecord:
    name = required_name(actor.get("name"))
    if actor.get("type") not in KINDS:
        raise UnreadableError(f"is a {actor.get('type')}, which has no stat block")
    report = ConversionReport(name)
    creature = check_bounds(creature_of(actor, name, report))
    return ImportedRecord(name, creature, system, file, report.notes)


def items_of(actor: Actor) -> list[Mapping[str, Any]]:
    """Return the embedded items of an actor that are mappings; UnreadableError for more than `MAX_ITEMS`."""
    items = as_list(actor.get("items"))
    if len(items) > MAX_ITEMS:
        raise UnreadableError(f"carries {len(items):,} items; at most {MAX_ITEMS:,} are read")
    return [item for item in items if isinstance(item, dict)]


def values_of(found: Any) -> list[Mapping[str, Any]]:
    """Return the mappings in a table keyed by random ids (or in a list, as in early versions), in order.

    UnreadableError for more than `MAX_VALUES`.
    """
    inner = found.values() if isinstance(found, dict) else as_list(found)
    if len(inner) > MAX_VALUES:
        raise UnreadableError(f"has a list of {len(inner):,} things where at most {MAX_VALUES} are read")
    return [one for one in inner if isinstance(one, dict)]


def value_at(found: Any, path: str) -> Any:
    """Return the value at a path of keys, None where there is none."""
    return nested_value(found, *path.split("."))


def mapping_at(found: Any, path: str) -> Mapping[str, Any]:
    """Return the mapping at a path of keys, an empty one where there is none."""
    return as_mapping(value_at(found, path))


def text_at(found: Any, path: str) -> str:
    """Return the text at a path of keys without spaces around it, empty where there is none."""
    return as_text(value_at(found, path)).strip()
