"""Evaluates formulas of dice, numbers and named values: `4d6 + @str.mod` becomes `4d6+5`."""

import ast
import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

import msgspec

from turnwright.importers.common import as_text
from turnwright.importers.vocabulary import Patterns
from turnwright.storage.fights import ConversionReport

MAX_LENGTH: Final = 200
_RE: Final = Patterns("foundry_formulas")
_FUNCTIONS: Final[Mapping[str, Callable[..., float]]] = {
    "min": min, "max": max, "floor": math.floor, "ceil": math.ceil, "round": round, "abs": abs,
}  # fmt: skip


class FormulaResult(msgspec.Struct, frozen=True):
    """The result of a formula: the number of dice of each size, and a flat bonus."""

    dice: tuple[tuple[int, int], ...] = ()
    flat: int = 0

    @property
    def text(self) -> str:
        """The roll as text: `2d6+3`, `1d4-1`, `5`."""
        dice = "+".join(f"{count}d{sides}" for count, sides in self.dice)
        return f"{dice}{self.flat:+d}" if dice and self.flat else dice or str(self.flat)


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
            dice, flat = _rolled(ast.parse(_as_python(_RE.flavour.sub("", formula), values), mode="eval").body)
        except (_Unknown, SyntaxError, RecursionError, ZeroDivisionError, OverflowError, TypeError):
            return None
        return FormulaResult(tuple((count, sides) for sides, count in dice.items() if count), math.floor(flat))


def _as_python(formula: str, values: Mapping[str, int]) -> str:
    """Convert a formula to Python syntax: dice become calls, and named values become numbers."""
    tokens: list[str] = []
    place = 0
    while place < len(formula):
        token = _RE.token.match(formula, place)
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
    bare = path.removeprefix("abilities.").removeprefix("attributes.").removeprefix("details.")
    for name in (path, bare, path.removesuffix(".value")):
        if name in values:
            return values[name]
    raise _Unknown


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


class DamageRollPart(msgspec.Struct, frozen=True):
    """A computed damage roll of one type: its dice, flat bonus and label, and whether Foundry rolls it by default."""

    amount: str
    kind: str
    dice: str = ""
    flat: int = 0
    added: bool = False
    label: str = ""
    is_default: bool = True

    @property
    def text(self) -> str:
        """The damage as it is written: `2d6+3 fire`."""
        return f"{self.amount} {self.kind}".rstrip()

    @property
    def labelled(self) -> str:
        """The damage with its label: `Charge: 2d6 fire`."""
        return f"{self.label}: {self.text}" if self.label else self.text


class DamageByTiming(msgspec.Struct):
    """The damage of one action, grouped by timing."""

    hit: list[DamageRollPart] = []
    saved: list[DamageRollPart] = []
    ongoing: list[DamageRollPart] = []
    beside: list[DamageRollPart] = []


def sort_damage(
    rolls: Sequence[DamageRollPart], prose: str, on_save: str, *, save: bool, other_features: Collection[str] = ()
) -> DamageByTiming:
    """Sort the damage rolls of an action by timing.

    `on_save` is the text about a successful save; `other_features` are the names of the creature's other features.
    """
    by_timing = DamageByTiming()
    rolls = sorted(rolls, key=lambda roll: not _RE.normal.search(roll.label) or bool(_RE.label.search(roll.label)))
    anything_usual = any(roll.is_default for roll in rolls)
    for number, roll in enumerate(rolls):
        place = _place(roll, prose, usual=roll.is_default if anything_usual else not number)
        if place == "hit" and by_timing.hit:
            if roll.label.lower() in other_features and not (save and _RE.half.search(on_save)):
                place = "saved" if save else "beside"
            elif save and ((roll.kind and roll.kind in on_save.lower()) or _half_of(roll, prose)):
                place = "saved"
        rolls_there = getattr(by_timing, place)
        if place in ("hit", "saved"):
            if (choice := _choice(rolls_there, roll, prose)) is not None:
                rolls_there[choice] = msgspec.structs.replace(rolls_there[choice], kind="")
                continue
            if any(one.kind == roll.kind or (one.added and roll.added) for one in by_timing.hit + by_timing.saved):
                rolls_there = by_timing.beside
        rolls_there.append(roll)
    return by_timing


def _place(roll: DamageRollPart, prose: str, *, usual: bool) -> str:
    at = position_in_prose(prose, roll)
    if at < 0:
        return "hit" if usual and not _RE.label.search(roll.label) else "beside"
    start, end = prose.rfind(". ", 0, at) + 1, prose.find(". ", at)
    after = re.split(r"[.,;:]", prose[at : at + 100], maxsplit=1)[0]
    if "ongoing" in after[:30].lower():
        return "ongoing"
    if _RE.extra.search(prose[max(0, at - 40) : at]) or _RE.again.search(after):
        return "beside"
    own = _RE.then_saves.split(prose[at : end if end > 0 else len(prose)], maxsplit=1)[0]  # before a later save
    return "saved" if _RE.saved.search(prose[start:at] + own) else "hit"


def position_in_prose(prose: str, roll: DamageRollPart) -> int:
    """Return the position of the same dice and flat bonus in a text, or -1 if the text doesn't contain them."""
    at = prose.find(roll.dice) if roll.dice else -1
    while at >= 0:
        added = _RE.flat.match(prose, at + len(roll.dice))
        flat = int(added[2]) * (1 if added[1] == "+" else -1) if added else 0
        if flat == roll.flat and not prose[at - 1 : at].isdecimal():
            return at
        at = prose.find(roll.dice, at + 1)
    return -1


def is_extra(prose: str, roll: DamageRollPart) -> bool:
    """Return whether a roll is extra damage, according to its label or the text."""
    if _RE.extra_label.search(roll.label):
        return True
    at = position_in_prose(prose, roll)
    return at >= 0 and re.search(r"\b(?:extra|additional)\s+(?:\d+\s*\(\s*)?$", prose[max(0, at - 40) : at]) is not None


def is_dealt_later(prose: str, roll: DamageRollPart) -> bool:
    """Whether a roll is dealt at the start or end of later turns, according to the text."""
    at = position_in_prose(prose, roll)
    return at >= 0 and _RE.later.search(re.split(r"[.;:]", prose[at : at + 100], maxsplit=1)[0]) is not None


def _choice(there: Sequence[DamageRollPart], roll: DamageRollPart, prose: str) -> int | None:
    """Return the index of an equal roll if the text offers a choice between its type and this roll's, or None."""
    text = prose.lower()
    for at, other in enumerate(there):
        choices = (f"{other.kind} or {roll.kind}", f"{roll.kind} or {other.kind}")
        if other.amount == roll.amount and any(choice in text for choice in choices):
            return at
    return None


def _half_of(roll: DamageRollPart, prose: str) -> bool:
    """Return whether a text without numbers states that a save halves damage of this type."""
    harm = rf"{re.escape(roll.kind)} damage"
    halves = rf"(?i)half (?:\w+ ){{0,5}}{harm}|{harm}[^.]{{0,200}} half"
    return bool(roll.kind) and re.search(halves, prose) is not None
