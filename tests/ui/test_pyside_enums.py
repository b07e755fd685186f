"""Enumerations made for PySide6 are those that `enum` would make."""

import pickle
from enum import Enum, EnumType, Flag, FlagBoundary, IntEnum
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QLocale, Qt
from PySide6.QtWidgets import QStyle

from turnwright.ui.pyside_enums import BASES, make_by_enum, make_enum

NAMES = {
    "in order": [("NONE", 0), ("LEFT", 1), ("RIGHT", 2), ("UP", 4)],
    "bits out of order, and several in one": [("UP", 4), ("LEFT", 1), ("BOTH", 5), ("ALL", 0xFF)],
    "two names for one value": [("FIRST", 1), ("ALSO_FIRST", 1), ("SECOND", 2)],
    "negative": [("UNKNOWN", -1), ("LOW", -4), ("ONE", 1)],
    "names of the base class": [("name", 1), ("value", 2), ("real", 4), ("_own", 8)],
    "none": [],
}
NOT_COMPARED = {"__dict__", "__weakref__", "__new__", "_generate_next_value_"}  # each wraps the same function anew


def _content(value: Any, made: EnumType) -> Any:
    """Return a value in which members are described, so that those of two enumerations are equal."""
    if isinstance(value, made):
        return {name: part is made if name == "__objclass__" else part for name, part in vars(value).items()}
    if isinstance(value, dict):
        return [(_content(key, made), _content(part, made)) for key, part in value.items()]
    if isinstance(value, list):
        return [_content(part, made) for part in value]
    return getattr(value, "__func__", value)


def _described(made: EnumType) -> dict[str, Any]:
    names = [name for name in vars(made) if name not in NOT_COMPARED and type(vars(made)[name]).__name__ != "property"]
    return {name: _content(vars(made)[name], made) for name in names}


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_an_enumeration_is_the_one_that_enum_makes(base: type[Enum], names: list[tuple[str, int]]) -> None:
    options = {"module": __name__, "qualname": "Outer.Sample", "boundary": FlagBoundary.KEEP}
    here, there = make_enum(base, "Sample", names, **options), make_by_enum(base, "Sample", names, **options)
    assert _described(here) == _described(there)
    assert [repr(member) for member in here] == [repr(member) for member in there]
    assert [(name, member.value) for name, member in here.__members__.items()] == [
        (name, member.value) for name, member in there.__members__.items()
    ]


@pytest.mark.parametrize("qt", [QEvent.Type, QLocale.Language, Qt.Key, Qt.TextFlag, QStyle.StateFlag])
def test_qts_own_have_the_members_that_enum_gives_them(qt: Any) -> None:
    base = qt.__mro__[1]
    names = [(name, member.value) for name, member in qt.__members__.items()]
    there = make_by_enum(base, qt.__name__, names, module=qt.__module__, qualname=qt.__qualname__)
    assert len(names) > 10
    assert [_content(member, qt) for member in qt] == [_content(member, there) for member in there]
    assert qt(names[-1][1]) is getattr(qt, names[-1][0])
    assert pickle.loads(pickle.dumps(qt(names[-1][1]))) is qt(names[-1][1])


def test_flags_made_by_a_call_are_joined_and_inverted() -> None:
    made: Any = Flag("made", NAMES["in order"], boundary=FlagBoundary.KEEP)
    assert type(made)._create_ is make_enum
    assert made.__module__ == __name__
    assert (made.LEFT | made.UP).value == 5
    assert ~made.LEFT == made.RIGHT | made.UP
    assert list(made.LEFT | made.UP) == [made.LEFT, made.UP]
    assert made(8 | 1).value == 9  # kept, like Qt's own values without a name


def test_what_is_more_than_names_and_integers_is_left_to_enum() -> None:
    mixed = make_enum(Enum, "Mixed", [("A", (1, 2)), ("B", "b")], module=__name__)
    assert (mixed.A.value, mixed.B.value) == ((1, 2), "b")
    for names in ("ONE TWO", ["ONE", "TWO"], {"ONE": 1, "TWO": 2}, (("ONE", 1), ("TWO", 2))):
        assert [member.value for member in make_enum(IntEnum, "Counted", names, module=__name__)] == [1, 2]
    assert make_enum(Enum, "Text", [("A", "a")], type=str, module=__name__)("a") == "a"
