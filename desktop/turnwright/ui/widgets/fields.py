"""Input fields, buttons, key caps and menus.

Input fields: numbers with a unit, results of rolls, and amounts of damage.

A combo box that fits any width.

Buttons for choosing options: a row of small ones, for the mouse, the arrow keys or letters, or adjoining ones.

Visible keyboard shortcuts: a key cap next to a text, and a button with a key cap.

Menus: checkable entries, a menu that stays open while entries are checked, and buttons that open a menu.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import msgspec
from PySide6 import QtGui, QtWidgets
from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal

from turnwright.ui.look.icons import icon
from turnwright.ui.look.style import GAP, SPACE, current_theme, escaped_tooltip, refresh_roles, scaled, set_role, tr
from turnwright.ui.widgets.layout import FlowRow, fill, horizontal, vertical
from turnwright.ui.widgets.paint import draw_key_cap, key_cap_size
from turnwright.ui.widgets.text import PushButton, discard, plain_label, restyle, set_style

RESULT_CHARACTERS = "0123456789!?+-d, "


class NumberField(QtWidgets.QSpinBox):
    """A whole number with a unit, such as `30 ft`. If there is a `blank` text, it can be empty (value None).

    Emits `valueEdited(value)` for each change by the user, and `valueCommitted` when the user leaves the field or
    presses Enter. Changes before a commit can be merged into one. The mouse wheel works only while the field has the
    focus.
    """

    valueEdited = Signal(object)
    valueCommitted = Signal()

    def __init__(
        self, minimum: int, maximum: int, unit: str = "", blank: str = "", parent: QtWidgets.QWidget | None = None
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

    def showEvent(self, event: QtGui.QShowEvent) -> None:
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

    def validate(self, text: str, position: int) -> tuple[QtGui.QValidator.State, str, int]:
        if self._blank and not text.removesuffix(self.suffix()).strip():
            return (QtGui.QValidator.State.Acceptable, text, position)
        return super().validate(text, position)

    def valueFromText(self, text: str) -> int:
        if self._blank and not text.removesuffix(self.suffix()).strip():
            return self.minimum()
        return super().valueFromText(text)

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        super().wheelEvent(event) if self.hasFocus() else event.ignore()

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.selectAll()


class RollLine(QtWidgets.QLineEdit):
    """A line for the result of a roll. Other letters are passed to the window, which uses them as shortcuts.

    Shift+Enter is passed to the surrounding card, as are Left and Right if the line is empty.
    """

    def __init__(self) -> None:
        super().__init__()
        set_role(self, "entry")
        self.setProperty("entry", True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setFixedWidth(scaled(72))
        self.setToolTip(tr("ui.roll.tip"))

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QtGui.QKeyEvent)
            and not is_result_key(event)
        ):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        with_shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if not self.text() and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            event.ignore()  # the card handles the key if the line is empty
        elif is_result_key(event) and not (with_shift and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)):
            super().keyPressEvent(event)
        else:
            event.ignore()


def is_result_key(event: QtGui.QKeyEvent) -> bool:
    """Whether a key types a character of a roll's result, or moves the cursor or edits the line."""
    text = event.text()
    with_control = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    return bool(with_control) or not text or not text.isprintable() or text in RESULT_CHARACTERS


class LineField(QtWidgets.QWidget):
    """A line of text with an error message below it, hidden if there is none."""

    def __init__(self, placeholder: str, name: str, line: QtWidgets.QLineEdit | None = None) -> None:
        super().__init__()
        self.row = horizontal(spacing=SPACE * 2)
        self.column = fill(vertical(self, spacing=SPACE), self.row)
        self.line = line or QtWidgets.QLineEdit()
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


def show_problem(line: QtWidgets.QLineEdit, label: QtWidgets.QLabel, text: str) -> None:
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

    def __init__(self, placeholder: str = "", name: str = "") -> None:
        super().__init__(placeholder or tr("ui.amount.placeholder"), name or tr("ui.amount.name"))
        self.line.setToolTip(tr("ui.amount.tip"))
        self.row.addWidget(self.line, 1)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or not self.text():
            super().keyPressEvent(event)
            return
        share = "full"
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            share = "half"
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            share = "double"
        self.submitted.emit(self.text(), share)


AnyComboBox = TypeVar("AnyComboBox", bound=QtWidgets.QComboBox)


def with_options(box: AnyComboBox, options: Iterable[tuple[Any, str]]) -> AnyComboBox:
    """Return a combo box after adding options, given as pairs of value and text."""
    for value, text in options:
        box.addItem(text, value)
    return box


class ComboBox(QtWidgets.QComboBox):
    """A combo box that elides its text to any width. The mouse wheel changes it only while it has the focus."""

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QtWidgets.QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(3)

    def text_line(self) -> QtWidgets.QLineEdit:
        """Return the line edit of an editable combo box. Raise LookupError if it isn't editable."""
        line = self.lineEdit()
        if line is None:
            raise LookupError("this combo box isn't editable")
        return line

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        if self.isEditable():
            super().paintEvent(event)
            return
        option = QtWidgets.QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QtWidgets.QStyle.SubControl.SC_ComboBoxEditField
        field = self.style().subControlRect(QtWidgets.QStyle.ComplexControl.CC_ComboBox, option, part, self)
        room = field.width() - scaled(SPACE)
        text = self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room)
        if (tip := escaped_tooltip(self.currentText()) if text != self.currentText() else "") != self.toolTip():
            self.setToolTip(escaped_tooltip(tip))
        option.currentText = text
        painter = QtWidgets.QStylePainter(self)
        painter.drawComplexControl(QtWidgets.QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QtWidgets.QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        super().wheelEvent(event) if self.hasFocus() else event.ignore()


SIDEWAYS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}
UPRIGHT = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
ARROW_STEPS = {**SIDEWAYS, **UPRIGHT}


class PickOption(msgspec.Struct, frozen=True):
    """An option. `refused` is the reason why it is against the rules, although it can still be chosen.

    `key` is the letter that chooses the option, and `note` is shown after its label.
    """

    id: str
    label: str
    tip: str = ""
    refused: str = ""
    key: str = ""
    icon: str = ""
    note: str = ""


class PickButton(QtWidgets.QPushButton):
    """A button of a `PickRow`. Space chooses it. Enter is passed to the parent, which submits."""

    def __init__(self, row: PickRow) -> None:
        super().__init__(row)
        self._row = row
        self.pick = PickOption("", "")
        self.setCheckable(True)
        self.setAutoDefault(False)
        self.setProperty("kind", "pick")
        set_role(self, "body")

    def show_pick(self, pick: PickOption) -> None:
        """Set the option that the button shows."""
        if pick == self.pick:
            return
        self.pick = pick
        mark = f"{pick.key.upper()}  " if pick.key else ""
        note = f"  {pick.note}" if pick.note else ""
        self.setText(f"{mark}{pick.label}{note}".replace("&", "&&"))
        if pick.icon:
            self.setIcon(icon(pick.icon))
            self.setIconSize(QSize(scaled(14), scaled(14)))
        tip = "\n".join(part for part in (pick.refused, pick.tip) if part)
        self.setToolTip(escaped_tooltip(tip))
        self.setAccessibleName(pick.label)
        self.setAccessibleDescription(tip)
        set_style(self, "refused", bool(pick.refused))

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
        elif event.key() in self._row.steps:
            self._row.step(self._row.steps[Qt.Key(event.key())])
        elif event.key() in ARROW_STEPS:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        self._row.set_tab_stop(self)
        super().focusInEvent(event)


class PickRow(FlowRow):
    """A row of options. Tab stops at the row only once, and the arrow keys move within it.

    Emits `picked` when the user changes the choice. `optional`: choosing a chosen option again deselects it. `steps`
    are the keys that move within the row.
    """

    picked = Signal()

    def __init__(self, name: str = "", *, many: bool = False, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent, gap=SPACE + 1, roomy=True)
        self._many = many
        self.optional = False
        self.steps = ARROW_STEPS
        self._buttons: dict[str, PickButton] = {}
        self.setAccessibleName(name)

    def set_picks(self, picks: Sequence[PickOption], chosen: Sequence[str] = ()) -> None:
        """Set the options and the chosen ids without emitting `picked`."""
        if [pick.id for pick in picks] != list(self._buttons):
            focused = next((id for id, button in self._buttons.items() if button.hasFocus()), None)
            self.clear()
            self._buttons = {pick.id: self._button(pick.id) for pick in picks}
            if focused is not None:
                self.take_focus()
        for pick in picks:
            self._buttons[pick.id].show_pick(pick)
        self.choose(chosen)
        self.keep_room()

    def choose(self, ids: Sequence[str]) -> None:
        """Select exactly these options."""
        for id, button in self._buttons.items():
            button.setChecked(id in ids)
        self.set_tab_stop(next((each for id, each in self._buttons.items() if id in ids), None))

    def chosen(self) -> tuple[str, ...]:
        """Return the chosen ids, in row order."""
        return tuple(id for id, button in self._buttons.items() if button.isChecked())

    def button(self, id: str) -> PickButton:
        """Return the button of an option. Raise KeyError if it doesn't exist."""
        return self._buttons[id]

    def buttons(self) -> tuple[PickButton, ...]:
        """Return the buttons in row order."""
        return tuple(self._buttons.values())

    def choose_by_key(self, letter: str) -> bool:
        """Choose the option that has a letter. Return False if there is none."""
        matches = (option for option in self._buttons.values() if option.pick.key and option.pick.key == letter)
        button = next(matches, None)
        if button is not None:
            button.setFocus(Qt.FocusReason.OtherFocusReason)
            button.click()
        return button is not None

    def take_focus(self) -> None:
        """Focus the chosen button, or the first one if none is chosen."""
        buttons = [button for button in self._buttons.values() if button.isChecked()] or list(self._buttons.values())
        if buttons:
            buttons[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def step(self, by: int) -> None:
        """Move to the next or previous button, cyclically. If only one option can be chosen, also choose it."""
        buttons = list(self._buttons.values())
        here = next((place for place, each in enumerate(buttons) if each.hasFocus()), 0)
        goal = buttons[(here + by) % len(buttons)]
        goal.setFocus(Qt.FocusReason.OtherFocusReason)
        if not self._many:
            goal.click()

    def _button(self, id: str) -> PickButton:
        button = PickButton(self)
        button.clicked.connect(lambda _on=False, id=id: self._clicked(id))
        self.add(button)
        button.show()
        return button

    def _clicked(self, id: str) -> None:
        if not self._many:
            self.choose(() if self.optional and not self._buttons[id].isChecked() else (id,))
        self.picked.emit()

    def set_tab_stop(self, goal: PickButton | None) -> None:
        """Set the button that gets the focus when Tab enters the row: the first one if `goal` is None."""
        first = goal or next(iter(self._buttons.values()), None)
        for button in self._buttons.values():
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if button is first else Qt.FocusPolicy.ClickFocus)


class Segments(QtWidgets.QWidget):
    """Adjoining buttons for choosing one option. Emits `picked(id)` when the user chooses another."""

    picked = Signal(str)

    def __init__(self, name: str = "") -> None:
        super().__init__(accessibleName=name)
        self._row = horizontal(self, spacing=0)
        self._group = QtWidgets.QButtonGroup(self)
        self.buttons: dict[str, QtWidgets.QPushButton] = {}

    def set_options(self, options: Sequence[tuple[str, str]]) -> None:
        """Set the options as pairs of id and text."""
        if [id for id, _text in options] != list(self.buttons):
            for old in self.buttons.values():
                self._group.removeButton(old)
                discard(old)
            self.buttons = {id: self._button(id) for id, _text in options}
        for place, (id, text) in enumerate(options):
            button = self.buttons[id]
            button.setText(text.replace("&", "&&"))
            button.setProperty("end", place == len(options) - 1)
            button.setProperty("inner", 0 < place < len(options) - 1)
            restyle(button)

    def chosen(self) -> str:
        """Return the selected option, or an empty string if none is selected."""
        return next((id for id, button in self.buttons.items() if button.isChecked()), "")

    def choose(self, id: str) -> None:
        """Select an option."""
        if id in self.buttons:
            self.buttons[id].setChecked(True)

    def _button(self, id: str) -> QtWidgets.QPushButton:
        button = QtWidgets.QPushButton()
        button.setProperty("kind", "mode")
        button.setCheckable(True)
        button.setAutoDefault(False)
        set_role(button, "caption")
        button.clicked.connect(lambda _on=False: self.picked.emit(id))
        self._group.addButton(button)
        self._row.addWidget(button)
        button.show()
        return button


INKS = {"primary": "accent_text", "waiting": "warn", "quiet": "accent"}


class KeyCap(QtWidgets.QWidget):
    """A key cap, shown next to a description of the key."""

    def __init__(self, keys: str = "") -> None:
        super().__init__()
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Fixed, QtWidgets.QSizePolicy.Policy.Fixed)
        set_role(self, "caption")  # so that it is notified when the text size changes
        self.set_keys(keys)

    def set_keys(self, keys: str) -> None:
        """Set the key. An empty text hides it."""
        self.keys = keys
        self.setAccessibleName(keys)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return key_cap_size(self.keys or "0").toSize()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        if self.keys:
            theme = current_theme()
            with QtGui.QPainter(self) as painter:
                draw_key_cap(painter, QRectF(self.rect()), self.keys, theme.colour("text"), theme.colour("sunken"))


class KeyButton(PushButton):
    """A button with a key cap at its end. `kind` is a kind of `push_button`, or `waiting`."""

    _hint: QSize | None = None  # cached, because Qt requests it thousands of times during layout

    def __init__(
        self, text: str, slot: Callable[[], object], keys: str = "", kind: str = "", icon: str = "", role: str = "body"
    ) -> None:
        super().__init__(text)
        self.keys = keys
        self.setAutoDefault(False)
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Fixed, QtWidgets.QSizePolicy.Policy.Fixed)
        self.setIconSize(QSize(scaled(20), scaled(20)))
        set_role(self, role)  # set the role first, because the style sheet keeps the current font
        self.set_kind(kind)
        self.set_icon(icon)
        self.clicked.connect(lambda _checked=False: slot())

    def set_keys(self, keys: str) -> None:
        """Set the key that is shown. An empty text hides it."""
        if keys != self.keys:
            self.keys = keys
            self._hint = None
            self.updateGeometry()
            self.update()

    def setText(self, text: str) -> None:
        self._hint = None
        super().setText(text)

    def setIcon(self, icon: QtGui.QIcon | QtGui.QPixmap) -> None:
        self._hint = None
        super().setIcon(icon)

    def changeEvent(self, event: QEvent) -> None:
        self._hint = None  # the font or style may have changed
        super().changeEvent(event)

    def set_kind(self, kind: str) -> None:
        """Set the button's style."""
        if kind != self.property("kind"):
            self.setProperty("kind", kind)
            restyle(self)
            self._hint = None
            self.updateGeometry()

    def set_icon(self, icon_name: str) -> None:
        """Set the icon, which has the colour of the text."""
        if icon_name:
            self.setIcon(icon(icon_name, self._ink()))

    def sizeHint(self) -> QSize:
        if self._hint is None:
            size = super().sizeHint()
            if not self.text() and self.icon().isNull():
                size = QSize(self._cap_room() + 2 * scaled(GAP) - scaled(SPACE), size.height())
            elif self.keys:
                size += QSize(self._cap_room(), 0)
            self._hint = size
        return self._hint

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter, option = QtWidgets.QStylePainter(self), QtWidgets.QStyleOptionButton()
        self.initStyleOption(option)
        painter.drawControl(QtWidgets.QStyle.ControlElement.CE_PushButtonBevel, option)
        option.rect.adjust(0, 0, -self._cap_room() if self.keys else 0, 0)
        painter.drawControl(QtWidgets.QStyle.ControlElement.CE_PushButtonLabel, option)
        if self.keys:
            theme = current_theme()
            ink = theme.colour(self._ink() if self.isEnabled() else "edge")
            ground = QtGui.QColor(0, 0, 0, 0) if self.property("kind") in INKS else theme.colour("sunken")
            size = key_cap_size(self.keys)
            left = self.width() - size.width() - scaled(GAP)
            box = QRectF(left, (self.height() - size.height()) / 2, size.width(), size.height())
            draw_key_cap(painter, box, self.keys, ink, ground)
        painter.end()

    def _ink(self) -> str:
        return INKS.get(str(self.property("kind")), "text")

    def _cap_room(self) -> int:
        """Return the width reserved for the key cap, including its gap to the text."""
        return round(key_cap_size(self.keys).width()) + scaled(SPACE)


class CheckMenu(QtWidgets.QMenu):
    """A menu that stays open while entries are checked with the mouse or Space. Enter and Esc close it."""

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        if (action := self.activeAction()) is not None and action.isCheckable():
            action.trigger()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        action = self.activeAction()
        if event.key() == Qt.Key.Key_Space and action is not None and action.isCheckable():
            action.trigger()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.close()
        else:
            super().keyPressEvent(event)


def add_check(menu: QtWidgets.QMenu, text: str, slot: Callable[..., object], *, checked: bool) -> QtGui.QAction:
    """Add a checkable entry to a menu, with its text shown literally. `slot` receives the new state."""
    action = menu.addAction(text.replace("&", "&&"))
    action.setCheckable(True)
    action.setChecked(checked)
    action.triggered.connect(slot)
    return action


def pop_up(menu: QtWidgets.QMenu, place: QPoint) -> None:
    """Open a menu at a place of the screen, and delete it after it is closed."""
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(place)


def add_action_with_key(view: QtWidgets.QWidget, text: str, keys: str, slot: Callable[[], object]) -> QtGui.QAction:
    """Add an action to a view. Its key works while the view has the focus, and is shown in context menus."""
    action = QtGui.QAction(
        text, view, shortcut=QtGui.QKeySequence(keys), shortcutContext=Qt.ShortcutContext.WidgetShortcut
    )
    action.setShortcutVisibleInContextMenu(True)
    action.triggered.connect(lambda _checked=False: slot())
    view.addAction(action)
    return action


def set_menu(button: QtWidgets.QToolButton, fill: Callable[[QtWidgets.QMenu], object]) -> QtWidgets.QMenu:
    """Attach a menu to a button and return it. `fill` is called to fill the menu each time it opens."""
    menu = QtWidgets.QMenu(button)
    menu.aboutToShow.connect(menu.clear)
    menu.aboutToShow.connect(lambda: fill(menu))
    button.setMenu(menu)
    button.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
    return menu
