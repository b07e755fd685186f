"""Lines of sight and of effect over walls and obstacles, the cover along them, and the rooms that walls enclose.

Lines may touch walls but can't slip between two that touch (`kernels.rays`). Between spaces they run from halfway up
one space to halfway up the other, and in the two spaces' own squares only edges stop them.

Cover is measured from the attacker's best corner to the four corners of one of the target's squares. One or two blocked
lines give half cover, three or four give three-quarters cover. Cover is total if no line at all connects the two, not
even between their centres. An obstacle with a declared grade gives at least that grade if a line crosses it. Only
obstacles between attacker and target count, so cover protects against one side only.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from turnwright.battlemap.arrays import Barriers, Box, GridLine, Rise, Shields
from turnwright.battlemap.compiled import kernels
from turnwright.battlemap.kernels import corners
from turnwright.battlemap.kernels.rays import CENTRE, CORNERS, LOWERED
from turnwright.battlemap.spaces import Space, Square, footprint, squares_across

if TYPE_CHECKING:
    from turnwright.battlemap.arrays import Flags, Levels
    from turnwright.battlemap.grid import Barrier, Grid


Ends: TypeAlias = Literal["centre", "corners", "both"]
SquarePart: TypeAlias = Literal["square", "east", "south", "barrier", "door"]

EYES: Final = 2.5  # feet; halfway up a Medium creature
_PARTS: tuple[Literal["square", "east", "south"], ...] = ("square", "east", "south")


class MapPoint(NamedTuple):
    """A point on the map: x and y in squares, in steps of a half (2.5 is the centre of the third), z in feet."""

    x: float
    y: float
    z: float = 0


class LineBlocker(NamedTuple):
    """A square, edge of a square, or segment of a barrier or door that stopped a line or gave cover.

    `segment` is the number of the segment on the map, or -1; `square` is where it begins.
    """

    square: Square
    part: SquarePart
    segment: int = -1


@dataclass(frozen=True, slots=True)
class SightLine:
    """A traced line. `obstacle` is None if it is clear, or else the blocker of the last line tried."""

    start: MapPoint
    end: MapPoint
    obstacle: LineBlocker | None

    @property
    def clear(self) -> bool:
        """Return whether the line is unobstructed."""
        return self.obstacle is None


def between_points(grid: Grid, barrier: Barrier, start: MapPoint, end: MapPoint) -> SightLine:
    """Trace the line between two points.

    Raise ValueError if a point isn't on a whole or half square.
    """
    x0, y0 = _halves(grid, start)
    x1, y1 = _halves(grid, end)
    rise = Rise(float(start.z), float(end.z))
    stopped = kernels().line(barriers(grid, barrier, barrier.top), GridLine(x0, y0, x1, y1), rise)
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
    """Return the first line between two spaces that is clear of a barrier and of `occupied`, or else a blocked line.

    `barrier` is `grid.sight` or `grid.effect`. `starts` and `goals` choose the points of the two spaces: the four
    corners, the centre, or all five; centres are tried last. Creatures in `occupied` stop lines up to their tops,
    as walls do. Raise ValueError if a space isn't wholly on the map.
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
    ends, rise = np.zeros((2, 2), dtype=np.int32), Rise(float(one.middle), float(other.middle))
    stopped = kernels().sight(ends, barriers(grid, barrier, top), *places, rise, _points(starts), _points(goals))
    (x0, y0), (x1, y1) = ends.tolist()
    return SightLine(
        MapPoint(x0 / 2, y0 / 2, one.middle), MapPoint(x1 / 2, y1 / 2, other.middle), line_blocker(grid, stopped)
    )


def field(grid: Grid, barrier: Barrier, square: Square, feet: float, *, height: float = EYES) -> Flags:
    """Return the squares within `feet` whose centres have a clear line to the centre of a square, including itself.

    Lines run `height` feet above the ground.
    """
    import numpy as np

    visible = np.zeros((grid.rows, grid.columns), dtype=np.bool_)
    if square in grid:
        radius = int(2 * feet // grid.cell)
        kernels().seen_squares(visible, barriers(grid, barrier, barrier.top), *square, radius, height)
    return visible


def reaches(grid: Grid, barrier: Barrier, start: Square, end: Square, feet: float, *, height: float = EYES) -> bool:
    """Return whether the `field` of one square contains another, tracing at most one line."""
    if start not in grid or end not in grid:
        return False
    radius = int(2 * feet // grid.cell)
    if (2 * (end[0] - start[0])) ** 2 + (2 * (end[1] - start[1])) ** 2 > radius**2:
        return False
    middles = (MapPoint(x + 0.5, y + 0.5, float(barrier.top[y, x]) + height) for x, y in (start, end))
    return between_points(grid, barrier, *middles).clear


def on_map(grid: Grid, space: Space) -> Box:
    """Return a space's footprint. Raise ValueError if it isn't wholly on the map."""
    side = squares_across(space.side, grid.cell)
    if not (0 <= space.column <= grid.columns - side and 0 <= space.row <= grid.rows - side):
        raise ValueError(f"a space at {space.square}, {side} squares wide, is not on the map")
    return Box(space.column, space.row, side)


def barriers(grid: Grid, barrier: Barrier, top: Levels) -> Barriers:
    """Return the blockers of lines for the kernels: a barrier with these tops, and scratch for the map's longest line."""
    import numpy as np

    longest = grid.columns + grid.rows + 2
    crossed, shares = np.empty((longest, 3), dtype=np.int32), np.empty(longest, dtype=np.float64)
    return Barriers(top, barrier.east, barrier.south, barrier.walls, barrier.bits, crossed, shares)


def line_blocker(grid: Grid, code: int) -> LineBlocker | None:
    """Convert a kernel's code to a blocker; return None if the code is 0."""
    if code == 0:
        return None
    if code < 0:
        return _segment_blocker(grid, -code - 1)
    index, part = divmod(code - 1, 3)
    row, column = divmod(index, grid.columns)
    return LineBlocker((column, row), _PARTS[part])


def _segment_blocker(grid: Grid, segment: int) -> LineBlocker:
    """Return a segment's blocker: a barrier, a door, or the edge of a square that the segment represents."""
    owner = grid.free.owners[segment]
    if owner.part == "edge":
        column, row, side = owner.edge
        return LineBlocker((column, row), "east" if side == "east" else "south")
    x, y = grid.free.line(segment)[:2]
    square = min(grid.columns - 1, max(0, int(x))), min(grid.rows - 1, max(0, int(y)))
    return LineBlocker(square, owner.part, segment)


def _points(ends: Ends) -> int:
    """Convert a choice of points to the kernel's flags."""
    return {"centre": CENTRE, "corners": CORNERS, "both": CENTRE | CORNERS}[ends]


def _halves(grid: Grid, point: MapPoint) -> tuple[int, int]:
    """Return a point's x and y in half squares. Raise ValueError if it is between half squares or outside the map."""
    x, y = round(2 * point.x), round(2 * point.y)
    if (x, y) != (2 * point.x, 2 * point.y):
        raise ValueError(f"the ends of a line must be whole or half squares; got {point.x}, {point.y}")
    if not (0 <= x <= 2 * grid.columns and 0 <= y <= 2 * grid.rows):
        raise ValueError(f"{point.x}, {point.y} is not on the map")
    return x, y


@dataclass(frozen=True, slots=True)
class Cover:
    """A target's grade of cover (0 none, 1 half, 2 three-quarters, 3 total) and its sources.

    `corner` is the attacker's best corner, a lattice point in squares, and `square` the target's square to which the
    lines run. `stopped` counts the blocked ones of these four lines, and `obstacles` lists their blockers.
    `creatures` are the crossed squares that count for their own grade or for a creature in them.
    """

    grade: int
    corner: Square
    square: Square
    stopped: int
    obstacles: tuple[LineBlocker, ...]
    creatures: tuple[Square, ...]


def cover(grid: Grid, attacker: Space, target: Space, *, creatures: Collection[Space] = ()) -> Cover:
    """Return the target's cover against an attacker. Each of `creatures` gives half cover if a line crosses it."""
    return cover_many(grid, attacker, (target,), creatures=creatures)[0]


def cover_many(
    grid: Grid, attacker: Space, targets: Sequence[Space], *, creatures: Collection[Space] = ()
) -> tuple[Cover, ...]:
    """Return each target's cover against one attacker, in order. Raise ValueError if a space isn't wholly on the map.

    Attacker and targets may be among `creatures`: no creature gives itself cover, but a target does give cover to those
    behind it.
    """
    import numpy as np

    places = [on_map(grid, space) for space in targets]
    results = np.zeros((len(places), corners.WIDTH), dtype=np.int32)
    low, high = _filled(grid, creatures)
    solid = grid.effect.top
    top = solid.copy()
    kernels().covers(
        results,
        top,
        solid,
        barriers(grid, grid.effect, top),
        Shields(grid.cover, grid.cover_top, low, high),
        on_map(grid, attacker),
        float(attacker.middle),
        np.array(places, dtype=np.int64).reshape(-1, 3),
        np.array([target.middle for target in targets], dtype=np.float64),
    )
    return tuple(_cover(grid, row) for row in results.tolist())


def _filled(grid: Grid, creatures: Collection[Space]) -> tuple[Levels, Levels]:
    """Return the lowest and highest elevations that creatures fill in each square; they are equal if it is empty.

    Creatures above one another count as one, from the feet of the lowest to the head of the highest.
    """
    import numpy as np

    low = np.zeros((grid.rows, grid.columns), dtype=np.int32)
    high = np.zeros((grid.rows, grid.columns), dtype=np.int32)
    for space in creatures:
        bottom, top = space.elevation, int(np.ceil(space.top))
        for column, row in footprint(space, grid.cell):
            if (column, row) in grid:
                there = low[row, column] < high[row, column]
                low[row, column] = min(bottom, low[row, column]) if there else bottom
                high[row, column] = max(top, high[row, column]) if there else top
    for filled in (low, high):
        filled.setflags(write=False)
    return low, high


def _cover(grid: Grid, row: list[int]) -> Cover:
    """Convert a row of the kernel's table to a cover record."""
    lines, shields = row[corners.LINES : corners.SHIELDS], row[corners.SHIELDS : corners.FOUND]
    stopped = tuple(blocker for code in dict.fromkeys(lines) if (blocker := line_blocker(grid, code)) is not None)
    shielding = tuple(
        blocker.square for code in dict.fromkeys(shields) if (blocker := line_blocker(grid, code)) is not None
    )
    return Cover(
        grade=row[corners.GRADE],
        corner=(row[corners.CORNER_X], row[corners.CORNER_Y]),
        square=(row[corners.SQUARE_X], row[corners.SQUARE_Y]),
        stopped=row[corners.BLOCKED],
        obstacles=stopped,
        creatures=shielding,
    )


def room(grid: Grid, at: Square) -> frozenset[Square]:
    """Return the squares of the room around a square, including adjacent wall squares.

    Steps that the grid closes to movement bound the room. A wall square is a room of its own.
    """
    if at not in grid:
        return frozenset()
    blocked, east, south = grid.blocked.tolist(), grid.move.east.tolist(), grid.move.south.tolist()
    floor, waiting = {at}, [at] if not blocked[at[1]][at[0]] else []
    walls: set[Square] = set()
    while waiting:
        column, row = waiting.pop()
        neighbours = (
            ((column + 1, row), east[row][column]),
            ((column, row + 1), south[row][column]),
            ((column - 1, row), column > 0 and east[row][column - 1]),
            ((column, row - 1), row > 0 and south[row - 1][column]),
        )
        for square, is_closed in neighbours:
            if is_closed or square in floor or square not in grid:
                continue
            if blocked[square[1]][square[0]]:
                continue
            floor.add(square)
            waiting.append(square)
        walls.update(
            (column + across, row + down)
            for across in (-1, 0, 1)
            for down in (-1, 0, 1)
            if (column + across, row + down) in grid and blocked[row + down][column + across]
        )
    return frozenset(floor | walls)
