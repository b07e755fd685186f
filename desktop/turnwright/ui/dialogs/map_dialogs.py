"""Dialogs that add a map to the encounter: one chooses the parts of an imported map, one fits a grid to an image."""

import re

import msgspec
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QGridLayout, QWidget

from turnwright.importers.universal_vtt import MAP_PARTS, MapImport, MapPart
from turnwright.ui.look.style import scaled, tr
from turnwright.ui.widgets.dialog import StandardDialog
from turnwright.ui.widgets.text import plain_label

PREVIEW = 320  # pixels at 100 %
SQUARES_IN_NAME = re.compile(r"(?<!\d)(\d{1,3})\s?[x×]\s?(\d{1,3})(?!\d)")
USUAL_PIXELS = 70.0
LEAST_DRAG = 4  # pixels


class MapImportDialog(StandardDialog):
    """Lists the parts of an imported map with item counts and check boxes. Emits `chosen(parts, dark)` on import."""

    chosen = Signal(object, bool)

    def __init__(self, name: str, imported: MapImport, preview: QImage, parent: QWidget | None = None) -> None:
        title = tr("ui.map-import.title", name=name)
        field = imported.battle_map
        super().__init__(title, parent, tr("ui.map-import.lead", columns=field.columns, rows=field.rows))
        if not preview.isNull():
            picture = plain_label("")
            picture.setPixmap(QPixmap.fromImage(preview))
            picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
            picture.setAccessibleName(tr("ui.map-import.picture"))
            self.column.addWidget(picture)
        self.boxes: dict[MapPart, QCheckBox] = {}
        for part in MAP_PARTS:
            words, number = _part_words(part, imported)
            box = QCheckBox(words.replace("&", "&&"))
            box.setChecked(bool(number))
            box.setEnabled(bool(number))
            self.boxes[part] = box
            self.column.addWidget(box)
        self.dark = QCheckBox(tr("ui.map-import.dark"))
        self.dark.setEnabled(bool(imported.counts.lights))
        self.column.addWidget(self.dark)
        if words := left_out_words(imported):
            self.column.addWidget(plain_label(words, tone="muted", wraps=True))
        self.column.addWidget(plain_label(tr("ui.map-import.stays"), tone="muted", wraps=True))
        self.accept_button = self.add_answer(tr("ui.map-import.import"), self.accept)
        self.accepted.connect(self._choose)

    def _choose(self) -> None:
        self.chosen.emit([part for part, box in self.boxes.items() if box.isChecked()], self.dark.isChecked())


def _part_words(part: MapPart, imported: MapImport) -> tuple[str, int]:
    """Return the label of a map part and the number of its items."""
    counts = imported.counts
    if part == "picture":
        size = len(imported.picture)
        kind, megabytes = imported.ending.upper(), f"{size / 1_000_000:.1f}"
        return tr("ui.map-import.part-picture", kind=kind, megabytes=megabytes), size
    if part == "walls":
        return tr("ui.map-import.part-walls", exact=counts.exact, free=counts.free), counts.exact + counts.free
    number: int = getattr(counts, part)
    return tr(f"ui.map-import.part-{part}", n=number), number


def left_out_words(imported: MapImport) -> str:
    """Return a text about the parts of the file that aren't imported, or an empty string if all are."""
    numbers = msgspec.structs.asdict(imported.counts)
    names = ("walls_outside", "doors_outside", "lights_outside", "empty", "unusable")
    parts = [tr(f"ui.map-import.{name.replace('_', '-')}", n=numbers[name]) for name in names if numbers[name]]
    parts += [tr("ui.map-import.missing", name=imported.missing)] if imported.missing else []
    return tr("ui.map-import.left-out", what=", ".join(parts)) if parts else ""


class MapPictureDialog(StandardDialog):
    """Fits a grid to an image: by numbers, by dragging over one square, or by clicking two of its corners.

    Emits `chosen(pixels, (x, y))`: the side length of a square and the position of the grid's first corner, both in
    pixels of the image. `fitted` are these values if the image already has a grid.
    """

    chosen = Signal(float, object)

    def __init__(
        self,
        name: str,
        size: QSize,
        preview: QImage,
        parent: QWidget | None = None,
        fitted: tuple[float, tuple[float, float]] | None = None,
    ) -> None:
        super().__init__(tr("ui.map-picture.title", name=name), parent, tr("ui.map-picture.lead"))
        self._size = size
        self.view = GridPreview(preview, size)
        self.view.fitted.connect(self._take_square)
        self.column.addWidget(self.view, 0, Qt.AlignmentFlag.AlignCenter)
        self.squares = self._number("squares", 1, 500)
        self.pixels = self._number("pixels", 4, max(size.width(), size.height()))
        self.across, self.down = self._number("offset-x", 0, 5_000), self._number("offset-y", 0, 5_000)
        grid = QGridLayout()
        boxes = {"squares": self.squares, "pixels": self.pixels, "offset-x": self.across, "offset-y": self.down}
        for place, (key, box) in enumerate(boxes.items()):
            label = plain_label(tr(f"ui.map-picture.{key}"), "caption", "muted")
            label.setBuddy(box)
            grid.addWidget(label, 2 * (place // 2), place % 2)
            grid.addWidget(box, 2 * (place // 2) + 1, place % 2)
        self.column.addLayout(grid)
        self.result_label = plain_label("", tone="muted")
        self.column.addWidget(self.result_label)
        self.add_answer(tr("ui.map-picture.place"), self.accept)
        self.squares.valueChanged.connect(lambda squares: self.pixels.setValue(self._size.width() / squares))
        self.pixels.valueChanged.connect(self._show)
        self.across.valueChanged.connect(self._show)
        self.down.valueChanged.connect(self._show)
        self.pixels.setValue(guessed_pixels(name, size) if fitted is None else fitted[0])
        if fitted is not None:
            self.across.setValue(fitted[1][0])
            self.down.setValue(fitted[1][1])
        self._show()
        self.accepted.connect(lambda: self.chosen.emit(self.pixels.value(), self.offset))

    @property
    def offset(self) -> tuple[float, float]:
        """The position of the grid's first corner, in pixels of the image."""
        side = self.pixels.value()
        return self.across.value() % side, self.down.value() % side

    def _number(self, key: str, least: float, most: float) -> QDoubleSpinBox:
        box = QDoubleSpinBox()
        box.setRange(least, most)
        box.setDecimals(2)
        box.setAccessibleName(tr(f"ui.map-picture.{key}"))
        return box

    def _take_square(self, corner: QPointF, side: float) -> None:
        """Fit the grid to a square that was dragged or clicked on the image."""
        self.pixels.setValue(side)
        self.across.setValue(corner.x() % side)
        self.down.setValue(corner.y() % side)

    def _show(self) -> None:
        side = self.pixels.value()
        self.squares.blockSignals(True)
        self.squares.setValue(self._size.width() / side)
        self.squares.blockSignals(False)
        self.view.show_grid(side, self.offset)
        columns, rows = (self._size.width() - self.offset[0]) / side, (self._size.height() - self.offset[1]) / side
        self.result_label.setText(tr("ui.map-picture.result", columns=f"{columns:.1f}", rows=f"{rows:.1f}"))


def guessed_pixels(name: str, size: QSize) -> float:
    """Guess a square's side length in pixels from a map size in the file name (`Crypt 24x18`), or use the default."""
    for across, down in SQUARES_IN_NAME.findall(name):
        if int(across) and int(down) and abs(size.width() / int(across) - size.height() / int(down)) < 1:
            return size.width() / int(across)
    return min(USUAL_PIXELS, float(max(size.width(), size.height())))


class GridPreview(QWidget):
    """A reduced image under a grid.

    Emits `fitted(corner, side)`, in pixels of the full image, when the user drags over a square or clicks two of its
    corners.
    """

    fitted = Signal(QPointF, float)

    def __init__(self, preview: QImage, size: QSize) -> None:
        super().__init__()
        self._preview = preview
        self._ratio = preview.width() / max(1, size.width())
        self._side, self._offset = 1.0, (0.0, 0.0)
        self._from: QPointF | None = None
        self._corner: QPointF | None = None  # first corner of a square that was clicked
        self._to = QPointF()
        self.setFixedSize(preview.size())
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setAccessibleName(tr("ui.map-picture.preview"))

    def show_grid(self, side: float, offset: tuple[float, float]) -> None:
        """Show a grid with squares of this side length, in pixels of the full image."""
        self._side, self._offset = side, offset
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.drawImage(0, 0, self._preview)
        if (side := self._side * self._ratio) >= 3:
            x0, y0 = (coordinate * self._ratio for coordinate in self._offset)
            across = [x0 + n * side for n in range(int((self.width() - x0) / side) + 1)]
            down = [y0 + n * side for n in range(int((self.height() - y0) / side) + 1)]
            lines = [QLineF(x, 0, x, self.height()) for x in across] + [QLineF(0, y, self.width(), y) for y in down]
            for colour, shift in ((QColor(255, 255, 255, 150), 1), (QColor(0, 0, 0, 200), 0)):
                painter.setPen(QPen(colour, 1))
                painter.drawLines([line.translated(shift, shift) for line in lines])
        painter.setPen(QPen(QColor(220, 0, 90), 2))
        if self._from is not None:
            painter.drawRect(QRectF(self._from, self._to))
        if self._corner is not None:
            painter.drawEllipse(self._corner, 4, 4)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._from = self._to = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._from is not None:
            self._to = self._from + _square_of(event.position() - self._from)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._from is None:
            return
        start, self._from = self._from, None
        box = QRectF(start, self._to).normalized()
        if box.width() < LEAST_DRAG:  # a click
            corner, self._corner = self._corner, start
            box = QRectF(corner, corner + _square_of(start - corner)).normalized() if corner is not None else QRectF()
        if box.width() >= LEAST_DRAG:
            self._corner = None
            self.fitted.emit(box.topLeft() / self._ratio, box.width() / self._ratio)
        self.update()


def _square_of(drag: QPointF) -> QPointF:
    """Extend a dragged rectangle to a square."""
    side = max(abs(drag.x()), abs(drag.y()))
    return QPointF(side if drag.x() >= 0 else -side, side if drag.y() >= 0 else -side)


def preview_size(size: QSize) -> QSize:
    """Return the reduced size of an image in a dialog."""
    return size.scaled(QSize(scaled(PREVIEW), scaled(PREVIEW)), Qt.AspectRatioMode.KeepAspectRatio)
