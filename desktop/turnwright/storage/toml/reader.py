"""Converts tables to records, field by field. It collects all mistakes instead of stopping at the first.

Each struct's reader is built once from its shape, which is derived from the annotations of its fields. The writer uses
the same shapes, so the two always match. Tuples of structs with an `id` are keyed tables, pairs of a name and a value
are a small table, and unions of structs are distinguished by their tag. Readers record key paths instead of line
numbers. If there are findings, `findings.located_findings` looks up the lines.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from functools import cache
from math import isfinite
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin

import msgspec

from turnwright.encounter import field_specs
from turnwright.storage.field_texts import field_text
from turnwright.storage.findings import MAX_FINDINGS, FindingCollector
from turnwright.storage.toml.values import KeyPath


class ScalarShape(msgspec.Struct, frozen=True):
    """A single value: text, a whole number, a number, or a boolean."""

    kind: type


class ChoiceShape(msgspec.Struct, frozen=True):
    """A text from a fixed list."""

    words: tuple[str, ...]


class OptionalShape(msgspec.Struct, frozen=True):
    """A key that may be missing; its value is then None."""

    inner: Shape


class StructShape(msgspec.Struct, frozen=True):
    """A struct, stored as a table."""

    struct: type[msgspec.Struct]


class KeyedTablesShape(msgspec.Struct, frozen=True):
    """Structs with ids, stored in order as a table of tables, keyed by id."""

    struct: type[msgspec.Struct]


class PairsShape(msgspec.Struct, frozen=True):
    """Pairs of a name and a value, stored as a small table."""

    value: Shape


class ArrayShape(msgspec.Struct, frozen=True):
    """An array. `length` is None if any length is allowed."""

    item: Shape
    length: int | None = None


class UnionShape(msgspec.Struct, frozen=True):
    """A union of structs, distinguished by the value of `field`."""

    field: str
    structs: tuple[tuple[str, type[msgspec.Struct]], ...]


Shape = (
    ScalarShape | ChoiceShape | OptionalShape | StructShape | KeyedTablesShape | PairsShape | ArrayShape | UnionShape
)


class FieldShape(msgspec.Struct, frozen=True):
    """A field of a struct: its Python name, its key in the file, its shape, its default, and its limits."""

    name: str
    key: str
    shape: Shape
    required: bool
    default: Any = None
    spec: field_specs.FieldSpec = field_specs.FieldSpec()


@cache
def fields_of(struct: type[msgspec.Struct]) -> tuple[FieldShape, ...]:
    """Return a struct's fields in order. Raise TypeError if the type of an annotation isn't supported."""
    shapes = []
    for field in field_specs.fields_of_struct(struct):
        default = field.default
        if default is msgspec.NODEFAULT and field.default_factory is not msgspec.NODEFAULT:
            default = field.default_factory()
        required = default is msgspec.NODEFAULT
        shape = shape_of(field.type)
        known = None if required else default
        shapes.append(
            FieldShape(field.name, field.encode_name, shape, required, known, field_specs.spec_of(struct, field.name))
        )
    return tuple(shapes)


def has_id(struct: type[msgspec.Struct]) -> bool:
    """Whether a struct has an id, which can be its table's key."""
    return "id" in struct.__struct_fields__


def tag_of(struct: type[msgspec.Struct]) -> str:
    """Return the tag of a struct that is part of a union, or an empty string."""
    tag = struct.__struct_config__.tag
    return tag if isinstance(tag, str) else ""


def shape_of(annotation: Any) -> Shape:
    """Return the shape of an annotation. Raise TypeError if its type isn't supported."""
    annotation = field_specs.bare_type(annotation)
    origin = get_origin(annotation)
    if origin is Literal:
        return ChoiceShape(tuple(str(word) for word in get_args(annotation)))
    if origin in (Union, types.UnionType):
        return _union(get_args(annotation))
    if origin is tuple:
        return _tuple(get_args(annotation))
    if annotation in (str, int, float, bool):
        return ScalarShape(annotation)
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return StructShape(annotation)
    raise TypeError(f"a file can't store {annotation!r}")


def _union(members: tuple[Any, ...]) -> Shape:
    rest = tuple(member for member in members if member is not type(None))
    if len(rest) == 1:
        return OptionalShape(shape_of(rest[0]))
    structs: Mapping[str, type[msgspec.Struct]] = {tag_of(member): member for member in rest}
    shape = UnionShape(rest[0].__struct_config__.tag_field, tuple(structs.items()))
    return shape if len(rest) == len(members) else OptionalShape(shape)


def _tuple(members: tuple[Any, ...]) -> Shape:
    if len(members) != 2 or members[1] is not Ellipsis:
        return ArrayShape(shape_of(members[0]), len(members))
    member = members[0]
    parts = get_args(member)
    if get_origin(member) is tuple and parts == (str, int):  # a name and a number; other pairs can repeat names
        return PairsShape(shape_of(parts[1]))
    shape = shape_of(member)
    if isinstance(shape, StructShape) and has_id(shape.struct):
        return KeyedTablesShape(shape.struct)
    return ArrayShape(shape)


S = TypeVar("S", bound=msgspec.Struct)
Reader = Callable[[Any, KeyPath, FindingCollector], Any]

INVALID: Any = object()
"""Returned by a reader instead of a value if there was an error."""

_PLAIN_WORDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


def read_struct(
    struct: type[S],
    table: Any,
    path: KeyPath,
    notes: FindingCollector,
    *,
    id: str | None = None,
    foreign_keys: frozenset[str] = frozenset(),
) -> S | None:
    """Convert a table to a record, or return None if there was an error.

    `id` is the record's id if it is the table's key. `foreign_keys` are keys of the table that belong to another
    reader.
    """
    record = _struct_reader(struct, id is not None, foreign_keys)(table, path, notes, id)
    return None if record is INVALID else cast("S", record)


def read_keyed(struct: type[S], table: Any, path: KeyPath, notes: FindingCollector) -> tuple[S, ...]:
    """Convert a table of tables to records, in order. Records with errors are left out."""
    records = _keyed(KeyedTablesShape(struct))(table, path, notes)
    return () if records is INVALID else cast("tuple[S, ...]", records)


def type_name(value: Any) -> str:
    """Describe a value's type for messages: `the number 5`, `a table`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'the text "{value if len(value) <= 40 else value[:37] + "..."}"'
    if isinstance(value, int | float):
        return f"the number {value:.6g}" if isinstance(value, float) or abs(value) > 10**12 else f"the number {value}"
    if isinstance(value, Mapping):
        return "a table"
    return "a list" if isinstance(value, list) else "a date or time"


@cache
def _struct_reader(struct: type[msgspec.Struct], keyed: bool, known: frozenset[str]) -> Callable[..., Any]:
    """Build the reader of a struct. Simple fields are checked inline to avoid function calls."""
    fields = [field for field in fields_of(struct) if not (keyed and field.name == "id")]
    plain: dict[str, tuple[type, str]] = {}
    others: dict[str, tuple[Reader, str]] = {}
    for field in fields:
        if field.shape in (ScalarShape(str), ScalarShape(bool)) and field.spec.kind != "dice":
            plain[field.key] = (field.shape.kind, field.name)
        others[field.key] = (_field_reader(field), field.name)
    required = {field.key: expected_type(field.shape) for field in fields if field.required}
    tag = struct.__struct_config__.tag_field
    ignored = known | ({tag} if isinstance(tag, str) else set())

    def read(table: Any, path: KeyPath, notes: FindingCollector, id: str | None = None) -> Any:
        if not isinstance(table, dict):
            notes.error(path, f"expected a table, found {type_name(table)}")
            return INVALID
        values: dict[str, Any] = {} if id is None else {"id": id}
        good = True
        for key, value in table.items():
            quick = plain.get(key)
            kind = type(value)
            if quick is not None and kind is quick[0] and (kind is bool or len(value) <= field_specs.MAX_TEXT):
                values[quick[1]] = value
                continue
            slow = others.get(key)
            if slow is None:
                if key not in ignored:
                    hint = notes.hint(key, others)
                    notes.warn((*path, key), f"unknown key{hint}; kept")
                continue
            result = slow[0](value, (*path, key), notes)
            if result is INVALID:
                good = False
                notes.explain((*path, key), field_text(struct, slow[1]))
            else:
                values[slow[1]] = result
        for key, expected in required.items():
            if key not in table:
                notes.error(path, f"missing key `{key}` ({expected})")
                notes.explain(path, field_text(struct, others[key][1]))
                good = False
        return struct(**values) if good else INVALID

    return read


def expected_type(shape: Shape) -> str:
    """Describe the valid values of a shape, for messages: `a whole number`, `one of a, b`."""
    if isinstance(shape, ScalarShape):
        return _PLAIN_WORDS[shape.kind]
    if isinstance(shape, ChoiceShape):
        words = [word or '""' for word in shape.words]
        return f"one of {', '.join(words)}"
    if isinstance(shape, OptionalShape):
        return expected_type(shape.inner)
    if isinstance(shape, ArrayShape):
        return "a list" if shape.length is None else f"a list of {shape.length}"
    if isinstance(shape, PairsShape):
        return f"a table of names, each with {expected_type(shape.value)}"
    return "a table"


def _field_reader(field: FieldShape) -> Reader:
    inner = field.shape.inner if isinstance(field.shape, OptionalShape) else field.shape
    if inner == ScalarShape(int):
        return _whole(field.spec)
    if isinstance(inner, PairsShape):
        return _pairs(field.spec)
    if field.spec.kind == "dice":
        return _dice
    return _reader(inner)


@cache
def _reader(shape: Shape) -> Reader:
    if isinstance(shape, ScalarShape):
        return _whole(field_specs.ANY) if shape.kind is int else _scalar(shape)
    if isinstance(shape, ChoiceShape):
        return _choice(shape)
    if isinstance(shape, OptionalShape):
        return _reader(shape.inner)
    if isinstance(shape, StructShape):
        return _struct_reader(shape.struct, False, frozenset())
    if isinstance(shape, KeyedTablesShape):
        return _keyed(shape)
    if isinstance(shape, PairsShape):
        return _pairs(field_specs.ANY)
    if isinstance(shape, ArrayShape):
        return _items(shape)
    return _tagged(shape)


def _whole(spec: field_specs.FieldSpec) -> Reader:
    def read(value: Any, path: KeyPath, notes: FindingCollector) -> Any:
        if type(value) is not int:
            notes.error(path, f"expected a whole number, found {type_name(value)}")
            return INVALID
        if wrong := spec.problem(value):
            value = spec.nearest(value)
            notes.warn(path, f"{wrong}; {value} is used")
        return value

    return read


def _scalar(shape: ScalarShape) -> Reader:
    kinds = (int, float) if shape.kind is float else (shape.kind,)

    def read(value: Any, path: KeyPath, notes: FindingCollector) -> Any:
        if type(value) not in kinds:
            notes.error(path, f"expected {expected_type(shape)}, found {type_name(value)}")
            return INVALID
        if shape.kind is float and not isfinite(value):
            notes.error(path, f"expected a finite number, found {type_name(value)}")
            return INVALID
        if shape.kind is str and len(value) > field_specs.MAX_TEXT:
            notes.error(path, f"text of {len(value):,} characters; the limit is {field_specs.MAX_TEXT:,}")
            return INVALID
        return shape.kind(value)

    return read


def _dice(value: Any, path: KeyPath, notes: FindingCollector) -> Any:
    text = _scalar(ScalarShape(str))(value, path, notes)
    if text is not INVALID and text:
        wrong = field_specs.dice_problem(text)
        if wrong:
            notes.warn(path, wrong)
    return text


def _choice(shape: ChoiceShape) -> Reader:
    def read(value: Any, path: KeyPath, notes: FindingCollector) -> Any:
        if isinstance(value, str) and value in shape.words:
            return value
        hint = notes.hint(value, shape.words) if isinstance(value, str) else ""
        notes.error(path, f"expected {expected_type(shape)}, found {type_name(value)}{hint}")
        return INVALID

    return read


def _keyed(shape: KeyedTablesShape) -> Reader:
    def read(value: Any, path: KeyPath, notes: FindingCollector) -> Any:
        if not _is_table(value, path, notes):
            return INVALID
        read_record = _struct_reader(shape.struct, has_id(shape.struct), frozenset())
        records = [read_record(table, (*path, key), notes, key) for key, table in value.items()]
        for key, record in zip(value, records, strict=True) if len(value) <= MAX_FINDINGS else ():
            if record is INVALID and (hint := notes.hint(key, value.keys() - {key}, field_specs.CLOSE)):
                notes.warn((*path, key), f"possibly a misspelled id{hint}")
        return tuple(record for record in records if record is not INVALID)

    return read


def _pairs(spec: field_specs.FieldSpec) -> Reader:
    read_number = _whole(spec)

    def read(value: Any, path: KeyPath, notes: FindingCollector) -> Any:
        if not _is_table(value, path, notes):
            return INVALID
        pairs = [(key, read_number(number, (*path, key), notes)) for key, number in value.items()]
        return INVALID if any(pair[1] is INVALID for pair in pairs) else tuple(pairs)

    return read


def _is_table(value: Any, path: KeyPath, notes: FindingCollector) -> bool:
    if not isinstance(value, dict):
        notes.error(path, f"expected a table, found {type_name(value)}")
        return False
    if len(value) > field_specs.MAX_ITEMS:
        notes.error(path, f"table of {len(value):,} entries; the limit is {field_specs.MAX_ITEMS:,}")
        return False
    return True


def _items(shape: ArrayShape) -> Reader:
    read_item = _reader(shape.item)

    def read(value: Any, path: KeyPath, notes: FindingCollector) -> Any:
        if not isinstance(value, list) or shape.length not in (None, len(value)):
            found = f"a list of {len(value)}" if isinstance(value, list) else type_name(value)
            notes.error(path, f"expected {expected_type(shape)}, found {found}")
            return INVALID
        if len(value) > field_specs.MAX_ITEMS:
            notes.error(path, f"list of {len(value):,} items; the limit is {field_specs.MAX_ITEMS:,}")
            return INVALID
        items = tuple([read_item(item, (*path, index), notes) for index, item in enumerate(value)])
        return INVALID if any(item is INVALID for item in items) else items

    return read


def _tagged(shape: UnionShape) -> Reader:
    readers = {tag: _struct_reader(struct, False, frozenset()) for tag, struct in shape.structs}

    def read(value: Any, path: KeyPath, notes: FindingCollector) -> Any:
        if not isinstance(value, dict):
            notes.error(path, f"expected a table, found {type_name(value)}")
            return INVALID
        kind = value.get(shape.field)
        if not isinstance(kind, str) or kind not in readers:
            missing = shape.field not in value
            where = path if missing else (*path, shape.field)
            words = expected_type(ChoiceShape(tuple(readers)))
            hint = notes.hint(kind, readers) if isinstance(kind, str) else ""
            message = f"expected {words}, found {type_name(kind)}{hint}"
            notes.error(where, f"missing key `{shape.field}` ({words})" if missing else message)
            for key in value if missing else ():
                if hint := notes.hint(key, (shape.field,)):
                    notes.warn((*path, key), f"unknown key{hint}")
            return INVALID
        return readers[kind](value, path, notes)

    return read
