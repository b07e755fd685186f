"""Lines of sight and of effect: between points, between spaces, and from a point to a whole area.

Lines touch walls freely but don't slip between two that touch (`kernels.rays`). Between spaces they run from half-way
up the one to half-way up the other, and nothing in either's own squares stops them except edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from turnwright.battlemap.compiled import kernels
from turnwright.battlemap.kernels.rays import CENTRE, CORNERS, LOWERED
from turnwright.battlemap.spaces import Space, footprint, squares_across

if TYPE_CHECKING:
    from collections.abc import Collection

    from turnwright.battlemap.arrays import Flags, Scratch, Shares
    from turnwright.battlemap.grid import Barrier, Grid
    from turnwright.battlemap.spaces import Square

Ends: TypeAlias = Literal["centre", "corners", "both"]
SquarePart: TypeAlias = Literal["square", "east", "south", "barrier", "door"]

EYES: Final = 2.5  # feet; half-way up a creature of the usual size
_PARTS: tuple[Literal["square", "east", "south"], ...] = ("square", "east", "south")


class MapPoint(NamedTuple):
    """A point of the map: x and y in squares, in halves (2.5 is the middle of the third), z in feet."""

    x: float
    y: float
    z: float = 0


class LineBlocker(NamedTuple):
    """A square, or its east or south edge, that stopped a line or gave cover; or a segment of a barrier or door.

    `segment` is the number of the segment on the map, -1 for none; `square` is where it begins.
    """

    square: Square
    part: SquarePart
    segment: int = -1


@dataclass(frozen=True, slots=True)
class SightLine:
    """A line that was traced. `obstacle` is None if it is clear; else the blocker of the last line tried."""

    start: MapPoint
    end: MapPoint
    obstacle: LineBlocker | None

    @property
    def clear(self) -> bool:
        """Return whether nothing stops the line."""
        return self.obstacle is None


def between_points(grid: Grid, barrier: Barrier, start: MapPoint, end: MapPoint) -> SightLine:
    """Return the line between two points, clear or stopped by a barrier. ValueError off the half squares."""
    x0, y0 = _halves(grid, start)
    x1, y1 = _halves(grid, end)
    crossed, shares = scratch(grid)
    stopped = kernels().line(
        barrier.top,
        barrier.east,
        barrier.south,
        barrier.walls,
        barrier.bits,
        crossed,
        shares,
        x0,
        y0,
        float(start.z),
        x1,
        y1,
        float(end.z),
    )
    return SightLine(start, end, line_blocker(grid, stopped))


def between(
    grid: Grid,
    barrier: Barrier,
    one: Space,
    other: Space,
    *,
    starts: Ends = "both",
    goals: Ends = "both",
    occupied: Collection[Space] = (),
) -> SightLine:
    """Return the first line between two spaces clear of a barrier (`grid.sight`, `grid.effect`) and of `occupied`.

    Where there is none, return a stopped line. `starts` and `goals` choose the points of the two that count: the four
    corners, the centre, or all five; centres are tried last. What fills `occupied` up to their tops stops lines as a
    wall would. ValueError for a space not wholly on the map.
    """
    import numpy as np

    places = on_map(grid, one), on_map(grid, other)
    top = barrier.top.copy()
    for space in occupied:
        for column, row in footprint(space, grid.cell):
            if (column, row) in grid:
                top[row, column] = max(top[row, column], int(np.ceil(space.top)))
    for column, row, side in places:
        top[row : row + side, column : column + side] = LOWERED
    ends = np.zeros((2, 2), dtype=np.int32)
    stopped = kernels().sight(
        ends,
        top,
        barrier.east,
        barrier.south,
        barrier.walls,
        barrier.bits,
        *scratch(grid),
        *places[0],
        float(one.middle),
        _points(starts),
        *places[1],
        float(other.middle),
        _points(goals),
    )
    (x0, y0), (x1, y1) = ends.tolist()
    return SightLine(
        MapPoint(x0 / 2, y0 / 2, one.middle), MapPoint(x1 / 2, y1 / 2, other.middle), line_blocker(grid, stopped)
    )


def field(grid: Grid, barrier: Barrier, square: Square, feet: float, *, height: float = EYES) -> Flags:
    """Return the squares within so many feet whose middles a line from the middle of one reaches, itself among them.

    Lines run `height` feet above the ground.
    """
    import numpy as np

    found = np.zeros((grid.rows, grid.columns), dtype=np.bool_)
    if square in grid:
        kernels().seen_squares(
            found,
            barrier.top,
            barrier.east,
            barrier.south,
            barrier.walls,
            barrier.bits,
            *scratch(grid),
            *square,
            int(2 * feet // grid.cell),
            height,
        )
    return found


def reaches(grid: Grid, barrier: Barrier, start: Square, end: Square, feet: float, *, height: float = EYES) -> bool:
    """Return whether `field` from one square has another, by at most one line."""
    if start not in grid or end not in grid:
        return False
    far = int(2 * feet // grid.cell)
    if (2 * (end[0] - start[0])) ** 2 + (2 * (end[1] - start[1])) ** 2 > far**2:
        return False
    middles = (MapPoint(x + 0.5, y + 0.5, float(barrier.top[y, x]) + height) for x, y in (start, end))
    return between_points(grid, barrier, *middles).clear


def on_map(grid: Grid, space: Space) -> tuple[int, int, int]:
    """Return a space's column, row and side in squares. ValueError where it is not wholly on the map."""
    side = squares_across(space.side, grid.cell)
    if not (0 <= space.column <= grid.columns - side and 0 <= space.row <= grid.rows - side):
        raise ValueError(f"a space at {space.square}, {side} squares wide, is not on the map")
    return space.column, space.row, side


def scratch(grid: Grid) -> tuple[Scratch, Shares]:
    """Return scratch arrays for the squares that the longest line on the map crosses."""
    import numpy as np

    longest = grid.columns + grid.rows + 2
    return np.empty((longest, 3), dtype=np.int32), np.empty(longest, dtype=np.float64)


def line_blocker(grid: Grid, code: int) -> LineBlocker | None:
    """Return the blocker that a kernel's code names, None for 0."""
    if code == 0:
        return None
    if code < 0:
        return _segment_blocker(grid, -code - 1)
    index, part = divmod(code - 1, 3)
    row, column = divmod(index, grid.columns)
    return LineBlocker((column, row), _PARTS[part])


def _segment_blocker(grid: Grid, segment: int) -> LineBlocker:
    """Return the blocker of a segment: a barrier, a door, or the edge of a square that the segment stands for."""
    owner = grid.free.owners[segment]
    if owner.part == "edge":
        column, row, side = owner.edge
        return LineBlocker((column, row), "east" if side == "east" else "south")
    x, y = grid.free.line(segment)[:2]
    square = min(grid.columns - 1, max(0, int(x))), min(grid.rows - 1, max(0, int(y)))
    return LineBlocker(square, owner.part, segment)


def _points(ends: Ends) -> int:
    """Return the kernel's flags for a choice of points."""
    return {"centre": CENTRE, "corners": CORNERS, "both": CENTRE | CORNERS}[ends]


def _halves(grid: Grid, point: MapPoint) -> tuple[int, int]:
    """Return a point's x and y in half squares."""
    x, y = round(2 * point.x), round(2 * point.y)
    if (x, y) != (2 * point.x, 2 * point.y):
        raise ValueError(f"lines run between whole and half squares, not from {point.x}, {point.y}")
    if not (0 <= x <= 2 * grid.columns and 0 <= y <= 2 * grid.rows):
        raise ValueError(f"{point.x}, {point.y} is not on the map")
    return x, y
