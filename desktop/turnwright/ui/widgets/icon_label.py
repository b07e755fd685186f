"""A label that shows an icon in a theme colour."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from turnwright.ui.look.fonts import scaled
from turnwright.ui.look.icons import draw_icon
from turnwright.ui.look.theme import current_theme


class IconLabel(QWidget):
    """An icon of `size` logical pixels at 100 %. It is decorative, because the text next to it conveys the meaning."""

    def __init__(self, name: str, token: str = "text", size: int = 18, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._token = token
        self._size = size
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_icon(self, name: str, token: str = "text") -> None:
        """Set the icon."""
        self._name = name
        self._token = token
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(scaled(self._size), scaled(self._size))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        draw_icon(painter, self._name, self.rect(), current_theme().colour(self._token))
        painter.end()
