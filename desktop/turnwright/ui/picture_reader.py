"""Reading pictures in workers, by the format that their content has."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage, QImageReader

from turnwright.storage.picture_format import picture_ending

PNG: Final = "png"
BEGINNING: Final = 64  # bytes that tell the format


def picture_reader(source: Path | QBuffer) -> QImageReader:
    """Return a reader of a picture in a file or an open buffer, which must be kept as long as the reader.

    The format is told by the first bytes, not left to Qt: that asks each format in turn while it holds Python's lock, one of
    them connects signals, and the window's thread can hold Qt's lock for that and wait for Python's.
    """
    if isinstance(source, Path):
        with source.open("rb") as file:
            beginning = file.read(BEGINNING)
        return QImageReader(str(source), _format(beginning))
    return QImageReader(source, _format(bytes(source.peek(BEGINNING).data())))


def _format(beginning: bytes) -> QByteArray:
    """Return Qt's name of the format of a picture by its first bytes, empty for an unknown one."""
    return QByteArray(picture_ending(beginning).encode())


def opened_buffer(content: bytes) -> QBuffer:
    """Return an open buffer of some bytes."""
    buffer = QBuffer()
    buffer.setData(QByteArray(content))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    return buffer


def page_image(content: bytes) -> QImage:
    """Return the picture of a typeset page."""
    buffer = opened_buffer(content)
    return QImageReader(buffer, QByteArray(PNG.encode())).read()
