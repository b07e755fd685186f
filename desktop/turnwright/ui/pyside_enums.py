"""Makes the classes of Qt's enumerations as `enum` does, in a fifth of its time.

PySide6 makes three hundred of them, with three thousand members, before the first dock is painted. `enum` prepares each
for all that a class statement may say. Here a class gets the attributes of an empty one that `enum` has made, and its
members, which are integers, are added at once.
"""

from __future__ import annotations

import sys
from enum import Enum, EnumType, Flag, IntEnum, IntFlag
from functools import cache
from typing import Any

BASES = (Enum, IntEnum, Flag, IntFlag)
FILLED = frozenset({"_member_map_", "_member_names_", "_value2member_map_"})
LEFT_EMPTY = frozenset({"_unhashable_values_", "_unhashable_values_map_"})
make_by_enum = vars(EnumType)["_create_"]


def install() -> None:
    """Have enumerations made here that are made by a call with names and integers, as PySide6 makes Qt's."""
    if sys.version_info < (3, 14):  # as far as this has been compared with what `enum` does
        EnumType._create_ = make_enum  # type: ignore[attr-defined]


def make_enum(cls: type[Enum], class_name: str, names: Any, **options: Any) -> Any:
    """Return a new enumeration derived from `cls`; `enum` makes those that are more than a list of names with integers."""
    module = options["module"] = options.get("module") or sys._getframe(2).f_globals["__name__"]  # noqa: SLF001 - so does `enum`
    attributes = _empty_enum(cls, options.get("boundary")) if _is_plain(cls, names) and not options.get("type") else {}
    if not attributes:
        return make_by_enum(cls, class_name, names, **options)
    own = {key: value.copy() if type(value) in (dict, list) else value for key, value in attributes.items()}
    own |= {"__module__": module, "__qualname__": options.get("qualname") or class_name}
    made = type.__new__(EnumType, class_name, (cls,), own)
    _add_members(made, names)
    return made


def _is_plain(cls: type[Enum], names: Any) -> bool:
    if cls not in BASES or type(names) is not list:
        return False
    taken = _taken(cls)
    return all(type(pair) is tuple and type(pair[1]) is int and pair[0] not in taken for pair in names)


@cache
def _taken(cls: type[Enum]) -> frozenset[str]:
    """Return the names that are no member's, or not in the usual way."""
    return frozenset({"", "mro"}.union(*(vars(base) for base in cls.__mro__)))


@cache
def _empty_enum(cls: type[Enum], boundary: object) -> dict[str, Any]:
    """Return the attributes of an enumeration without members; none where `enum` keeps more about them than is known."""
    empty = make_by_enum(cls, "Empty", (), module=__name__, boundary=boundary)
    attributes = {name: value for name, value in vars(empty).items() if name not in ("__dict__", "__weakref__")}
    containers = {name for name, value in attributes.items() if type(value) in (dict, list)}
    return attributes if FILLED <= containers <= FILLED | LEFT_EMPTY else {}


def _add_members(made: Any, names: list[tuple[str, int]]) -> None:
    is_flag, number, mask, bits = issubclass(made, Flag), made._member_type_, 0, []
    by_name, by_value, listed = made._member_map_, made._value2member_map_, made._member_names_
    for name, value in names:
        member = by_value.get(value)
        if member is None:
            member = object.__new__(made) if number is object else number.__new__(made, value)
            member.__dict__.update(_value_=value, _name_=name, __objclass__=made, _sort_order_=len(listed))
            by_value[value] = member
            if not is_flag:
                listed.append(name)
            elif value > 0 and value.bit_count() == 1:
                listed.append(name)
                bits.append(value)
            mask |= value
        by_name[name] = member
        type.__setattr__(made, name, member)
    if is_flag:
        made._flag_mask_, made._singles_mask_, made._all_bits_ = mask, sum(bits), (1 << mask.bit_length()) - 1
        if bits != sorted(bits):
            made._iter_member_ = made._iter_member_by_def_
