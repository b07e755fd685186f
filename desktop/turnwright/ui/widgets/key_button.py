"""Visible keyboard shortcuts: a key cap next to a text, and a button with a key cap."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRectF, QSize
from PySide6.QtGui import QColor, QIcon, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionButton, QStylePainter, QWidget

from turnwright.ui.look.fonts import GAP, SPACE, scaled, set_role
from turnwright.ui.look.icons import icon
from turnwright.ui.look.theme import current_theme
from turnwright.ui.widgets.paint import draw_key_cap, key_cap_size
from turnwright.ui.widgets.text import PushButton, restyle

INKS = {"primary": "accent_text", "waiting": "warn", "quiet": "accent"}


class KeyCap(QWidget):
    """A key cap, shown next to a description of the key."""

    def __init__(self, keys: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
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

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.keys:
            return
        painter, theme = QPainter(self), current_theme()
        draw_key_cap(painter, QRectF(self.rect()), self.keys, theme.colour("text"), theme.colour("sunken"))
        painter.end()


class KeyButton(PushButton):
    """A button with a key cap at its end. `kind` is a kind of `push_button`, or `waiting`."""

    _hint: QSize | None = None  # cached, because Qt requests it thousands of times during layout

    def __init__(
        self,
        text: str,
        slot: Callable[[], object],
        keys: str = "",
        kind: str = "",
        icon_name: str = "",
        role: str = "body",
    ) -> None:
        super().__init__(text)
        self.keys = keys
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setIconSize(QSize(scaled(20), scaled(20)))
        set_role(self, role)  # set the role first, because the style sheet keeps the current font
        self.set_kind(kind)
        self.set_icon(icon_name)
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

    def setIcon(self, icon: QIcon | QPixmap) -> None:
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

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), QStyleOptionButton()
        self.initStyleOption(option)
        painter.drawControl(QStyle.ControlElement.CE_PushButtonBevel, option)
        option.rect.adjust(0, 0, -self._cap_room() if self.keys else 0, 0)
        painter.drawControl(QStyle.ControlElement.CE_PushButtonLabel, option)
        if self.keys:
            theme = current_theme()
            ink = theme.colour(self._ink() if self.isEnabled() else "edge")
            ground = QColor(0, 0, 0, 0) if self.property("kind") in INKS else theme.colour("sunken")
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
