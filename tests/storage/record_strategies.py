"""Hypothesis strategies for records of every kind, built from the same shapes as reader and writer."""

from hypothesis import strategies as st

from turnwright.encounter.state import PREPARED, RUNNING, Encounter
from turnwright.storage.toml.reader import (
    ArrayShape,
    ChoiceShape,
    KeyedTablesShape,
    OptionalShape,
    PairsShape,
    ScalarShape,
    StructShape,
    fields_of,
)

TEXTS = st.one_of(
    st.sampled_from(
        ["", "raider", "two\nlines", 'a "quoted" word', "back\\slash", "it's", '"""', "'''", "a\r\nb", "#x"]
    ),
    st.text(max_size=12),
)
NAMES = st.one_of(st.sampled_from(["raider", "ice-1", "a.b", "", "ü", "x y", '"', "true", "1"]), st.text(max_size=6))
SINGLE = {"scene", "clock", "dice", "ids", "map", "fog"}
MAY_BE_MISSING = {"map"}


def values(shape, spec=None):
    if isinstance(shape, ScalarShape):
        if shape.kind is int:
            return whole(spec) if spec is not None and spec.is_limited else st.integers(-50, 2**40)
        return {str: TEXTS, bool: st.booleans(), float: st.floats(allow_nan=False, allow_infinity=False)}[shape.kind]
    if isinstance(shape, ChoiceShape):
        return st.sampled_from(shape.words)
    if isinstance(shape, OptionalShape):
        return st.none() | values(shape.inner, spec)
    if isinstance(shape, StructShape):
        return records(shape.struct)
    if isinstance(shape, KeyedTablesShape):
        return st.lists(records(shape.struct), max_size=3, unique_by=lambda record: record.id).map(tuple)
    if isinstance(shape, PairsShape):
        pair = st.tuples(NAMES, values(shape.value, spec))
        return st.lists(pair, max_size=3, unique_by=lambda pair: pair[0]).map(tuple)
    if isinstance(shape, ArrayShape):
        size = {"max_size": 3} if shape.length is None else {"min_size": shape.length, "max_size": shape.length}
        return st.lists(values(shape.item), **size).map(tuple)
    return st.one_of([records(struct) for _, struct in shape.structs])


def whole(spec):
    numbers = st.integers(spec.least, min(spec.most, spec.least + 500))
    return numbers | st.just(0) if spec.allows_zero else numbers


def records(struct):
    return st.deferred(lambda: _records(struct))


def _records(struct):
    required, usual = {}, {}
    for field in fields_of(struct):
        if field.name == "id":
            required["id"] = st.just(struct.table) if getattr(struct, "table", "") in SINGLE else NAMES
        elif field.spec.kind == "dice":
            usual[field.name] = st.sampled_from(["", "2d6+3", "1d8 fire"])
        else:
            found = values(field.shape, field.spec)
            (required if field.required else usual)[field.name] = found
    if "damage" in usual and any(field.name == "damage" and field.required for field in fields_of(struct)):
        required["damage"] = usual.pop("damage")
    return st.fixed_dictionaries(required, optional=usual).map(lambda fields: struct(**fields))


def tables(kind):
    if kind.table in MAY_BE_MISSING:
        return st.lists(records(kind), max_size=1).map(tuple)
    if kind.table in SINGLE:
        return records(kind).map(lambda record: (record,))
    return st.lists(records(kind), max_size=3, unique_by=lambda record: record.id).map(tuple)


def encounters(kinds=PREPARED):
    return st.tuples(*map(tables, kinds)).map(lambda found: Encounter(record for part in found for record in part))


def fights():
    return encounters((*PREPARED, *RUNNING))
