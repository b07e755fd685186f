"""Connected cubes and straight pushes. Points are in squares: 2.5 is the centre of the third square."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from turnwright.battlemap.occupancy import fits
from turnwright.battlemap.paths import open_ground, path_cost
from turnwright.battlemap.spaces import squares_across

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import TypeAlias

    from turnwright.battlemap.grid import Grid
    from turnwright.battlemap.spaces import Space, Square

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
