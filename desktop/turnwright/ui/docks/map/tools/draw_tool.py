"""The drawing tools of the map: brushes, and lines of barriers and doors.

The drawing tool of the map: ground, heights, light, edges, obstacles, areas. A stroke is one undo step.

A stroke or a line is one undo step. Lines are drawn by dragging or by keyboard.
"""

from collections.abc import Callable, Iterable
from typing import Literal

import msgspec
from PySide6.QtCore import QLineF, QPointF, Qt

from turnwright.battlemap.segments import SquareEdge, square_edges
from turnwright.encounter.prepared import BarrierKind, Map, Place, Point
from turnwright.ui.docks.map.drawing import drawing
from turnwright.ui.docks.map.drawing.drawing import EdgeKind, Layer
from turnwright.ui.docks.map.drawing.terrain_painter import BARRIER_TONES, DOOR_TONE
from turnwright.ui.docks.map.map_canvas import MapCanvas
from turnwright.ui.docks.map.tools.select_tool import CursorTool
from turnwright.ui.docks.map.view import PointerPosition
from turnwright.ui.look.style import tr
from turnwright.ui.look.window_data import window_data


class ToolSpec(msgspec.Struct, frozen=True):
    """A tool in the tool bar. `id` is also its word key, and `key` its shortcut in the map.

    `line` is the type of line that it draws from point to point.
    """

    id: str
    icon: str
    key: str = ""
    layer: Layer | None = None
    mark: str = ""
    steps: int = 0
    edge_kind: EdgeKind | None = None
    line: BarrierKind | Literal["", "door"] = ""


TOOLS = window_data("map.tools", tuple[tuple[ToolSpec, ...], ...])
ALL_TOOLS = tuple(tool for group in TOOLS for tool in group)
SELECT, OBSTACLE, AREA, ERASER = (
    next(tool for tool in ALL_TOOLS if tool.id == id) for id in ("select", "obstacle", "area", "eraser")
)


class DrawTool(CursorTool):
    """Draws on the canvas with the current tool. `area` is the environment and the feature whose area is painted."""

    def __init__(self, canvas: MapCanvas, open_obstacle: Callable[[str, PointerPosition | None], None]) -> None:
        super().__init__(canvas)
        self.tool = SELECT
        self.area: tuple[str, str] = ("", "")
        self._open_obstacle = open_obstacle
        self._stroke = 0
        self._done: set[Point] = set()
        self._last: Point | None = None
        self._edge: SquareEdge | None = None
        self._adds = True
        self._moved = ""
        self._grip: Point = (0, 0)

    # Pointer ---------------------------------------------------------------------------------------------------

    def press(self, spot: PointerPosition) -> None:
        """Start a stroke."""
        self._stroke += 1
        self._done = set()
        self._last = None
        self._edge = None
        field = self.canvas.field
        self.canvas.set_cursor(spot.square)
        if self.tool is OBSTACLE:
            self._press_obstacle(field, spot)
            return
        if self.tool is AREA:
            if self.area == ("", ""):
                self.canvas.statusChanged.emit(tr("ui.map.no-environment"))
                return
            areas = [area for area in field.areas if (area.environment, area.feature) == self.area]
            self._adds = not any(spot.square in drawing.squares_of(area) for area in areas)
        elif self.tool.edge_kind is not None:
            self._adds = spot.edge not in square_edges(getattr(field, self.tool.edge_kind))
        self._stroke_to(spot)

    def drag(self, spot: PointerPosition) -> None:
        """Continue the stroke."""
        if self.tool is OBSTACLE:
            self._drag_obstacle(spot)
        else:
            self._stroke_to(spot)

    def release(self, spot: PointerPosition) -> None:
        """End the stroke. The next one is a separate undo step."""
        moved, self._moved = self._moved, ""
        if moved and not self._done:
            self._open_obstacle(moved, spot)
        self._stroke += 1
        self._last = None

    # Keys ------------------------------------------------------------------------------------------------------

    def draw_at(self, square: Point, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Draw on one square as a separate undo step. Tools for edges draw the upper edge."""
        spot = PointerPosition(square, (*square, True), None, modifiers, self.canvas.view.point_of(square))
        self.press(spot)
        self.release(spot)
        self.canvas.announce_square(square)

    # Drawing ---------------------------------------------------------------------------------------------------

    def _stroke_to(self, spot: PointerPosition) -> None:
        field = self.canvas.field
        if self.tool.edge_kind is not None:
            edges = self._edges(field, spot)
            self._draw(drawing.with_edges(field, self.tool.edge_kind if self._adds else None, edges))
            return
        fresh = [
            square
            for square in drawing.line_between(self._last or spot.square, spot.square)
            if square not in self._done and drawing.contains(field, square)
        ]
        self._last = spot.square
        self._done |= set(fresh)
        if fresh:
            self._draw(self._with(field, fresh))

    def _with(self, field: Map, squares: Iterable[Point]) -> Map:
        squares = list(squares)
        if self.tool is ERASER:
            return drawing.with_nothing_on(field, squares)
        if self.tool is AREA:
            has_area = self.area != ("", "")
            return drawing.with_area(field, *self.area, squares, included=self._adds) if has_area else field
        if self.tool.layer is not None:
            return drawing.with_mark(field, self.tool.layer, squares, self.tool.mark)
        return drawing.with_height_change(field, squares, self.tool.steps) if self.tool.steps else field

    def _edges(self, field: Map, spot: PointerPosition) -> set[SquareEdge]:
        """Return the edges from the start of the stroke to the pointer, all on one line."""
        if self._edge is None:
            self._edge = spot.edge
        column, row, across = self._edge
        start, end = (column, spot.square[0]) if across else (row, spot.square[1])
        most, on_map = (field.columns, 0 <= row <= field.rows) if across else (field.rows, 0 <= column <= field.columns)
        places = range(max(0, min(start, end)), min(most - 1, max(start, end)) + 1) if on_map else range(0)
        return {(at, row, True) if across else (column, at, False) for at in places}

    def _press_obstacle(self, field: Map, spot: PointerPosition) -> None:
        if (obstacle := drawing.obstacle_at(field, spot.square)) is None:
            if not drawing.contains(field, spot.square):
                return
            obstacle = drawing.new_obstacle(field, spot.square, tr("ui.map.obstacle"))
            self._draw(drawing.with_obstacle(field, obstacle))
        self._moved = obstacle.id
        self._grip = (spot.square[0] - obstacle.at[0], spot.square[1] - obstacle.at[1])

    def _drag_obstacle(self, spot: PointerPosition) -> None:
        field = self.canvas.field
        dragged = next((obstacle for obstacle in field.obstacles if obstacle.id == self._moved), None)
        if dragged is None:
            return
        at = (spot.square[0] - self._grip[0], spot.square[1] - self._grip[1])
        if at != dragged.at and drawing.contains(field, at):
            self._done.add(at)
            self._draw(drawing.with_obstacle(field, msgspec.structs.replace(dragged, at=at)))

    def _draw(self, field: Map) -> None:
        self.canvas.replace_map(field, merge=f"map:{self.tool.id}:{self._stroke}")


class LineTool(CursorTool):
    """Draws lines of one kind. Ends snap to other lines and to quarters of squares, unless Shift is pressed."""

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__(canvas)
        self.tool: ToolSpec = SELECT
        self._start: Place | None = None

    @property
    def is_begun(self) -> bool:
        """Whether a line is started but not finished."""
        return self._start is not None

    # Pointer ---------------------------------------------------------------------------------------------------

    def press(self, spot: PointerPosition) -> None:
        """Start a line."""
        self.canvas.set_cursor(spot.square)
        self._start = self._snapped(spot)

    def drag(self, spot: PointerPosition) -> None:
        """Show the line up to the pointer."""
        if self._start is not None:
            self._preview(self._start, self._snapped(spot))

    def release(self, spot: PointerPosition) -> None:
        """Draw the line."""
        if self._start is not None:
            self._draw(self._start, self._snapped(spot))
        self.cancel()

    def cancel(self) -> None:
        """Cancel an unfinished line."""
        self._start = None
        self.canvas.scene.overlay.clear()

    # Keys ------------------------------------------------------------------------------------------------------

    def show_at_cursor(self) -> None:
        """Show the line up to the keyboard cursor."""
        if self._start is not None and self.canvas.cursor is not None:
            self._preview(self._start, self.canvas.cursor)

    def draw_at(self, square: Point, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Start or end a line at a square's upper left corner."""
        corner = (float(square[0]), float(square[1]))
        if self._start is None:
            self._start = corner
            self.canvas.statusChanged.emit(tr("ui.map.line-begun"))
        else:
            self._draw(self._start, corner)
            self.cancel()

    # Drawing ---------------------------------------------------------------------------------------------------

    def _snapped(self, spot: PointerPosition) -> Place:
        is_free = bool(spot.modifiers & Qt.KeyboardModifier.ShiftModifier)
        return drawing.snapped(self.canvas.field, spot.point, is_free=is_free)

    def _preview(self, start: Place, end: Place) -> None:
        overlay = self.canvas.scene.overlay
        overlay.clear()
        tone = BARRIER_TONES.get(self.tool.line, DOOR_TONE)
        overlay.draw_lines([QLineF(QPointF(*start), QPointF(*end))], tone, dashed=True)

    def _draw(self, start: Place, end: Place) -> None:
        field, kind = self.canvas.field, self.tool.line
        if kind == "door":
            self.canvas.replace_map(drawing.with_door(field, start, end))
        elif kind:
            self.canvas.replace_map(drawing.with_barrier(field, kind, start, end))
