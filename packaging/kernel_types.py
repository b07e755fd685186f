"""The types of the kernels' arguments for numba.

The map's are arrays and records of them. The forecast's are a fight, with numbers and addresses of tables by name, and
tables of rows.
"""

from __future__ import annotations

import operator
from inspect import get_annotations
from typing import TYPE_CHECKING, Any, Final

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.imputils import lower_builtin, lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import models, register_model

from turnwright.battlemap.arrays import ARRAYS, RECORDS
from turnwright.forecast.layout import FIELDS, row_of

if TYPE_CHECKING:
    from turnwright.forecast.sheet import SheetRow

NUMBERS: Final = {
    "int": types.int64,
    "Numbers": types.CPointer(types.int32),
    "AliasTables": types.CPointer(types.int64),
    "Counts": types.CPointer(types.int64),
}


class RowsType(types.Type):
    """The address of a table of rows. An item is a record in place, whose fields can be read and set."""

    def __init__(self, record: types.Record) -> None:
        self.record = record
        super().__init__(name=f"Rows({record})")


class FightType(types.Type):
    """The address of an array with a 64-bit word for each field of a fight: a number, or the address of a table."""

    def __init__(self, fields: tuple[tuple[str, types.Type], ...]) -> None:
        self.kinds = dict(fields)
        self.places = {name: place for place, (name, _) in enumerate(fields)}
        super().__init__(name="Fight")


register_model(RowsType)(models.OpaqueModel)
register_model(FightType)(models.OpaqueModel)


@infer_getattr
class _FightFields(AttributeTemplate):
    """The types of a fight's fields."""

    key = FightType

    def generic_resolve(self, fight: FightType, field: str) -> types.Type | None:
        """Return the type of a field, or None if there is none of this name."""
        return fight.kinds.get(field)


@infer_global(operator.getitem)
class _RowsItem(AbstractTemplate):
    """The type of a table's row."""

    def generic(self, args: tuple[types.Type, ...], _: object) -> Any:
        """Return the signature of `rows[index]`, or None for other types."""
        rows, index = args
        if isinstance(rows, RowsType) and isinstance(index, types.Integer):
            return signature(rows.record, rows, types.intp)
        return None


def _word(builder: Any, kind: FightType, fight: Any, field: str) -> Any:
    """Return the address of a field's word."""
    words = builder.bitcast(fight, ir.IntType(64).as_pointer())
    return builder.gep(words, [ir.Constant(ir.IntType(64), kind.places[field])])


@lower_getattr_generic(FightType)
def _get_field(context: Any, builder: Any, kind: FightType, fight: Any, field: str) -> Any:
    word = builder.load(_word(builder, kind, fight, field))
    if kind.kinds[field] == types.int64:
        return word
    return builder.inttoptr(word, context.get_value_type(kind.kinds[field]))


@lower_setattr_generic(FightType)
def _set_field(_: Any, builder: Any, sig: Any, args: tuple[Any, ...], field: str) -> None:
    builder.store(args[1], _word(builder, sig.args[0], args[0], field))


@lower_builtin(operator.getitem, RowsType, types.Integer)
def _get_row(context: Any, builder: Any, sig: Any, args: tuple[Any, ...]) -> Any:
    rows, index = args
    return builder.gep(builder.bitcast(rows, context.get_value_type(sig.return_type)), [index])


def _record(row: type[SheetRow]) -> types.Record:
    dtype = np.dtype([(field, np.int64 if row.bits == 64 else np.int32) for field in row.fields], align=True)
    return numba.from_dtype(dtype)


def type_of(annotation: str) -> types.Type:
    """Return numba's type for the annotation of a parameter or field of the forecast."""
    if annotation == "FightTables":
        return FightType(tuple((name, type_of(kind)) for name, kind in FIELDS.items()))
    row = row_of(annotation)
    if row is None:
        return NUMBERS[annotation]
    return _record(row) if annotation == row.__name__ else RowsType(_record(row))


def map_type_of(annotation: str) -> types.Type:
    """Return numba's type for the annotation of a parameter or field of the map."""
    if annotation in RECORDS:
        record = RECORDS[annotation]
        fields = [map_type_of(field.__forward_arg__) for field in get_annotations(record).values()]
        return types.BaseTuple.from_types(tuple(fields), record)
    if annotation in ARRAYS:
        kind = ARRAYS[annotation]
        return types.Array(numba.from_dtype(np.dtype(kind.dtype)), kind.dimensions, "C", readonly=not kind.is_written)
    return {"int": types.int64, "float": types.float64, "bool": types.boolean}[annotation]
