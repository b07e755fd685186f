"""Lines of the turn panel as data and chips: conditions (`poi 3`), amounts (`2d6+3 fire`), and checks (`dex 15`)."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import msgspec
from PySide6.QtWidgets import QFrame

from turnwright.dice.expression import DiceError, EdgeKind, parse
from turnwright.rules.parts.actions import condition_words
from turnwright.ui.look.style import SPACE, scaled, tr
from turnwright.ui.look.window_data import window_data
from turnwright.ui.widgets import fields, layout
from turnwright.ui.widgets.text import IconLabel, plain_label

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
    condition: condition_words.EnteredCondition | None = None

    @property
    def is_plain(self) -> bool:
        """Whether the amount has no save and no condition."""
        return not self.save and self.condition is None


def read_line(text: str, words: condition_words.LineWords) -> EnteredAmount:
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


def _with_part(amount: EnteredAmount, parts: list[str], words: condition_words.LineWords) -> EnteredAmount:
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
    condition = condition_words.read_condition(" ".join(parts), words)
    if condition.lasts in condition_words.RESTS:
        raise AmountError("ui.condition.unknown", what=condition.lasts)
    if condition.unknown:
        near = condition_words.nearest_word(condition, words)
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
    if healing := _HEALING.fullmatch(text):
        return EnteredAmount("heal", _number(healing["rest"], "ui.turn.amount-heal"))
    if temporary := _TEMPORARY.fullmatch(text):
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
    if unknown := next((kind for kind in kinds_used if kinds and kind not in kinds), ""):
        near = condition_words.LineWords().nearest(unknown, kinds)
        key = "ui.turn.amount-kind-near" if near else "ui.turn.amount-kind"
        raise AmountError(key, what=unknown, near=near, kinds=", ".join(sorted(kinds)))
    if expression.maximum < 0:
        raise AmountError("ui.turn.amount-negative", what=text)
    return EnteredAmount("damage", expression=str(expression))


def apply_share(number: int, share: str) -> int:
    """Return the full number, half of it (rounded down) or double."""
    return {"half": number // 2, "double": number * 2}.get(share, number)


EDGES = window_data("typed.edges", dict[str, EdgeKind])
SAVES = frozenset({"save", "saves", "saving"})
CHECK_FILLERS = frozenset({"throw", "throws", "check", "checks", "dc", "against", "vs"})
_CHECK_WORDS = re.compile(r"\d+|[^\s\d,]+")  # splits `dex15` like `dex 15`
MAX_DC = 1000


class EnteredCheck(msgspec.Struct, frozen=True):
    """A check (`dex`, `dex:stealth`) or a save as typed, with its DC (0 if none was typed).

    `unknown` is the first word that wasn't recognised.
    """

    check: str = ""
    save: str = ""
    dc: int = 0
    edge: EdgeKind | Literal[""] = ""
    unknown: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether a check or a save was typed and every word was recognised."""
        return bool(self.check or self.save) and not self.unknown


def read_check(text: str, words: condition_words.LineWords) -> EnteredCheck:
    """Parse a check or a save. An ability on its own is a check; followed by `save` it is a save."""
    dc, edge, is_save, name = 0, EnteredCheck().edge, False, list[str]()
    for part in _CHECK_WORDS.findall(text.lower()):
        if part.isdecimal():
            dc = min(int(part), MAX_DC)
        elif part in EDGES:
            edge = EDGES[part]
        elif part in SAVES:
            is_save = True
        elif part not in CHECK_FILLERS:
            name.append(part)
    if not name:
        return EnteredCheck(dc=dc, edge=edge)
    save, check = words.save(" ".join(name)), _check(name, words)
    if save and (is_save or not check):
        return EnteredCheck("", save, dc, edge)
    return EnteredCheck(check, "", dc, edge, "" if check else name[0])


def _check(name: list[str], words: condition_words.LineWords) -> str:
    """Return the id of a check with a name, or an empty string. A skill can follow an ability (`str athletics`)."""
    ability, skill = words.check(name[0]), words.check(" ".join(name[1:]))
    if len(name) > 1 and ability and ":" not in ability and ":" in skill:
        return f"{ability}:{skill.partition(':')[2]}"
    return words.check(" ".join(name))


@dataclass(frozen=True)
class ChipView:
    """A chip's word and tone. The tone is `warn` for an unknown word and `accent` for the main word."""

    text: str
    tone: str = ""
    icon: str = ""


class _Chip(QFrame):
    def __init__(self, view: ChipView) -> None:
        super().__init__()
        self.setProperty("word", True)
        self.setProperty("tone", view.tone)
        self.setFixedHeight(scaled(28))
        row = layout.horizontal(self, spacing=SPACE + 2, margins=(12, 0, 12, 0))
        if view.icon:
            row.addWidget(IconLabel(view.icon, view.tone or "muted", 16))
        row.addWidget(plain_label(view.text, "caption", view.tone))
        self.setAccessibleName(view.text)


class LineChips(layout.FlowRow):
    """A row of chips."""

    def __init__(self) -> None:
        super().__init__(roomy=True)
        self._views: tuple[ChipView, ...] = ()

    @property
    def texts(self) -> list[str]:
        """The texts of the visible chips."""
        return [view.text for view in self._views]

    def show_chips(self, views: Sequence[ChipView]) -> None:
        """Replace the chips."""
        if tuple(views) == self._views:
            return
        self._views = tuple(views)
        self.clear()
        for view in views:
            chip = _Chip(view)
            self.add(chip)
            chip.show()
        self.keep_room()

    def offer(self, choices: Sequence[tuple[str, str]], choose: Callable[[str], object]) -> None:
        """Show buttons instead of chips, each with the letters to type. Clicking a button calls `choose(letters)`."""
        self._views = ()
        self.clear()
        for letters, name in choices:
            button = fields.KeyButton(name, partial(choose, letters), letters, "bulk", role="caption")
            self.add(button)
            button.show()
        self.keep_room()


def condition_chips(
    entered: condition_words.EnteredCondition, words: condition_words.LineWords, ending: str = "", held: int = 0
) -> list[ChipView]:
    """Return the chips that show how a condition was read. A chip for an unknown word comes last.

    `held` is the level that the targets already have.
    """
    chips = []
    word = next((condition for condition in words.conditions if condition.id == entered.condition), None)
    if word is not None:
        key = "ui.condition.level-from" if held else "ui.condition.with-level"
        name = tr(key, what=word.name, held=held, n=entered.level) if entered.level else word.name
        chips.append(ChipView(name, "accent", word.icon))
    if entered.lasts == "rounds":
        chips.append(ChipView(tr("ui.condition.rounds", n=entered.rounds), "accent", "timer-sand"))
    elif entered.lasts == "turn":
        chips.append(ChipView(tr("ui.condition.lasts-turn"), "accent", "timer-sand"))
    elif entered.lasts in condition_words.RESTS:
        chips.append(ChipView(tr(f"ui.condition.until-{entered.lasts}"), "accent", "bed"))
    elif entered.lasts == "save" and entered.save:
        chips.append(ChipView(save_text(entered.save, entered.dc, words), "accent", "shield-outline"))
    if ending:
        chips.append(ChipView(ending))
    if entered.unknown:
        chips.append(unknown_chip(entered.unknown, condition_words.nearest_word(entered, words)))
    return chips


def save_text(save: str, dc: int, words: condition_words.LineWords) -> str:
    """Return the name of a save with its DC."""
    return tr("ui.condition.save-dc", ability=words.save_name(save), dc=dc or "?")


def unknown_chip(word: str, near: str) -> ChipView:
    """Return the warning chip for an unknown word, with the most similar known word."""
    text = tr("ui.condition.unknown-near", what=word, near=near) if near else tr("ui.condition.unknown", what=word)
    return ChipView(text, "warn", "help-circle-outline")


def amount_chips(text: str, words: condition_words.LineWords) -> list[ChipView]:
    """Return the chips that show how a damage line is read so far. A number on its own has none."""
    if not any(letter.isalpha() for letter in text.lower().replace("d", "")):
        return []
    try:
        amount = read_line(text, words)
    except AmountError as error:
        what, near = str(error.params.get("what", "")), str(error.params.get("near", ""))
        return [unknown_chip(what, near)] if "near" in error.params and what else []
    if amount.purpose != "damage":
        return []
    chips = [ChipView(amount.expression, "accent", "sword")]
    if amount.save:
        chips.append(ChipView(save_text(amount.save, amount.dc, words), "", "shield-outline"))
        chips.append(ChipView(tr("ui.damage.half-on-save" if amount.half else "ui.damage.none-on-save")))
    return chips + (condition_chips(amount.condition, words) if amount.condition is not None else [])
