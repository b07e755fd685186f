"""Evaluates formulas of dice, numbers and named values: `4d6 + @str.mod` becomes `4d6+5`."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from turnwright.importers.common import as_text
from turnwright.storage.conversion_report import ConversionReport

MAX_LENGTH: Final = 200
_TOKEN = re.compile(
    r"\s*(?:(?P<dice>\d{0,3}d\d{1,3}(?![a-z\d]))|(?P<number>\d{1,6}(?:\.\d{1,4})?)(?![a-z])|@(?P<path>[\w.]+)"
    r"|(?P<name>[a-z]+)(?=\s*\()|(?P<sign>[-+*/(),]))\s*",
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
    """The result of a formula: the number of dice of each size, and a flat bonus."""

    dice: tuple[tuple[int, int], ...] = ()
    flat: int = 0

    @property
    def text(self) -> str:
        """The roll as text: `2d6+3`, `1d4-1`, `5`."""
        dice = "+".join(f"{count}d{sides}" for count, sides in self.dice)
        if not dice:
            return str(self.flat)
        return f"{dice}{self.flat:+d}" if self.flat else dice


class _Unknown(Exception):
    """Raised if a formula can't be evaluated."""


class FormulaEvaluator:
    """Evaluates formulas with the named values of one creature (`str.mod`, `prof`). Results are cached."""

    __slots__ = ("_known", "values")

    def __init__(self, values: Mapping[str, int]) -> None:
        self.values = values
        self._known: dict[str, FormulaResult | None] = {}

    def amount(self, formula: Any, **here: int) -> FormulaResult | None:
        """Evaluate a formula. Return None if it can't be evaluated. `here` adds named values."""
        if isinstance(formula, int) and not isinstance(formula, bool):
            return FormulaResult((), formula)
        if not isinstance(formula, str) or not formula.strip() or len(formula) > MAX_LENGTH:
            return None
        if here and "@" in formula:
            return self._read(formula, {**self.values, **here})
        if formula not in self._known:
            self._known[formula] = self._read(formula, self.values)
        return self._known[formula]

    def number(self, formula: Any, **here: int) -> int | None:
        """Evaluate a formula without dice. Return None if it has dice or can't be evaluated."""
        result = self.amount(formula, **here)
        return result.flat if result is not None and not result.dice else None

    def bonus(self, formula: Any, field: str, report: ConversionReport) -> int:
        """Return a bonus as a number, or 0 if it is empty or its formula can't be evaluated, which is reported."""
        if formula in (None, "", "0", 0):
            return 0
        number = self.number(formula)
        if number is None:
            report.add_note(field, as_text(formula), "unsupported formula; not included")
        return number or 0

    def _read(self, formula: str, values: Mapping[str, int]) -> FormulaResult | None:
        try:
            dice, flat = _rolled(ast.parse(_as_python(_FLAVOUR.sub("", formula), values), mode="eval").body)
        except (_Unknown, SyntaxError, RecursionError, ZeroDivisionError, OverflowError, TypeError):
            return None
        return FormulaResult(tuple((count, sides) for sides, count in dice.items() if count), math.floor(flat))


def _as_python(formula: str, values: Mapping[str, int]) -> str:
    """Convert a formula to Python syntax: dice become calls, and named values become numbers."""
    tokens: list[str] = []
    place = 0
    while place < len(formula):
        token = _TOKEN.match(formula, place)
        if not token:
            raise _Unknown
        place = token.end()
        if token["dice"]:
            count, _, sides = token["dice"].lower().partition("d")
            tokens.append(f"dice({int(count or 1)}, {int(sides)})")
        elif token["path"] or token["number"]:
            tokens.append(str(_value(token["path"], values) if token["path"] else float(token["number"])))
        else:
            tokens.append(token[0].strip().lower())
    return " ".join(tokens)


def _value(path: str, values: Mapping[str, int]) -> int:
    """Return a named value, given its full path or the end of it (`abilities.str.mod`)."""
    bare = path
    for prefix in ("abilities.", "attributes.", "details."):
        bare = bare.removeprefix(prefix)
    value = next((values[name] for name in (path, bare, path.removesuffix(".value")) if name in values), None)
    if value is None:
        raise _Unknown
    return value


def _rolled(node: ast.expr) -> tuple[dict[int, int], float]:
    """Return the number of dice of each size, and a flat number. Dice can only be added."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return {}, number
        case ast.Call(ast.Name("dice"), [ast.Constant(int() as count), ast.Constant(int() as sides)]):
            return {sides: count}, 0
        case ast.Call(ast.Name(name), given) if name in _FUNCTIONS:
            return {}, float(_FUNCTIONS[name](*map(_number, given)))
        case ast.UnaryOp(ast.UAdd(), only):
            return _rolled(only)
        case ast.UnaryOp(ast.USub(), only):
            return {}, -_number(only)
        case ast.BinOp(first, ast.Add(), second):
            (dice, flat), (more, number) = _rolled(first), _rolled(second)
            return {sides: dice.get(sides, 0) + more.get(sides, 0) for sides in (*dice, *more)}, flat + number
        case ast.BinOp(first, ast.Sub(), second):
            dice, flat = _rolled(first)
            return dice, flat - _number(second)
        case ast.BinOp(first, ast.Mult(), second):
            return {}, _number(first) * _number(second)
        case ast.BinOp(first, ast.Div(), second):
            return {}, _number(first) / _number(second)
    raise _Unknown


def _number(node: ast.expr) -> float:
    """Return the value of an expression without dice."""
    dice, flat = _rolled(node)
    if dice:
        raise _Unknown
    return flat
