"""Distances between spaces, in feet, by either rule of counting diagonals.

Two spaces side by side are one square apart. Up and down is an axis like the others: a space touching from above is
as near as one touching from the side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from turnwright.battlemap.spaces import Space, squares_across

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from turnwright.battlemap.spaces import Square

# equal: a diagonal costs one square. alternating: the first costs one, the second two, the third one, and so on.
Diagonals: TypeAlias = Literal["equal", "alternating"]


def distance(one: Space, other: Space, *, cell: int = 5, diagonals: Diagonals = "equal") -> int:
    """Return the feet between the nearest squares of two spaces; 0 where they overlap in all three axes."""
    here, there = squares_across(one.side, cell), squares_across(other.side, cell)
    steps = (
        _apart(one.column, here, other.column, there),
        _apart(one.row, here, other.row, there),
        _steps_up(one, other, cell),
    )
    _, second, most = sorted(steps)
    return cell * (most + second // 2 if diagonals == "alternating" else most)


def distance_to_square(
    space: Space, square: Square, *, elevation: int = 0, cell: int = 5, diagonals: Diagonals = "equal"
) -> int:
    """Return the feet from a space to the cube that stands on a square at `elevation` feet."""
    return distance(space, Space(*square, side=cell, elevation=elevation), cell=cell, diagonals=diagonals)


def distances(
    one: Space, others: Sequence[Space], *, cell: int = 5, diagonals: Diagonals = "equal"
) -> NDArray[np.int64]:
    """Return the feet from one space to each of many: `int64[len(others)]`."""
    import numpy as np

    boxes = np.array(
        [(o.column, o.row, squares_across(o.side, cell), o.elevation, o.top) for o in others], dtype=np.float64
    ).reshape(-1, 5)
    here = squares_across(one.side, cell)
    steps = np.zeros((3, len(boxes)))
    for axis, start in enumerate((one.column, one.row)):
        after = boxes[:, axis] - (start + here - 1)
        before = start - (boxes[:, axis] + boxes[:, 2] - 1)
        steps[axis] = np.maximum(np.maximum(after, before), 0)
    gap = np.maximum(boxes[:, 3] - one.top, one.elevation - boxes[:, 4])
    steps[2] = np.where(gap < 0, 0, gap // cell + 1)
    steps.sort(axis=0)
    whole = steps.astype(np.int64)
    squares = whole[2] + whole[1] // 2 if diagonals == "alternating" else whole[2]
    return np.asarray(cell * squares, dtype=np.int64)


def adjacent(one: Space, other: Space, *, cell: int = 5) -> bool:
    """Return whether two spaces are next to each other, diagonally included, or overlap."""
    return distance(one, other, cell=cell) <= cell


def _apart(here: int, across: int, there: int, across_there: int) -> int:
    """Return the steps between two stretches of squares on one axis; 0 where they overlap, 1 where they touch."""
    return max(0, there - (here + across - 1), here - (there + across_there - 1))


def _steps_up(one: Space, other: Space, cell: int) -> int:
    """Return the steps between two stretches of elevation; less than a square's side of air between is one step."""
    gap = max(other.elevation - one.top, one.elevation - other.top)
    return 0 if gap < 0 else int(gap // cell) + 1
