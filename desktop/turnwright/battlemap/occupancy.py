"""Room for creatures' spaces: whether they fit on the map, squeezing into narrower spaces, and room around a target."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from turnwright.battlemap.spaces import Space, share_a_square, squares_across

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from turnwright.battlemap.grid import Grid
    from turnwright.battlemap.spaces import Square

SIDES: Final = (2.5, 5.0, 10.0, 15.0, 20.0, 25.0)  # feet; the usual sizes


def sharing(side: float, cell: int = 5) -> int:
    """Return how many spaces of `side` feet fit in one square: 4 of 2.5 feet in 5 feet, 1 if one fills it."""
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
    widest = max(space.side, *(other.side for other in there))
    return len(there) + 1 > sharing(widest, cell)


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
    """Return how many more spaces of `side` feet fit around a target."""
    return len(surround(target, side, cell=cell, standing=standing))


def _frame(target: Space, side: float, cell: int) -> list[Square]:
    """Return the positions from which a space of `side` feet touches the target, clockwise from the upper left."""
    across, wide = squares_across(side, cell), squares_across(target.side, cell)
    left, top, right, bottom = (
        target.column - across,
        target.row - across,
        target.column + wide,
        target.row + wide,
    )
    return [
        *((column, top) for column in range(left, right)),
        *((right, row) for row in range(top, bottom)),
        *((column, bottom) for column in range(right, left, -1)),
        *((left, row) for row in range(bottom, top, -1)),
    ]
