"""Movement and areas on the map: reachable positions with the cheapest routes, room for spaces, and squares of areas.

The caller provides the cost in feet to enter each square of the whole map: `entry[row, column]`, int16, 0 for
impassable squares. Walls and edges are read from the map. Points are in squares (2.5 is the centre of the third),
lengths in feet, bearings in degrees clockwise from the right.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import ceil, cos, dist, floor, hypot, radians, sin
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from turnwright.battlemap.arrays import Moves
from turnwright.battlemap.compiled import kernels
from turnwright.battlemap.kernels.paths import COST, NODE_ROWS, NONE, PREVIOUS
from turnwright.battlemap.sight import EYES, LineBlocker, MapPoint, between_points
from turnwright.battlemap.spaces import Diagonals, Space, Square, footprint, share_a_square, squares_across

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from turnwright.battlemap.arrays import Feet, Flags
    from turnwright.battlemap.grid import Grid


@dataclass(frozen=True, eq=False, slots=True)
class Reach:
    """The positions (upper-left squares) within a budget, on a window of the map that begins at `left, top`.

    `cost[row, column]` is in feet, -1 if out of reach. `layers[layer, spot]` has the costs for an even and an odd
    number of diagonals, and `previous[node]` the previous node, both numbered as in `kernels.paths`. `ends` marks
    the positions where the whole footprint may stay; None means everywhere.
    """

    left: int
    top: int
    cost: NDArray[np.int32]
    layers: NDArray[np.int32]
    previous: NDArray[np.int32]
    ends: Flags | None

    def cost_to(self, square: Square) -> int | None:
        """Return the cost in feet to reach a position, or None if it exceeds the budget."""
        column, row = square[0] - self.left, square[1] - self.top
        rows, columns = self.cost.shape
        if not (0 <= column < columns and 0 <= row < rows):
            return None
        feet = int(self.cost[row, column])
        return None if feet == NONE else feet

    def path_to(self, square: Square) -> tuple[Square, ...] | None:
        """Return the cheapest route to a position, including start and end, with as few diagonals as possible.

        Return None if it exceeds the budget. Positions that a creature may pass but not stay at also have a route.
        """
        feet = self.cost_to(square)
        if feet is None:
            return None
        rows, columns = self.cost.shape
        spot = (square[1] - self.top) * columns + square[0] - self.left
        layer = next(at for at, costs in enumerate(self.layers) if int(costs[spot]) == feet)
        node, steps = layer * rows * columns + spot, []
        while node != NONE:
            down, right = divmod(node % (rows * columns), columns)
            steps.append((self.left + right, self.top + down))
            node = int(self.previous[node])
        return tuple(reversed(steps))

    def squares(self) -> tuple[Square, ...]:
        """Return the positions where a move may end, row by row, including the start if it qualifies."""
        import numpy as np

        reached = self.cost != NONE
        rows, columns = np.nonzero(reached if self.ends is None else reached & self.ends)
        return tuple(zip((columns + self.left).tolist(), (rows + self.top).tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class PathCost:
    """The cost of a given route: `costs` has the feet spent to reach each of its squares, beginning with 0.

    `costs` is shorter than the route if a step is impossible: not to a neighbour, past a wall or into an impassable
    square.
    """

    costs: tuple[int, ...]
    complete: bool


def reachable(
    grid: Grid,
    space: Space,
    entry: Feet,
    budget: int,
    *,
    diagonals: Diagonals = "equal",
    odd: bool = False,
    may_end: Flags | None = None,
    cut_corners: bool = False,
) -> Reach:
    """Return the positions that a creature can reach with `budget` feet.

    A step costs the highest of the newly entered squares, plus one square's side for every second diagonal under
    the alternating rule. `odd`: an odd number of diagonals was taken before. `may_end[row, column]` is False where
    a creature may pass but not stay. A diagonal needs both sides of its corner free of walls, or only one with
    `cut_corners`. Raise ValueError if an array's shape differs from the map's, or if the start is outside the map.
    """
    import numpy as np

    entry = _fitting(grid, entry)
    side = squares_across(space.side, grid.cell)
    if not (0 <= space.column <= grid.columns - side and 0 <= space.row <= grid.rows - side):
        raise ValueError(f"a space at {space.square}, {side} squares wide, is not on the map")
    budget = max(0, budget)
    # Read as unsigned, 0 - 1 is the greatest number, so this finds the least positive number in two quick passes.
    window = grid.window(space.square, budget // (int((entry.view(np.uint16) - np.uint16(1)).min()) + 1))
    columns = min(window.columns, grid.columns - side + 1 - window.left)
    rows = min(window.rows, grid.rows - side + 1 - window.top)
    marks = np.empty((rows, columns), dtype=np.uint8)
    layers = 2 if diagonals == "alternating" else 1
    nodes = np.empty((NODE_ROWS, layers * rows * columns), dtype=np.int32)
    run = kernels()
    walls = grid.move
    run.mark_steps(marks, walls.squares, walls.east, walls.south, grid.free.diagonals, window.left, window.top, side)
    moves = Moves(marks, entry, window.left, window.top, side, grid.cell, layers == 2, odd, cut_corners)
    start = (space.row - window.top) * columns + space.column - window.left
    run.reach(nodes, np.empty(budget + 1, dtype=np.int32), moves, start, budget)
    costs = nodes[COST].reshape(layers, rows * columns)
    # The minimum of both layers; read as unsigned, "not reached" is the greatest number.
    least = costs[0] if layers == 1 else costs.view(np.uint32).min(axis=0).view(np.int32)
    ends = None if may_end is None else _ends(may_end, window.left, window.top, columns, rows, side)
    return Reach(window.left, window.top, least.reshape(rows, columns), costs, nodes[PREVIOUS], ends)


NEAR: Final = 12  # squares that a creature may walk to a free place


def places_near(grid: Grid, at: Square, sizes: Sequence[int], taken: Collection[Square]) -> list[Square | None]:
    """Return a free place for each of several spaces, sized in squares, or None if there is none.

    The nearest places by walking distance from a square come first, and large spaces choose first.
    """
    steps = sorted(product(range(-NEAR, NEAR + 1), repeat=2), key=lambda step: hypot(*step))
    around = ((at[0] + across, at[1] + down) for across, down in steps)
    start = next((square for square in around if stands(grid, Space(*square))), None)
    spots: dict[int, Square] = {}
    if start is not None:
        reach = reachable(grid, Space(*start), open_ground(grid), NEAR * grid.cell, diagonals="alternating")
        near = sorted(reach.squares(), key=lambda square: (reach.cost_to(square), dist(square, at)))
        free = set(near).difference(taken)
        for index in sorted(range(len(sizes)), key=lambda index: -sizes[index]):
            for spot in near:
                space = Space(*spot, sizes[index] * grid.cell)
                if (squares := frozenset(footprint(space, grid.cell))) <= free and stands(grid, space):
                    spots[index] = spot
                    free -= squares
                    break
    return [spots.get(index) for index in range(len(sizes))]


def path(
    grid: Grid,
    space: Space,
    entry: Feet,
    goal: Square,
    budget: int | None = None,
    *,
    diagonals: Diagonals = "equal",
    odd: bool = False,
    cut_corners: bool = False,
) -> tuple[Square, ...] | None:
    """Return the cheapest route to a position, including start and end, or None if it exceeds the budget."""
    entry = _fitting(grid, entry)

    def within(feet: int) -> Reach:
        return reachable(grid, space, entry, feet, diagonals=diagonals, odd=odd, cut_corners=cut_corners)

    if budget is not None:
        return within(budget).path_to(goal)
    straight = max(abs(goal[0] - space.column), abs(goal[1] - space.row))
    feet = max(int(entry.max()) + grid.cell, 2 * grid.cell * straight)
    before = -1
    side = squares_across(space.side, grid.cell)
    if not (0 <= goal[0] <= grid.columns - side and 0 <= goal[1] <= grid.rows - side):
        return None
    # Every step costs less than `feet`: if doubling it reaches no new squares, everything has been reached.
    while True:
        reach = within(feet)
        route = reach.path_to(goal)
        reached = int((reach.cost != NONE).sum())
        if route is not None or reached == before:
            return route
        before, feet = reached, 2 * feet


def path_cost(
    grid: Grid,
    space: Space,
    entry: Feet,
    squares: Sequence[Square],
    *,
    diagonals: Diagonals = "equal",
    odd: bool = False,
    cut_corners: bool = False,
) -> PathCost:
    """Return the cost of a given route from the space's position. Raise ValueError if it leaves the map."""
    import numpy as np

    entry = _fitting(grid, entry)
    side = squares_across(space.side, grid.cell)
    if not squares or squares[0] != space.square:
        raise ValueError(f"the route must begin at {space.square}")
    if not all(0 <= column <= grid.columns - side and 0 <= row <= grid.rows - side for column, row in squares):
        raise ValueError("the route leaves the map")
    steps = np.array(squares, dtype=np.int32)
    (left, top), (right, bottom) = steps.min(axis=0).tolist(), steps.max(axis=0).tolist()
    marks = np.empty((bottom - top + 1, right - left + 1), dtype=np.uint8)
    costs = np.zeros(len(steps), dtype=np.int32)
    run = kernels()
    walls = grid.move
    run.mark_steps(marks, walls.squares, walls.east, walls.south, grid.free.diagonals, left, top, side)
    moves = Moves(marks, entry, left, top, side, grid.cell, diagonals == "alternating", odd, cut_corners)
    count = run.walk(costs, steps, moves)
    return PathCost(tuple(costs[:count].tolist()), count == len(steps))


def open_ground(grid: Grid) -> Feet:
    """Return the simplest entry costs: one square's side for every square that isn't filled by a wall."""
    import numpy as np

    return np.where(grid.move.squares, 0, grid.cell).astype(np.int16)


def _ends(may_end: Flags, left: int, top: int, columns: int, rows: int, side: int) -> Flags:
    """For each position in the window, return whether a move may end in every square of the footprint."""
    import numpy as np

    ends = np.ones((rows, columns), dtype=np.bool_)
    for down in range(side):
        for right in range(side):
            ends &= may_end[top + down : top + down + rows, left + right : left + right + columns]
    return ends


def _fitting(grid: Grid, entry: Feet) -> Feet:
    """Convert entry costs to the type used by kernels. Raise ValueError if their shape differs from the map's."""
    import numpy as np

    if entry.shape != (grid.rows, grid.columns):
        raise ValueError(f"entry costs must have the map's shape {(grid.rows, grid.columns)}; got {entry.shape}")
    return np.ascontiguousarray(entry, dtype=np.int16)


SIDES: Final = (2.5, 5.0, 10.0, 15.0, 20.0, 25.0)  # feet; the usual sizes


def sharing(side: float, cell: int = 5) -> int:
    """Return the number of spaces of `side` feet that fit in a square: 4 of 2.5 feet in 5 feet, 1 if one fills it."""
    return max(1, int(cell // side)) ** 2


def fits(grid: Grid, space: Space, others: Collection[Space] = ()) -> bool:
    """Return whether a space is inside the map, clear of walls and edges, and not occupied by `others`.

    Spaces smaller than a square can share it while there is room. Spaces at different elevations don't conflict.
    """
    return stands(grid, space) and not crowded(space, others, grid.cell)


def stands(grid: Grid, space: Space) -> bool:
    """Return whether a space fits on the map: it is inside, with no wall in it and no edge through it."""
    across = squares_across(space.side, grid.cell)
    left, top, right, bottom = space.column, space.row, space.column + across, space.row + across
    if left < 0 or top < 0 or right > grid.columns or bottom > grid.rows:
        return False
    walls = grid.move
    return not (
        walls.squares[top:bottom, left:right].any()
        or walls.east[top:bottom, left : right - 1].any()
        or walls.south[top : bottom - 1, left:right].any()
    )


def crowded(space: Space, others: Collection[Space], cell: int = 5) -> bool:
    """Return whether `others` leave no room for a space in its squares."""
    there = [other for other in others if share_a_square(space, other, cell) and space.overlaps_in_height(other)]
    if not there:
        return False
    return len(there) + 1 > sharing(max(space.side, *(other.side for other in there)), cell)


def narrower(space: Space, sides: Sequence[float] = SIDES) -> Space | None:
    """Return a space one size smaller at the same position, for squeezing, or None if it is the smallest.

    `sides` are the sizes' sides in feet, ascending. Other sides count as the next lower one.
    """
    size = bisect_right(sides, space.side) - 1
    return replace(space, side=sides[size - 1], height=None) if size > 0 else None


def surround(target: Space, side: float, *, cell: int = 5, standing: Collection[Space] = ()) -> tuple[Space, ...]:
    """Return as many further spaces of `side` feet as fit around a target, given those already `standing`.

    They don't overlap each other, the target or any space in `standing` at the target's elevation. Each is at least one
    square wide.
    """
    candidates = [Space(*square, side=side, elevation=target.elevation) for square in _frame(target, side, cell)]
    free = [
        space
        for space in candidates
        if not any(share_a_square(space, other, cell) and space.overlaps_in_height(other) for other in standing)
    ]
    best: tuple[Space, ...] = ()
    # Around the target, the spaces that overlap a space come right before and after it. So choosing the next free space
    # each time, from every possible first one, finds the most that fit.
    for first in range(len(free)):
        placed: list[Space] = []
        for space in free[first:] + free[:first]:
            if not placed or not any(share_a_square(space, other, cell) for other in (placed[0], placed[-1])):
                placed.append(space)
        best = max(best, tuple(placed), key=len)
    return best


def room_around(target: Space, side: float, *, cell: int = 5, standing: Collection[Space] = ()) -> int:
    """Return the number of further spaces of `side` feet that fit around a target."""
    return len(surround(target, side, cell=cell, standing=standing))


def _frame(target: Space, side: float, cell: int) -> list[Square]:
    """Return the positions from which a space of `side` feet touches the target, clockwise from the upper left."""
    across, wide = squares_across(side, cell), squares_across(target.side, cell)
    left, top, right, bottom = (target.column - across, target.row - across, target.column + wide, target.row + wide)
    return [
        *((column, top) for column in range(left, right)),
        *((right, row) for row in range(top, bottom)),
        *((column, bottom) for column in range(right, left, -1)),
        *((left, row) for row in range(bottom, top, -1)),
    ]


if TYPE_CHECKING:
    Points: TypeAlias = NDArray[np.floating[Any]]

ShapeKind: TypeAlias = Literal["burst", "cone", "line", "cube", "emanation", "wall"]
SquareCount: TypeAlias = Literal["centre", "half", "touch", "steps"]

SAMPLES: Final = 16  # sample points along a square's side; parts smaller than 1/256 of a square are ignored
CONE: Final = 53.13010235415598  # degrees; at each point the cone is as wide as its distance from the origin
_WORDS: Final[Mapping[str, ShapeKind]] = {
    "radius": "burst", "sphere": "burst", "burst": "burst", "circle": "burst", "cylinder": "burst", "spread": "burst",
    "cone": "cone", "line": "line", "cube": "cube", "square": "cube", "emanation": "emanation", "aura": "emanation",
    "wall": "wall", "around": "emanation",
}  # fmt: skip
_SHAPE: Final = re.compile(
    rf"(?P<size>\d{{1,4}})[\s-]*[a-z.]{{1,6}}[\s-]+(?:long\s+|high\s+)?(?P<word>{'|'.join(_WORDS)})\b", re.IGNORECASE
)
_LONG: Final = re.compile(r"\b(?P<word>line|cone|wall) of (?P<size>\d{1,4})\b", re.IGNORECASE)
_WIDE: Final = re.compile(r"(?P<wide>\d{1,3})[\s-]*[a-z.]{1,6}[\s-]+wide", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AreaShape:
    """A shape and its size in feet: the radius of a burst or emanation, or else a length.

    A `width` of 0 means one square.
    """

    kind: ShapeKind
    feet: int
    width: int = 0


@dataclass(frozen=True, slots=True)
class Placement:
    """A shape's position: its origin, its bearing, and the space from which an emanation extends."""

    at: tuple[float, float]
    bearing: float = 0
    space: Space | None = None


def placement_from(space: Space, cell: int, shape: AreaShape, bearing: float) -> Placement:
    """Return the placement of a shape that starts at a creature's space, on the side or corner in its direction."""
    half = squares_across(space.side, cell) / 2
    middle = space.column + half, space.row + half
    if shape.kind in ("burst", "emanation"):
        return Placement(middle, bearing, space)
    right, below = cos(radians(bearing)), sin(radians(bearing))
    far = half / max(abs(right), abs(below))
    parts = 1 if shape.kind == "line" and shape.width and shape.width // cell % 2 == 0 else 2  # of a square's side
    at = tuple(round(parts * (start + far * step)) / parts for start, step in zip(middle, (right, below), strict=True))
    return Placement((at[0], at[1]), bearing, space)


def shape_in(text: str) -> AreaShape | None:
    """Parse a stat block's area text (`60-foot cone`). Return None if it names no shape."""
    match = _SHAPE.search(text) or _LONG.search(text)
    if match is None:
        return None
    wide = _WIDE.search(text, match.end())
    return AreaShape(_WORDS[match["word"].lower()], int(match["size"]), int(wide["wide"]) if wide else 0)


def squares_in(
    grid: Grid, shape: AreaShape, placement: Placement, count: SquareCount, *, diagonals: Diagonals = "equal"
) -> frozenset[Square]:
    """Return the squares of a map that a shape covers.

    `centre`, `half` and `touch` depend on how much of a square the shape covers. With `steps`, a burst, cone or
    emanation covers the squares within that many steps of its origin, counting `diagonals` as the game does. Lines,
    walls and cubes can't be counted in steps: lines and walls then cover the squares that they touch, and cubes
    those of which they cover half.
    """
    if shape.kind == "emanation" or (count == "steps" and shape.kind in ("burst", "cone")):
        return frozenset(_by_steps(grid, shape, placement, diagonals))
    if count == "steps":
        count = "half" if shape.kind == "cube" else "touch"
    return frozenset(_covered(grid, shape, placement, count))


def cut_off(grid: Grid, squares: Iterable[Square], origin: tuple[float, float]) -> dict[Square, LineBlocker]:
    """Return the squares whose centre has no line of effect from the origin, each with its blocker."""
    column, row = min(grid.columns - 1, int(origin[0])), min(grid.rows - 1, int(origin[1]))
    ground = float(grid.ground[row, column])
    blockers = {}
    for column, row in squares:
        level = max(ground, float(grid.ground[row, column])) + EYES  # lower ground is never cut off
        end = MapPoint(column + 0.5, row + 0.5, level)
        blocker = between_points(grid, grid.effect, MapPoint(*origin, level), end).obstacle
        if blocker is not None and (blocker.square != (column, row) or blocker.part != "square"):
            blockers[column, row] = blocker
    return blockers


def _by_steps(grid: Grid, shape: AreaShape, placement: Placement, diagonals: Diagonals) -> Iterable[Square]:
    """Yield the squares within the shape's range in steps, counted from a corner, a cone's first side or a space."""
    most = shape.feet // grid.cell
    for column, row in _window(grid, placement, most + 1):
        across, down = _steps_from(placement, column, row, grid.cell, is_space=shape.kind == "emanation")
        if shape.kind == "cone" and not _in_quarter(placement.bearing, column, row, placement.at):
            continue
        if shape.kind == "cone" and round(placement.bearing / 45) % 2 == 0:
            across, down = _steps_ahead(placement, column, row)
        more, less = max(across, down), min(across, down)
        if more + (less // 2 if diagonals == "alternating" else 0) <= most:
            yield column, row


def _steps_from(placement: Placement, column: int, row: int, cell: int, *, is_space: bool) -> tuple[int, int]:
    """Return the horizontal and vertical steps from the origin to a square."""
    if is_space and placement.space is not None:
        side, left, top = squares_across(placement.space.side, cell), placement.space.column, placement.space.row
        return max(0, left - column, column - left - side + 1), max(0, top - row, row - top - side + 1)
    x, y = placement.at
    if x != floor(x) or y != floor(y):  # the origin is the centre of a square
        return abs(column - floor(x)), abs(row - floor(y))
    return (column - int(x) + 1 if column >= x else int(x) - column), (row - int(y) + 1 if row >= y else int(y) - row)


def _steps_ahead(placement: Placement, column: int, row: int) -> tuple[int, int]:
    """Return the steps ahead and to the side, counted from the square behind a cone's first square."""
    (x, y), towards = placement.at, _ahead(placement.bearing)
    behind = floor(x - towards[0] * 0.25), floor(y - towards[1] * 0.25)
    return abs(column - behind[0]), abs(row - behind[1])


def _in_quarter(bearing: float, column: int, row: int, at: tuple[float, float]) -> bool:
    """Return whether a square is in the quarter of the grid faced by a cone with this bearing."""
    right, below = column + 0.5 - at[0], row + 0.5 - at[1]
    ahead, beside = _ahead(bearing), _ahead(bearing + 90)
    if ahead[0] and ahead[1]:
        return right * ahead[0] > 0 and below * ahead[1] > 0
    along, aside = right * ahead[0] + below * ahead[1], right * beside[0] + below * beside[1]
    return along > 0 and abs(aside) <= max(0.0, along - 0.5)


def _ahead(bearing: float) -> tuple[int, int]:
    """Return the step in the direction nearest to a bearing, one of eight."""
    turn = radians(45 * round(bearing / 45))
    return round(cos(turn)), round(sin(turn))


def _window(grid: Grid, placement: Placement, squares: float) -> Iterable[Square]:
    left, top, right, bottom = _bounds(grid, placement, squares)
    return ((column, row) for row in range(top, bottom) for column in range(left, right))


def _bounds(grid: Grid, placement: Placement, squares: float) -> tuple[int, int, int, int]:
    """Return the part of the map within some squares of an origin: left, top, right, bottom."""
    x, y = placement.at
    reach = squares + (squares_across(placement.space.side, grid.cell) if placement.space is not None else 0)
    return (
        max(0, floor(x - reach)),
        max(0, floor(y - reach)),
        min(grid.columns, ceil(x + reach)),
        min(grid.rows, ceil(y + reach)),
    )


def _covered(grid: Grid, shape: AreaShape, placement: Placement, count: SquareCount) -> Iterable[Square]:
    """Yield the squares that a shape covers: their centre, half of them, or any part."""
    import numpy as np

    width = shape.width or grid.cell
    left, top, right, bottom = _bounds(grid, placement, 1.5 * (shape.feet + width) / grid.cell + 1)
    if right <= left or bottom <= top:
        return
    fine = 1 if count == "centre" else SAMPLES
    x = (np.arange((right - left) * fine) + 0.5) / fine + left - placement.at[0]
    y = (np.arange((bottom - top) * fine) + 0.5) / fine + top - placement.at[1]
    across, down = np.meshgrid(x * grid.cell, y * grid.cell)
    inside = _inside(shape, width, across, down, placement.bearing)
    shares = inside.reshape(bottom - top, fine, right - left, fine).mean(axis=(1, 3))
    for row, column in np.argwhere(shares > 0 if count == "touch" else shares >= 0.5).tolist():
        yield column + left, row + top


def _inside(shape: AreaShape, width: float, across: Points, down: Points, bearing: float) -> NDArray[np.bool_]:
    """Return which points, in feet from the origin, are inside a shape."""
    import numpy as np

    nearly = 1e-6
    if shape.kind == "burst":
        return across**2 + down**2 <= (shape.feet + nearly) ** 2
    turn = radians(bearing)
    along, aside = across * cos(turn) + down * sin(turn), down * cos(turn) - across * sin(turn)
    if shape.kind == "cone":
        away = np.hypot(along, aside)
        ahead = (along > 0) & (along >= away * cos(radians(CONE / 2)) - nearly)
        return ahead & (along <= shape.feet + nearly)
    half = (shape.feet if shape.kind == "cube" else width) / 2
    return (along >= -nearly) & (along <= shape.feet + nearly) & (abs(aside) <= half + nearly)


if TYPE_CHECKING:
    Cube: TypeAlias = tuple[int, int, int]


def contiguous(cubes: Iterable[Cube]) -> bool:
    """Return whether cubes (column, row, layer) are connected face to face; False if there are no cubes."""
    remaining = set(cubes)
    fringe = [remaining.pop()] if remaining else []
    while fringe:
        column, row, layer = fringe.pop()
        neighbours = {
            (column + 1, row, layer),
            (column - 1, row, layer),
            (column, row + 1, layer),
            (column, row - 1, layer),
            (column, row, layer + 1),
            (column, row, layer - 1),
        } & remaining
        remaining -= neighbours
        fringe.extend(neighbours)
    return not remaining


def push_path(
    grid: Grid, space: Space, source: tuple[float, float], feet: int, *, others: Collection[Space] = ()
) -> tuple[Square, ...]:
    """Return the positions of a space that is pushed straight away from a point, beginning with its own.

    It moves one square for each square's side in `feet`, as straight as the grid allows, and stops before a wall, the
    map's edge or another creature. If it is pushed from its own centre, it doesn't move.
    """
    middle = squares_across(space.side, grid.cell) / 2
    right, down = space.column + middle - source[0], space.row + middle - source[1]
    longest = max(abs(right), abs(down))
    steps = max(0, feet) // grid.cell if longest else 0
    straight = [
        (space.column + _nearest(step * right / longest), space.row + _nearest(step * down / longest))
        for step in range(1, steps + 1)
    ]
    way = [space.square]
    entry = open_ground(grid)
    for square in straight:
        here = replace(space, column=way[-1][0], row=way[-1][1])
        there = replace(space, column=square[0], row=square[1])
        if not fits(grid, there, others) or not path_cost(grid, here, entry, (here.square, square)).complete:
            break
        way.append(square)
    return tuple(way)


def _nearest(squares: float) -> int:
    """Round halves away from zero, so that opposite pushes mirror each other."""
    return int(squares + 0.5) if squares > 0 else int(squares - 0.5)
