"""The fields of forms. A field emits the user's edits, and the cursor doesn't move if the value is unchanged.

Typed text is never discarded: if it can't be parsed, it stays in the field, with the reason below.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLineEdit, QPlainTextEdit, QSizePolicy, QWidget

from turnwright.ui.look.style import SPACE, app_singleton, scaled
from turnwright.ui.widgets import fields, layout
from turnwright.ui.widgets.text import plain_label

Options = Sequence[tuple[Any, str]]


class Field(QWidget):
    """A control for one value.

    Emits `edited(value)` only for edits by the user, and `editingFinished` when the user leaves the field.
    """

    edited = Signal(object)
    editingFinished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.column = layout.vertical(self, spacing=SPACE)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def show_value(self, value: Any) -> None:
        """Show a value."""
        raise NotImplementedError

    def set_identity(self, identity: str) -> None:
        """Set the identity of the next value, under which an invalid draft is stored."""

    def set_name(self, name: str) -> None:
        """Set the field's accessible name."""
        focus = self.focusProxy()
        (focus if isinstance(focus, QWidget) else self).setAccessibleName(name)

    def add_control(self, widget: QWidget) -> None:
        """Add a control. Editing is finished when the focus leaves it."""
        self.column.addWidget(widget)
        widget.setMinimumWidth(1)
        widget.setSizePolicy(QSizePolicy.Policy.Ignored, widget.sizePolicy().verticalPolicy())
        if self.focusProxy() is None:
            self.setFocusProxy(widget)
        app_singleton(FocusWatcher, FocusWatcher, "a form field")


class FocusWatcher(QObject):
    """Finishes editing a field when its control loses the focus, including to a menu or another window.

    Only the events of the focused control are filtered, because the controls get thousands of events during layout.
    """

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        application.focusChanged.connect(self._watch)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        field = watched.parent()
        if event.type() == QEvent.Type.FocusOut and isinstance(field, Field):
            field.editingFinished.emit()
        return False

    def _watch(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None:
            before.removeEventFilter(self)
        if now is not None and isinstance(now.parentWidget(), Field):
            now.installEventFilter(self)


class TextField(Field):
    """A line of text."""

    def __init__(self, placeholder: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line = QLineEdit(placeholderText=placeholder)
        self.add_control(self.line)
        self.line.textEdited.connect(self._edit)
        self.line.returnPressed.connect(self.editingFinished)

    def show_value(self, value: Any) -> None:
        """Show a text. The cursor keeps its position."""
        set_text_keeping_cursor(self.line, value)

    def _edit(self, text: str) -> None:
        self.edited.emit(text)


class TextListField(TextField):
    """Several short texts separated by commas. The value is a tuple."""

    def show_value(self, value: Any) -> None:
        """Show the texts, unless the line already contains them."""
        if split_texts(self.line.text()) != tuple(value):
            set_text_keeping_cursor(self.line, ", ".join(value))

    def _edit(self, text: str) -> None:
        self.edited.emit(split_texts(text))


class ParsedTextField(TextField):
    """A line of text that is parsed. Invalid text stays in the line, with the reason below, and the value is unchanged.

    `check` returns an error message, or an empty string if the text is valid. `parse` and `text_of` convert text to a
    value and back. Invalid text is stored separately for each identity.
    """

    def __init__(
        self, check: Callable[[str], str], parse: Callable[[str], Any], text_of: Callable[[Any], str], hint: str = ""
    ) -> None:
        super().__init__(hint)
        self._problem = check
        self._read = parse
        self._write = text_of
        self._identity = ""
        self._drafts: dict[str, tuple[Any, str]] = {}
        self._value: Any = None
        self.message = plain_label("", "caption", "harm", wraps=True)
        self.message.hide()
        self.column.addWidget(self.message)

    def set_identity(self, identity: str) -> None:
        """Set the identity of the next value, under which an invalid draft is stored."""
        self._identity = identity

    def show_value(self, value: Any) -> None:
        """Show a value or its invalid draft. A focused line isn't changed if its text already has this meaning."""
        self._value = value
        base, draft = self._drafts.get(self._identity, (value, ""))
        if base != value:
            del self._drafts[self._identity]
            draft = ""
        text = draft or self._write(value)
        if draft or not (self.line.hasFocus() and self._says(value)):
            set_text_keeping_cursor(self.line, text)
        self._say(self._problem(text) if text else "")

    def _says(self, value: Any) -> bool:
        text = self.line.text()
        return not (text.strip() and self._problem(text)) and bool(self._read(text) == value)

    def _edit(self, text: str) -> None:
        problem = self._problem(text) if text.strip() else ""
        self._say(problem)
        if problem:
            self._drafts[self._identity] = (self._value, text)
            return
        self._drafts.pop(self._identity, None)
        self.edited.emit(self._read(text))

    def _say(self, problem: str) -> None:
        fields.show_problem(self.line, self.message, problem)


class DiceField(ParsedTextField):
    """A dice expression. It is stored as typed."""

    def __init__(self, check: Callable[[str], str], placeholder: str = "") -> None:
        super().__init__(check, lambda text: text if text.strip() else "", str, placeholder)


class NumberInput(Field):
    """A whole number with a unit. If there is a `blank_text`, it can be empty.

    The value of an empty field is None, or 0 if `zero_is_blank`.
    """

    def __init__(
        self,
        minimum: int = 0,
        maximum: int = 999,
        unit: str = "",
        blank_text: str = "",
        *,
        zero_is_blank: bool = False,
        arrows: bool = True,
    ) -> None:
        super().__init__()
        self.box = fields.NumberField(minimum, maximum, unit, blank_text)
        self._zero_is_blank = zero_is_blank
        if not arrows:
            self.box.setProperty("compact", True)
            self.box.setButtonSymbols(fields.NumberField.ButtonSymbols.NoButtons)
            self.box.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.add_control(self.box)
        self.box.valueEdited.connect(self._edit)
        self.box.valueCommitted.connect(self.editingFinished)

    def show_value(self, value: Any) -> None:
        """Show a number."""
        if self._zero_is_blank and value == 0:
            value = None
        if value is not None and not self.box.minimum() <= value <= self.box.maximum():
            self.box.setRange(min(self.box.minimum(), value), max(self.box.maximum(), value))
        self.box.set_number(value)

    def set_blank_text(self, text: str) -> None:
        """Set the text that is shown if the field is empty."""
        if text and text != self.box.specialValueText():
            self.box.setSpecialValueText(text)

    def _edit(self, number: int | None) -> None:
        self.edited.emit(0 if number is None and self._zero_is_blank else number)


class ChoiceField(Field):
    """One option from a list. If `free`, other text can be typed. `load_options` is called to update the options."""

    def __init__(
        self, options: Options = (), *, free: bool = False, load_options: Callable[[], Options] | None = None
    ) -> None:
        super().__init__()
        self.box = fields.ComboBox()
        self._more = load_options
        self._free = free
        self.box.setEditable(free)
        if free:
            self.box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
            self.box.text_line().textEdited.connect(lambda _text: self.edited.emit(self._entered()))
        self._options: list[tuple[Any, str]] = []
        self.set_options(options)
        self.add_control(self.box)
        self.box.activated.connect(self._choose)

    def set_options(self, options: Options) -> None:
        """Set the options as pairs of value and name."""
        if list(options) == self._options:
            return
        index, text = self.box.currentIndex(), self.box.currentText()
        self._options = list(options)
        self.box.blockSignals(True)
        self.box.clear()
        fields.with_options(self.box, self._options)
        self.box.setCurrentIndex(index if not self._free else -1)
        if self._free:
            self.box.text_line().setText(text)
        self.box.blockSignals(False)

    def show_value(self, value: Any) -> None:
        """Select a value. A value that isn't an option is added to the options."""
        if self._more is not None:
            self.set_options(self._more())
        if self._free:
            name = next((name for option, name in self._options if option == value), str(value))
            typing = self.box.hasFocus() and self._entered() == value
            if not typing:
                set_text_keeping_cursor(self.box.text_line(), name)
            return
        index = next((place for place, (option, _) in enumerate(self._options) if option == value), -1)
        if index < 0:
            self.set_options([*self._options, (value, str(value))])
            index = len(self._options) - 1
        self.box.setCurrentIndex(index)

    def _entered(self) -> Any:
        text = self.box.currentText()
        return next((option for option, name in self._options if name == text), text)

    def _choose(self, index: int) -> None:
        self.edited.emit(self._options[index][0])
        self.editingFinished.emit()


class CheckBoxField(Field):
    """A check box with a caption."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.box = QCheckBox(text)
        self.add_control(self.box)
        self.box.toggled.connect(self.edited.emit)
        self.box.clicked.connect(lambda _on: self.editingFinished.emit())
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_value(self, value: Any) -> None:
        """Check or uncheck the box."""
        with QSignalBlocker(self.box):
            self.box.setChecked(bool(value))


class MultiLineTextField(Field):
    """Several lines of text. The field is as high as the text, from `min_lines` to `max_lines`."""

    def __init__(self, placeholder: str = "", min_lines: int = 2, max_lines: int = 12) -> None:
        super().__init__()
        self.text = AutoHeightTextEdit(min_lines, max_lines)
        self.text.setPlaceholderText(placeholder)
        self.add_control(self.text)
        self.text.textChanged.connect(lambda: self.edited.emit(self._entered()))

    def _entered(self) -> Any:
        return self.text.toPlainText()

    def show_value(self, value: Any) -> None:
        """Show a text. The cursor keeps its position."""
        if value == self.text.toPlainText():
            return
        place = self.text.textCursor().position()
        with QSignalBlocker(self.text):
            self.text.setPlainText(value)
            cursor = self.text.textCursor()
            cursor.setPosition(min(place, len(value)))
            self.text.setTextCursor(cursor)
        self.text.fit()


class LineListField(MultiLineTextField):
    """Several short texts, one per line. The value is a tuple."""

    def show_value(self, value: Any) -> None:
        """Show the texts, unless the field already contains them."""
        if self._entered() != tuple(value):
            super().show_value("\n".join(value))

    def _entered(self) -> tuple[str, ...]:
        return tuple(line.strip() for line in self.text.toPlainText().splitlines() if line.strip())


class AutoHeightTextEdit(QPlainTextEdit):
    """A plain text editor whose height follows its contents. Tab moves to the next field."""

    def __init__(self, min_lines: int, max_lines: int) -> None:
        super().__init__()
        self._least = min_lines
        self._most = max_lines
        self._fitting = False
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.textChanged.connect(self.fit)
        self.fit()

    def fit(self) -> None:
        """Set the height that the current text needs."""
        self._fitting = True
        lines = max(self._least, int(self.document().size().height()))
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if lines > self._most else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        margins = round(self.document().documentMargin() * 2) + scaled(10)
        height = min(lines, self._most) * self.fontMetrics().lineSpacing() + margins
        if height != self.height() or self.minimumHeight() != height:
            self.setFixedHeight(height)
        self._fitting = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._fitting:  # avoid endless recursion: a scroll bar that appears also resizes
            self.fit()

    def sizeHint(self) -> QSize:
        return QSize(scaled(160), self.minimumHeight())


def split_texts(text: str) -> tuple[str, ...]:
    """Split a text at commas, strip the parts, and omit empty ones."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def set_text_keeping_cursor(line: QLineEdit, text: str) -> None:
    """Set the text of a line edit. The cursor stays in place, or moves to the end if the text is shorter."""
    if line.text() == text:
        return
    place = line.cursorPosition()
    line.setText(text)
    line.setCursorPosition(min(place, len(text)) if line.hasFocus() else 0)


Picks = Callable[[], Sequence[fields.PickOption]]


class PickField(Field):
    """A choice of one option, or of several if `many`. If `optional`, the choice can be cleared.

    The value is an id, or a tuple if `many` or `plural`. Options with a letter get the next letter in `letters`, so
    that letters are unique in a form.
    """

    def __init__(
        self, options: Picks, name: str, *, many: bool = False, plural: bool = False, optional: bool = False
    ) -> None:
        super().__init__()
        self._options = options
        self._plural = many or plural
        self.letters: Iterator[str] = iter(())
        self.row = fields.PickRow(name, many=many)
        self.row.optional = optional
        self.row.picked.connect(self._pick)
        self.column.addWidget(self.row)

    def show_value(self, value: Any) -> None:
        """Show the current options and select the chosen ones."""
        options = [
            msgspec.structs.replace(option, key=next(self.letters, "") if option.key else "")
            for option in self._options()
        ]
        self.row.set_picks(options, value if self._plural else (value,))

    def set_name(self, name: str) -> None:
        """Set the row's accessible name."""
        self.row.setAccessibleName(name)

    def take_focus(self) -> None:
        """Focus the chosen button, or the first one if none is chosen."""
        self.row.take_focus()

    def _pick(self) -> None:
        chosen = self.row.chosen()
        self.edited.emit(chosen if self._plural else next(iter(chosen), ""))


class SegmentsField(Field):
    """A choice of one option with adjoining buttons. `options` returns pairs of value and text."""

    def __init__(self, options: Callable[[], Sequence[tuple[str, str]]], name: str = "") -> None:
        super().__init__()
        self._options = options
        self.segments = fields.Segments(name)
        self.segments.picked.connect(self.edited.emit)
        self.column.addWidget(self.segments)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_value(self, value: Any) -> None:
        """Show the current options and select the chosen one."""
        self.segments.set_options(self._options())
        self.segments.choose(value)

    def set_name(self, name: str) -> None:
        """Set the accessible name of the buttons."""
        self.segments.setAccessibleName(name)
