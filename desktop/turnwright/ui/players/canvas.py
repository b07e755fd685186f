"""A surface for painting pages of the players' window. Lengths and fonts scale, so thumbnails look the same."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from turnwright.ui.look.icons import draw_icon
from turnwright.ui.look.style import Theme, base_font, tabular

FULL_SIZE: Final = QSizeF(1920, 1080)  # the page size for which lengths are given in pixels
SMALLEST: Final = 7  # minimum font height in pixels, for thumbnails
BOLD: Final = QFont.Weight.Bold
STRONG: Final = QFont.Weight.DemiBold
PLAIN: Final = QFont.Weight.Normal
LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTRE: Final = Qt.AlignmentFlag.AlignCenter
NO_PICTURES: Final[Mapping[bytes, QImage]] = {}


class Canvas:
    """Everything needed to paint a page: a painter, the page's rectangle, the theme, and images by name."""

    def __init__(
        self, painter: QPainter, page: QRectF, theme: Theme, pictures: Mapping[bytes, QImage] = NO_PICTURES
    ) -> None:
        self.painter = painter
        self.page = page
        self.theme = theme
        self.pictures = pictures
        self.unit = min(page.width() / FULL_SIZE.width(), page.height() / FULL_SIZE.height())

    def length(self, pixels: float) -> float:
        """Convert a length from pixels at full size to this page's scale."""
        return pixels * self.unit

    def font(self, pixels: float, weight: QFont.Weight = PLAIN) -> QFont:
        """Return the font with a height given in pixels at full size."""
        font = tabular(QFont(base_font().font))
        font.setPixelSize(max(SMALLEST, round(self.length(pixels))))
        font.setWeight(weight)
        return font

    def width(self, text: str, font: QFont) -> float:
        """Return the width of a text."""
        return QFontMetricsF(font).horizontalAdvance(text)

    def write(self, text: str, box: QRectF, font: QFont, ink: QColor, alignment: Qt.AlignmentFlag = LEFT) -> float:
        """Write a line of text, elided if the box is too narrow. Return its width."""
        elided = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        self.painter.setFont(font)
        self.painter.setPen(ink)
        self.painter.drawText(box, alignment, elided)
        return self.width(elided, font)

    def icon(self, name: str, box: QRectF, ink: QColor) -> None:
        """Draw an icon in the centre of a box."""
        draw_icon(self.painter, name, box, ink)

    def fill(self, box: QRectF, colour: QColor) -> None:
        """Fill a rectangle with a colour."""
        self.painter.fillRect(box, colour)
