"""Input fields: numbers with a unit, results of rolls, and amounts of damage.

A combo box that fits any width.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPaintEvent, QShowEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QLineEdit,
    QSpinBox,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from turnwright.ui.look.fonts import SPACE, refresh_roles, scaled, set_role
from turnwright.ui.look.theme import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.layout import horizontal, vertical
from turnwright.ui.widgets.text import plain_label, restyle

RESULT_CHARACTERS = "0123456789!?+-d, "


class NumberField(QSpinBox):
    """A whole number with a unit, such as `30 ft`. If there is a `blank` text, it can be empty (value None).

    Emits `valueEdited(value)` for each change by the user, and `valueCommitted` when the user leaves the field or
    presses Enter. Changes before a commit can be merged into one. The mouse wheel works only while the field has the
    focus.
    """

    valueEdited = Signal(object)
    valueCommitted = Signal()

    def __init__(
        self, minimum: int, maximum: int, unit: str = "", blank: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._blank = blank
        self._lowest = minimum
        for part in (self, self.lineEdit()):
            set_role(part, "body")
        self.setRange(minimum - 1 if blank else minimum, maximum)
        self.setSpecialValueText(blank)
        self.setSuffix(f" {unit}" if unit else "")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setAccelerated(True)
        self.setKeyboardTracking(True)
        self._reported = self.value()
        self.valueChanged.connect(self._tell)
        self.editingFinished.connect(self.valueCommitted)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        refresh_roles((self, self.lineEdit()))  # the first polish sets an outdated font

    def number(self) -> int | None:
        """Return the number, or None if the field is blank."""
        value = self.value()
        return None if self._blank and value < self._lowest else value

    def set_number(self, number: int | None) -> None:
        """Set the number without emitting `valueEdited`. The cursor stays in place if the number is unchanged."""
        value = self.minimum() if number is None else number
        if value == self.value():
            return
        self.blockSignals(True)
        self.setValue(value)
        self.blockSignals(False)
        self._reported = self.value()

    def _tell(self, value: int) -> None:
        """Emit `valueEdited` unless the value was already emitted: a spin box reports it again on Enter."""
        if value != self._reported:
            self._reported = value
            self.valueEdited.emit(self.number())

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        if self._blank and not text.removesuffix(self.suffix()).strip():
            return (QValidator.State.Acceptable, text, position)
        return super().validate(text, position)

    def valueFromText(self, text: str) -> int:
        if self._blank and not text.removesuffix(self.suffix()).strip():
            return self.minimum()
        return super().valueFromText(text)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.selectAll()


class RollLine(QLineEdit):
    """A line for the result of a roll. Other letters are passed to the window, which uses them as shortcuts.

    Shift+Enter is passed to the surrounding card, as are Left and Right if the line is empty.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "entry")
        self.setProperty("entry", True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setFixedWidth(scaled(72))
        self.setToolTip(tr("ui.roll.tip"))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and not is_result_key(event):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        with_shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if not self.text() and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            event.ignore()  # the card handles the key if the line is empty
        elif is_result_key(event) and not (with_shift and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)):
            super().keyPressEvent(event)
        else:
            event.ignore()


def is_result_key(event: QKeyEvent) -> bool:
    """Whether a key types a character of a roll's result, or moves the cursor or edits the line."""
    text = event.text()
    with_control = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    return bool(with_control) or not text or not text.isprintable() or text in RESULT_CHARACTERS


class LineField(QWidget):
    """A line of text with an error message below it, hidden if there is none."""

    def __init__(self, placeholder: str, name: str, parent: QWidget | None, line: QLineEdit | None = None) -> None:
        super().__init__(parent)
        self.column = vertical(self, spacing=SPACE)
        self.row = horizontal(spacing=SPACE * 2)
        self.column.addLayout(self.row)
        self.line = line or QLineEdit()
        self.line.setPlaceholderText(placeholder)
        self.line.setAccessibleName(name)
        self.line.textEdited.connect(lambda _text: self.show_error(""))
        self._error = plain_label("", "caption", "harm", wraps=True)
        self._error.hide()
        self.column.addWidget(self._error)
        self.setFocusProxy(self.line)

    def text(self) -> str:
        """Return the text without surrounding whitespace."""
        return self.line.text().strip()

    def set_text(self, text: str) -> None:
        """Set the text of the line."""
        self.line.setText(text)
        self.show_error("")

    def clear(self) -> None:
        """Clear the line and the error."""
        self.set_text("")

    def error(self) -> str:
        """Return the error message, or an empty string if there is none."""
        return self._error.text()

    def show_error(self, text: str) -> None:
        """Show an error message. An empty text hides it."""
        show_problem(self.line, self._error, text)


def show_problem(line: QLineEdit, label: QLabel, text: str) -> None:
    """Show a line's error on the label below it. An empty text hides the label."""
    if text == label.text():
        return
    label.setText(text)
    label.setVisible(bool(text))
    line.setProperty("wrong", bool(text))
    line.setAccessibleDescription(text)
    restyle(line)


class AmountField(LineField):
    """A field for an amount of damage or healing. Emits `submitted(text, share)`.

    `share` is full on Enter, half on Ctrl+Enter, and double on Shift+Enter.
    """

    submitted = Signal(str, str)

    def __init__(self, placeholder: str = "", name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(placeholder or tr("ui.amount.placeholder"), name or tr("ui.amount.name"), parent)
        self.line.setToolTip(tr("ui.amount.tip"))
        self.row.addWidget(self.line, 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or not self.text():
            super().keyPressEvent(event)
            return
        share = "full"
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            share = "half"
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            share = "double"
        self.submitted.emit(self.text(), share)


class ComboBox(QComboBox):
    """A combo box that elides its text to any width. The mouse wheel changes it only while it has the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(3)

    def text_line(self) -> QLineEdit:
        """Return the line edit of an editable combo box. Raise LookupError if it isn't editable."""
        line = self.lineEdit()
        if line is None:
            raise LookupError("this combo box isn't editable")
        return line

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.isEditable():
            super().paintEvent(event)
            return
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        field = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self)
        room = field.width() - scaled(SPACE)
        text = self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room)
        if (tip := escaped_tooltip(self.currentText()) if text != self.currentText() else "") != self.toolTip():
            self.setToolTip(escaped_tooltip(tip))
        option.currentText = text
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
