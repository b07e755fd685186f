"""A QR code, always dark on white regardless of the theme, because cameras can't read other colours reliably."""

from io import BytesIO

import segno
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from turnwright.ui.look.style import scaled
from turnwright.ui.services.portraits import page_image

QUIET = 4  # modules; the white margin required by the standard
SIDE = 232
MODULE = 16  # pixels per module in an image for a large screen


class QrCode(QWidget):
    """A square with the QR code of a text, or white if there is no text. Every module has the same width in pixels."""

    def __init__(self, name: str) -> None:
        super().__init__(accessibleName=name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._code: segno.QRCode | None = None

    def set_text(self, text: str) -> None:
        """Show the QR code of a text, or nothing if it is empty."""
        self._code = segno.make_qr(text, error="m") if text else None
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(scaled(SIDE), scaled(SIDE))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), Qt.GlobalColor.white)
        if self._code is None:
            return
        ratio = self.devicePixelRatioF()
        painter.scale(1 / ratio, 1 / ratio)  # draw in device pixels, so that all modules have the same size
        side = int(min(self.width(), self.height()) * ratio)
        image = _image(self._code, max(1, side // int(self._code.symbol_size(border=QUIET)[0])))
        painter.drawImage((side - image.width()) // 2, (side - image.width()) // 2, image)


def qr_image(text: str) -> QImage:
    """Return the QR code of a text as an image with a white margin."""
    return _image(segno.make_qr(text, error="m"), MODULE)


def _image(code: segno.QRCode, module: int) -> QImage:
    """Return a QR code with a white margin. Each module is this many pixels wide."""
    content = BytesIO()
    code.save(content, kind="png", scale=module, border=QUIET)
    return page_image(content.getvalue()).convertToFormat(QImage.Format.Format_RGB32)
