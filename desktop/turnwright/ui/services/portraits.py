"""Images read in workers within size limits, and creature portraits, of which small square versions are cached.

The format of an image is detected from its content.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QImageReader, QImageWriter

from turnwright.storage.picture_files import picture_ending, picture_name, picture_problem
from turnwright.ui.look.style import tr
from turnwright.ui.services.workers import BackgroundTask, Progress

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
    """Return the image in a PNG file, such as that of a typeset page."""
    buffer = opened_buffer(content)  # a reader doesn't keep its device
    return QImageReader(buffer, QByteArray(PNG.encode())).read()


HELD: Final = 256  # side of a cached portrait in pixels
STORED: Final = 512  # side of a portrait's file in pixels
SHOWN: Final = 1024  # longer side of a picture in the crop dialog, in pixels
MEGAPIXEL: Final = 1_000_000
MOST_READ: Final = 50 * MEGAPIXEL
MOST_HELD: Final = 400  # maximum number of cached portraits


def read_picture(path: Path, longest: int) -> QImage:
    """Read an image, reduced to at most `longest` pixels on each side. Raise ValueError with the reason on failure.

    This can take half a second and should run in a worker. The image is decoded only if its type, file size and
    dimensions are within limits.
    """
    if problem := picture_problem(path.parent, path.name):
        raise ValueError(problem)
    reader = picture_reader(path)
    reader.setAutoTransform(True)
    return shrunk(decoded(reader, MOST_READ, "ui.portrait.too-large", lambda size: _within(size, 2 * longest)), longest)


def decoded(reader: QImageReader, most: int, too_large: str, needed: Callable[[QSize], QSize]) -> QImage:
    """Read an image of at most `most` pixels, if possible at the size that is needed. Raise ValueError otherwise."""
    size = reader.size()
    if size.width() * size.height() > most:
        raise ValueError(tr(too_large, megapixels=size.width() * size.height() // MEGAPIXEL))
    if bytes(reader.format().data()) == b"jpeg":
        reader.setScaledSize(needed(size))  # other formats would be read more slowly
    image = reader.read()
    if image.isNull():
        raise ValueError(reader.errorString())
    return image


def shrunk(image: QImage, longest: int) -> QImage:
    """Return an image reduced to at most `longest` pixels on each side."""
    if (size := _within(image.size(), longest)) != image.size():
        image = image.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)
    return image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


def middle_square(size: QSize) -> QRectF:
    """Return the largest square of an image.

    The square is centred. In a tall image it is closer to the top, where faces usually are.
    """
    side = min(size.width(), size.height())
    return QRectF((size.width() - side) / 2, (size.height() - side) / 4, side, side)


def portrait_png(image: QImage, square: QRectF) -> bytes:
    """Convert a square part of an image to a PNG file. For use in a worker."""
    cut = image.copy(square.toRect())
    side = min(STORED, max(1, cut.width()))
    cut = cut.scaled(side, side, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)
    return encoded(cut, PNG)


def encoded(image: QImage, file_format: str, quality: int = -1) -> bytes:
    """Return the content of an image's file in a format."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(buffer, QByteArray(file_format.encode()))
    writer.setQuality(quality)
    writer.write(image)
    return bytes(buffer.data().data())


def _within(size: QSize, longest: int) -> QSize:
    if max(size.width(), size.height()) <= longest:
        return size
    return size.scaled(longest, longest, Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(1, 1))


class Portraits(QObject):
    """The portraits of the open encounter. Emits `loaded(file)` when a requested portrait has been read.

    `folder` returns the folder of the encounter's images, or None if it has no file.
    """

    loaded = Signal(str)

    def __init__(self, folder: Callable[[], Path | None], parent: QObject) -> None:
        super().__init__(parent)
        self._folder = folder
        self._found: dict[tuple[Path, str], QImage | None] = {}

    def forget(self) -> None:
        """Read all portraits again when they are next needed."""
        self._found.clear()

    def image(self, file: str) -> QImage | None:
        """Return a portrait, or None if there is none or it isn't loaded yet. In that case a worker loads it."""
        folder = self._folder() if file else None
        if folder is None:
            return None
        key = (folder, file)
        if key not in self._found:
            if len(self._found) >= MOST_HELD:
                self._found.clear()
            self._found[key] = None
            self._read(key)
        return self._found[key]

    def _read(self, key: tuple[Path, str]) -> None:
        work = BackgroundTask(partial(_read_portrait, key[0], key[1]), self)
        work.finished.connect(partial(self._take, key))

    def _take(self, key: tuple[Path, str], image: QImage | None) -> None:
        if image is not None and key in self._found:
            self._found[key] = image
            self.loaded.emit(key[1])


def _read_portrait(folder: Path, file: str, _progress: Progress) -> QImage | None:
    """Return a portrait at its cached size, or None if it can't be shown. The file's findings explain why."""
    if picture_problem(folder, file):
        return None
    try:
        image = read_picture(folder / picture_name(file), 2 * HELD)
    except ValueError:
        return None
    return shrunk(image.copy(middle_square(image.size()).toRect()), HELD)
