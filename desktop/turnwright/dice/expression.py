"""Parser for roll expressions: `2d6+3`, `4d6kh3`, `1d20+5 adv`, `1d8+3 slashing + 1d6 cold`.

The grammar follows common dice programs, with limits that prevent excessive rolls. Parsed texts are cached.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from turnwright.dice.ast import DiceError, DiceTerm, Expression, FlatTerm, Term, cancel_edges
from turnwright.dice.ast import with_edge as _edged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turnwright.dice.roll import EdgeKind


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
        message = f"A roll can have at most {MAX_LENGTH} characters."
        raise DiceError(message, text, MAX_LENGTH)
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
            _edged(expression, cancel_edges(self.edges))
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
