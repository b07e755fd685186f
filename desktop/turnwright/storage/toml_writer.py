"""Writes a tree of tables as a new TOML text in one pass: headers for tables with ids, small values on one line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from turnwright.storage.keys import name_text
from turnwright.storage.record_tree import Default, StructTable, TableOfStructs, plain_value
from turnwright.storage.values import MAX_WIDTH, wrapped_value_text


def dump(tree: Mapping[str, Any], *, headed: bool = True) -> str:
    """Return the text of a tree: its own keys first, then its tables under headers. Default values are left out.

    `headed` puts a header above the tree's own structs too, not only above those with ids.
    """
    return "".join(_body((), tree, top=headed)).removeprefix("\n")


def _body(path: tuple[str, ...], fields: Mapping[str, Any], *, top: bool = False) -> Iterator[str]:
    later: list[tuple[str, Any]] = []
    for key, value in fields.items():
        if isinstance(value, Default) or value is None:
            continue
        if isinstance(value, TableOfStructs) or (top and isinstance(value, StructTable)):
            later.append((key, value))
            continue
        name = name_text(key)
        yield f"{name} = {wrapped_value_text(plain_value(value), MAX_WIDTH - len(name) - 3)}\n"
    for key, value in later:
        where = (*path, name_text(key))
        if not isinstance(value, TableOfStructs):
            yield from _table(where, value)
            continue
        for id, inner in value.items():
            yield from _table((*where, name_text(id)), inner)


def _table(path: tuple[str, ...], fields: Mapping[str, Any]) -> Iterator[str]:
    body = list(_body(path, fields))
    yield f"\n[{'.'.join(path)}]\n"
    yield from body
