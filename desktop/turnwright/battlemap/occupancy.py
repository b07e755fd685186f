"""Room for spaces: whether a space fits on the map, narrower spaces for squeezing, and room around a target."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from turnwright.battlemap.spaces import Space, share_a_square, squares_across

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from turnwright.battlemap.grid import Grid
    from turnwright.battlemap.spaces import Square

SIDES: Final = (2.5, 5.0, 10.0, 15.0, 20.0, 25.0)  # feet; the usual steps from one size to the next


def sharing(side: float, cell: int = 5) -> int:
    """Return how many spaces of `side` feet one square holds: 4 of 2.5 ft in one of 5; 1 for what fills it."""
    return max(1, int(cell // side)) ** 2


def fits(grid: Grid, space: Space, others: Collection[Space] = ()) -> bool:
    """Return whether a space is inside the map, clear of walls and edges, and not taken by one of `others`.

    Spaces smaller than a square share it as far as they fit; spaces one above the other don't hinder each other.
    """
    return stands(grid, space) and not crowded(space, others, grid.cell)


def stands(grid: Grid, space: Space) -> bool:
    """Return whether the map has room for a space: all of it inside, no wall in it, no edge through it."""
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
    """Return whether `others` leave no room for a space in the squares it would take."""
    there = [other for other in others if share_a_square(space, other, cell) and space.overlaps_in_height(other)]
    if not there:
        return False
    widest = max(space.side, *(other.side for other in there))
    return len(there) + 1 > sharing(widest, cell)


def narrower(space: Space, sides: Sequence[float] = SIDES) -> Space | None:
    """Return the same position with a space one size smaller, for squeezing; None for the smallest.

    `sides` are the sizes' sides in feet, ascending; a side between two of them counts as the lower, one above all as
    the highest.
    """
    size = bisect_right(sides, space.side) - 1
    return replace(space, side=sides[size - 1], height=None) if size > 0 else None


def surround(target: Space, side: float, *, cell: int = 5, standing: Collection[Space] = ()) -> tuple[Space, ...]:
    """Return as many further spaces of `side` feet as can stand next to a target at once, given those `standing`.

    They overlap neither each other nor the target nor any space standing at their elevation (the target's). Each is at
    least one square wide.
    """
    candidates = [Space(*square, side=side, elevation=target.elevation) for square in _frame(target, side, cell)]
    free = [
        space
        for space in candidates
        if not any(share_a_square(space, other, cell) and space.overlaps_in_height(other) for other in standing)
    ]
    best: tuple[Space, ...] = ()
    # Around the target, what overlaps a space comes right before and right after it: so taking the next free one, from
    # each of the possible first ones, leads to the most there can be.
    for first in range(len(free)):
        chosen: list[Space] = []
        for space in free[first:] + free[:first]:
            if not chosen or not any(share_a_square(space, other, cell) for other in (chosen[0], chosen[-1])):
                chosen.append(space)
        best = max(best, tuple(chosen), key=len)
    return best


def room_around(target: Space, side: float, *, cell: int = 5, standing: Collection[Space] = ()) -> int:
    """Return how many more spaces of `side` feet can stand next to a target."""
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
