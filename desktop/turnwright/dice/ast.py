"""The terms of a parsed roll: dice, flat numbers, and the expression that contains them.

All of them are immutable and have a minimum, maximum and mean. `dice.expression` parses them, `dice.rolling` rolls
them, and `dice.distributions` computes their odds.

Errors about dice: invalid roll expressions, and prepared faces that don't fit or are used up.
"""

from __future__ import annotations

from itertools import groupby
from math import comb
from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from turnwright.dice.roll import EdgeKind


class DiceError(ValueError):
    """Raised if a text can't be parsed as dice. `position` is an index in `text`."""

    def __init__(self, message: str, text: str = "", position: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.text = text
        self.position = position


class OutOfDice(Exception):
    """Raised if all prepared faces have been used."""


NetEdge = Literal["", "advantage", "disadvantage"]


class DiceTerm(msgspec.Struct, frozen=True):
    """`count` dice, of which the `kept` highest (or lowest) are added, or subtracted if `sign` is -1.

    `why` is the reason why the others are dropped. `kind` is a damage type or empty.
    """

    count: int
    sides: int
    kept: int
    highest: bool = True
    sign: int = 1
    kind: str = ""
    why: str = ""

    @property
    def minimum(self) -> int:
        """The lowest result."""
        return self.kept if self.sign > 0 else -self.kept * self.sides

    @property
    def maximum(self) -> int:
        """The highest result."""
        return self.kept * self.sides if self.sign > 0 else -self.kept

    @property
    def mean(self) -> float:
        """The average result."""
        if self.kept == self.count:
            return self.sign * self.count * (self.sides + 1) / 2
        highest = _mean_of_highest(self.count, self.sides, self.kept)
        return self.sign * (highest if self.highest else self.kept * (self.sides + 1) - highest)

    def __str__(self) -> str:
        """Return the dice without their sign and damage type, such as `4d6kh3`."""
        keep = "" if self.kept == self.count else f"k{'h' if self.highest else 'l'}{self.kept}"
        return f"{self.count}d{self.sides}{keep}"


class FlatTerm(msgspec.Struct, frozen=True):
    """A number that is always added. `kind` is a damage type or empty."""

    value: int
    kind: str = ""

    @property
    def sign(self) -> int:
        """-1 for a number that is subtracted, else 1."""
        return -1 if self.value < 0 else 1

    @property
    def minimum(self) -> int:
        """The number."""
        return self.value

    @property
    def maximum(self) -> int:
        """The number."""
        return self.value

    @property
    def mean(self) -> float:
        """The number."""
        return float(self.value)

    def __str__(self) -> str:
        """Return the number without its sign and damage type."""
        return str(abs(self.value))


Term = DiceTerm | FlatTerm


class ExpressionPart(msgspec.Struct, frozen=True):
    """All terms of one damage type, in order."""

    kind: str
    terms: tuple[Term, ...]

    @property
    def dice(self) -> int:
        """The number of kept dice in this part."""
        return sum(term.kept for term in self.terms if isinstance(term, DiceTerm))

    @property
    def flat(self) -> int:
        """The sum of the flat numbers in this part."""
        return sum(term.value for term in self.terms if isinstance(term, FlatTerm))

    @property
    def minimum(self) -> int:
        """The lowest total."""
        return sum(term.minimum for term in self.terms)

    @property
    def maximum(self) -> int:
        """The highest total."""
        return sum(term.maximum for term in self.terms)

    @property
    def mean(self) -> float:
        """The average total."""
        return sum(term.mean for term in self.terms)


class Expression(msgspec.Struct, frozen=True):
    """A parsed roll: its terms, its advantages and disadvantages in order, and its text in canonical form."""

    terms: tuple[Term, ...]
    edges: tuple[EdgeKind, ...]
    text: str

    @classmethod
    def of(cls, terms: Iterable[Term], edges: Iterable[EdgeKind] = ()) -> Expression:
        """Create an expression from terms and edges, with its canonical text."""
        terms, edges = tuple(terms), tuple(edges)
        return cls(terms, edges, format_terms(terms, edges))

    @property
    def parts(self) -> tuple[ExpressionPart, ...]:
        """The terms grouped by damage type, in order of first appearance."""
        return parts_of(self.terms)

    @property
    def is_constant(self) -> bool:
        """Whether the expression contains no dice."""
        return not any(isinstance(term, DiceTerm) for term in self.terms)

    @property
    def minimum(self) -> int:
        """The lowest total."""
        return sum(term.minimum for term in self.terms)

    @property
    def maximum(self) -> int:
        """The highest total."""
        return sum(term.maximum for term in self.terms)

    @property
    def mean(self) -> float:
        """The average total, including advantage or disadvantage."""
        return sum(term.mean for term in with_edge(self, cancel_edges(self.edges)))

    def doubled(self) -> Expression:
        """Return the expression with each die rolled twice. Flat numbers aren't doubled."""
        return Expression.of((twice for term in self.terms for twice in _twice(term)), self.edges)

    def __str__(self) -> str:
        """Return the canonical text. Parsing it gives an equal expression."""
        return self.text


def parts_of(terms: Iterable[Term]) -> tuple[ExpressionPart, ...]:
    """Return the terms grouped by damage type, in order of first appearance."""
    kinds: dict[str, list[Term]] = {}
    for term in terms:
        kinds.setdefault(term.kind, []).append(term)
    return tuple(ExpressionPart(kind, tuple(members)) for kind, members in kinds.items())


def format_terms(terms: Iterable[Term], edges: Iterable[EdgeKind] = ()) -> str:
    """Return terms and edges as text, such as `1d8+3 slashing + 1d6 cold`."""
    pieces: list[str] = []
    for kind, group in groupby(terms, key=lambda term: term.kind):
        body = "".join(f"{'-' if term.sign < 0 else '+'}{term}" for term in group)
        body = f"{body[0]} {body[1:]}" if pieces else body.removeprefix("+")
        pieces.append(f"{body} {kind}" if kind else body)
    return " ".join([*pieces, *(edge[:3] for edge in edges)])


def cancel_edges(edges: Iterable[EdgeKind]) -> NetEdge:
    """Return the net edge of several edges. Any number of advantages and disadvantages cancel each other."""
    kinds = set(edges)
    return kinds.pop() if len(kinds) == 1 else ""


def add_up_edges(edges: Iterable[EdgeKind]) -> tuple[NetEdge, int]:
    """Return the net edge and its count if edges stack: each disadvantage cancels one advantage."""
    kinds = tuple(edges)
    net = kinds.count("advantage") - kinds.count("disadvantage")
    return ("advantage" if net > 0 else "disadvantage" if net < 0 else "", abs(net))


def with_edge(expression: Expression, net: NetEdge, times: int = 1) -> tuple[Term, ...]:
    """Return the terms with the deciding die rolled `times` more for `net`. Raise DiceError if there is no such die."""
    if not net:
        return expression.terms
    at = lone_die(expression.terms)
    if at is None:
        message = f"{net.capitalize()} needs a single die that decides, as in 1d20+5."
        raise DiceError(message, expression.text, 0)
    term = expression.terms[at]
    assert isinstance(term, DiceTerm)
    again = DiceTerm(1 + times, term.sides, 1, highest=net == "advantage", kind=term.kind, why=net)
    return (*expression.terms[:at], again, *expression.terms[at + 1 :])


def lone_die(terms: tuple[Term, ...]) -> int | None:
    """Return the index of the die that decides a roll (its only d20, or else its only die), or None."""
    dice = [at for at, term in enumerate(terms) if isinstance(term, DiceTerm)]
    twenty = lone_d20(terms)
    at = twenty if twenty is not None else dice[0] if len(dice) == 1 else None
    if at is None:
        return None
    term = terms[at]
    return at if isinstance(term, DiceTerm) and term.count == 1 and term.sign > 0 else None


def lone_d20(terms: tuple[Term, ...]) -> int | None:
    """Return the index of the only d20 term if it keeps and adds a single d20, or None."""
    twenties = [at for at, term in enumerate(terms) if isinstance(term, DiceTerm) and term.sides == 20]
    if len(twenties) != 1:
        return None
    term = terms[twenties[0]]
    return twenties[0] if isinstance(term, DiceTerm) and term.kept == 1 and term.sign > 0 else None


def _twice(term: Term) -> tuple[Term, ...]:
    if isinstance(term, FlatTerm):
        return (term,)
    if term.kept < term.count:
        return (term, term)
    return (msgspec.structs.replace(term, count=2 * term.count, kept=2 * term.kept),)


def _mean_of_highest(count: int, sides: int, kept: int) -> float:
    """Return the mean sum of the kept highest dice.

    For each face, add the expected number of kept dice that show at least this face.
    """
    ways = [comb(count, shown) for shown in range(count + 1)]
    mean = 0.0
    for face in range(1, sides + 1):
        reach = (sides - face + 1) / sides
        mean += sum(
            min(kept, shown) * way * reach**shown * (1 - reach) ** (count - shown) for shown, way in enumerate(ways)
        )
    return mean
