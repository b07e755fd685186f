"""Lines of text that temporarily replace the damage box: for rolling dice, and for calling for a check or a save."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from turnwright.dice.ast import DiceError
from turnwright.dice.expression import parse
from turnwright.ui.look.theme import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.fields import LineField
from turnwright.ui.widgets.layout import fill
from turnwright.ui.widgets.pick_row import KeyButton
from turnwright.ui.widgets.text import plain_label
from turnwright.ui.widgets.typed.line_text import ChipView, EnteredCheck, LineChips, LineWords, read_check, unknown_chip

MOST = 10  # maximum number of earlier texts that are kept


class TypedLine(LineField):
    """The base class of text lines. Subclasses process the text in `hand_in`.

    Emits `left` on Esc, or on Enter if the line is empty.
    """

    left = Signal()

    def __init__(self, caption: str, button: str, name: str, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(placeholder, name, parent)
        self._before: list[str] = []
        self._place = -1
        self.caption = plain_label(caption, "strong")
        self.roll_button = KeyButton(button, self._enter, "Enter", "primary", "dice-d20")
        self.roll_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        fill(self.row, self.caption, (self.line, 1), self.roll_button)

    def hand_in(self, text: str) -> str:
        """Process a text. Return the error message, or an empty string if the text is valid."""
        raise NotImplementedError

    def open(self, text: str = "") -> None:
        """Show the line and focus it. Set its text, or select the current text if `text` is empty."""
        self._place = -1
        self.show()
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)
        if text:
            self.line.setText(text)
        else:
            self.line.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._enter()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._look_back(1 if event.key() == Qt.Key.Key_Up else -1)
        else:
            super().keyPressEvent(event)

    def _look_back(self, steps: int) -> None:
        """Recall an earlier text, or a later one if `steps` is negative."""
        self._place = max(-1, min(self._place + steps, len(self._before) - 1))
        self.line.setText(self._before[self._place] if self._place >= 0 else "")
        self.show_error("")

    def _enter(self) -> None:
        text = self.text()
        if not text:
            self.left.emit()
            return
        problem = self.hand_in(text)
        if problem:
            self.show_error(problem)
            return
        self._before = [text, *(earlier for earlier in self._before if earlier != text)][:MOST]
        self.line.clear()


DICE_EDGES = {"a": "adv", "d": "dis"}
_EDGE = re.compile(r"(?<=\d)\s*(?P<edge>[ad])(?![\w%])", re.IGNORECASE)


def dice_of(text: str) -> str:
    """Return the dice expression in a text. Raise DiceError if it is malformed.

    `d20a` rolls with advantage, `d20d` with disadvantage.
    """
    return str(parse(_EDGE.sub(lambda match: f" {DICE_EDGES[match['edge'].lower()]} ", text.strip())))


class DiceLine(TypedLine):
    """A line for rolling dice. Emits `submitted(dice)` on Enter."""

    submitted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            tr("ui.dice-line.roll"),
            tr("ui.roll.roll"),
            tr("ui.dice-line.name"),
            tr("ui.dice-line.placeholder"),
            parent,
        )
        self.line.setToolTip(tr("ui.dice-line.tip"))

    def hand_in(self, text: str) -> str:
        """Roll the entered dice. Return the error message, or an empty string if the text is valid."""
        try:
            dice = dice_of(text)
        except DiceError as error:
            return error.message
        self.submitted.emit(dice)
        return ""


SEVERAL = "save "  # the initial text if there are several combatants


class CheckLine(TypedLine):
    """A line for a check or a save. Emits `submitted(entered)` on Enter if the `EnteredCheck` is complete."""

    submitted = Signal(object)

    def __init__(self, words: LineWords, parent: QWidget | None = None) -> None:
        super().__init__("", tr("ui.roll.roll"), tr("ui.check-line.name"), tr("ui.check-line.placeholder"), parent)
        self._words = words
        self.chips = LineChips()
        self.column.insertWidget(0, self.chips)
        self.line.setToolTip(tr("ui.check-line.tip"))
        self.line.textChanged.connect(self._show_chips)
        self._show_chips("")

    def start_over(self, words: LineWords) -> None:
        """Clear the line for another encounter and use the words of its rule system."""
        self._words = words
        self.line.clear()

    def open_for(self, who: str, count: int) -> None:
        """Open the line for one or more combatants. If there are several, the text starts with `save`."""
        self.caption.setText(tr("ui.bulk.selected", n=count) if count > 1 else who)
        self.caption.setToolTip(escaped_tooltip(who) if count > 1 else "")
        self.open(SEVERAL if count > 1 and not self.line.text() else "")

    def hand_in(self, text: str) -> str:
        """Call for the entered check. Return the error message, or an empty string if the text is valid."""
        entered = read_check(text, self._words)
        if entered.unknown:
            near = self._words.nearest_check(entered.unknown)
            key = "ui.condition.unknown-near" if near else "ui.condition.unknown"
            return tr(key, what=entered.unknown, near=near)
        if not entered.is_complete:
            return tr("ui.check-line.missing")
        self.submitted.emit(entered)
        return ""

    def _show_chips(self, text: str) -> None:
        chips = check_chips(read_check(text, self._words), self._words)
        self.chips.show_chips(chips)
        self.chips.setVisible(bool(chips))


def check_name(id: str, words: LineWords) -> str:
    """Return the name of a check, with the ability if it isn't the skill's usual one."""
    names = dict(words.checks)
    ability, _, skill = id.partition(":")
    usual = next((name for name in names if name.partition(":")[2] == skill), id)
    if not skill or usual == id:
        return tr("ui.check-line.check", what=names[id][0])
    return tr("ui.check-line.check", what=f"{names[ability][0]} ({names[usual][0]})")


def check_chips(entered: EnteredCheck, words: LineWords) -> list[ChipView]:
    """Return the chips that show how a check was read. A chip for an unknown word comes last."""
    chips = []
    if entered.save:
        text = tr("ui.check-line.save", ability=words.save_name(entered.save))
        chips.append(ChipView(text, "accent", "shield-outline"))
    elif entered.check:
        chips.append(ChipView(check_name(entered.check, words), "accent", "dice-d20"))
    if entered.dc:
        chips.append(ChipView(tr("ui.check-line.dc", n=entered.dc)))
    if entered.edge:
        chips.append(ChipView(tr(f"ui.check-line.{entered.edge}")))
    if entered.unknown:
        chips.append(unknown_chip(entered.unknown, words.nearest_check(entered.unknown)))
    return chips
