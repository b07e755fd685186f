"""Labels, buttons, icons and text fields that show only plain text.

Labels and small buttons that always show plain text and have a role, a tone and an accessible name.

A label that shows an icon in a theme colour.
"""

import sys
from collections.abc import Callable, Iterable
from typing import TypeVar

from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent

from turnwright.ui.look.icons import draw_icon, icon
from turnwright.ui.look.style import GAP, current_theme, escaped_tooltip, scaled, set_role

AnyWidget = TypeVar("AnyWidget", bound=QtWidgets.QWidget)
STYLE_GAP = 4  # px between icon and text in every Qt style
DIGITS = "1234567890"
DIGIT_ROW = {"win32": tuple(range(2, 12)), "darwin": (18, 19, 20, 21, 23, 22, 26, 28, 25, 29)}.get(
    sys.platform, tuple(range(10, 20))
)  # the codes of the keys above the letters, from 1 to 0, in each keyboard layout
MODIFIERS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ShiftModifier


def plain_label(text: str, role: str = "body", tone: str = "", *, wraps: bool = False) -> QtWidgets.QLabel:
    """Return a label that shows its text literally, never as markup."""
    label = QtWidgets.QLabel(textFormat=Qt.TextFormat.PlainText, text=text, wordWrap=wraps)
    if wraps:
        label.setSizePolicy(QtWidgets.QSizePolicy.Policy.Preferred, QtWidgets.QSizePolicy.Policy.Minimum)
    if tone:
        label.setProperty("tone", tone)
    set_role(label, role)
    return label


def named(widget: AnyWidget, name: str) -> AnyWidget:
    """Return a widget after setting its accessible name."""
    widget.setAccessibleName(name)
    return widget


def name_and_tip(widget: QtWidgets.QWidget, text: str) -> None:
    """Set the accessible name of a widget, and show it as the tooltip."""
    widget.setAccessibleName(text)
    widget.setToolTip(escaped_tooltip(text))


class PushButton(QtWidgets.QPushButton):
    """A button that reacts to both Enter and Space on every system. The gap between icon and text is 8 px."""

    def __init__(self, text: str = "", parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(text, parent)
        set_role(self, "body")  # otherwise the style sheet would keep the old text size after a change

    def initStyleOption(self, option: QtWidgets.QStyleOptionButton) -> None:
        super().initStyleOption(option)
        if self.text() and not self.icon().isNull():
            option.iconSize += QSize(scaled(GAP) - STYLE_GAP, 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_on_enter(self, event):
            super().keyPressEvent(event)


class ToolButton(QtWidgets.QToolButton):
    """A small button that reacts to both Enter and Space."""

    def __init__(self) -> None:
        super().__init__()
        set_role(self, "body")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_on_enter(self, event):
            super().keyPressEvent(event)


def press_on_enter(button: QtWidgets.QAbstractButton, event: QKeyEvent) -> bool:
    """Press a button if the key is Enter. Return whether it was pressed."""
    if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or event.modifiers() & MODIFIERS:
        return False
    if not event.isAutoRepeat():
        button.click()
    return True


def claims_key(event: QEvent, takes: Callable[[QKeyEvent], object]) -> bool:
    """Claim a key that may also be a shortcut of the window, if a widget takes it. Return whether it was claimed."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent) or not takes(event):
        return False
    event.accept()
    return True


def pressed_character(event: QKeyEvent) -> str:
    """Return the character of a key pressed without modifiers, in upper case, or an empty string.

    The keys above the letters count as digits in every keyboard layout. Where digits need Shift, they work with it, too.
    """
    text, modifiers = event.text().upper(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if modifiers:
        return text if text.isdecimal() and modifiers == Qt.KeyboardModifier.ShiftModifier else ""
    code = event.nativeVirtualKey() if sys.platform == "darwin" else event.nativeScanCode()
    return DIGITS[DIGIT_ROW.index(code)] if code in DIGIT_ROW else text


def push_button(text: str, slot: Callable[[], object], kind: str = "", icon_name: str = "") -> QtWidgets.QPushButton:
    """Return a button. `kind` is `primary`, `quiet` or an empty string."""
    button = PushButton(text)
    button.setProperty("kind", kind)
    button.setAutoDefault(False)
    if icon_name:
        button.setIcon(icon(icon_name, {"primary": "accent_text", "quiet": "accent"}.get(kind, "text")))
        button.setIconSize(QSize(scaled(16), scaled(16)))
    button.clicked.connect(lambda _checked=False: slot())
    return button


def text_button(icon_name: str, text: str = "") -> QtWidgets.QToolButton:
    """Return a flat button with an icon and a text."""
    button = ToolButton()
    button.setText(text)
    button.setIcon(icon(icon_name))
    button.setIconSize(QSize(scaled(16), scaled(16)))
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    return button


def tool_button(icon_name: str, name: str, slot: Callable[[], object]) -> QtWidgets.QToolButton:
    """Return an icon button. `name` is its tooltip and accessible name."""
    button = ToolButton()
    button.setIcon(icon(icon_name))
    button.setIconSize(QSize(scaled(16), scaled(16)))
    name_and_tip(button, name)
    button.clicked.connect(lambda _checked=False: slot())
    return button


def mute(labels: Iterable[QtWidgets.QLabel], *, is_muted: bool) -> None:
    """Grey out labels, or restore their usual colour."""
    tone = "muted" if is_muted else ""
    for label in labels:
        set_style(label, "tone", tone)


def set_style(widget: QtWidgets.QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet uses, and reapply the style sheet if it has changed."""
    before = widget.property(name)
    widget.setProperty(name, value)
    if (before or "") != (value or ""):
        restyle(widget)


def discard(widget: QtWidgets.QWidget | None) -> None:
    """Hide a widget at once and delete it when control returns to the event loop."""
    if widget is not None:
        widget.hide()
        widget.deleteLater()


def restyle(widget: QtWidgets.QWidget) -> None:
    """Reapply the style sheet after a property has changed."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    role = widget.property("role")
    if isinstance(role, str):  # polishing restores the font from before the widget was first polished
        set_role(widget, role)
    widget.update()


class IconLabel(QtWidgets.QWidget):
    """An icon of `size` logical pixels at 100 %. It is decorative, because the text next to it conveys the meaning."""

    def __init__(self, name: str, token: str = "text", size: int = 18) -> None:
        super().__init__()
        self._name = name
        self._token = token
        self._size = size
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Fixed, QtWidgets.QSizePolicy.Policy.Fixed)

    def set_icon(self, name: str, token: str = "text") -> None:
        """Set the icon."""
        self._name = name
        self._token = token
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(scaled(self._size), scaled(self._size))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            draw_icon(painter, self._name, self.rect(), current_theme().colour(self._token))
