"""Keys drawn where they act: a key cap on its own, and a button with the cap of its key."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionButton, QStylePainter, QWidget

from turnwright.ui.fonts import GAP, role_font, scaled, set_role
from turnwright.ui.theme import current_theme
from turnwright.ui.widgets.text import PushButton

SIDE = 24
ROLE = "caption"


def key_cap_width(keys: str) -> int:
    """Return the width of a key cap: at least its height."""
    return max(scaled(SIDE), QFontMetrics(role_font(ROLE)).horizontalAdvance(keys) + scaled(14))


def draw_key_cap(painter: QPainter, rect: QRectF, keys: str) -> None:
    """Draw a key cap: an outline with a thicker lower edge."""
    theme = current_theme()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.colour("edge"), 1))
    painter.setBrush(theme.colour("edge"))
    painter.drawRoundedRect(rect.adjusted(0.5, 1.5, -0.5, -0.5), scaled(4), scaled(4))
    painter.setBrush(theme.colour("sunken"))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -1.5), scaled(4), scaled(4))
    font = role_font(ROLE)
    font.setWeight(font.Weight.DemiBold)
    painter.setFont(font)
    painter.setPen(theme.colour("text"))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, keys)
    painter.restore()


class KeyCap(QWidget):
    """A key cap; what it does stands beside it."""

    def __init__(self, keys: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.keys = keys
        self.setAccessibleName(keys)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(key_cap_width(self.keys), scaled(SIDE))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        draw_key_cap(painter, QRectF(self.rect()), self.keys)
        painter.end()


class KeyButton(PushButton):
    """A button with its text and, at its end, the cap of the key that does the same."""

    def __init__(self, text: str, slot: Callable[[], object], keys: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.keys = keys
        self.setAutoDefault(False)
        set_role(self, "caption")
        self.clicked.connect(lambda _checked=False: slot())

    def sizeHint(self) -> QSize:
        return QSize(self._text_width() + self._cap_room() + scaled(2 * GAP), scaled(40))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        text, option.text = option.text, ""
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        left = (self.width() - self._text_width() - self._cap_room()) // 2
        painter.setPen(current_theme().colour("text" if self.isEnabled() else "edge"))
        box = QRect(left, 0, self._text_width(), self.height())
        painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextShowMnemonic), text)
        if self.keys:
            width, side = key_cap_width(self.keys), scaled(SIDE)
            top = (self.height() - side) / 2
            draw_key_cap(painter, QRectF(box.right() + scaled(GAP), top, width, side), self.keys)
        painter.end()

    def _text_width(self) -> int:
        return self.fontMetrics().horizontalAdvance(self.text().replace("&", "")) + 2

    def _cap_room(self) -> int:
        return scaled(GAP) + key_cap_width(self.keys) if self.keys else 0
