"""Converts records to the tables of a file, and writes them as a new TOML text.

Every field is included; fields with their default value are marked. Marked values aren't written to a file unless their
key is already in it. Tables with ids get headers; small values stay on one line.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from turnwright.encounter.state import numbered
from turnwright.storage.toml import reader
from turnwright.storage.toml.values import MAX_WIDTH, KeyPath, name_text, wrapped_value_text

TableBuilder = Callable[[Any], Any]


class Default:
    """A field's default value, or None. It is only written if the file already has the key."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class StructTable(dict[str, Any]):
    """The table of a struct, with all its fields. Other keys in the file are kept."""

    tag = ""

    def changes_type(self, old: Mapping[str, Any]) -> bool:
        """Whether this table is of another struct type than the old table."""
        return bool(self.tag) and old.get(self.tag) != self[self.tag]


class OrderedTable(dict[str, Any]):
    """A table with names as keys. The keys and their order are part of the content."""


class TableOfStructs(OrderedTable):
    """A table of structs, keyed by id. Each struct has its own header."""


def table_of(record: msgspec.Struct, *, keyed: bool = True, excluded: frozenset[str] = frozenset()) -> StructTable:
    """Convert a record to a table. `keyed`: the id is the table's key, so it is left out."""
    skipped = excluded | {"id"} if keyed else excluded
    kind: type[msgspec.Struct] = type(record)
    built: StructTable = _struct(kind, skipped)(record)
    return built


def plain_value(value: Any) -> Any:
    """Convert a tree's value to ordinary tables, without default values."""
    if isinstance(value, Default):
        return plain_value(value.value)
    if isinstance(value, Mapping):
        return {
            key: plain_value(inner)
            for key, inner in value.items()
            if not isinstance(inner, Default) and inner is not None
        }
    if isinstance(value, list | tuple):
        return [plain_value(item) for item in value]
    return value


def differs(old: Any, new: Any) -> bool:
    """Whether a file's value `old` has to change to represent `new`."""
    new = new.value if isinstance(new, Default) else new
    if isinstance(old, dict) and isinstance(new, Mapping):
        if isinstance(new, StructTable):
            return bool(changes_of(old, new))
        return list(old) != list(new) or any(differs(old[key], value) for key, value in new.items())
    if isinstance(old, list) and isinstance(new, list):
        return len(old) != len(new) or any(map(differs, old, new))
    if type(old) is int and type(new) is float:  # a whole number is also a valid float
        return old != new
    return type(old) is not type(new) or bool(old != new)


def changes_of(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes of a table: the new value of each changed key, or None if the key has to be removed.

    Keys unknown to a struct are kept. Default values are only written over existing keys.
    """
    changed: dict[str, Any] = {}
    for key, value in new.items():
        if key in old:
            if differs(old[key], value):
                changed[key] = value.value if isinstance(value, Default) else value
        elif not isinstance(value, Default):
            changed[key] = value
    if not isinstance(new, StructTable):
        changed.update({key: None for key in old if key not in new})
    return changed


def equal_ends(old: Sequence[Any], new: Sequence[Any]) -> tuple[int, int]:
    """Return the number of equal values at the beginning of two lists, and at the end of their remaining parts."""
    most = min(len(old), len(new))
    head = next((at for at in range(most) if differs(old[at], new[at])), most)
    return head, next((at for at in range(most - head) if differs(old[-1 - at], new[-1 - at])), most - head)


def with_unknown_keys(new: Any, old: Any) -> Any:
    """Return a tree with the unknown keys of the old value added."""
    if not isinstance(new, dict) or not isinstance(old, dict):
        return new
    merged = type(new)({key: with_unknown_keys(value, old.get(key)) for key, value in new.items()})
    if isinstance(new, StructTable) and not new.changes_type(old):
        merged.update({key: value for key, value in old.items() if key not in new})
    return merged


def table_of_structs(records: tuple[msgspec.Struct, ...]) -> TableOfStructs:
    """Convert records with ids to a table of tables. Repeated ids are numbered, so that no record is lost."""
    table = TableOfStructs()
    for record in records:
        table[numbered(str(getattr(record, "id")), table)] = table_of(record)  # noqa: B009
    return table


@cache
def _struct(struct: type[msgspec.Struct], skipped: frozenset[str]) -> TableBuilder:
    fields = [
        (field.name, field.key, _builder(field.shape), field.required, field.default)
        for field in reader.fields_of(struct)
        if field.name not in skipped
    ]

    def build(record: Any) -> StructTable:
        table = StructTable()
        for name, key, inner, required, default in fields:
            value = getattr(record, name)
            if not required and (value is default or value == default):
                table[key] = Default(None if value is None else inner(value))
            else:
                table[key] = inner(value)
        return table

    return build


@cache
def _builder(shape: reader.Shape) -> TableBuilder:
    if isinstance(shape, reader.ScalarShape | reader.ChoiceShape):
        return lambda value: value
    if isinstance(shape, reader.OptionalShape):
        return _builder(shape.inner)
    if isinstance(shape, reader.StructShape):
        return _struct(shape.struct, frozenset())
    if isinstance(shape, reader.KeyedTablesShape):
        return table_of_structs
    if isinstance(shape, reader.PairsShape):
        return _pairs(_builder(shape.value))
    if isinstance(shape, reader.ArrayShape):
        build_item = _builder(shape.item)
        return lambda values: [build_item(value) for value in values]
    return _tagged(shape)


def _pairs(inner: TableBuilder) -> TableBuilder:
    def build(pairs: tuple[tuple[str, Any], ...]) -> OrderedTable:
        table = OrderedTable()
        for name, value in pairs:
            table[numbered(name, table)] = inner(value)
        return table

    return build


def _tagged(shape: reader.UnionShape) -> TableBuilder:
    def build(record: Any) -> StructTable:
        table = StructTable({shape.field: reader.tag_of(type(record))})
        table.tag = shape.field
        kind: type[msgspec.Struct] = type(record)
        table.update(_struct(kind, frozenset())(record))
        return table

    return build


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
    yield from (f"\n{table_text(where, value)}" for where, value in later)
