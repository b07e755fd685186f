"""Derives the file format of records from their annotations.

Both the reader and the writer are built from these shapes, so they always match. Tuples of structs with an `id` are
keyed tables, pairs of a name and a value are a small table, and unions of structs are distinguished by their tag.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from turnwright.encounter.field_specs import FieldSpec, bare_type, fields_of_struct, spec_of


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
    spec: FieldSpec = FieldSpec()


@cache
def fields_of(struct: type[msgspec.Struct]) -> tuple[FieldShape, ...]:
    """Return a struct's fields in order. Raise TypeError if the type of an annotation isn't supported."""
    shapes = []
    for field in fields_of_struct(struct):
        default = field.default
        if default is msgspec.NODEFAULT and field.default_factory is not msgspec.NODEFAULT:
            default = field.default_factory()
        required = default is msgspec.NODEFAULT
        shape = shape_of(field.type)
        known = None if required else default
        shapes.append(FieldShape(field.name, field.encode_name, shape, required, known, spec_of(struct, field.name)))
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
    annotation = bare_type(annotation)
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
    raise TypeError(f"no shape in a file for {annotation!r}")


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
