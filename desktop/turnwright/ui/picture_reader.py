"""Reading of pictures in workers, with the format detected from their content."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage, QImageReader

from turnwright.storage.picture_format import picture_ending

PNG: Final = "png"
BEGINNING: Final = 64  # bytes needed to detect the format


def picture_reader(source: Path | QBuffer) -> QImageReader:
    """Return a reader of a picture in a file or an open buffer, which must be kept as long as the reader.

    The format is detected from the first bytes here, not by Qt. Qt would try each format in turn while holding Python's
    lock. One of the formats connects signals, which needs Qt's lock. The window's thread could hold that lock while it
    waits for Python's.
    """
    if isinstance(source, Path):
        with source.open("rb") as file:
            beginning = file.read(BEGINNING)
        return QImageReader(str(source), _format(beginning))
    return QImageReader(source, _format(bytes(source.peek(BEGINNING).data())))


def _format(beginning: bytes) -> QByteArray:
    """Return Qt's name for the format of a picture with these first bytes, or an empty one if it is unknown."""
    return QByteArray(picture_ending(beginning).encode())


def opened_buffer(content: bytes) -> QBuffer:
    """Return an open buffer with this content."""
    buffer = QBuffer()
    buffer.setData(QByteArray(content))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    return buffer


def page_image(content: bytes) -> QImage:
    """Return the picture of a typeset page."""
    buffer = opened_buffer(content)
    return QImageReader(buffer, QByteArray(PNG.encode())).read()
