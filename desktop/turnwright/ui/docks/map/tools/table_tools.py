"""The tools for what players see of the map: a ruler and a pointer, and the frame of their view."""

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QPainterPath

from turnwright.encounter.prepared import Place, Point
from turnwright.rules.parts.positions.geometry import measured_feet
from turnwright.ui.docks.map.drawing.drawing import Z_ROUTE, MapLabel
from turnwright.ui.docks.map.map_canvas import MapCanvas
from turnwright.ui.docks.map.tools.draw_tool import LineTool
from turnwright.ui.docks.map.tools.select_tool import CursorTool, step_for_key
from turnwright.ui.docks.map.view import COMMAND_MODIFIERS, Act, PointerPosition
from turnwright.ui.look.style import tr
from turnwright.ui.services.workers import single_shot_timer

ZOOM: Final = 1.25
Ends = tuple[Point, Point]
POINTED_MS: Final = 3000


class RulerTool(LineTool):
    """Measures the distance between two squares. If `is_shown`, players see it, or for some seconds a single square."""

    def __init__(self, canvas: MapCanvas, show: Callable[[Ends | None], object]) -> None:
        super().__init__(canvas)
        self._show = show
        self.pointing = single_shot_timer(canvas, self.cancel, POINTED_MS)
        self.is_shown = False
        self.ends: Ends | None = None

    def finish(self) -> None:
        """End the measurement, which stays in sight."""
        self._start = None

    def cancel(self) -> None:
        """Remove the ruler."""
        super().finish()
        self.pointing.stop()
        if self.ends is not None and self.is_shown:
            self._show(None)
        self.ends = None

    def redraw(self) -> None:
        """Draw the ruler with its distance."""
        if self.ends is None:
            return
        overlay, (start, end), ring = self.canvas.scene.overlay, self.ends, QPainterPath()
        line = QLineF(QPointF(*start), QPointF(*end)).translated(0.5, 0.5)
        overlay.clear()
        if line.isNull():
            ring.addEllipse(line.p1(), 0.6, 0.6)
            overlay.outline(ring, "focus", z=Z_ROUTE)
            return
        words = tr("ui.map.feet", n=measured_feet(self.canvas.document.rules, self.canvas.field, start, end))
        overlay.draw_lines([line], "focus")
        overlay.add_label(MapLabel(words, (line.x2(), line.y2() - 0.5), "focus"))
        self.canvas.statusChanged.emit(words)

    def _snapped(self, spot: PointerPosition) -> Place:
        return spot.square

    def _preview(self, start: Place, end: Place) -> None:
        (x0, y0), (x1, y1) = start, end
        self.ends = (int(x0), int(y0)), (int(x1), int(y1))
        self.redraw()
        self.pointing.stop()
        if self.is_shown:
            self._show(self.ends)
            if start == end:
                self.pointing.start()

    _draw = _preview


class FrameTool(CursorTool):
    """Shows which part of the map players see, moves that part (`pan`), and enlarges it by a factor (`zoom`)."""

    def __init__(self, canvas: MapCanvas, pan: Callable[..., object], zoom: Callable[..., object]) -> None:
        super().__init__(canvas)
        self._pan = pan
        self._zoom = zoom
        self._grip: Place = (0, 0)
        self.frame: QRectF | None = None

    def show(self, frame: QRectF | None) -> None:
        """Show another frame, or none if players don't see the map."""
        if frame != self.frame:
            self.frame = frame
            self.redraw()

    def redraw(self) -> None:
        """Draw the frame."""
        overlay, path = self.canvas.scene.frame, QPainterPath()
        overlay.clear()
        if self.frame is not None:
            box = self.frame.intersected(QRectF(self.canvas.extent).adjusted(-0.5, 0, 0.5, 0.5))
            path.addRect(box)
            overlay.outline(path, "world", dashed=True, z=Z_ROUTE)
            overlay.add_label(MapLabel(tr("ui.map.frame"), (box.center().x(), box.top()), "world"))

    def press(self, spot: PointerPosition) -> None:
        """Grab the frame."""
        self._grip = spot.point

    def drag(self, spot: PointerPosition) -> None:
        """Move the frame."""
        self._pan(spot.point[0] - self._grip[0], spot.point[1] - self._grip[1])
        self._grip = spot.point

    def turn(self, steps: int) -> bool:
        """Enlarge the part that players see, or show more of the map, by steps of the mouse wheel."""
        self._zoom(ZOOM**-steps)
        return True

    def action_for(self, event: QKeyEvent) -> Act | None:
        """Return the action of a key: arrows move the frame by a square, + and - zoom."""
        if event.modifiers() & COMMAND_MODIFIERS:
            return None
        if (step := step_for_key(event)) is not None:
            return partial(self._pan, *step)
        if event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            return partial(self.turn, 1 if event.key() == Qt.Key.Key_Minus else -1)
        return None
