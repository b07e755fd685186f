"""A page of the players' window to be painted: lengths and type grow with it, so that a thumbnail is the same page."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from turnwright.ui.fonts import base_font, tabular
from turnwright.ui.icons import draw_icon
from turnwright.ui.theme import Theme

FULL_SIZE: Final = QSizeF(1920, 1080)  # the size at which a length in pixels is that length
SMALLEST: Final = 7  # pixels of type, below which a thumbnail stays
BOLD: Final = QFont.Weight.Bold
STRONG: Final = QFont.Weight.DemiBold
PLAIN: Final = QFont.Weight.Normal
LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTRE: Final = Qt.AlignmentFlag.AlignCenter
NO_PICTURES: Final[Mapping[bytes, QImage]] = MappingProxyType({})


class Canvas:
    """What a page is painted with: a painter, the page's rectangle, the colours, and pictures by their files' content."""

    def __init__(
        self, painter: QPainter, page: QRectF, theme: Theme, pictures: Mapping[bytes, QImage] = NO_PICTURES
    ) -> None:
        self.painter = painter
        self.page = page
        self.theme = theme
        self.pictures = pictures
        self.unit = min(page.width() / FULL_SIZE.width(), page.height() / FULL_SIZE.height())

    def length(self, pixels: float) -> float:
        """Return a length on this page of so many pixels at full size."""
        return pixels * self.unit

    def font(self, pixels: float, weight: QFont.Weight = PLAIN) -> QFont:
        """Return the font of a height at full size."""
        font = tabular(QFont(base_font().font))
        font.setPixelSize(max(SMALLEST, round(self.length(pixels))))
        font.setWeight(weight)
        return font

    def width(self, text: str, font: QFont) -> float:
        """Return how wide a text is."""
        return QFontMetricsF(font).horizontalAdvance(text)

    def write(
        self,
        text: str,
        box: QRectF,
        font: QFont,
        ink: QColor,
        alignment: Qt.AlignmentFlag = LEFT,
    ) -> float:
        """Write a line, shortened where the box is too narrow; return its width."""
        shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        self.painter.setFont(font)
        self.painter.setPen(ink)
        self.painter.drawText(box, alignment, shown)
        return self.width(shown, font)

    def icon(self, name: str, box: QRectF, ink: QColor) -> None:
        """Draw an icon in the middle of a box."""
        draw_icon(self.painter, name, box, ink)

    def fill(self, box: QRectF, colour: QColor) -> None:
        """Fill a rectangle."""
        self.painter.fillRect(box, colour)
