"""Roll expressions such as `4d6kh3` or `1d20+5 adv`: their parser, their terms, and the rolls specified with them.

The grammar follows common dice programs, with limits that prevent excessive rolls. Parsed texts are cached. A
`RollSpec` contains the dice to roll and the reason for each number. A `Roll` contains every die, kept or dropped, and
every modifier, to explain any total. None of the structs can contain itself, so the garbage collector needn't track
them (`gc=False`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from math import comb
from typing import Final, Literal

import msgspec

EdgeKind = Literal["advantage", "disadvantage"]
Origin = Literal["random", "scripted", "typed", "fixed"]


class Modifier(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A flat number in a total, with its reason (a word key or plain text) and the id of its ledger rule.

    `kind` is the type of bonus or penalty, or empty. In some rule systems, bonuses of the same type don't stack.
    """

    value: int
    reason: str
    rule: str = ""
    kind: str = ""


class Edge(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """An advantage or disadvantage from a single source."""

    kind: EdgeKind
    reason: str
    rule: str = ""


class ExtraDice(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Additional dice in a roll, such as an expertise die. They are an expression such as `1d4`, with a reason."""

    dice: str
    reason: str
    rule: str = ""


class DeclinableModifier(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A modifier of a roll that the game master can decline. It has a reason and the id of its ledger rule.

    `apart`: the rule has several reasons, and each is declined separately. `is_open`: it only applies, as an `edge` or
    a `value`, after it is accepted. `depends_on` is the unknown fact that it depends on. `dice` are added to the roll, and
    `uses` is the id of the effect that then loses a use.
    """

    reason: str
    rule: str
    apart: bool = False
    is_open: bool = False
    edge: Literal["", "advantage", "disadvantage"] = ""
    value: int = 0
    depends_on: str = ""
    dice: str = ""
    uses: str = ""

    @property
    def id(self) -> str:
        """The id of this modifier within its roll: the rule, and also the reason if there can be several."""
        if self.is_open:
            return modifier_id("open", f"{self.reason} {self.edge or self.dice or self.value}")
        return modifier_id(self.rule, self.reason) if self.apart else self.rule

    @property
    def is_choice(self) -> bool:
        """Whether it is chosen for the roll, or depends on the sense that is used. Otherwise, the rules suggest it."""
        return self.is_open and (not self.depends_on or "chosen " in self.depends_on or "sense " in self.depends_on)


def modifier_id(rule: str, reason: str) -> str:
    """Return the id of one of several modifiers that have the same rule but different reasons."""
    return f"{rule} {reason}"


class RollSpec(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A roll that hasn't been made: the expression and everything that changes it, with reasons.

    If `dice` is empty, the rule system doesn't define any, and the user has to enter the result. `fails` is the reason
    why the roll fails regardless of the dice, or empty. `counted`: advantages stack, each adding a die of which the
    best counts, and each disadvantage cancels one. `doubled`: every die is rolled twice, but flat numbers count once.
    `offered` are the modifiers that can be declined. `again`: a d20 that shows this face or less is rolled once more,
    or lower faces count as this number, if it is negative.
    `uses` are the ids of effects that lose a use.
    """

    dice: str = "1d20"
    modifiers: tuple[Modifier, ...] = ()
    edges: tuple[Edge, ...] = ()
    extra: tuple[ExtraDice, ...] = ()
    fails: str = ""
    counted: bool = False
    doubled: bool = False
    offered: tuple[DeclinableModifier, ...] = ()
    again: int = 0
    uses: tuple[str, ...] = ()

    def thrown(self, dice: str) -> str:
        """Return some of the roll's dice as they are thrown: twice as many if the roll is doubled."""
        return str(parse(dice).doubled()) if self.doubled and dice else dice

    def without(self, declined: Collection[str]) -> RollSpec:
        """Return this roll without the offered modifiers with these ids."""
        gone = [one for one in self.offered if one.id in declined]
        if not gone:
            return self
        ids = {one.id for one in gone}

        def stays(rule: str, reason: str) -> bool:
            return rule not in ids and modifier_id(rule, reason) not in ids

        return msgspec.structs.replace(
            self,
            modifiers=tuple(modifier for modifier in self.modifiers if stays(modifier.rule, modifier.reason)),
            edges=tuple(edge for edge in self.edges if stays(edge.rule, edge.reason)),
            extra=tuple(one for one in self.extra if stays(one.rule, one.reason)),
            fails="" if self.fails in [one.reason for one in gone] else self.fails,
            offered=tuple(one for one in self.offered if one not in gone),
        )

    def with_accepted(self, accepted: Collection[str]) -> RollSpec:
        """Return this roll with the open modifiers with these ids."""
        taken = [one for one in self.offered if one.is_open and one.id in accepted]
        if not taken:
            return self
        return msgspec.structs.replace(
            self,
            modifiers=(*self.modifiers, *(Modifier(one.value, one.reason, one.rule) for one in taken if one.value)),
            edges=(*self.edges, *(Edge(one.edge, one.reason, one.rule) for one in taken if one.edge)),
            extra=(*self.extra, *(ExtraDice(one.dice, one.reason, one.rule) for one in taken if one.dice)),
            uses=(*self.uses, *(one.uses for one in taken if one.uses)),
            offered=tuple(one for one in self.offered if one not in taken),
        )


class Die(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A rolled die.

    `why` is the reason why it was dropped or added (`advantage`, `kh3`). A die with `sign` -1 is subtracted.
    """

    sides: int
    face: int
    kept: bool = True
    why: str = ""
    sign: int = 1


class RollPart(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The part of a total with a single damage type (`kind`, or empty), including dice and flat numbers.

    `dice` is the number of kept dice in it, on which some rules depend.
    """

    total: int
    kind: str = ""
    dice: int = 0


class Roll(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The result of a roll.

    `total` is None if unknown dice were entered. `natural` is the kept face of a single d20, or None if it is unknown
    or no d20 was rolled. `dice` is empty if only the total was entered.
    """

    dice: tuple[Die, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    parts: tuple[RollPart, ...] = ()
    edges: tuple[Edge, ...] = ()
    total: int | None = None
    natural: int | None = None
    text: str = ""
    origin: Origin = "random"


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
        raise DiceError(f"{net.capitalize()} needs a single die that decides, as in 1d20+5.", expression.text, 0)
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


MAX_LENGTH: Final = 200
MAX_DICE: Final = 1000
MAX_SIDES: Final = 1000
MAX_NUMBER: Final = 1_000_000

_TOKEN: Final = re.compile(
    r"""(?P<dice>(?P<count>[0-9]+\s*)?d\s*(?P<sides>[0-9]+|%)
            (?:\s*(?P<keep>[kpd][hl])\s*(?P<some>[0-9]*)(?![^\W\d_]))?)
      | (?P<number>[0-9]+)
      | (?P<sign>[+\-\u2212\u2013])
      | (?P<word>[^\W\d_]+(?:['\u2019-](?!d\s*[0-9%])[^\W\d_]+)*)
      | (?P<space>\s+)
      | (?P<other>.)""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_ADVANTAGE: Final = frozenset({"adv", "advantage"})
_DISADVANTAGE: Final = frozenset({"dis", "disadv", "disadvantage"})


@lru_cache(maxsize=1024)
def parse(text: str) -> Expression:
    """Parse an expression. Numbers without a damage type get the type of their neighbour.

    Raise DiceError if the text is invalid.
    """
    if len(text) > MAX_LENGTH:
        raise DiceError(f"A roll can have at most {MAX_LENGTH} characters.", text, MAX_LENGTH)
    reader = _Reader(text)
    for token in _tokens(text):
        reader.take(token)
    return reader.finish()


def _tokens(text: str) -> Iterator[re.Match[str]]:
    return (token for token in _TOKEN.finditer(text) if token.lastgroup != "space")


class _Reader:
    """A parser that accepts one token at a time. The accepted tokens are always the beginning of a valid roll."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.terms: list[Term] = []
        self.untyped: list[int] = []
        self.words: list[str] = []
        self.last_kind = ""
        self.edges: list[EdgeKind] = []
        self.sign = 0
        self.dice = 0
        self.end = 0

    def take(self, token: re.Match[str]) -> None:
        """Accept the next token. Raise DiceError if it isn't allowed here."""
        match token.lastgroup:
            case "sign":
                self._close_kind()
                self.sign = (self.sign or 1) * (1 if token[0] == "+" else -1)
            case "word":
                self._take_word(token)
            case "dice" | "number":
                self._take_operand(token)
            case _:
                raise self._error(f"“{token[0]}” can't be part of a roll.", token)
        self.end = token.end()

    def finish(self) -> Expression:
        """Return the whole expression. Raise DiceError if it is incomplete."""
        if self.sign:
            message = "Expected a number or dice here."
            raise DiceError(message, self.text, self.end)
        if not self.terms:
            message = "There is nothing to roll. Write dice such as 2d6+3."
            raise DiceError(message, self.text, 0)
        self._close_kind()
        for at in self.untyped:
            self.terms[at] = _with_kind(self.terms[at], self.last_kind)
        expression = Expression.of(self.terms, self.edges)
        try:
            with_edge(expression, cancel_edges(self.edges))
        except DiceError as error:
            raise DiceError(error.message, self.text, 0) from None
        return expression

    def _take_word(self, token: re.Match[str]) -> None:
        word = token[0].lower()
        if not self.terms or self.sign:
            raise self._error(f"Expected a number or dice before “{token[0]}”.", token)
        if word in _ADVANTAGE:
            self.edges.append("advantage")
        elif word in _DISADVANTAGE:
            self.edges.append("disadvantage")
        elif word in {"k", "kh", "kl", "p", "ph", "pl"}:
            raise self._error(
                "Write which dice to keep right after them: 4d6kh3 keeps the 3 highest, 4d6kl3 the 3 lowest.", token
            )
        elif len(word) == 1:
            raise self._error(f"“{token[0]}” isn't a damage type. Dice need a number of sides: 2d6.", token)
        else:
            self.words.append(word)

    def _take_operand(self, token: re.Match[str]) -> None:
        if self.terms and not self.sign:
            raise self._error(f"Put + or - before “{token[0].strip()}”.", token)
        sign = self.sign or 1
        self.sign = 0
        self.untyped.append(len(self.terms))
        self.terms.append(self._dice(token, sign) if token["dice"] else FlatTerm(sign * self._number(token)))

    def _number(self, token: re.Match[str]) -> int:
        digits = token[0].lstrip("0")
        if len(digits) > len(str(MAX_NUMBER)) or int(digits or "0") > MAX_NUMBER:
            raise self._error(f"A number can be at most {MAX_NUMBER:,}.", token)
        return int(digits or "0")

    def _dice(self, token: re.Match[str], sign: int) -> DiceTerm:
        count = int(token["count"] or "1")
        sides = 100 if token["sides"] == "%" else int(token["sides"])
        self.dice += count
        if not count:
            raise self._error("Roll at least one die.", token)
        if self.dice > MAX_DICE:
            raise self._error(f"At most {MAX_DICE:,} dice can be rolled at once.", token)
        if not 1 <= sides <= MAX_SIDES:
            raise self._error(f"A die has from 1 to {MAX_SIDES:,} sides.", token)
        if not token["keep"]:
            return DiceTerm(count, sides, count, sign=sign)
        return self._kept(token, count, sides, sign)

    def _kept(self, token: re.Match[str], count: int, sides: int, sign: int) -> DiceTerm:
        act, which = token["keep"][0].lower(), token["keep"][1].lower()
        some = int(token["some"] or "1")
        kept = some if act == "k" else count - some
        if not 1 <= kept <= count:
            raise self._error(f"Of {count} dice, from 1 to {count} can be kept.", token)
        highest = (which == "h") == (act == "k")
        if kept == count:
            return DiceTerm(count, sides, count, sign=sign)
        return DiceTerm(count, sides, kept, highest, sign, why=f"k{'h' if highest else 'l'}{kept}")

    def _close_kind(self) -> None:
        """Assign the damage type just read to all preceding numbers without a type."""
        kind = " ".join(word for word in self.words if word != "damage")
        self.words.clear()
        if not kind:
            return
        for at in self.untyped:
            self.terms[at] = _with_kind(self.terms[at], kind)
        self.untyped.clear()
        self.last_kind = kind

    def _error(self, message: str, token: re.Match[str]) -> DiceError:
        return DiceError(message, self.text, token.start())


def _with_kind(term: Term, kind: str) -> Term:
    if isinstance(term, FlatTerm):
        return FlatTerm(term.value, kind)
    return DiceTerm(term.count, term.sides, term.kept, term.highest, term.sign, kind, term.why)
