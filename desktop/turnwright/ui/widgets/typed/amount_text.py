"""Parser for amounts: damage with its save and condition, healing, or temporary hit points."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal

import msgspec

from turnwright.dice.errors import DiceError
from turnwright.dice.expression import parse
from turnwright.ui.widgets.typed.condition_text import EnteredCondition, LineWords, nearest_word, read_condition

Purpose = Literal["damage", "heal", "temporary"]
_HEALING = re.compile(r"\+\s*(?P<rest>.*)", re.DOTALL)
_TEMPORARY = re.compile(r"t(?:emp)?\s*(?P<rest>[\d+\-(].*|)", re.IGNORECASE | re.DOTALL)
_HARM = re.compile(r"[-−–]\s*(?P<rest>.*)", re.DOTALL)
_WORDS = re.compile(r"\d+|[^\s\d]+")  # splits `dex15` like `dex 15`
_NUMBER = re.compile(r"\d{1,6}")
MAX_AMOUNT = 100_000


class AmountError(ValueError):
    """A malformed text in the damage box. `key` is the key of the error message, and `params` are its parameters."""

    def __init__(self, key: str, **params: str | int) -> None:
        super().__init__(key)
        self.key = key
        self.params = params


class EnteredAmount(msgspec.Struct, frozen=True):
    """An entered amount. Damage is stored as the dice `expression`; healing and temporary hit points are a `number`.

    Damage can also have a `condition`, and a `save` with its `dc`. If `half`, a success halves the damage.
    """

    purpose: Purpose
    number: int = 0
    expression: str = ""
    save: str = ""
    dc: int = 0
    half: bool = False
    condition: EnteredCondition | None = None

    @property
    def is_plain(self) -> bool:
        """Whether the amount has no save and no condition."""
        return not self.save and self.condition is None


def read_line(text: str, words: LineWords) -> EnteredAmount:
    """Parse a line: an amount, optionally followed by a comma and a save (`Dex 15 half`) or a condition (`poi 3`).

    Raise AmountError if a part is malformed.
    """
    first, *rest = text.split(",")
    amount = read_amount(first, words.kinds)
    for part in rest:
        if amount.purpose != "damage":
            raise AmountError("ui.turn.amount-more", what=part.strip())
        amount = _with_part(amount, _WORDS.findall(part.lower()), words)
    return _with_ending_save(amount)


def _with_ending_save(amount: EnteredAmount) -> EnteredAmount:
    """Complete the save that ends the amount's condition. If none is given, use the save against the damage."""
    condition, change = amount.condition, msgspec.structs.replace
    if condition is None or condition.lasts != "save":
        return amount
    save, dc = condition.save or amount.save, condition.dc or (amount.dc if not condition.save else 0)
    if not (save and dc):
        raise AmountError("ui.condition.missing-save")
    return change(amount, condition=change(condition, save=save, dc=dc))


def _with_part(amount: EnteredAmount, parts: list[str], words: LineWords) -> EnteredAmount:
    """Add a save or a condition to an amount. Raise AmountError if the part is neither."""
    save = words.save(parts[0]) if parts else ""
    change = msgspec.structs.replace
    if not parts:
        return amount
    if save:
        numbers = [part for part in parts[1:] if part.isdecimal()]
        unknown = [part for part in parts[1:] if not part.isdecimal() and part not in ("half", "none", "dc", "save")]
        if unknown:
            near = words.nearest(unknown[0], ("half", "none"))
            raise AmountError(
                "ui.condition.unknown-near" if near else "ui.condition.unknown", what=unknown[0], near=near
            )
        if not numbers:
            raise AmountError("ui.turn.amount-dc", what=" ".join(parts))
        return change(amount, save=save, dc=min(int(numbers[0]), 1000), half="none" not in parts)
    condition = read_condition(" ".join(parts), words)
    if condition.unknown:
        near = nearest_word(condition, words)
        key = "ui.condition.unknown-near" if near else "ui.condition.unknown"
        raise AmountError(key, what=condition.unknown, near=near)
    return change(amount, condition=condition)


def read_amount(text: str, kinds: Collection[str] = ()) -> EnteredAmount:
    """Parse an amount: `12`, `-7`, `+5`, `t5` or `2d6+3 fire`. Raise AmountError if it is malformed.

    `kinds` are the damage types of the rule system; if it is empty, any word is accepted. A bare number has no type.
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
    return _damage(harm["rest"] if harm else text, kinds)


def _number(text: str, key: str) -> int:
    text = text.strip()
    if not _NUMBER.fullmatch(text) or int(text) > MAX_AMOUNT:
        raise AmountError(key, what=text)
    return int(text)


def _damage(text: str, kinds: Collection[str]) -> EnteredAmount:
    try:
        expression = parse(text)
    except DiceError as error:
        raise AmountError("ui.turn.amount-dice", what=text, why=error.message) from error
    kinds_used = [part.kind for part in expression.parts if part.kind]
    unknown = next((kind for kind in kinds_used if kinds and kind not in kinds), "")
    if unknown:
        near = LineWords().nearest(unknown, kinds)
        key = "ui.turn.amount-kind-near" if near else "ui.turn.amount-kind"
        raise AmountError(key, what=unknown, near=near, kinds=", ".join(sorted(kinds)))
    if expression.maximum < 0:
        raise AmountError("ui.turn.amount-negative", what=text)
    return EnteredAmount("damage", expression=str(expression))


def apply_share(number: int, share: str) -> int:
    """Return the full number, half of it (rounded down) or double."""
    return {"half": number // 2, "double": number * 2}.get(share, number)
