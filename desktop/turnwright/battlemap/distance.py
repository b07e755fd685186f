"""Distances between spaces in feet, with either rule for diagonals.

Two adjacent spaces are one square apart. Elevation is an axis like the others: a space that touches from above is as
near as one that touches from the side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from turnwright.battlemap.spaces import Space, squares_across

if TYPE_CHECKING:
    pass

# equal: a diagonal costs one square. alternating: the first costs one, the second two, the third one, and so on.
Diagonals: TypeAlias = Literal["equal", "alternating"]


def distance(one: Space, other: Space, *, cell: int = 5, diagonals: Diagonals = "equal") -> int:
    """Return the distance in feet between the nearest squares of two spaces; 0 if they overlap on all three axes."""
    here, there = squares_across(one.side, cell), squares_across(other.side, cell)
    steps = (
        _apart(one.column, here, other.column, there),
        _apart(one.row, here, other.row, there),
        _steps_up(one, other, cell),
    )
    _, second, most = sorted(steps)
    return cell * (most + second // 2 if diagonals == "alternating" else most)


def adjacent(one: Space, other: Space, *, cell: int = 5) -> bool:
    """Return whether two spaces are adjacent, including diagonally, or overlap."""
    return distance(one, other, cell=cell) <= cell


def _apart(here: int, across: int, there: int, across_there: int) -> int:
    """Return the steps between two ranges of squares on one axis: 0 if they overlap, 1 if they touch."""
    return max(0, there - (here + across - 1), here - (there + across_there - 1))


def _steps_up(one: Space, other: Space, cell: int) -> int:
    """Return the steps between two ranges of elevation. A gap smaller than a square's side is one step."""
    gap = max(other.elevation - one.top, one.elevation - other.top)
    return 0 if gap < 0 else int(gap // cell) + 1
