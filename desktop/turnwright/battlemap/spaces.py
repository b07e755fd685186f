"""Spaces of creatures on the map, their relative positions, and the distances between them.

A creature's space on the map: its position, its size in feet, and the squares it occupies.

Two adjacent spaces are one square apart, with either rule for diagonals. Elevation is an axis like the others: a space
that touches from above is as near as one that touches from the side.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Literal, TypeAlias

Square: TypeAlias = tuple[int, int]  # column, row


@dataclass(frozen=True, slots=True)
class Space:
    """A box on the map. `column, row` is its upper-left square; `side`, `elevation` and `height` are in feet.

    Its elevation is that of its bottom, from the same zero as the grid's ground. If it has no height, it is a cube. If
    the side isn't a multiple of the square's side, the space occupies every square it touches: 2.5 feet occupy a
    square of 5.
    """

    column: int
    row: int
    side: float = 5
    elevation: int = 0
    height: float | None = None

    def __post_init__(self) -> None:
        if self.side <= 0 or (self.height is not None and self.height <= 0):
            raise ValueError("the side and height of a space must be above 0")

    @property
    def square(self) -> Square:
        """Return the space's upper-left square."""
        return self.column, self.row

    @property
    def top(self) -> float:
        """Return the elevation of the top of the space, in feet."""
        return self.elevation + (self.side if self.height is None else self.height)

    @property
    def middle(self) -> float:
        """Return the elevation halfway up the space, in feet. Lines to and from the space run at this height."""
        return (self.elevation + self.top) / 2

    def overlaps_in_height(self, other: Space) -> bool:
        """Return whether two spaces overlap in elevation; touching doesn't count."""
        return self.elevation < other.top and other.elevation < self.top


def squares_across(side: float, cell: int = 5) -> int:
    """Return the width of a space of `side` feet in squares of `cell` feet, which is at least 1."""
    return max(1, ceil(side / cell))


def footprint(space: Space, cell: int = 5) -> tuple[Square, ...]:
    """Return the squares that a space occupies, row by row."""
    across = range(squares_across(space.side, cell))
    return tuple((space.column + right, space.row + down) for down in across for right in across)


def share_a_square(one: Space, other: Space, cell: int = 5) -> bool:
    """Return whether two spaces have a square in common, regardless of elevation."""
    here, there = squares_across(one.side, cell), squares_across(other.side, cell)
    return (
        one.column < other.column + there
        and other.column < one.column + here
        and one.row < other.row + there
        and other.row < one.row + here
    )


def opposite_sides(one: Space, other: Space, target: Space, *, cell: int = 5) -> bool:
    """Return whether the line between two spaces' centres crosses opposite sides or corners of a target's space.

    Elevations are ignored, and the two spaces needn't be near the target.
    """
    here, there = _centre(one, cell), _centre(other, cell)
    wide = squares_across(target.side, cell)
    first = (2 * target.column, 2 * target.row)
    last = (first[0] + 2 * wide, first[1] + 2 * wide)
    return any(_spans(here, there, first, last, axis) for axis in (0, 1))


def _centre(space: Space, cell: int) -> tuple[int, int]:
    """Return a footprint's centre in half squares."""
    wide = squares_across(space.side, cell)
    return 2 * space.column + wide, 2 * space.row + wide


def _spans(
    here: tuple[int, int], there: tuple[int, int], first: tuple[int, int], last: tuple[int, int], axis: int
) -> bool:
    """Return whether a segment meets both sides of a box along `axis`. All numbers are integers."""
    if here[axis] > there[axis]:
        here, there = there, here
    if here[axis] > first[axis] or there[axis] < last[axis]:
        return False
    along, other = there[axis] - here[axis], 1 - axis
    for edge in (first[axis], last[axis]):
        crossing = here[other] * along + (there[other] - here[other]) * (edge - here[axis])
        if not first[other] * along <= crossing <= last[other] * along:
            return False
    return True


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
