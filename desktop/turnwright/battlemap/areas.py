"""Squares in an area, straight pushes, and free places nearby.

Shapes are masks `[row, column]` of the whole map: a square is in one if its centre is. Points and directions are in
squares (2.5 is the middle of the third), lengths in feet.
"""

from __future__ import annotations

from dataclasses import replace
from math import cos, hypot, radians
from typing import TYPE_CHECKING, Final

from turnwright.battlemap.occupancy import fits
from turnwright.battlemap.paths import open_ground, path_cost
from turnwright.battlemap.spaces import squares_across

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import Any, TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    from turnwright.battlemap.arrays import Flags
    from turnwright.battlemap.grid import Grid
    from turnwright.battlemap.spaces import Space, Square

    Offsets: TypeAlias = tuple[NDArray[np.floating[Any]], NDArray[np.floating[Any]]]
    Cube: TypeAlias = tuple[int, int, int]

NEARLY: Final = 1e-9  # feet; what rounding may add to a length that is just right
CONE: Final = 53.13010235415598  # degrees; a cone as wide at each point as it is long


def sphere(grid: Grid, centre: tuple[float, float], radius: float, *, elevation: float | None = None) -> Flags:
    """Return the squares whose centre is within `radius` feet of a point.

    `elevation` in feet makes it a sphere round a point at that height, cut at each square's ground; without it, it is a
    circle whatever the ground.
    """
    across, down = _offsets(grid, centre)
    squared = across**2 + down**2
    if elevation is not None:
        squared = squared + (grid.ground - float(elevation)) ** 2
    return squared <= (radius + NEARLY) ** 2


def cone(
    grid: Grid,
    apex: tuple[float, float],
    direction: tuple[float, float],
    length: float,
    *,
    angle: float = CONE,
    round_end: bool = False,
) -> Flags:
    """Return the squares in a cone of `length` feet and `angle` degrees; its far end is flat unless `round_end`."""
    import numpy as np

    along, aside = _beside(grid, apex, direction)
    away = np.hypot(along, aside)
    inside = (along > 0) & (along >= away * cos(radians(angle / 2)) - NEARLY)
    return inside & ((away if round_end else along) <= length + NEARLY)


def beam(
    grid: Grid, start: tuple[float, float], direction: tuple[float, float], length: float, width: float = 5
) -> Flags:
    """Return the squares in a line of `length` and `width` feet from a point."""
    along, aside = _beside(grid, start, direction)
    return (along > 0) & (along <= length + NEARLY) & (abs(aside) <= width / 2 + NEARLY)


def contiguous(cubes: Iterable[Cube]) -> bool:
    """Return whether cubes (column, row, layer) are connected face to face; False for no cubes."""
    left = set(cubes)
    fringe = [left.pop()] if left else []
    while fringe:
        column, row, layer = fringe.pop()
        beside = {
            (column + 1, row, layer),
            (column - 1, row, layer),
            (column, row + 1, layer),
            (column, row - 1, layer),
            (column, row, layer + 1),
            (column, row, layer - 1),
        } & left
        left -= beside
        fringe.extend(beside)
    return not left


def push_path(
    grid: Grid, space: Space, source: tuple[float, float], feet: int, *, others: Collection[Space] = ()
) -> tuple[Square, ...]:
    """Return the positions a space passes when pushed straight away from a point, its own first.

    It goes one square per square's side of `feet`, as straight as squares allow, and stops before a wall, the map's
    edge or another creature. Pushed from its own centre it stays.
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


def _offsets(grid: Grid, point: tuple[float, float]) -> Offsets:
    """Return how far each square's centre is right of and below a point, in feet; both broadcast to the map."""
    import numpy as np

    across = (np.arange(grid.columns) + 0.5 - point[0]) * grid.cell
    down = (np.arange(grid.rows) + 0.5 - point[1]) * grid.cell
    return across[np.newaxis, :], down[:, np.newaxis]


def _beside(grid: Grid, point: tuple[float, float], direction: tuple[float, float]) -> Offsets:
    """Return how far each square's centre is along a direction and beside it, in feet. ValueError for (0, 0)."""
    length = hypot(*direction)
    if length == 0:
        raise ValueError("a direction has a length")
    right, below = direction[0] / length, direction[1] / length
    across, down = _offsets(grid, point)
    return across * right + down * below, down * right - across * below


def _nearest(squares: float) -> int:
    """Return the nearest whole number, halves away from zero, so that opposite pushes mirror each other."""
    return int(squares + 0.5) if squares > 0 else int(squares - 0.5)
