"""The map view, which zooms, pans, and passes pointer positions in squares to the current tool."""

from collections.abc import Callable
from functools import partial
from math import floor
from pathlib import Path
from typing import NamedTuple, TypeAlias

from PySide6 import QtGui
from PySide6.QtCore import QMimeData, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtWidgets import QFrame, QGraphicsView

from turnwright.battlemap.segments import SquareEdge, edges_within
from turnwright.encounter.prepared import Place, Point
from turnwright.storage.picture_files import ENDINGS, MAP_ENDINGS
from turnwright.ui.docks.map.drawing.backdrop import Backdrop
from turnwright.ui.docks.map.drawing.scene import MapScene
from turnwright.ui.docks.map.drawing.token_pixmaps import Token
from turnwright.ui.look.style import Theme, scaled
from turnwright.ui.models.roster import LIBRARY_MIME
from turnwright.ui.services.settings_store import local_files

CELL_SIZES = (6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160)
COMMAND_MODIFIERS = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)
HARDLY = 0.001  # of a square
WHEEL_NOTCH = 120  # angle of one wheel step, in eighths of a degree


Act: TypeAlias = Callable[[], object]


class PointerPosition(NamedTuple):
    """A position of the pointer: square, nearest edge, token, and modifier keys.

    `screen` is the point on the screen, and `point` the point on the map in squares.
    """

    square: Point
    edge: SquareEdge
    token: Token | None
    modifiers: Qt.KeyboardModifier
    screen: QPoint
    point: Place = (0.0, 0.0)


class MapTool:
    """A handler of pointer and key events in the map. By default it ignores them."""

    def press(self, spot: PointerPosition) -> None:
        """Handle a press of the left button."""

    def drag(self, spot: PointerPosition) -> None:
        """Handle a move of the pointer to another square or edge with the button pressed."""

    def hover(self, spot: PointerPosition) -> None:
        """Handle a move of the pointer to another square or edge."""

    def release(self, spot: PointerPosition) -> None:
        """Handle the release of the left button."""

    def action_for(self, event: QtGui.QKeyEvent) -> Act | None:
        """Return the action of a key, or None if it has none at present."""
        return None

    @property
    def holds_keys(self) -> bool:
        """Whether the tool moves, aims or places something. Characters are then no shortcuts of the window."""
        return False

    def ignore(self) -> None:
        """Do nothing."""

    def turn(self, steps: int) -> bool:
        """Handle steps of the mouse wheel without a modifier. Return False to zoom instead."""
        return False


class MapView(QGraphicsView):
    """The view of the map.

    Emits `zoomed` when the square size changes, `menuRequested(position)` on a right click, `focused(bool)` when it
    gets or loses the focus, `pictureDropped(path, key)` for a picture dropped on a token, `fileDropped(path)` for one
    dropped anywhere else, `recordDropped(bytes, square)` for a record of the library, and `pasteRequested` on Ctrl+V.
    """

    zoomed = Signal()
    menuRequested = Signal(object)
    pictureDropped = Signal(Path, object)
    fileDropped = Signal(Path)
    recordDropped = Signal(bytes, object)
    pasteRequested = Signal()
    focused = Signal(bool)

    def __init__(self, scene: MapScene, backdrop: Backdrop, theme: Theme) -> None:
        super().__init__(scene)
        self.map = scene
        self.backdrop = backdrop
        self.tool = MapTool()
        self.follows_pointer = False  # whether moves within a square are reported, too
        self._ground = theme.colour("surface")
        self._last: PointerPosition | None = None
        self._pan_from: QPoint | None = None
        self._pressed = False
        self._space = False
        self._turned = 0
        self._fitted = True
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.MinimalViewportUpdate)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontSavePainterState)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontAdjustForAntialiasing)
        self.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)

    # Zoom and theme --------------------------------------------------------------------------------------------

    def set_theme(self, theme: Theme) -> None:
        """Set the theme."""
        self._ground = theme.colour("surface")
        self.viewport().update()

    def set_cell(self, cell: int, at: QPointF | None = None) -> None:
        """Set the side of a square in pixels. The viewport's point `at` (by default its centre) stays in place."""
        ratio = self.viewport().devicePixelRatioF()
        point = at or QPointF(self.viewport().rect().center())
        before = self.mapToScene(point.toPoint()) / self.map.cell
        self.backdrop.zoom(cell, ratio)
        self.map.zoom(cell, ratio)
        self.update_scene_rect()
        corner = before * cell - point
        self.horizontalScrollBar().setValue(round(corner.x()))
        self.verticalScrollBar().setValue(round(corner.y()))
        self.viewport().update()
        self.zoomed.emit()

    def update_scene_rect(self) -> None:
        """Set the scene rectangle to the map's bounds."""
        self.setSceneRect(self.backdrop.bounds())

    def zoom_by(self, steps: int, at: QPointF | None = None) -> None:
        """Zoom in by a number of steps, or out if `steps` is negative."""
        sizes = [cell for cell in CELL_SIZES if (cell > self.map.cell if steps > 0 else cell < self.map.cell)]
        sizes = sizes if steps > 0 else sizes[::-1]
        new_cell = sizes[min(abs(steps), len(sizes)) - 1] if sizes else self.map.cell
        self._fitted = False
        if new_cell != self.map.cell:
            self.set_cell(new_cell, at)

    def fit(self) -> None:
        """Show the whole map at the largest size that fits."""
        room, extent = self.viewport().size(), self.backdrop.extent
        if extent.isEmpty() or room.width() <= 1:
            return
        beside = room.width() - self.backdrop.number_room()
        across = min(room.width() / (extent.width() + 2), beside / (extent.width() + 1))
        down = room.height() / (extent.height() + 2)
        self._fitted = True
        self.set_cell(max(CELL_SIZES[0], min(scaled(96), floor(min(across, down)))))
        self.centerOn(self.backdrop.bounds().center())

    def show_square(self, square: Point, across: int = 1) -> None:
        """Scroll until a square is visible, with a margin."""
        box = QRectF(
            square[0] * self.map.cell, square[1] * self.map.cell, across * self.map.cell, across * self.map.cell
        )
        self.ensureVisible(box, self.map.cell, self.map.cell)

    def drawBackground(self, painter: QtGui.QPainter, rect: QRectF | QRect) -> None:
        painter.fillRect(rect, self._ground)
        self.backdrop.draw(painter, rect)

    def drawForeground(self, painter: QtGui.QPainter, rect: QRectF | QRect) -> None:
        """Cover everything on other floors."""
        if self.backdrop.field.floors:
            margin = self.map.cell // 8  # into which walls of other floors reach
            shown = self.backdrop.bounds().adjusted(0, margin, 0, -margin).toRect()
            painter.setClipRegion(QtGui.QRegion(QRectF(rect).toAlignedRect()) - QtGui.QRegion(shown))
            painter.fillRect(rect, self._ground)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._fitted:
            self.fit()

    # Pointer ---------------------------------------------------------------------------------------------------

    def position_at(
        self, viewport_point: QPointF, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> PointerPosition:
        """Return the map position at a point of the viewport."""
        point = self.mapToScene(viewport_point.toPoint())
        x, y = point.x() / self.map.cell, point.y() / self.map.cell
        if self.backdrop.field.floors:  # squares of other floors can't be pointed at
            y = max(self.backdrop.extent.top() - HARDLY, min(self.backdrop.extent.bottom() + 1 + HARDLY, y))
        column, row = floor(x), floor(y)
        right, down = x - column, y - row
        distances = dict(zip(edges_within((column, row)), (down, 1 - down, right, 1 - right), strict=True))
        edge = min(distances, key=lambda candidate: distances[candidate])
        screen = self.viewport().mapToGlobal(viewport_point.toPoint())
        return PointerPosition((column, row), edge, self.map.token_at(point), modifiers, screen, (x, y))

    def position_on_screen(self, point: QPoint) -> PointerPosition:
        """Return the map position at a point of the screen."""
        return self.position_at(QPointF(self.viewport().mapFromGlobal(point)))

    def point_of(self, square: Point) -> QPoint:
        """Return the centre of a square in the viewport."""
        return self.mapFromScene(QPointF((square[0] + 0.5) * self.map.cell, (square[1] + 0.5) * self.map.cell))

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        pans = event.button() == Qt.MouseButton.MiddleButton or self._space
        if pans:
            self._pan_from = event.position().toPoint()
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._pressed = True
            self._last = self.position_at(event.position(), event.modifiers())
            self.tool.press(self._last)
        elif event.button() == Qt.MouseButton.RightButton:
            self.menuRequested.emit(self.position_at(event.position(), event.modifiers()))

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        if self._pan_from is not None:
            moved = event.position().toPoint() - self._pan_from
            self._pan_from = event.position().toPoint()
            self._fitted = False
            self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() - moved.x())
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() - moved.y())
            return
        spot = self.position_at(event.position(), event.modifiers())
        before, self._last = self._last, spot
        if before is not None and before[:3] == spot[:3] and not self.follows_pointer:
            return
        if self._pressed:
            self.tool.drag(spot)
        else:
            self.tool.hover(spot)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        if self._pan_from is not None:
            self._pan_from = None
            self.viewport().unsetCursor()
        elif event.button() == Qt.MouseButton.LeftButton and self._pressed:
            self._pressed = False
            self.tool.release(self.position_at(event.position(), event.modifiers()))

    mouseDoubleClickEvent = mousePressEvent

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        self._turned += event.angleDelta().y()
        steps = int(self._turned / WHEEL_NOTCH)
        self._turned -= steps * WHEEL_NOTCH
        if steps and (event.modifiers() or not self.tool.turn(-steps)):
            self.zoom_by(steps, event.position())
        event.accept()

    def dragEnterEvent(self, event: QtGui.QDragEnterEvent) -> None:
        event.setAccepted(bool(map_files(event.mimeData())) or event.mimeData().hasFormat(LIBRARY_MIME))

    def dragMoveEvent(self, event: QtGui.QDragMoveEvent) -> None:
        spot, is_record = self.position_at(event.position()), event.mimeData().hasFormat(LIBRARY_MIME)
        if is_record:
            self.map.set_cursor(spot.square)
        event.setAccepted(is_record or bool(map_files(event.mimeData())))

    def dropEvent(self, event: QtGui.QDropEvent) -> None:
        files, spot = map_files(event.mimeData()), self.position_at(event.position())
        if event.mimeData().hasFormat(LIBRARY_MIME):
            event.acceptProposedAction()
            self.recordDropped.emit(event.mimeData().data(LIBRARY_MIME).data(), spot.square)
            return
        if files:
            event.acceptProposedAction()
        if files and spot.token is not None and files[0].suffix.lower() in ENDINGS:
            self.pictureDropped.emit(files[0], spot.token.key)
        elif files:
            self.fileDropped.emit(files[0])

    # Keys ------------------------------------------------------------------------------------------------------

    def action_for(self, event: QtGui.QKeyEvent) -> Act | None:
        """Return the action of a key on the map, or None if it has none at present."""
        if (act := self.tool.action_for(event)) is not None:
            return act
        key, text = event.key(), event.text()
        if event.matches(QtGui.QKeySequence.StandardKey.Paste):
            return self.pasteRequested.emit
        if event.modifiers() & COMMAND_MODIFIERS:
            return None
        if key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            return partial(self.zoom_by, -1 if key == Qt.Key.Key_Minus else 1)
        if key == Qt.Key.Key_F and not event.modifiers():
            return self.fit
        if key == Qt.Key.Key_Space:
            return self._hold_map
        is_held = self.tool.holds_keys and bool(text) and text.isprintable() and key != Qt.Key.Key_Question
        return self.tool.ignore if is_held else None

    def _hold_map(self) -> None:
        self._space = True

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        event.ignore()  # the panel executes the actions of keys

    def keyReleaseEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = False
        super().keyReleaseEvent(event)

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._space = False
        self.focused.emit(False)


def map_files(data: QMimeData) -> list[Path]:
    """Return the maps and pictures in dragged data."""
    return [path for path in local_files(data) if path.suffix.lower() in ENDINGS | MAP_ENDINGS]
