"""Writes a tree of tables as a new TOML text. Tables with ids get headers; small values stay on one line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from turnwright.storage.toml.keys import KeyPath, name_text
from turnwright.storage.toml.record_tree import Default, TableOfStructs, plain_value
from turnwright.storage.toml.values import MAX_WIDTH, wrapped_value_text


def dump(tree: Mapping[str, Any], *, headed: bool = True) -> str:
    """Convert a tree to TOML: first its own keys, then its tables under headers. Default values are left out.

    `headed`: structs directly in the tree also get headers, even without an id.
    """
    return "".join(_body((), tree, top=headed)).removeprefix("\n")


def table_text(path: KeyPath, fields: Mapping[str, Any]) -> str:
    """Convert a table to TOML with its header, which is `[[name]]` if the path ends with an index."""
    name = ".".join(name_text(part) for part in path if isinstance(part, str))
    header = f"[{name}]" if isinstance(path[-1], str) else f"[[{name}]]"
    return f"{header}\n{''.join(_body(path, fields))}"


def _body(path: KeyPath, fields: Mapping[str, Any], *, top: bool = False) -> Iterator[str]:
    later: list[tuple[KeyPath, Any]] = []
    for key, value in fields.items():
        if isinstance(value, Default) or value is None:
            continue
        if isinstance(value, TableOfStructs):
            later += [((*path, key, id), inner) for id, inner in value.items()]
        elif top and isinstance(value, Mapping):
            later.append(((*path, key), value))
        else:
            name = name_text(key)
            yield f"{name} = {wrapped_value_text(plain_value(value), MAX_WIDTH - len(name) - 3)}\n"
    for where, value in later:
        yield f"\n{table_text(where, value)}"
