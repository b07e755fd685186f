"""The line that rolls dice: `2d20kh+5`, `d20a+3` with advantage; Up and Down bring back what was rolled before."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from turnwright.dice.errors import DiceError
from turnwright.dice.expression import parse
from turnwright.ui.translations import tr
from turnwright.ui.widgets.fields import show_problem
from turnwright.ui.widgets.key_button import KeyButton
from turnwright.ui.widgets.layout import horizontal, vertical
from turnwright.ui.widgets.text import plain_label

MOST = 10  # rolls that are kept
EDGES = {"a": "adv", "d": "dis"}
_EDGE = re.compile(r"(?<=\d)\s*(?P<edge>[ad])(?![\w%])", re.IGNORECASE)


def dice_of(text: str) -> str:
    """Return the dice that a text stands for: `d20a` rolls with advantage, `d20d` with disadvantage. DiceError."""
    return str(parse(_EDGE.sub(lambda found: f" {EDGES[found['edge'].lower()]} ", text.strip())))


class DiceLine(QWidget):
    """`submitted(dice)` on Enter, `left` on Esc or on Enter in the empty line."""

    submitted = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rolled: list[str] = []
        self._place = -1
        column = vertical(self, spacing=4)
        row = horizontal()
        row.addWidget(plain_label(tr("ui.dice-line.roll"), "strong"))
        self.line = QLineEdit()
        self.line.setPlaceholderText(tr("ui.dice-line.placeholder"))
        self.line.setAccessibleName(tr("ui.dice-line.name"))
        self.line.setToolTip(tr("ui.dice-line.tip"))
        self.line.textEdited.connect(lambda _text: self._show_error(""))
        row.addWidget(self.line, 1)
        self.roll_button = KeyButton(tr("ui.roll.roll"), self._hand_in, "Enter", "primary", "dice-d20")
        self.roll_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        row.addWidget(self.roll_button)
        column.addLayout(row)
        self._error = plain_label("", "caption", "harm", wraps=True)
        self._error.hide()
        column.addWidget(self._error)
        self.setFocusProxy(self.line)

    def open(self) -> None:
        """Show the line with the focus in it, and select what was typed last."""
        self._place = -1
        self.show()
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)
        self.line.selectAll()

    def error(self) -> str:
        """Return what is wrong with the text, empty for nothing."""
        return self._error.text()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._hand_in()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._look_back(1 if event.key() == Qt.Key.Key_Up else -1)
        else:
            super().keyPressEvent(event)

    def _look_back(self, steps: int) -> None:
        """Write an earlier roll into the line, or a later one for a negative number."""
        self._place = max(-1, min(self._place + steps, len(self._rolled) - 1))
        self.line.setText(self._rolled[self._place] if self._place >= 0 else "")
        self._show_error("")

    def _hand_in(self) -> None:
        text = self.line.text().strip()
        if not text:
            self.left.emit()
            return
        try:
            dice = dice_of(text)
        except DiceError as error:
            self._show_error(error.message)
            return
        self._rolled = [text, *(one for one in self._rolled if one != text)][:MOST]
        self.line.clear()
        self.submitted.emit(dice)

    def _show_error(self, text: str) -> None:
        show_problem(self.line, self._error, text)
