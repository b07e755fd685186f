"""Evaluates formulas of dice, numbers and named values (`4d6 + @str.mod`) to a roll: `4d6+5`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.importers.common import as_text

MAX_LENGTH: Final = 200
MAX_DEPTH: Final = 20
_USUAL = re.compile(r"\s*(\d{1,3})?d(\d{1,3})\s*(?:([+-])\s*(?:(\d{1,4})|@([\w.]+))\s*)?")
_TOKEN = re.compile(
    r"\s*(?:(?P<dice>\d{0,3}d\d{1,3}(?![a-z\d]))|(?P<number>\d{1,6}(?:\.\d{1,4})?)(?![a-z])|@(?P<path>[\w.]+)"
    r"|(?P<name>[a-z]+)(?=\s*\()|(?P<sign>[-+*/(),]))",
    re.IGNORECASE,
)
_FLAVOUR = re.compile(r"\[[^\[\]]*\]")
_FUNCTIONS: Final[Mapping[str, Callable[..., float]]] = {
    "min": min,
    "max": max,
    "floor": math.floor,
    "ceil": math.ceil,
    "round": round,
    "abs": abs,
}


class FormulaResult(msgspec.Struct, frozen=True):
    """The result of a formula: counts and sides of dice, and a flat bonus."""

    dice: tuple[tuple[int, int], ...] = ()
    flat: int = 0

    @property
    def text(self) -> str:
        """Return the roll as text: `2d6+3`, `1d4-1`, `5`."""
        said = "+".join(f"{count}d{sides}" for count, sides in self.dice)
        if not said:
            return str(self.flat)
        return f"{said}{self.flat:+d}" if self.flat else said


class _Unknown(Exception):
    """Raised for a formula that can't be worked out."""


class FormulaEvaluator:
    """Evaluates formulas of one creature by its named values (`str.mod`, `prof`). Results are remembered."""

    __slots__ = ("_known", "_values")

    def __init__(self, values: Mapping[str, int]) -> None:
        self._values = values
        self._known: dict[str, FormulaResult | None] = {}

    def amount(self, formula: Any, **here: int) -> FormulaResult | None:
        """Return the result of a formula, None where it can't be worked out; `here` adds named values."""
        if isinstance(formula, int) and not isinstance(formula, bool):
            return FormulaResult((), formula)
        if not isinstance(formula, str) or not formula.strip() or len(formula) > MAX_LENGTH:
            return None
        if here and "@" in formula:
            return self._read(formula, {**self._values, **here})
        if formula not in self._known:
            self._known[formula] = self._read(formula, self._values)
        return self._known[formula]

    def number(self, formula: Any, **here: int) -> int | None:
        """Return the number that a formula without dice yields, None where it has dice or can't be worked out."""
        found = self.amount(formula, **here)
        return found.flat if found is not None and not found.dice else None

    def bonus(self, formula: Any, field: str, report: ConversionReport) -> int:
        """Return a bonus as a number, 0 for none; a formula that can't be worked out is reported."""
        if formula in (None, "", "0", 0):
            return 0
        number = self.number(formula)
        if number is None:
            report.add_note(field, as_text(formula), "can't be worked out; it isn't counted in")
        return number or 0

    def _read(self, formula: str, values: Mapping[str, int]) -> FormulaResult | None:
        usual = _USUAL.fullmatch(formula)
        if usual:
            count, sides, sign, number, path = usual.groups()
            added = _value(path, values) if path else int(number or 0)
            if added is not None:
                return FormulaResult(((int(count or 1), int(sides)),), -added if sign == "-" else added)
        try:
            dice, flat = _Reader(_FLAVOUR.sub("", formula), values).whole()
        except (_Unknown, ZeroDivisionError, OverflowError, TypeError):
            return None
        return FormulaResult(tuple((count, sides) for sides, count in dice.items() if count), math.floor(flat))


_Value = tuple[dict[int, int], float]


def _value(path: str, values: Mapping[str, int]) -> int | None:
    """Return a named value, by its whole path or by the end of it (`abilities.str.mod`)."""
    for prefix in ("", "abilities.", "attributes.", "details."):
        if path.startswith(prefix) and path[len(prefix) :] in values:
            return values[path[len(prefix) :]]
    return values.get(path.removesuffix(".value"))


class _Reader:
    """Reads one formula from left to right. Dice can be added and, by a number, subtracted or multiplied."""

    def __init__(self, text: str, values: Mapping[str, int]) -> None:
        self.tokens: list[tuple[str, str]] = []
        self.values = values
        self.at = 0
        place = 0
        text = text.rstrip()
        while place < len(text):
            found = _TOKEN.match(text, place)
            if not found:
                raise _Unknown
            self.tokens.append(
                (str(found.lastgroup), found[str(found.lastgroup)].lower() if not found["path"] else found["path"])
            )
            place = found.end()

    def whole(self) -> _Value:
        found = self.total(0)
        if self.at != len(self.tokens):
            raise _Unknown
        return found

    def next(self, *wanted: str) -> str:
        if self.at < len(self.tokens) and self.tokens[self.at][0] == "sign" and self.tokens[self.at][1] in wanted:
            self.at += 1
            return self.tokens[self.at - 1][1]
        return ""

    def total(self, depth: int) -> _Value:
        if depth > MAX_DEPTH:
            raise _Unknown
        dice, flat = self.product(depth)
        while sign := self.next("+", "-"):
            more, number = self.product(depth)
            if sign == "-" and more:
                raise _Unknown
            dice = {sides: dice.get(sides, 0) + more.get(sides, 0) for sides in (*dice, *more)}
            flat += number if sign == "+" else -number
        return dice, flat

    def product(self, depth: int) -> _Value:
        dice, flat = self.one(depth)
        while sign := self.next("*", "/"):
            more, number = self.one(depth)
            if dice or more:
                raise _Unknown
            flat = flat * number if sign == "*" else flat / number
        return dice, flat

    def one(self, depth: int) -> _Value:
        sign = self.next("-", "+")
        if sign:
            dice, flat = self.one(depth + 1) if depth <= MAX_DEPTH else ({}, 0)
            if sign == "-" and dice:
                raise _Unknown
            return dice, -flat if sign == "-" else flat
        if self.next("("):
            found = self.total(depth + 1)
            if not self.next(")"):
                raise _Unknown
            return found
        if self.at >= len(self.tokens):
            raise _Unknown
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "dice":
            count, _, sides = text.partition("d")
            return {int(sides): int(count or 1)}, 0
        if kind == "number":
            return {}, float(text)
        if kind == "path":
            value = _value(text, self.values)
            if value is None:
                raise _Unknown
            return {}, value
        if kind == "name" and text in _FUNCTIONS and self.next("("):
            return {}, self.function(text, depth)
        raise _Unknown

    def function(self, name: str, depth: int) -> float:
        given = []
        while True:
            dice, flat = self.total(depth + 1)
            if dice:
                raise _Unknown
            given.append(flat)
            if not self.next(","):
                break
        if not self.next(")"):
            raise _Unknown
        return float(_FUNCTIONS[name](*given))
