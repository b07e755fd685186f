"""The picture under the map: decoded and scaled in a worker, held at a few sizes, painted from the one that fits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QImageReader, QPainter

from turnwright.encounter.prepared import Map
from turnwright.storage.picture_check import MAX_MAP_BYTES, picture_name, picture_problem
from turnwright.ui.translations import tr

if TYPE_CHECKING:
    from turnwright.ui.workers import BackgroundTask

MEGAPIXEL: Final = 1_000_000
MOST_READ: Final = 120 * MEGAPIXEL  # of a file
MOST_HELD: Final = 32 * MEGAPIXEL  # of the picture that is painted
MOST_MEMORY: Final = 512  # megabytes that a decoded picture may take; Qt's own limit is half of it
LEVELS: Final = 4  # the picture, and its halves of halves


def read_picture(path: Path) -> tuple[QImage, ...]:
    """Return a picture at several sizes, largest first. ValueError with the reason where it can't be read.

    It takes up to a second, so it belongs in a worker.
    """
    QImageReader.setAllocationLimit(MOST_MEMORY)
    reader = QImageReader(str(path))
    size = reader.size()
    if size.width() * size.height() > MOST_READ:
        raise ValueError(tr("ui.map.picture-too-large", megapixels=size.width() * size.height() // MEGAPIXEL))
    held = _held(size)
    if held != size and bytes(reader.format().data()) == b"jpeg":
        reader.setScaledSize(held)  # other formats would take longer by it
    image = reader.read()
    if image.isNull():
        raise ValueError(reader.errorString())
    kind = QImage.Format.Format_ARGB32_Premultiplied if image.hasAlphaChannel() else QImage.Format.Format_RGB32
    if image.size() != _held(image.size()):
        image = _scaled(image, _held(image.size()))
    levels = [image.convertToFormat(kind)]
    while len(levels) < LEVELS and min(levels[-1].width(), levels[-1].height()) > 1:
        levels.append(_scaled(levels[-1], levels[-1].size() / 2))
    return tuple(levels)


def _held(size: QSize) -> QSize:
    """Return the size at which a picture is held."""
    pixels = size.width() * size.height()
    return size if pixels <= MOST_HELD else size * (MOST_HELD / pixels) ** 0.5


def _scaled(image: QImage, size: QSize) -> QImage:
    return image.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)


class MapPictureLoader(QObject):
    """The picture of the present map. `loaded` when it, or the reason why there is none, has changed."""

    loaded = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.levels: tuple[QImage, ...] = ()
        self.problem = ""
        self._file: tuple[Path, float] | None = None
        self._work: BackgroundTask | None = None

    def show_map(self, folder: Path | None, field: Map) -> None:
        """Read the picture of a map whose encounter lies in a folder, unless it is held or being read."""
        wanted, problem = None, ""
        if folder is not None and field.picture is not None and field.picture.file:
            problem = picture_problem(folder, field.picture.file, MAX_MAP_BYTES)
            path = folder / picture_name(field.picture.file)
            wanted = None if problem else (path, path.stat().st_mtime)
        if wanted == self._file and problem == self.problem:
            return
        self._file, self.levels, self.problem, self._work = wanted, (), problem, None
        if wanted is not None:
            self._read(wanted[0])
        self.loaded.emit()

    def _read(self, path: Path) -> None:
        from turnwright.ui.workers import BackgroundTask

        def read(_progress: object) -> tuple[QImage, ...] | str:
            try:
                return read_picture(path)
            except ValueError as error:
                return str(error)

        work = BackgroundTask(read, self)
        work.finished.connect(lambda found: self._take(work, found))
        work.failed.connect(lambda why: self._take(work, why))
        self._work = work

    def _take(self, work: BackgroundTask, found: tuple[QImage, ...] | str) -> None:
        """Keep what was read, unless another picture is wanted by now."""
        if work is self._work:
            self._work = None
            self.levels, self.problem = ((), found) if isinstance(found, str) else (found, "")
            self.loaded.emit()

    def paint(self, painter: QPainter, field: Map, squares: QRect, cell: int, ratio: float) -> bool:
        """Paint the part of the picture in a rectangle of squares; False where there is none to paint."""
        if field.picture is None or not self.levels:
            return False
        left, top = field.picture.at
        wide, high = field.picture.size
        place = QRectF(left, top, wide or field.columns, high or field.rows)
        part = place.intersected(QRectF(squares))
        if part.isEmpty():
            return True
        needed = cell * ratio * place.width()
        level = next((one for one in reversed(self.levels) if one.width() >= needed), self.levels[0])
        across, down = level.width() / place.width(), level.height() / place.height()
        source = QRectF(
            (part.left() - place.left()) * across,
            (part.top() - place.top()) * down,
            part.width() * across,
            part.height() * down,
        )
        target = QRectF(part.left() * cell, part.top() * cell, part.width() * cell, part.height() * cell)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(target, level, source)
        if field.picture.dim > 0:
            painter.fillRect(target, QColor(0, 0, 0, round(255 * min(1.0, field.picture.dim))))
        return True
