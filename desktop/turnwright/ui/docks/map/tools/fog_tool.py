"""The fog tool of the map, and the tokens inside a placed area.

The fog tool of the map: shows squares to players or hides them, by brush, rectangle or room.

The tokens inside an area placed on the map, and those that walls cut off from its origin.
"""

from itertools import count
from math import cos, radians, sin
from typing import Final, Literal, TypeAlias

import msgspec
from PySide6.QtCore import Qt

from turnwright.battlemap.paths import AreaShape, Placement, SquareCount, cut_off, squares_in
from turnwright.battlemap.sight import LineBlocker
from turnwright.battlemap.spaces import Space, squares_across
from turnwright.encounter.prepared import Point, StraightLine
from turnwright.play.environment.map_changes import SetFog, SetRoomFog
from turnwright.rules.parts.positions.geometry import map_grid
from turnwright.rules.parts.positions.sight import FogState, room_squares
from turnwright.ui.docks.map.drawing import drawing
from turnwright.ui.docks.map.drawing.drawing import Z_ROUTE
from turnwright.ui.docks.map.drawing.token_pixmaps import Token
from turnwright.ui.docks.map.map_canvas import MapCanvas
from turnwright.ui.docks.map.tools.line_of_sight_info import named_walls
from turnwright.ui.docks.map.tools.select_tool import CursorTool
from turnwright.ui.docks.map.view import PointerPosition
from turnwright.ui.look.style import tr
from turnwright.ui.look.window_data import window_data
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.rules.why import Explanation, ExplanationLine

FogShape: TypeAlias = Literal["brush", "rectangle", "room"]
SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
_strokes = count(1)  # global, so that strokes in a new window don't merge with older undo steps


class FogTool(CursorTool):
    """Changes the fog at the pointer. `shape` determines which squares are changed, and `state` is their new fog."""

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__(canvas)
        self.shape: FogShape = "room"
        self.state: FogState = "shown"
        self._stroke = 0
        self._first: Point | None = None
        self._last: Point | None = None
        self._done: set[Point] = set()

    # Pointer ---------------------------------------------------------------------------------------------------

    def press(self, spot: PointerPosition) -> None:
        """Change the fog of a room, or start a stroke or a rectangle."""
        self.canvas.set_cursor(spot.square)
        self._stroke = next(_strokes)
        self._done = set()
        self._first = self._last = spot.square
        if self.shape == "room":
            if drawing.contains(self.canvas.field, spot.square):
                self.canvas.document.execute(SetRoomFog(spot.square, self.state))
        elif self.shape == "brush":
            self._paint_to(spot)
        else:
            self._preview(self._rectangle(spot.square))

    def drag(self, spot: PointerPosition) -> None:
        """Continue the stroke or the rectangle."""
        if self._first is None:
            return
        if self.shape == "brush":
            self._paint_to(spot)
        elif self.shape == "rectangle":
            self._preview(self._rectangle(spot.square))

    def hover(self, spot: PointerPosition) -> None:
        """Preview the squares that a click would change."""
        if self.shape == "room" and drawing.contains(self.canvas.field, spot.square):
            self._preview(room_squares(self.canvas.field, spot.square))
        elif self.shape == "brush":
            self._preview(self._brush(spot))
        else:
            self.cancel()

    def release(self, spot: PointerPosition) -> None:
        """End the stroke, or change the fog inside the rectangle."""
        if self.shape == "rectangle" and self._first is not None:
            self._change(self._rectangle(spot.square))
            self.cancel()
        self._first = self._last = None

    def cancel(self) -> None:
        """Cancel an unfinished rectangle and clear the preview."""
        self._first = None
        self.canvas.scene.overlay.clear()

    # Keys ------------------------------------------------------------------------------------------------------

    def show_at_cursor(self) -> None:
        """Preview the rectangle up to the keyboard cursor."""
        if self.canvas.cursor is not None and self._first is not None:
            self._preview(self._rectangle(self.canvas.cursor))

    def draw_at(self, square: Point, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Change the fog at a square. A rectangle needs two corners."""
        spot = PointerPosition(square, (0, 0, True), None, modifiers, self.canvas.view.point_of(square))
        is_second = self.shape == "rectangle" and self._first is not None
        if not is_second:
            self.press(spot)
        if is_second or self.shape != "rectangle":
            self.release(spot)

    # Changing the fog ------------------------------------------------------------------------------------------

    def _paint_to(self, spot: PointerPosition) -> None:
        path = drawing.line_between(self._last or spot.square, spot.square)
        squares = {painted for square in path for painted in self._brush(spot._replace(square=square))} - self._done
        self._last = spot.square
        self._done |= squares
        self._change(squares)

    def _brush(self, spot: PointerPosition) -> set[Point]:
        """Return the squares under the brush: one, or three by three with Shift."""
        (column, row), reach = spot.square, 1 if spot.modifiers & SHIFT else 0
        offsets = range(-reach, reach + 1)
        squares = {(column + across, row + down) for across in offsets for down in offsets}
        return {square for square in squares if drawing.contains(self.canvas.field, square)}

    def _rectangle(self, corner: Point) -> set[Point]:
        first, field = self._first or corner, self.canvas.field
        (left, right), (top, bottom) = (sorted((first[axis], corner[axis])) for axis in (0, 1))
        columns = range(max(0, left), min(field.columns - 1, right) + 1)
        rows = range(max(0, top), min(field.rows - 1, bottom) + 1)
        return {(column, row) for row in rows for column in columns}

    def _change(self, squares: set[Point]) -> None:
        if squares:
            self.canvas.document.execute(SetFog(self.state, tuple(sorted(squares)), merge=f"fog {self._stroke}"))

    def _preview(self, squares: set[Point] | frozenset[Point]) -> None:
        overlay = self.canvas.scene.overlay
        overlay.clear()
        overlay.surround(squares, "focus", Z_ROUTE)


class FogChoice(msgspec.Struct, frozen=True):
    """A choice in the fog tool bar. `id` is also its word key, and `key` its shortcut in the map."""

    id: str
    icon: str
    key: str


SHAPES = window_data("map.fog.shapes", tuple[FogChoice, ...])
STATES = window_data("map.fog.states", tuple[FogChoice, ...])


class LaidArea(msgspec.Struct, frozen=True):
    """The squares inside an area, the squares that walls cut off from its origin, and the tokens on both.

    `walls` are the segments that block its lines of effect. `stopped` lists the tokens cut off and the obstructions.
    """

    squares: frozenset[Point] = frozenset()
    cut_off: frozenset[Point] = frozenset()
    inside: tuple[Token, ...] = ()
    stopped: tuple[tuple[Token, str], ...] = ()
    walls: tuple[StraightLine, ...] = ()


def laid_area(
    document: DocumentModel, tokens: list[Token], shape: AreaShape, placement: Placement, count: SquareCount
) -> LaidArea:
    """Return the squares and tokens that an area affects on the encounter's map."""
    grid, figures = map_grid(document.encounter), document.rules.data.grid.areas
    if grid is None:
        return LaidArea()
    covered = squares_in(grid, shape, placement, count, diagonals=figures.diagonals)
    origin = placement.at[0], placement.at[1]
    behind = cut_off(grid, covered, origin)
    walls, _ = named_walls(document, tuple(behind.values()))
    reached = covered - behind.keys()
    inside = tuple(token for token in tokens if _squares_of(token) & reached)
    shut = [token for token in tokens if token not in inside and _squares_of(token) & covered]
    stopped = tuple(
        (blocked, _reason(document, [behind[each] for each in _squares_of(blocked) & covered])) for blocked in shut
    )
    return LaidArea(frozenset(reached), frozenset(behind), inside, stopped, walls)


def placement_from(space: Space, cell: int, shape: AreaShape, bearing: float) -> Placement:
    """Return the placement of a shape that starts at a creature's space, on the side or corner in its direction."""
    half = squares_across(space.side, cell) / 2
    middle = space.column + half, space.row + half
    if shape.kind in ("burst", "emanation"):
        return Placement(middle, bearing, space)
    right, below = cos(radians(bearing)), sin(radians(bearing))
    far = half / max(abs(right), abs(below))
    at = tuple(round(2 * (start + far * step)) / 2 for start, step in zip(middle, (right, below), strict=True))
    return Placement((at[0], at[1]), bearing, space)


def placement_at(square: Point, cell: int, shape: AreaShape, bearing: float) -> Placement:
    """Return the placement of a free shape at a corner, side or centre of a square, depending on the shape."""
    across = (shape.feet if shape.kind == "cube" else shape.width or cell) // cell
    column, row = float(square[0]), float(square[1])
    if shape.kind == "emanation":
        return Placement((column + 0.5, row + 0.5), bearing, Space(*square, side=cell))
    if shape.kind != "burst" and bearing % 90 == 0 and (across % 2 or shape.kind == "cone"):
        return Placement((column, row + 0.5) if bearing % 180 == 0 else (column + 0.5, row), bearing)
    return Placement((column, row), bearing)


def explain_area(info: LaidArea, title: str, counted: str) -> Explanation:
    """Explain which tokens are in an area, and which obstructions protect the others."""
    lines = [ExplanationLine("✓", token.label) for token in info.inside]
    lines += [
        ExplanationLine("✕", tr("ui.map.area-cut-off", who=token.label, what=what or tr("ui.map.barrier")))
        for token, what in info.stopped
    ]
    return Explanation(title, tr("ui.map.area-count", n=len(info.inside)), tuple(lines), notes=(counted,))


def _squares_of(token: Token) -> frozenset[Point]:
    if token.square is None:
        return frozenset()
    left, top = token.square
    return frozenset((column, row) for column in range(left, left + token.size) for row in range(top, top + token.size))


def _reason(document: DocumentModel, blockers: list[LineBlocker]) -> str:
    return ", ".join(named_walls(document, tuple(blockers))[1])
