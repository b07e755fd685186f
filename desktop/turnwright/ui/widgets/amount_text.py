"""Parser for the damage box: damage, healing, or temporary hit points."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal

import msgspec

from turnwright.dice.errors import DiceError
from turnwright.dice.expression import parse

Purpose = Literal["damage", "heal", "temporary"]
_HEALING = re.compile(r"\+\s*(?P<rest>.*)", re.DOTALL)
_TEMPORARY = re.compile(r"t(?:emp)?\s*(?P<rest>[\d+\-(].*|)", re.IGNORECASE | re.DOTALL)
_HARM = re.compile(r"[-−–]\s*(?P<rest>.*)", re.DOTALL)
_NUMBER = re.compile(r"\d{1,6}")
MAX_AMOUNT = 100_000


class AmountError(ValueError):
    """A text in the damage box that can't be read; `key` is a word key with `params`."""

    def __init__(self, key: str, **params: str | int) -> None:
        super().__init__(key)
        self.key = key
        self.params = params


class EnteredAmount(msgspec.Struct, frozen=True):
    """`damage` has an expression with its types; `heal` and `temporary` have a number. `kind`: the last type named."""

    purpose: Purpose
    number: int = 0
    expression: str = ""
    kind: str = ""


def read_amount(text: str, last_kind: str = "", kinds: Collection[str] = ()) -> EnteredAmount:
    """Return the amount that `12`, `-7`, `+5`, `t5` or `2d6+3 fire` stand for; AmountError for other texts.

    `kinds` are the damage types of the game (none: any word will do); a bare number takes `last_kind`, if given.
    """
    text = text.strip()
    if not text:
        raise AmountError("ui.turn.amount-empty")
    healing = _HEALING.fullmatch(text)
    if healing:
        return EnteredAmount("heal", _number(healing["rest"], "ui.turn.amount-heal"))
    temporary = _TEMPORARY.fullmatch(text)
    if temporary:
        return EnteredAmount("temporary", _number(temporary["rest"], "ui.turn.amount-temporary"))
    harm = _HARM.fullmatch(text)
    return _damage(harm["rest"] if harm else text, last_kind, kinds)


def _number(text: str, key: str) -> int:
    text = text.strip()
    if not _NUMBER.fullmatch(text) or int(text) > MAX_AMOUNT:
        raise AmountError(key, what=text)
    return int(text)


def _damage(text: str, last_kind: str, kinds: Collection[str]) -> EnteredAmount:
    try:
        expression = parse(text)
    except DiceError as error:
        raise AmountError("ui.turn.amount-dice", what=text, why=error.message) from error
    named = [part.kind for part in expression.parts if part.kind]
    strange = next((kind for kind in named if kinds and kind not in kinds), "")
    if strange:
        raise AmountError("ui.turn.amount-kind", what=strange, kinds=", ".join(sorted(kinds)))
    if expression.maximum < 0:
        raise AmountError("ui.turn.amount-negative", what=text)
    if not named and last_kind:
        return EnteredAmount("damage", expression=f"{expression} {last_kind}", kind=last_kind)
    return EnteredAmount("damage", expression=str(expression), kind=named[-1] if named else "")


def apply_share(number: int, share: str) -> int:
    """Return a number in full, halved (rounded down) or doubled."""
    return {"half": number // 2, "double": number * 2}.get(share, number)
