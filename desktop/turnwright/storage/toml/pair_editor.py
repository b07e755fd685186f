"""Changes the value of one pair in a TOML text with `tomlkit`.

If a list or inline table changes in one place, its other parts, comments and line breaks are kept.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import tomlkit
from tomlkit.container import OutOfOrderTableProxy
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AbstractTable, Array, InlineTable, Item, Whitespace

from turnwright.storage.toml import record_tree
from turnwright.storage.toml.parser import parse_tables
from turnwright.storage.toml.values import key_match, names_of, restyled

_MOST = 300_000  # maximum length in characters; tomlkit needs about a second for it


def edited_pair(text: str, start: int, old: Any, new: Any, newline: str) -> str:
    """Return the text of a pair with its value changed from `old` to `new`. Its key starts at `start`."""
    key = key_match(text, start)
    names = names_of(key[1])
    with suppress(TOMLKitError, ValueError, KeyError, TypeError):
        changed = _changed_pair(text, names, old, new) if len(text) <= _MOST else ""
        if changed and not record_tree.differs(_value(changed, names), new):
            return changed
    return text[: key.end()] + restyled(text[key.end() :], _plain(new, old), newline) + newline


def _changed_pair(text: str, names: Sequence[str], old: Any, new: Any) -> str:
    document = tomlkit.parse(text)
    holder: Any = document
    for name in names[:-1]:
        holder = holder[name]
    _change(holder, names[-1], old, new)
    changed = document.as_string()
    is_dos = "\r\n" in text and text.count("\n") == text.count("\r\n")
    return changed.replace("\r\n", "\n").replace("\n", "\r\n") if is_dos else changed


def _value(text: str, names: Sequence[str]) -> Any:
    value: Any = parse_tables(text)
    for name in names:
        value = value[name]
    return value


def _change(holder: Any, key: Any, old: Any, new: Any) -> None:
    """Change the value at a key of a table or at an index of a list."""
    item = holder[key] if isinstance(holder, OutOfOrderTableProxy) else holder.item(key)
    if isinstance(item, AbstractTable | OutOfOrderTableProxy) and isinstance(new, Mapping) and _can_stay(old, new):
        _change_table(item, old, new)
    elif isinstance(item, Array) and isinstance(new, list) and old and new:
        _change_list(item, old, new)
    else:
        holder[key] = _item(_plain(new, old), item.as_string() if isinstance(item, Item) else "")


def _item(value: Any, like: str = "") -> Item:
    return tomlkit.value(restyled(like, value))


def _plain(new: Any, old: Any = None) -> Any:
    """Return the new value with the unknown keys of the old value, ready for writing."""
    return record_tree.plain_value(record_tree.with_unknown_keys(new, old))


def _can_stay(old: Any, new: Mapping[str, Any]) -> bool:
    """Whether an inline table can be changed key by key, with new keys added at the end."""
    if isinstance(new, record_tree.StructTable):
        return bool(old) and not new.changes_type(old)
    shared = [key for key in old if key in new]
    return bool(shared) and [*shared, *(key for key in new if key not in old)] == list(new)


def _change_table(table: Any, old: Any, new: Mapping[str, Any]) -> None:
    end = table.value.body[-1] if isinstance(table, InlineTable) else None
    for key, value in record_tree.changes_of(old, new).items():
        if value is not None and key in old:
            _change(table, key, old[key], value)
        elif value is not None:
            table[key] = _item(_plain(value))
        elif isinstance(table, InlineTable):
            _remove(table, key)
        else:
            del table[key]
    if end is not None and end[0] is None and end is not table.value.body[-1]:
        table.append(*end)  # the space before the brace


def _remove(table: InlineTable, key: str) -> None:
    """Remove a key from an inline table, and the spaces between it and its neighbour."""
    body = table.value.body
    places = {name.key: place for place, (name, _) in enumerate(body) if name is not None}
    before = max((place for place in places.values() if place < places[key]), default=None)
    after = min((place for place in places.values() if place > places[key]), default=len(body))
    del table[key]
    for place in range(*(places[key], after) if before is None else (before, places[key])):
        if isinstance(body[place][1], Whitespace):
            body[place] = (None, Whitespace(""))


def _change_list(array: Array, old: list[Any], new: list[Any]) -> None:
    """Change a list. Equal values at the beginning and the end stay; only those in between are edited."""
    head, tail = record_tree.equal_ends(old, new)
    shared = min(len(old), len(new)) - head - tail
    for index in range(head, head + shared):
        _change(array, index, old[index], new[index])
    for index in reversed(range(head + shared, len(old) - tail)):
        del array[index]
    for index in range(head + shared, len(new) - tail):
        _insert(array, index, _item(_plain(new[index])))


def _insert(array: Array, index: int, item: Item) -> None:
    if index or "\n" in array.as_string():
        array.insert(index, item)
    else:  # tomlkit wouldn't add a space after the comma
        array.insert(1, array.item(0))
        array[0] = item
