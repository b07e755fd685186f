"""Temporary graphics over the map: ranges, a route, lines of sight, labels. Positions are in squares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainterPath, QPen, QTransform
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPathItem, QGraphicsScene, QGraphicsSimpleTextItem

from turnwright.battlemap.segments import SquareEdge, row_runs
from turnwright.encounter.prepared import Point
from turnwright.ui.docks.map.drawing.drawing import outline_edges
from turnwright.ui.docks.map.drawing.terrain_patterns import pixel_font
from turnwright.ui.look.fonts import role_font, scaled
from turnwright.ui.look.theme import Theme

SHRUNK, LEAST_TEXT = 0.5, 10  # text size: share of a square's side, and minimum in pixels
Z_DASH_RANGE, Z_RANGE, Z_RING, Z_ROUTE, Z_LABELS = 1, 2, 3, 40, 50


class MapLabel(msgspec.Struct, frozen=True):
    """A label on the map, centred above or below a point in squares. With `shrinks`, its size follows the zoom."""

    text: str
    at: tuple[float, float]
    tone: str = "text"
    below: bool = False
    shrinks: bool = False


class Overlay:
    """Graphics items over a scene, with paths in squares. Keeps references to the items, which Qt itself paints."""

    def __init__(self, scene: QGraphicsScene, theme: Theme, cell: int) -> None:
        self._scene = scene
        self.theme = theme
        self.cell = cell
        self._items: list[QGraphicsItem] = []
        self._labels: list[QGraphicsItem] = []
        self._written: list[QRectF] = []

    def texts(self) -> list[str]:
        """Return the texts of the current labels."""
        return [item.text() for item in self._labels if isinstance(item, QGraphicsSimpleTextItem)]

    def clear(self) -> None:
        """Remove all graphics."""
        for item in (*self._items, *self._labels):
            self._scene.removeItem(item)
        self._items, self._labels, self._written = [], [], []

    def tint(self, squares: Iterable[Point], tone: str, alpha: int, z: int) -> None:
        """Tint squares."""
        self._cover(squares, QBrush(self.theme.colour(tone, alpha)), z)

    def hatch(self, squares: Iterable[Point], tone: str, z: int) -> None:
        """Hatch squares, so that they can be recognised without colour."""
        self._cover(squares, QBrush(self.theme.colour(tone, 150), Qt.BrushStyle.BDiagPattern), z)

    def _cover(self, squares: Iterable[Point], brush: QBrush, z: int) -> None:
        path = QPainterPath()
        for left, row, width in row_runs(squares):
            path.addRect(left, row, width, 1)
        self._lay(path, QPen(Qt.PenStyle.NoPen), brush, z)

    def surround(self, squares: Iterable[Point], tone: str, z: int) -> None:
        """Draw the outline of squares."""
        self.draw_lines(edge_lines(outline_edges(squares)), tone, z=z)

    def outline(self, path: QPainterPath, tone: str, *, dashed: bool = False, z: int = Z_RING) -> None:
        """Draw an outline."""
        pen = QPen(self.theme.colour(tone), max(1.5, self.cell / 20))
        pen.setStyle(Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine)
        self._lay(path, pen, QBrush(Qt.BrushStyle.NoBrush), z)

    def draw_route(self, points: Sequence[tuple[float, float]], tone: str) -> None:
        """Draw a route through points in squares, with an arrowhead at its end."""
        path = QPainterPath()
        if len(points) < 2:
            return
        path.moveTo(QPointF(*points[0]))
        for point in points[1:]:
            path.lineTo(QPointF(*point))
        path.addPath(_arrowhead(points[-2], points[-1]))
        width, line = max(2.0, self.cell / 11), Qt.PenStyle.SolidLine
        pen = QPen(self.theme.colour(tone), width, line, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        self._lay(path, pen, QBrush(Qt.BrushStyle.NoBrush), Z_ROUTE)

    def draw_lines(self, lines: Iterable[QLineF], tone: str, *, dashed: bool = False, z: int = Z_ROUTE) -> None:
        """Draw thin lines."""
        path = QPainterPath()
        for line in lines:
            path.moveTo(line.p1())
            path.lineTo(line.p2())
        if not path.isEmpty():
            self.outline(path, tone, dashed=dashed, z=z)

    def mark(self, squares: Iterable[Point], tone: str) -> None:
        """Mark squares with a thick dashed frame."""
        path = QPainterPath()
        for column, row in squares:
            path.addRect(QRectF(column + 0.06, row + 0.06, 0.88, 0.88))
        if not path.isEmpty():
            self.outline(path, tone, dashed=True, z=Z_ROUTE)

    def mark_point(self, at: tuple[float, float], tone: str) -> None:
        """Mark a point with a cross."""
        x, y = at
        self.draw_lines((QLineF(x - 0.2, y, x + 0.2, y), QLineF(x, y - 0.2, x, y + 0.2)), tone)

    def add_label(self, label: MapLabel) -> None:
        """Draw a label."""
        text = QGraphicsSimpleTextItem(label.text)
        text.setFont(pixel_font(self.cell * SHRUNK, LEAST_TEXT) if label.shrinks else role_font("caption"))
        text.setBrush(self.theme.colour(label.tone))
        size = text.boundingRect()
        x, y = label.at[0] * self.cell - size.width() / 2, label.at[1] * self.cell
        y += scaled(3) if label.below else -size.height() - scaled(3)
        board = self._scene.sceneRect()
        if not board.isEmpty():
            least = board.left() + scaled(4)
            x = min(max(x, least), max(least, board.right() - size.width() - scaled(4)))
            y = max(y, board.top() + scaled(2))
        box = size.translated(x, y).adjusted(-scaled(4), -scaled(1), scaled(4), scaled(1))
        step = size.height() + scaled(4)
        while any(box.intersects(other) for other in self._written):
            y += step if label.below else -step
            box.translate(0, step if label.below else -step)
        self._written.append(box)
        path = QPainterPath()
        path.addRoundedRect(box, scaled(3), scaled(3))
        ground = QBrush(self.theme.colour("raised", 240))
        self._lay(path, QPen(self.theme.colour(label.tone), 1), ground, Z_LABELS, by=1)
        text.setPos(x, y)
        text.setZValue(Z_LABELS + 1)
        self._scene.addItem(text)
        self._labels.append(text)

    def _lay(self, path: QPainterPath, pen: QPen, brush: QBrush, z: int, by: int = 0) -> None:
        """Add a path, scaled by `by`, which defaults to the side of a square."""
        item = path_item(self._scene, z)
        item.setPen(pen)
        item.setBrush(brush)
        scale = by or self.cell
        item.setPath(QTransform.fromScale(scale, scale).map(path))
        self._items.append(item)


def path_item(scene: QGraphicsScene, z: float) -> QGraphicsPathItem:
    """Add an empty path item to a scene and return it."""
    item = QGraphicsPathItem()
    item.setZValue(z)
    scene.addItem(item)
    return item


def edge_lines(edges: Iterable[SquareEdge], cell: int = 1) -> list[QLineF]:
    """Convert the edges of squares to lines. `cell` is the side of a square."""
    ends = ((column, row, column + across, row + (not across)) for column, row, across in edges)
    return [QLineF(*(at * cell for at in line)) for line in ends]


def _arrowhead(before: tuple[float, float], end: tuple[float, float]) -> QPainterPath:
    line = QLineF(QPointF(*end), QPointF(*before))
    path = QPainterPath()
    for turn in (-32, 32):
        wing = QLineF(line)
        wing.setAngle(line.angle() + turn)
        wing.setLength(0.3)
        path.moveTo(wing.p1())
        path.lineTo(wing.p2())
    return path
