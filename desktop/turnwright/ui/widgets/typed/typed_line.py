"""The base class of text lines that temporarily replace the damage box. Up and Down recall earlier texts."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from turnwright.ui.widgets.fields import show_problem
from turnwright.ui.widgets.key_button import KeyButton
from turnwright.ui.widgets.layout import horizontal, vertical
from turnwright.ui.widgets.text import plain_label

MOST = 10  # maximum number of earlier texts that are kept


class TypedLine(QWidget):
    """The base class of text lines. Subclasses process the text in `hand_in`.

    Emits `left` on Esc, or on Enter if the line is empty.
    """

    left = Signal()

    def __init__(self, caption: str, button: str, name: str, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._before: list[str] = []
        self._place = -1
        self.column = vertical(self, spacing=4)
        row = horizontal()
        self.caption = plain_label(caption, "strong")
        row.addWidget(self.caption)
        self.line = QLineEdit()
        self.line.setPlaceholderText(placeholder)
        self.line.setAccessibleName(name)
        self.line.textEdited.connect(lambda _text: self.show_error(""))
        row.addWidget(self.line, 1)
        self.roll_button = KeyButton(button, self._enter, "Enter", "primary", "dice-d20")
        self.roll_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        row.addWidget(self.roll_button)
        self.column.addLayout(row)
        self._error = plain_label("", "caption", "harm", wraps=True)
        self._error.hide()
        self.column.addWidget(self._error)
        self.setFocusProxy(self.line)

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

    def error(self) -> str:
        """Return the error message, or an empty string if there is none."""
        return self._error.text()

    def show_error(self, text: str) -> None:
        """Show an error message. An empty text hides it."""
        show_problem(self.line, self._error, text)

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
        text = self.line.text().strip()
        if not text:
            self.left.emit()
            return
        problem = self.hand_in(text)
        if problem:
            self.show_error(problem)
            return
        self._before = [text, *(earlier for earlier in self._before if earlier != text)][:MOST]
        self.line.clear()
