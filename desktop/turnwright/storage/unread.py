"""Keeps the parts of an encounter file that can't be read: they are left out of the encounter, but stay in the file."""

from collections.abc import Mapping
from typing import Any

from turnwright.encounter.state import PREPARED
from turnwright.storage.findings import FindingCollector
from turnwright.storage.migrations import SINGLE_RECORDS
from turnwright.storage.toml.record_tree import Default, TableOfStructs
from turnwright.storage.toml.values import KeyPath

_KEYED = frozenset(kind.table for kind in PREPARED if kind not in SINGLE_RECORDS)


def unread_parts(tables: Mapping[str, Any], notes: FindingCollector) -> dict[KeyPath, Any]:
    """Return the plain values that errors were found in, by path: a record with an id, or else all of a top-level key."""
    parts: dict[KeyPath, Any] = {}
    for note in notes.notes:
        if note.severity == "error" and note.path and note.path[0] in tables:
            content = tables[str(note.path[0])]
            has_id = note.path[0] in _KEYED and isinstance(content, dict) and note.path[1:2] and note.path[1] in content
            parts[note.path[: 2 if has_id else 1]] = content[note.path[1]] if has_id else content
    return parts


def add_unread_parts(tree: dict[str, Any], old: Mapping[str, Any], parts: Mapping[KeyPath, Any]) -> None:
    """Add the parts that can't be read to a file's new tree, at their places in the old tables.

    If a place is taken by now, a part gets another name, such as `goblin-unread`.
    """
    for path, value in parts.items():
        key = str(path[0])
        if len(path) == 1:
            tree[_free(tree, key)] = value
            continue
        table = tree[key].value if isinstance(tree[key], Default) else tree[key]
        names = list(old[key])
        before = [name for name in names[: names.index(path[1])] if name in table]
        place = list(table).index(before[-1]) + 1 if before else 0
        rows = list(table.items())
        rows.insert(place, (_free(table, str(path[1])), value))
        tree[key] = TableOfStructs(rows)


def _free(table: Mapping[str, Any], name: str) -> str:
    while not isinstance(table.get(name), Default | None):
        name += "-unread"
    return name
