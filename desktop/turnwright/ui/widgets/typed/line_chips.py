"""Chips that show how a typed line is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtWidgets import QFrame, QWidget

from turnwright.ui.look.fonts import SPACE, scaled
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.icon_label import IconLabel
from turnwright.ui.widgets.key_button import KeyButton
from turnwright.ui.widgets.layout import FlowRow, horizontal
from turnwright.ui.widgets.text import plain_label
from turnwright.ui.widgets.typed.line_text import AmountError, EnteredCondition, LineWords, nearest_word, read_line


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
        row = horizontal(self, spacing=SPACE + 2, margins=(12, 0, 12, 0))
        if view.icon:
            row.addWidget(IconLabel(view.icon, view.tone or "muted", 16))
        row.addWidget(plain_label(view.text, "caption", view.tone))
        self.setAccessibleName(view.text)


class LineChips(FlowRow):
    """A row of chips."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, roomy=True)
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
            button = KeyButton(name, partial(choose, letters), letters, "bulk", role="caption")
            self.add(button)
            button.show()
        self.keep_room()


def condition_chips(entered: EnteredCondition, words: LineWords, ending: str = "") -> list[ChipView]:
    """Return the chips that show how a condition was read. A chip for an unknown word comes last."""
    chips = []
    word = next((condition for condition in words.conditions if condition.id == entered.condition), None)
    if word is not None:
        name = tr("ui.condition.with-level", what=word.name, n=entered.level) if entered.level else word.name
        chips.append(ChipView(name, "accent", word.icon))
    if entered.lasts == "rounds":
        chips.append(ChipView(tr("ui.condition.rounds", n=entered.rounds), "accent", "timer-sand"))
    elif entered.lasts == "turn":
        chips.append(ChipView(tr("ui.condition.lasts-turn"), "accent", "timer-sand"))
    elif entered.lasts == "save" and entered.save:
        chips.append(ChipView(save_text(entered.save, entered.dc, words), "accent", "shield-outline"))
    if ending:
        chips.append(ChipView(ending))
    if entered.unknown:
        chips.append(unknown_chip(entered.unknown, nearest_word(entered, words)))
    return chips


def save_text(save: str, dc: int, words: LineWords) -> str:
    """Return the name of a save with its DC."""
    return tr("ui.condition.save-dc", ability=words.save_name(save), dc=dc or "?")


def unknown_chip(word: str, near: str) -> ChipView:
    """Return the warning chip for an unknown word, with the most similar known word."""
    text = tr("ui.condition.unknown-near", what=word, near=near) if near else tr("ui.condition.unknown", what=word)
    return ChipView(text, "warn", "help-circle-outline")


def amount_chips(text: str, words: LineWords) -> list[ChipView]:
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
