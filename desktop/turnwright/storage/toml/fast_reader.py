"""Converts tables to records quickly if the file has no mistakes.

Tables are rearranged into the form that msgspec expects. Limits are only checked for fields that are present. If
anything is irregular, the caller uses `reader` instead, which reports the reason and the location.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, TypeVar

import msgspec

from turnwright.encounter.bounds import MAX_ITEMS, MAX_TEXT, dice_problem
from turnwright.storage.toml.schema import (
    ArrayShape,
    FieldShape,
    KeyedTablesShape,
    OptionalShape,
    PairsShape,
    ScalarShape,
    Shape,
    StructShape,
    fields_of,
    has_id,
)

S = TypeVar("S", bound=msgspec.Struct)
Converter = Callable[[Any], Any]


class _Doubt(Exception):
    """Raised if a value is irregular or not supported by the fast reader."""


def read_struct_fast(
    struct: type[S], table: dict[str, Any], size: int, foreign_keys: frozenset[str] = frozenset()
) -> S | None:
    """Convert a table to a record, or return None if it has to be read by `reader`.

    `size` is the length of the text in characters. `foreign_keys` are keys of the table that belong to another reader.
    """
    if size > MAX_TEXT:  # a shorter file can't contain a text that is too long
        return None
    try:
        own = {key: value for key, value in table.items() if key not in foreign_keys}
        return msgspec.convert(_ready(struct, False)(own), struct)
    except (_Doubt, msgspec.ValidationError):
        return None


@cache
def _ready(struct: type[msgspec.Struct], keyed: bool) -> Converter:
    """Return a function that converts a table to the struct's constructor arguments.

    `keyed`: the id is the table's key, not a value in it.
    """
    keys = {field.key: field for field in fields_of(struct) if not (keyed and field.name == "id")}
    forms = {key: form for key, field in keys.items() if (form := _form(field.shape)) is not None}
    checks = {key: check for key, field in keys.items() if (check := _check(field)) is not None}
    names = keys.keys()
    touched = forms.keys() | checks.keys()
    renamed = any(key != field.name for key, field in keys.items()) or isinstance(struct.__struct_config__.tag, str)
    bare = bool(getattr(struct, "__post_init__", None))

    def ready(table: Any) -> Any:
        if type(table) is not dict or not table.keys() <= names or renamed or bare:
            raise _Doubt
        if table.keys().isdisjoint(touched):
            return table
        built = dict(table)
        for key in table.keys() & touched:
            form, check = forms.get(key), checks.get(key)
            if check is not None and check(table[key]):
                raise _Doubt
            if form is not None:
                built[key] = form(table[key])
        return built

    return ready


def _check(field: FieldShape) -> Callable[[Any], object] | None:
    """Return a function that checks whether a value is out of bounds, or None if the field has no bounds."""
    spec = field.spec
    if spec.kind == "dice":
        return lambda value: type(value) is not str or _is_no_dice(value)
    if not spec.is_limited:
        return None
    if isinstance(field.shape, PairsShape):
        return lambda value: (
            type(value) is not dict or any(type(n) is not int or spec.problem(n) for n in value.values())
        )
    return lambda value: type(value) is not int or spec.problem(value)


@lru_cache(4096)
def _is_no_dice(text: str) -> bool:
    return bool(text and dice_problem(text))


def _form(shape: Shape) -> Converter | None:
    """Return the converter for values of a shape, or None if they need no conversion."""
    if isinstance(shape, OptionalShape):
        return _form(shape.inner)
    if isinstance(shape, PairsShape):
        return _pairs if _form(shape.value) is None else _doubt
    if isinstance(shape, KeyedTablesShape):
        return _keyed(shape)
    if isinstance(shape, StructShape):
        return _ready(shape.struct, False)
    if isinstance(shape, ArrayShape):
        inner = _form(shape.item)
        return _few if inner is None else _each(inner)
    return None if isinstance(shape, ScalarShape) or not hasattr(shape, "structs") else _doubt


def _doubt(_value: Any) -> Any:
    raise _Doubt


def _pairs(value: Any) -> Any:
    if type(value) is not dict:
        raise _Doubt
    return _few(list(value.items()))


def _few(value: Any) -> Any:
    if type(value) is not list or len(value) > MAX_ITEMS:
        raise _Doubt
    return value


def _each(inner: Converter) -> Converter:
    return lambda value: [inner(item) for item in _few(value)]


def _keyed(shape: KeyedTablesShape) -> Converter:
    keyed = has_id(shape.struct)
    convert = _ready(shape.struct, keyed)

    def form(value: Any) -> Any:
        if type(value) is not dict or len(value) > MAX_ITEMS:
            raise _Doubt
        built = []
        for key, table in value.items():
            ready = dict(convert(table))
            ready["id"] = key
            built.append(ready)
        return built

    return form
