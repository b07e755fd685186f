"""The squares in an area of effect according to a game's counting rule, and those cut off from its origin.

Points are in squares (2.5 is the centre of the third), lengths in feet, bearings in degrees clockwise from the
right.

Connected cubes and straight pushes. Points are in squares: 2.5 is the centre of the third square.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from math import ceil, cos, floor, radians, sin
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from turnwright.battlemap.paths import fits, open_ground, path_cost
from turnwright.battlemap.sight import MapPoint, between_points
from turnwright.battlemap.spaces import squares_across

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from turnwright.battlemap.grid import Grid
    from turnwright.battlemap.sight import LineBlocker
    from turnwright.battlemap.spaces import Diagonals, Space, Square


if TYPE_CHECKING:
    Points: TypeAlias = NDArray[np.floating[Any]]

ShapeKind: TypeAlias = Literal["burst", "cone", "line", "cube", "emanation", "wall"]
SquareCount: TypeAlias = Literal["centre", "half", "touch", "steps"]

SAMPLES: Final = 16  # sample points along a square's side; parts smaller than 1/256 of a square are ignored
CONE: Final = 53.13010235415598  # degrees; at each point the cone is as wide as its distance from the origin
EYES: Final = 2.5  # feet; lines of effect run this high above the higher of their two ends
_WORDS: Final[Mapping[str, ShapeKind]] = {
    "radius": "burst",
    "sphere": "burst",
    "burst": "burst",
    "circle": "burst",
    "cylinder": "burst",
    "spread": "burst",
    "cone": "cone",
    "line": "line",
    "cube": "cube",
    "square": "cube",
    "emanation": "emanation",
    "aura": "emanation",
    "wall": "wall",
    "around": "emanation",
}
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


def shape_in(text: str) -> AreaShape | None:
    """Parse a stat block's area text (`60-foot cone`). Return None if it names no shape."""
    match = _SHAPE.search(text) or _LONG.search(text)
    if match is None:
        return None
    wide = _WIDE.search(text, match.end())
    return AreaShape(_WORDS[match["word"].lower()], int(match["size"]), int(wide["wide"]) if wide else 0)


def squares_in(
    grid: Grid,
    shape: AreaShape,
    placement: Placement,
    count: SquareCount,
    *,
    diagonals: Diagonals = "equal",
    angle: float = CONE,
    round_end: bool = False,
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
    return frozenset(_covered(grid, shape, placement, count, angle, round_end=round_end))


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
    across = squares_across(placement.space.side, grid.cell) if placement.space is not None else 0
    reach = squares + across
    return (
        max(0, floor(x - reach)),
        max(0, floor(y - reach)),
        min(grid.columns, ceil(x + reach)),
        min(grid.rows, ceil(y + reach)),
    )


def _covered(
    grid: Grid, shape: AreaShape, placement: Placement, count: SquareCount, angle: float, *, round_end: bool
) -> Iterable[Square]:
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
    inside = _inside(shape, width, across, down, placement.bearing, angle, round_end=round_end)
    shares = inside.reshape(bottom - top, fine, right - left, fine).mean(axis=(1, 3))
    covered = shares > 0 if count == "touch" else shares >= 0.5
    for row, column in np.argwhere(covered).tolist():
        yield column + left, row + top


def _inside(
    shape: AreaShape, width: float, across: Points, down: Points, bearing: float, angle: float, *, round_end: bool
) -> NDArray[np.bool_]:
    """Return which points, in feet from the origin, are inside a shape."""
    import numpy as np

    nearly = 1e-6
    if shape.kind == "burst":
        return across**2 + down**2 <= (shape.feet + nearly) ** 2
    turn = radians(bearing)
    along, aside = across * cos(turn) + down * sin(turn), down * cos(turn) - across * sin(turn)
    if shape.kind == "cone":
        away = np.hypot(along, aside)
        ahead = (along > 0) & (along >= away * cos(radians(angle / 2)) - nearly)
        return ahead & ((away if round_end else along) <= shape.feet + nearly)
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
