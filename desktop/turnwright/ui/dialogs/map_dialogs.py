"""Dialogs that add a map to the encounter: one chooses the parts of an imported map, one fits a grid to an image."""

import re
from collections.abc import Sequence
from functools import partial

import msgspec
from PySide6 import QtGui
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPen, QPixmap
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QGraphicsScene, QGraphicsView, QPushButton, QWidget

from turnwright.importers.universal_vtt import MAP_PARTS, MapImport, MapPart, OldWalls
from turnwright.ui.look.style import scaled, tr
from turnwright.ui.services.printed_grid import PrintedGrid
from turnwright.ui.widgets.dialog import StandardDialog
from turnwright.ui.widgets.fields import with_options
from turnwright.ui.widgets.layout import STRETCH, fill, horizontal, vertical
from turnwright.ui.widgets.text import named, plain_label, push_button

PREVIEW = 320  # pixels at 100 %
WIDTH, HEIGHT = 820, 640  # pixels at 100 %
SQUARES_IN_NAME = re.compile(r"(?<!\d)(\d{1,3})[ _]?(?:[x×]|by)[ _]?(\d{1,3})(?!\d)", re.IGNORECASE)
NAME_FITS = 0.01  # difference between the proportions of a picture and the size in its name
LEAST_LINES = 5  # pixels between lines
MOST_ZOOM, ZOOM_STEP, WHEEL_NOTCH = 16.0, 1.25, 120
ZOOM_KEYS = {Qt.Key.Key_Plus: 1, Qt.Key.Key_Equal: 1, Qt.Key.Key_Minus: -1, Qt.Key.Key_0: -99}
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
    """Fits a grid to an image: by numbers, by a proposal, or by marking squares in the image.

    Emits `chosen(pixels, (x, y), walls)`: the side length of a square and the position of the grid's first corner, both
    in pixels of the image, and what happens to the walls of the map. `fitted` is the grid that the image has on the map,
    and `found` the grid that is printed on it. `old_walls` are the choices for the walls, with the usual one first.
    """

    chosen = Signal(float, object, str)

    def __init__(
        self,
        name: str,
        size: QSize,
        preview: QImage,
        parent: QWidget | None = None,
        fitted: PrintedGrid | None = None,
        found: PrintedGrid | None = None,
        old_walls: Sequence[OldWalls] = (),
    ) -> None:
        super().__init__(tr("ui.map-picture.title", name=name), parent, tr("ui.map-picture.lead"))
        self._size = size
        self.view = GridPreview(preview, size)
        self.view.marked.connect(self._take_mark)
        self.column.addWidget(self.view, 1)
        in_name = grid_in_name(name, size)
        self.proposals: list[QPushButton] = []
        for key, grid in {"found": found, "named": in_name}.items():
            if grid is not None:
                across, down = (round(side / grid.side) for side in (size.width(), size.height()))
                words = tr(f"ui.map-picture.{key}", pixels=f"{grid.side:.4g}", across=across, down=down)
                self.proposals.append(push_button(words, partial(self._take, grid), "quiet", "grid"))
        none_found = plain_label("" if found else tr("ui.map-picture.not-found"), tone="muted")
        self.column.addLayout(fill(horizontal(), *self.proposals, none_found, STRETCH))
        self.marked = self._number("marked", 1, 500, decimals=0)
        self.squares = self._number("squares", 1, 500)
        self.pixels = self._number("pixels", 4, max(size.width(), size.height()))
        self.across, self.down = self._number("offset-x", 0, 5_000), self._number("offset-y", 0, 5_000)
        row = horizontal()
        for box in (self.marked, self.squares, self.pixels, self.across, self.down):
            label = plain_label(box.accessibleName(), "caption", "muted")
            label.setBuddy(box)
            row.addLayout(fill(vertical(), label, box), 1)
        self.column.addLayout(row)
        choices = ((choice, tr(f"ui.map-picture.walls-{choice}")) for choice in old_walls)
        self.walls = with_options(named(QComboBox(), tr("ui.map-picture.walls")), choices)
        if old_walls:
            self.column.addLayout(fill(horizontal(), plain_label(tr("ui.map-picture.walls")), (self.walls, 1)))
        self.result_label = plain_label("", tone="muted")
        self.column.addWidget(self.result_label)
        self.add_answer(tr("ui.map-picture.place"), self.accept)
        self.marked.setEnabled(False)
        self.marked.valueChanged.connect(self._fit_mark)
        self.squares.valueChanged.connect(lambda squares: self.pixels.setValue(self._size.width() / squares))
        for box in (self.pixels, self.across, self.down):
            box.valueChanged.connect(self._show)
        self._is_known = bool(fitted or found or in_name)
        self._take(fitted or found or in_name or PrintedGrid(min(USUAL_PIXELS, float(self.pixels.maximum())), (0, 0)))
        self.accepted.connect(
            lambda: self.chosen.emit(self.pixels.value(), self.offset, self.walls.currentData() or "keep")
        )
        self.resize(scaled(WIDTH), scaled(HEIGHT))
        self.view.setFocus()

    @property
    def offset(self) -> tuple[float, float]:
        """The position of the grid's first corner, in pixels of the image."""
        side = self.pixels.value()
        return self.across.value() % side, self.down.value() % side

    def _number(self, key: str, least: float, most: float, decimals: int = 3) -> QDoubleSpinBox:
        box = QDoubleSpinBox()
        box.setRange(least, most)
        box.setDecimals(decimals)
        box.setAccessibleName(tr(f"ui.map-picture.{key}"))
        return box

    def _take(self, grid: PrintedGrid) -> None:
        """Use a grid."""
        for box, value in zip((self.pixels, self.across, self.down), (grid.side, *grid.offset), strict=True):
            box.setValue(value)
        self._show()

    def _take_mark(self) -> None:
        """Fit the grid to squares that were marked, guessing their number if their size is roughly known."""
        mark = self.view.mark
        self.marked.setEnabled(True)
        self.marked.setValue(max(1, round(mark.width() / self.pixels.value())) if self._is_known else 1)
        self._is_known = True
        self._fit_mark()

    def _fit_mark(self) -> None:
        mark, across = self.view.mark, self.marked.value()
        down = round(mark.height() * across / max(1.0, mark.width()))
        side = (mark.width() + mark.height() * bool(down)) / (across + down)
        self._take(PrintedGrid(side, (mark.left() % side, mark.top() % side)))

    def _show(self) -> None:
        side = self.pixels.value()
        self.squares.blockSignals(True)
        self.squares.setValue(self._size.width() / side)
        self.squares.blockSignals(False)
        self.view.show_grid(side, self.offset)
        columns, rows = (self._size.width() - self.offset[0]) / side, (self._size.height() - self.offset[1]) / side
        self.result_label.setText(tr("ui.map-picture.result", columns=f"{columns:.1f}", rows=f"{rows:.1f}"))


def grid_in_name(name: str, size: QSize) -> PrintedGrid | None:
    """Return a grid by the map size in a file name (`Crypt 24x18`, in any order), or None if none fits."""
    for one, other in SQUARES_IN_NAME.findall(name):
        for across, down in ((int(one), int(other)), (int(other), int(one))):
            if across and down and abs(size.width() / across * down / size.height() - 1) < NAME_FITS:
                return PrintedGrid(size.width() / across, (0.0, 0.0))
    return None


class GridPreview(QGraphicsView):
    """An image under a grid. The wheel, `+` and `-` zoom; the arrow keys and the other mouse buttons move the image.

    Emits `marked` when squares have been marked: by dragging over them, by clicking two corners, or by pressing the space
    bar for a corner in the middle. `mark` is their rectangle. All positions are in pixels of the full image.
    """

    marked = Signal()

    def __init__(self, preview: QImage, size: QSize) -> None:
        super().__init__()
        self._whole = QRectF(0, 0, size.width(), size.height())
        margin = max(size.width(), size.height())  # so that any point of the image can be in the middle
        self._picture_scene = QGraphicsScene(self._whole.adjusted(-margin, -margin, margin, margin), self)
        self._picture = self._picture_scene.addPixmap(QPixmap.fromImage(preview))
        self._picture.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        self._picture.setScale(size.width() / max(1, preview.width()))
        self.setScene(self._picture_scene)
        self._side, self._offset = 1.0, (0.0, 0.0)
        self._pressed: QPointF | None = None
        self._corner: QPointF | None = None  # the first of two corners
        self._pan_from: QPointF | None = None
        self._is_fitted = True
        self.mark = QRectF()
        self.setMinimumSize(scaled(PREVIEW), scaled(PREVIEW) // 2)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setBackgroundBrush(self.palette().window())
        self.viewport().setCursor(Qt.CursorShape.CrossCursor)
        self.setAccessibleName(tr("ui.map-picture.preview"))

    def show_grid(self, side: float, offset: tuple[float, float]) -> None:
        """Show a grid with squares of this side length."""
        self._side, self._offset = side, offset
        self.viewport().update()

    def zoom_by(self, steps: float, at: QPointF | None = None) -> None:
        """Zoom in by some steps, or out if there are fewer than 0, but at most until the whole image is visible.

        The point `at` of the viewport, or else its middle, stays in place.
        """
        place, now = at or QPointF(self.viewport().rect().center()), self.transform().m11()
        least = min(self.width() / self._whole.width(), self.height() / self._whole.height())
        factor, fixed = min(MOST_ZOOM, now * ZOOM_STEP**steps) / now, self._exact(place)
        self._is_fitted = now * factor <= least
        if self._is_fitted:
            self.fitInView(self._whole, Qt.AspectRatioMode.KeepAspectRatio)
        else:
            self.scale(factor, factor)
            self._move_by(self.viewportTransform().map(fixed) - place)

    def _move_by(self, pixels: QPointF) -> None:
        for bar, by in ((self.horizontalScrollBar(), pixels.x()), (self.verticalScrollBar(), pixels.y())):
            bar.setValue(bar.value() + round(by))

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._is_fitted:
            self.fitInView(self._whole, Qt.AspectRatioMode.KeepAspectRatio)

    def drawForeground(self, painter: QtGui.QPainter, rect: QRectF | QRect) -> None:
        dot, side = 1 / self.transform().m11(), self._side
        if side >= LEAST_LINES * dot:
            (left, top), right, bottom = self._offset, self._whole.width(), self._whole.height()
            lefts = [left + n * side for n in range(int((right - left) / side) + 1)]
            tops = [top + n * side for n in range(int((bottom - top) / side) + 1)]
            lines = [QLineF(x, 0, x, bottom) for x in lefts] + [QLineF(0, y, right, y) for y in tops]
            for colour, shift in ((QColor(255, 255, 255, 150), dot), (QColor(0, 0, 0, 200), 0)):
                painter.setPen(QPen(colour, 0))
                painter.drawLines([line.translated(shift, shift) for line in lines])
        painter.setPen(QPen(QColor(220, 0, 90), 2 * dot))
        painter.drawRect(self.mark)
        if self._corner is not None:
            painter.drawEllipse(self._corner, 4 * dot, 4 * dot)
        if self.hasFocus():
            arms, middle = (QPointF(9 * dot, 0), QPointF(0, 9 * dot)), self._middle()
            painter.drawLines([QLineF(middle - arm, middle + arm) for arm in arms])

    def _middle(self) -> QPointF:
        return self._exact(QPointF(self.viewport().rect().center()))

    def _exact(self, point: QPointF) -> QPointF:
        """Return a point of the viewport in pixels of the full image."""
        return self.viewportTransform().inverted()[0].map(point)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position()
        else:
            self._pan_from = event.position()

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        if self._pan_from is not None:
            self._move_by(self._pan_from - event.position())
            self._pan_from = event.position()
        elif self._pressed is not None:
            self.mark = QRectF(self._exact(self._pressed), self._exact(event.position())).normalized()
            self.viewport().update()

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        start, self._pressed, self._pan_from = self._pressed, None, None
        if start is not None and (event.position() - start).manhattanLength() < LEAST_DRAG:
            self._mark_corner(self._exact(event.position()))
        elif start is not None:
            self.mark = QRectF(self._exact(start), self._exact(event.position())).normalized()
            self.marked.emit()

    mouseDoubleClickEvent = mousePressEvent

    def _mark_corner(self, corner: QPointF) -> None:
        """Mark a corner, and the squares between two corners."""
        first, self._corner = self._corner, corner
        if first is not None and (first - corner).manhattanLength() * self.transform().m11() >= LEAST_DRAG:
            self.mark, self._corner = QRectF(first, corner).normalized(), None
            self.marked.emit()
        self.viewport().update()

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        self.zoom_by(event.angleDelta().y() / WHEEL_NOTCH, event.position())
        event.accept()

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if (steps := ZOOM_KEYS.get(Qt.Key(event.key()))) is not None:
            self.zoom_by(steps)
        elif event.key() == Qt.Key.Key_Space:
            self._mark_corner(self._middle())
        else:
            super().keyPressEvent(event)


def preview_size(size: QSize) -> QSize:
    """Return the reduced size of an image in a dialog."""
    return size.scaled(QSize(scaled(PREVIEW), scaled(PREVIEW)), Qt.AspectRatioMode.KeepAspectRatio)
