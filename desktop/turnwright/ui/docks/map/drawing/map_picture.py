"""The picture under the map, decoded in a worker and stored at several sizes.

For each zoom, a worker scales the visible parts. Until they are ready, the smallest size is shown, so that a large
picture never delays a frame.
"""

from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QImageReader, QPainter, QTransform

from turnwright.encounter.prepared import Map
from turnwright.storage.picture_files import MAX_MAP_BYTES, picture_name, picture_problem
from turnwright.ui.services.portraits import MEGAPIXEL, decoded, picture_reader
from turnwright.ui.services.workers import LatestTask

MOST_READ: Final = 120 * MEGAPIXEL  # maximum size of a picture file, in pixels
MOST_HELD: Final = 32 * MEGAPIXEL  # maximum size of the stored picture, in pixels
MOST_MEMORY: Final = 512  # megabytes for a decoded picture; Qt's own limit is half of this
LEVELS: Final = 4  # stored sizes, each half of the one before
QUICK: Final = 1200  # pixels; narrower pictures are scaled while painting
MOST_PARTS: Final = 64  # scaled parts of 1 MB each


def read_picture(path: Path) -> tuple[QImage, ...]:
    """Read a picture and return it at several sizes, largest first. Raise ValueError if it can't be read.

    This takes up to a second, so call it in a worker. The error message states the reason.
    """
    QImageReader.setAllocationLimit(MOST_MEMORY)
    image = decoded(picture_reader(path), MOST_READ, "ui.map.picture-too-large", _held)
    kind = QImage.Format.Format_ARGB32_Premultiplied if image.hasAlphaChannel() else QImage.Format.Format_RGB32
    if image.size() != _held(image.size()):
        image = _scaled(image, _held(image.size()))
    levels = [image.convertToFormat(kind)]
    while len(levels) < LEVELS and min(levels[-1].width(), levels[-1].height()) > 1:
        levels.append(_scaled(levels[-1], levels[-1].size() / 2))
    return tuple(levels)


def _held(size: QSize) -> QSize:
    """Return the size at which a picture is stored: its full size, or less for a very large picture."""
    pixels = size.width() * size.height()
    return size if pixels <= MOST_HELD else size * (MOST_HELD / pixels) ** 0.5


def _scaled(image: QImage, size: QSize) -> QImage:
    return image.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)


class PicturePart(NamedTuple):
    """A part of a picture at a zoom: the index of the stored size, the rectangle in it, and the size in pixels."""

    level: int
    source: tuple[float, float, float, float]
    size: tuple[int, int]


def scaled_part(image: QImage, part: PicturePart) -> QImage:
    """Return a scaled part of a picture. Call it in a worker."""
    left, top, width, height = part.source
    scaled = QImage(*part.size, image.format())
    scaled.fill(0)
    with QPainter(scaled) as painter:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(QRectF(0, 0, *part.size), image, QRectF(left, top, width, height))
    return scaled


class MapPictureLoader(QObject):
    """Loads the current map's picture. Emits `loaded` when the picture, or the reason for its absence, has changed.

    Emits `scaled(squares)` when sharper parts are available for some rectangles of squares.
    """

    loaded = Signal()
    scaled = Signal(list)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.levels: tuple[QImage, ...] = ()
        self.problem = ""
        self._asked: tuple[tuple[Path, float] | None, str] = (None, "")
        self._work = LatestTask(self)
        self._parts: dict[PicturePart, QImage] = {}
        self._wanted: dict[PicturePart, QRect] = {}
        self._zoom = (0, 0.0)
        self._scaler = LatestTask(self)

    def show_map(self, folder: Path | None, field: Map) -> None:
        """Load the picture of a map, unless it is already loaded or loading.

        `folder` is the folder of the encounter file.
        """
        source, problem = None, ""
        if folder is not None and field.picture is not None and field.picture.file:
            problem = picture_problem(folder, field.picture.file, MAX_MAP_BYTES)
            path = folder / picture_name(field.picture.file)
            source = None if problem else (path, path.stat().st_mtime)
        if (source, problem) == self._asked:  # don't retry an unreadable picture
            return
        self._asked, self.levels, self.problem = (source, problem), (), problem
        self._work.drop()
        self._forget_parts()
        if source is not None:
            self._read(source[0])
        self.loaded.emit()

    @property
    def is_reading(self) -> bool:
        """Whether a picture is being read."""
        return self._work.is_running

    def _read(self, path: Path) -> None:
        def read() -> tuple[QImage, ...] | str:
            try:
                return read_picture(path)
            except ValueError as error:
                return str(error)

        self._work.start(read, self._take, self._take)

    def _take(self, result: tuple[QImage, ...] | str) -> None:
        """Store the picture, or the reason why it can't be read."""
        self.levels, self.problem = ((), result) if isinstance(result, str) else (result, "")
        self._forget_parts()
        self.loaded.emit()

    def paint(self, painter: QPainter, field: Map, squares: QRect, cell: int, ratio: float) -> bool:
        """Paint the part of the picture in a rectangle of squares. Return False if there is no picture."""
        if field.picture is None or not self.levels:
            return False
        left, top = field.picture.at
        wide, high = field.picture.size
        place = QRectF(left, top, wide or field.columns, high or field.rows)
        part = place.intersected(QRectF(squares))
        if part.isEmpty():
            return True
        needed = cell * ratio * place.width()
        fitting = next((at for at in reversed(range(len(self.levels))) if self.levels[at].width() >= needed), 0)
        is_quick = self.levels[fitting].width() <= QUICK
        level = self.levels[fitting if is_quick else -1]
        in_pixels = QTransform.fromScale(level.width() / place.width(), level.height() / place.height())
        source = in_pixels.mapRect(part.translated(-place.topLeft()))
        target = QTransform.fromScale(cell, cell).mapRect(part)
        sharp = None if is_quick else self._sharp_part(fitting, source, target, QRect(squares), (cell, ratio))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if sharp is not None:
            painter.drawImage(target, sharp)
        else:
            painter.drawImage(target, level, source)
        if field.picture.dim > 0:
            painter.fillRect(target, QColor(0, 0, 0, round(255 * min(1.0, field.picture.dim))))
        return True

    # Scaling ---------------------------------------------------------------------------------------------------

    def _sharp_part(
        self, fitting: int, coarse: QRectF, target: QRectF, squares: QRect, zoom: tuple[int, float]
    ) -> QImage | None:
        """Return a part scaled for a zoom. If it isn't available yet, request it and return None."""
        fine, rough = self.levels[fitting], self.levels[-1]
        across, down = fine.width() / rough.width(), fine.height() / rough.height()
        part = PicturePart(
            fitting,
            (coarse.left() * across, coarse.top() * down, coarse.width() * across, coarse.height() * down),
            (max(1, round(target.width() * zoom[1])), max(1, round(target.height() * zoom[1]))),
        )
        if part in self._parts:
            self._parts[part] = image = self._parts.pop(part)  # the most recently used is last
            return image
        if zoom != self._zoom:
            self._zoom = zoom
            self._wanted.clear()
        self._wanted[part] = squares
        if not self._scaler.is_running:
            self._scale_wanted()
        return None

    def _scale_wanted(self) -> None:
        """Scale the requested parts in the background."""
        levels, wanted = self.levels, self._wanted

        def scale() -> dict[PicturePart, QImage]:
            return {part: scaled_part(levels[part.level], part) for part in tuple(wanted)[:MOST_PARTS]}

        self._scaler.start(scale, self._take_parts)

    def _take_parts(self, images: dict[PicturePart, QImage]) -> None:
        self._parts.update(images)
        while len(self._parts) > MOST_PARTS:
            self._parts.pop(next(iter(self._parts)))
        squares = [self._wanted.pop(part) for part in images if part in self._wanted]
        if squares:
            self.scaled.emit(squares)
        if self._wanted and not self._scaler.is_running:
            self._scale_wanted()

    def _forget_parts(self) -> None:
        self._parts.clear()
        self._wanted = {}
        self._scaler.drop()
