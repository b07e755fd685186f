"""The drawing tools of the map: brushes, and lines of barriers and doors.

The drawing tool of the map: ground, heights, light, edges, obstacles, areas. A stroke is one undo step.

A stroke or a line is one undo step. Lines are drawn by dragging or by keyboard.
"""

from collections.abc import Callable, Collection, Iterable
from itertools import pairwise
from math import dist
from typing import Literal, TypeAlias

import msgspec
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QPolygonF

from turnwright.battlemap.segments import SquareEdge, outline_edges, square_edges
from turnwright.encounter.floors import is_on_floor
from turnwright.encounter.prepared import BarrierKind, Map, MapLight, Place, Point
from turnwright.rules.parts.positions.sight import room_squares
from turnwright.ui.docks.map.drawing import drawing
from turnwright.ui.docks.map.drawing.drawing import EdgeKind, Layer
from turnwright.ui.docks.map.drawing.terrain_painter import BARRIER_TONES, DOOR_TONE
from turnwright.ui.docks.map.map_canvas import MapCanvas
from turnwright.ui.docks.map.tools.select_tool import CursorTool
from turnwright.ui.docks.map.view import PointerPosition
from turnwright.ui.forms.kinds import with_ids
from turnwright.ui.look.style import tr
from turnwright.ui.look.window_data import window_data

NO_KEY = Qt.KeyboardModifier.NoModifier
Shape: TypeAlias = Literal["brush", "rectangle", "room", "circle", "polygon"]


class ToolSpec(msgspec.Struct, frozen=True):
    """A tool in the tool bar. `id` is also its word key, and `key` its shortcut in the map.

    `line` is the type of line that it draws from point to point. A tool with a `shape` only sets the shape that the
    others draw at once.
    """

    id: str
    icon: str
    key: str = ""
    layer: Layer | None = None
    mark: str = ""
    steps: int = 0
    edge_kind: EdgeKind | None = None
    line: BarrierKind | Literal["", "door"] = ""
    shape: Shape | Literal[""] = ""


TOOLS = window_data("map.tools", tuple[tuple[ToolSpec, ...], ...])
ALL_TOOLS = tuple(tool for group in TOOLS for tool in group)
SELECT, RULER, POINTER, FRAME = TOOLS[0]
OBSTACLE, LIGHT, AREA, ERASER = (
    next(tool for tool in ALL_TOOLS if tool.id == id) for id in ("obstacle", "light", "area", "eraser")
)


SHAPES = tuple(tool for tool in ALL_TOOLS if tool.shape)


class ShapeTool(CursorTool):
    """The base class of the tools that change squares: those under a brush, or all squares of a shape at once.

    A rectangle and a circle are drawn by dragging or from point to point. A polygon is drawn corner by corner, until a
    corner is clicked again. A room is clicked.
    """

    def __init__(self, canvas: MapCanvas, shape: Shape = "brush") -> None:
        super().__init__(canvas)
        self.shape = shape
        self._corners: list[Place] = []

    @property
    def is_begun(self) -> bool:
        """Whether a shape is started but not finished."""
        return bool(self._corners)

    def change(self, squares: Collection[Point]) -> None:
        """Change the squares of a finished shape."""
        raise NotImplementedError

    def room_at(self, square: Point) -> Collection[Point]:
        """Return the squares of the room around a square."""
        return room_squares(self.canvas.field, square)

    # Pointer ---------------------------------------------------------------------------------------------------

    def press_shape(self, spot: PointerPosition) -> None:
        """Start a shape, add a corner to a polygon or close it, or change a room."""
        corner = self._corner(spot)
        if self.shape == "room":
            self.change(self.room_at(spot.square))
        elif self.shape == "polygon" and corner in (*self._corners[:1], *self._corners[-1:]):
            self._finish(spot)
        else:
            self._corners.append(corner)
            self.hover(spot)

    def drag(self, spot: PointerPosition) -> None:
        """Show the shape up to the pointer."""
        self.hover(spot)

    def hover(self, spot: PointerPosition) -> None:
        """Show the shape up to the pointer, or the room there."""
        if self._corners:
            self._preview(self._squares_to(spot))
        elif self.shape == "room":
            self._preview(self.room_at(spot.square))

    def release(self, spot: PointerPosition) -> None:
        """Finish a shape from point to point."""
        if self._corners and self.shape != "polygon":
            self._finish(spot)

    def cancel(self) -> None:
        """Cancel an unfinished shape and clear the preview."""
        self._corners.clear()
        self.canvas.scene.overlay.clear()

    # Keys ------------------------------------------------------------------------------------------------------

    def show_at_cursor(self) -> None:
        """Show the shape up to the keyboard cursor."""
        if self.canvas.cursor is not None and self._corners:
            self.hover(self._spot_at(self.canvas.cursor))

    def draw_at(self, square: Point, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Use the tool at a square. A shape from point to point needs two of them."""
        spot = self._spot_at(square, modifiers)
        if not self._corners or self.shape == "polygon":
            self.press(spot)
            if self._corners:
                return
        self.release(spot)

    def _spot_at(self, square: Point, modifiers: Qt.KeyboardModifier = NO_KEY) -> PointerPosition:
        inset = 0 if self.shape == "polygon" else 0.5
        point, screen = (square[0] + inset, square[1] + inset), self.canvas.view.point_of(square)
        return PointerPosition(square, (*square, True), None, modifiers, screen, point)

    # Squares ---------------------------------------------------------------------------------------------------

    def _corner(self, spot: PointerPosition) -> Place:
        return spot.point if self.shape == "rectangle" else drawing.snapped(self.canvas.field, spot.point)

    def _squares_to(self, spot: PointerPosition) -> set[Point]:
        field, first, end = self.canvas.field, self._corners[0], self._corner(spot)
        if self.shape == "rectangle":
            return drawing.squares_between(field, first, end)
        if self.shape == "circle":
            reach = dist(first, end) + 0.1  # a pointer is only exact to a pixel
            around = (first[0] - reach, first[1] - reach), (first[0] + reach, first[1] + reach)
            return drawing.squares_inside(field, around, lambda at: dist(at, first) <= reach)
        corners = (*self._corners, end)
        outline, rule = QPolygonF([QPointF(*corner) for corner in corners]), Qt.FillRule.OddEvenFill
        return drawing.squares_inside(field, corners, lambda at: outline.containsPoint(QPointF(*at), rule))

    def _finish(self, spot: PointerPosition) -> None:
        squares = self._squares_to(spot)
        self.cancel()
        if squares:
            self.change(squares)

    def _preview(self, squares: Collection[Point]) -> None:
        overlay = self.canvas.scene.overlay
        overlay.clear()
        overlay.surround(squares, "focus", drawing.Z_ROUTE)
        if self.shape == "polygon":
            sides = [QLineF(QPointF(*one), QPointF(*other)) for one, other in pairwise(self._corners)]
            overlay.draw_lines(sides, "focus", dashed=True)


class DrawTool(ShapeTool):
    """Draws on the canvas with the current tool. `area` is the environment and the feature whose area is painted.

    `light` is the light to place. `open_part` opens the editor of an obstacle or a light.
    """

    def __init__(self, canvas: MapCanvas, open_part: Callable[[str, str, PointerPosition | None], None]) -> None:
        super().__init__(canvas)
        self.tool = SELECT
        self.area: tuple[str, str] = ("", "")
        self.light = MapLight((0, 0), 4 * canvas.document.rules.data.grid.cell)
        self._open_part = open_part
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
        if self.tool is LIGHT:
            self._press_light(field, spot.square)
            return
        if self.tool is AREA:
            if self.area == ("", ""):
                self.canvas.statusChanged.emit(tr("ui.map.no-environment"))
                return
            areas = [area for area in field.areas if (area.environment, area.feature) == self.area]
            self._adds = not any(spot.square in drawing.squares_of(area) for area in areas)
        elif self.tool.edge_kind is not None:
            edges = square_edges(getattr(field, self.tool.edge_kind))
            self._adds = spot.edge not in edges or self.shape != "brush"
        (self._stroke_to if self.shape == "brush" else self.press_shape)(spot)

    def drag(self, spot: PointerPosition) -> None:
        """Continue the stroke."""
        if self.tool is OBSTACLE:
            self._drag_obstacle(spot)
        elif self.tool is LIGHT:
            self._put_light(spot.square)
        else:
            (self._stroke_to if self.shape == "brush" else super().drag)(spot)

    def release(self, spot: PointerPosition) -> None:
        """End the stroke or the shape. The next one is a separate undo step."""
        super().release(spot)
        moved, self._moved = self._moved, ""
        if moved and not self._done:
            self._open_part("lights" if self.tool is LIGHT else "obstacles", moved, spot)
        self._stroke += 1
        self._last = None

    # Keys ------------------------------------------------------------------------------------------------------

    def draw_at(self, square: Point, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Draw on one square, or a shape, as a separate undo step. Tools for edges draw the upper edge."""
        super().draw_at(square, modifiers)
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
            if square not in self._done and is_on_floor(field, square)
        ]
        self._last = spot.square
        self._done |= set(fresh)
        if fresh:
            self._draw(self._with(field, fresh))

    def room_at(self, square: Point) -> Collection[Point]:
        """Return the squares around one that are drawn alike, up to walls and doors. Obstacles and lights have none."""
        field = self.canvas.field
        if self.tool in (OBSTACLE, LIGHT) or not is_on_floor(field, square):
            return ()
        lines = drawing.layer_rows(field, self.tool.layer or ("heights" if self.tool.steps else "ground"))
        own = lines[square[1]][square[0]]
        others = "\n".join("".join("." if sign == own else "#" for sign in line) for line in lines)
        room = room_squares(msgspec.structs.replace(field, ground=others), square)
        return [(column, row) for column, row in room if lines[row][column] == own]

    def change(self, squares: Collection[Point]) -> None:
        """Draw on the squares of a shape. Tools for edges draw its outline."""
        field, kind = self.canvas.field, self.tool.edge_kind
        edges = outline_edges(squares)
        self._draw(drawing.with_edges(field, kind, edges) if kind is not None else self._with(field, squares))

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
            if not is_on_floor(field, spot.square):
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
        if at != dragged.at and is_on_floor(field, at):
            self._done.add(at)
            self._draw(drawing.with_obstacle(field, msgspec.structs.replace(dragged, at=at)))

    def _press_light(self, field: Map, square: Point) -> None:
        self._moved = drawing.light_at(field, square)
        if not self._moved and is_on_floor(field, square):
            self._moved = str(len(field.lights))
            self._put_light(square)

    def _put_light(self, square: Point) -> None:
        field, number = self.canvas.field, self._moved
        light = dict(with_ids(field.lights)).get(number, self.light)
        put = msgspec.structs.replace(light, at=(square[0] + 0.5, square[1] + 0.5))
        if number and put.at != light.at and is_on_floor(field, square):
            self._done.add(square)
            self._draw(drawing.with_light(field, number, put))

    def _draw(self, field: Map) -> None:
        self.canvas.replace_map(field, merge=f"map:{self.tool.id}:{self._stroke}")


class LineTool(CursorTool):
    """Draws lines of one kind. Ends snap to other lines and to quarters of squares, unless Shift is pressed."""

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__(canvas)
        self.tool: ToolSpec = SELECT
        self.shape: Shape = "brush"
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
        self._preview(self._start, self._start)

    def drag(self, spot: PointerPosition) -> None:
        """Show the line up to the pointer."""
        if self._start is not None:
            self._preview(self._start, self._snapped(spot))

    def release(self, spot: PointerPosition) -> None:
        """Draw the line."""
        if self._start is not None:
            self._draw(self._start, self._snapped(spot))
        self.finish()

    def finish(self) -> None:
        """End the line, or cancel an unfinished one."""
        self._start = None
        self.canvas.scene.overlay.clear()

    def cancel(self) -> None:
        """Cancel an unfinished line."""
        self.finish()

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
            self._preview(corner, corner)
            self.canvas.statusChanged.emit(tr("ui.map.line-begun"))
        else:
            self._draw(self._start, corner)
            self.finish()

    # Drawing ---------------------------------------------------------------------------------------------------

    def _snapped(self, spot: PointerPosition) -> Place:
        is_free = bool(spot.modifiers & Qt.KeyboardModifier.ShiftModifier)
        return drawing.snapped(self.canvas.field, spot.point, is_free=is_free)

    def _preview(self, start: Place, end: Place) -> None:
        overlay = self.canvas.scene.overlay
        overlay.clear()
        tone = BARRIER_TONES.get(self.tool.line, DOOR_TONE)
        lines = [QLineF(QPointF(*one), QPointF(*other)) for one, other in pairwise(self._corners(start, end))]
        overlay.draw_lines(lines, tone, dashed=True)

    def _corners(self, start: Place, end: Place) -> tuple[Place, ...]:
        """Return the ends of the lines to draw: of one, or of the sides of a rectangle."""
        is_flat = start[0] == end[0] or start[1] == end[1]
        if self.shape != "rectangle" or self.tool.line == "door" or is_flat:
            return start, end
        return start, (end[0], start[1]), end, (start[0], end[1]), start

    def _draw(self, start: Place, end: Place) -> None:
        field, kind = self.canvas.field, self.tool.line
        if kind == "door":
            self.canvas.replace_map(drawing.with_door(field, start, end))
        elif kind:
            for one, other in pairwise(self._corners(start, end)):
                field = drawing.with_barrier(field, kind, one, other)
            self.canvas.replace_map(field)
