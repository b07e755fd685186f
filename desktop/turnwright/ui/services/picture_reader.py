"""Reading of images in workers. Their format is detected from the content."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage, QImageReader

from turnwright.storage.pictures.picture_format import picture_ending

PNG: Final = "png"
BEGINNING: Final = 64  # bytes needed to detect the format


def picture_reader(source: Path | QBuffer) -> QImageReader:
    """Return a reader for an image in a file or an open buffer. The caller must keep the buffer alive.

    The format is detected here, not by Qt. Qt would try each format in turn while holding Python's lock. One of the
    formats connects signals, which requires Qt's lock. The GUI thread could hold that lock while waiting for Python's.
    """
    if isinstance(source, Path):
        with source.open("rb") as file:
            beginning = file.read(BEGINNING)
        return QImageReader(str(source), _format(beginning))
    return QImageReader(source, _format(bytes(source.peek(BEGINNING).data())))


def _format(beginning: bytes) -> QByteArray:
    """Return Qt's name for the image format with these first bytes, or an empty one if it is unknown."""
    return QByteArray(picture_ending(beginning).encode())


def opened_buffer(content: bytes) -> QBuffer:
    """Return an open buffer with this content."""
    buffer = QBuffer()
    buffer.setData(QByteArray(content))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    return buffer


def page_image(content: bytes) -> QImage:
    """Return the image of a typeset page."""
    buffer = opened_buffer(content)
    return QImageReader(buffer, QByteArray(PNG.encode())).read()
