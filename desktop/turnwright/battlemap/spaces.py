"""A creature's space on the map: its position, its size in feet, and the squares it occupies."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TypeAlias

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
    """Return how many squares of `cell` feet a space of `side` feet is wide; at least 1."""
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
