"""Finds actors in exported data (single, in lists, in lines, in an adventure), and converts each separately."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from turnwright.importers.common import as_list, as_mapping, as_text, nested_value
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.results import ImportedRecord, UnreadRecord
from turnwright.importers.stat_block import BlockReader, StatBlock, read_block
from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.ids import IdAllocator

MAX_ACTORS_CHECKED: Final = 50
MAX_ITEMS: Final = 2_000
MAX_VALUES: Final = 200
KINDS: Final = ("npc", "character")
_HOLDERS: Final = ("actors", "documents", "entries", "items")

Actor = Mapping[str, Any]


def actors_in(data: Any) -> Iterator[Actor]:
    """Yield every mapping that has the shape of an actor: single, in a list, or in an adventure."""
    for entry in data if isinstance(data, list) else [data]:
        record = as_mapping(entry)
        if is_actor(record):
            yield record
            continue
        nested: list[Any] = next((record[key] for key in _HOLDERS if isinstance(record.get(key), list)), [])
        yield from (inner for inner in nested if is_actor(as_mapping(inner)))


def is_actor(record: Actor) -> bool:
    """Return whether a mapping is an actor: it has a type, and system data with abilities or attributes."""
    system = system_of(record)
    return isinstance(record.get("type"), str) and ("abilities" in system or "attributes" in system)


def system_of(record: Actor) -> Mapping[str, Any]:
    """Return the system data of an actor or item, from `system`, or from `data` in early versions."""
    return as_mapping(record.get("system")) or as_mapping(record.get("data"))


def game_of(record: Actor) -> str:
    """Return the id of an actor's rule system, or an empty string if it isn't stated."""
    stats, exported = as_mapping(record.get("_stats")), as_mapping(as_mapping(record.get("flags")).get("exportSource"))
    game = stats.get("systemId") or exported.get("system") or as_mapping(stats.get("exportSource")).get("systemId")
    return game if isinstance(game, str) else ""


def has_actor_of(document: ParsedDocument, is_of_format: Callable[[Actor], bool]) -> bool:
    """Return whether any of the first actors of a document matches `is_of_format`."""
    if not isinstance(document.data, dict | list):
        return False
    data = document.data[:MAX_ACTORS_CHECKED] if isinstance(document.data, list) else document.data
    return any(is_of_format(actor) for actor, _ in zip(actors_in(data), range(MAX_ACTORS_CHECKED), strict=False))


def convert_actors(
    documents: Sequence[ParsedDocument],
    is_of_format: Callable[[Actor], bool],
    block_of: BlockReader,
    system: str,
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
