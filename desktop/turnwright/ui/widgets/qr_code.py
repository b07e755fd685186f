"""A QR code, always dark on white regardless of the theme, because cameras can't read other colours reliably."""

import segno
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from turnwright.ui.look.style import scaled

QUIET = 4  # modules; the white margin required by the standard
SIDE = 232
MODULE = 16  # pixels per module in an image for a large screen


class QrCode(QWidget):
    """A square with the QR code of a text, or white if there is no text. Every module has the same width in pixels."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._rows: tuple[bytes, ...] = ()

    def set_text(self, text: str) -> None:
        """Show the QR code of a text, or nothing if it is empty."""
        self._rows = _modules(text) if text else ()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(scaled(SIDE), scaled(SIDE))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), Qt.GlobalColor.white)
        if not self._rows:
            return
        ratio = self.devicePixelRatioF()
        painter.scale(1 / ratio, 1 / ratio)  # draw in device pixels, so that all modules have the same size
        side = int(min(self.width(), self.height()) * ratio)
        module = max(1, side // (len(self._rows) + 2 * QUIET))
        start = (side - module * len(self._rows)) // 2
        _draw_modules(painter, self._rows, start, module)


def qr_image(text: str) -> QImage:
    """Return the QR code of a text as an image with a white margin."""
    rows = _modules(text)
    side = (len(rows) + 2 * QUIET) * MODULE
    image = QImage(side, side, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    with QPainter(image) as painter:
        _draw_modules(painter, rows, QUIET * MODULE, MODULE)
    return image


def _draw_modules(painter: QPainter, rows: tuple[bytes, ...], start: int, module: int) -> None:
    for down, row in enumerate(rows):
        for across, is_dark in enumerate(row):
            if is_dark:
                place = QRect(start + across * module, start + down * module, module, module)
                painter.fillRect(place, Qt.GlobalColor.black)


def _modules(text: str) -> tuple[bytes, ...]:
    """Return the rows of a text's QR code. Dark modules are 1."""
    return tuple(map(bytes, segno.make_qr(text, error="m").matrix))
