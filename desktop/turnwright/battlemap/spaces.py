"""A creature's space on the map: its position, its size in feet, and the squares it takes up."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TypeAlias

Square: TypeAlias = tuple[int, int]  # column, row


@dataclass(frozen=True, slots=True)
class Space:
    """A box on the map. `column, row` is its upper-left square; `side`, `elevation` and `height` are feet.

    Elevation is that of its bottom, from the same zero as the grid's ground. Without a height it is a cube. A side
    that is no multiple of the squares' takes every square it touches: 2.5 ft take one of 5.
    """

    column: int
    row: int
    side: float = 5
    elevation: int = 0
    height: float | None = None

    def __post_init__(self) -> None:
        if self.side <= 0 or (self.height is not None and self.height <= 0):
            raise ValueError("a space has a side and a height above 0")

    @property
    def square(self) -> Square:
        """Return the space's upper-left square."""
        return self.column, self.row

    @property
    def top(self) -> float:
        """Return the elevation of the space's upper side, in feet."""
        return self.elevation + (self.side if self.height is None else self.height)

    @property
    def middle(self) -> float:
        """Return the elevation halfway up the space, in feet, where lines to and from it run."""
        return (self.elevation + self.top) / 2

    def overlaps_in_height(self, other: Space) -> bool:
        """Return whether two spaces have an elevation in common; touching is not overlapping."""
        return self.elevation < other.top and other.elevation < self.top


def squares_across(side: float, cell: int = 5) -> int:
    """Return how many squares of `cell` feet a space of `side` feet is wide; never less than 1."""
    return max(1, ceil(side / cell))


def footprint(space: Space, cell: int = 5) -> tuple[Square, ...]:
    """Return the squares a space takes, row by row."""
    across = range(squares_across(space.side, cell))
    return tuple((space.column + right, space.row + down) for down in across for right in across)


def share_a_square(one: Space, other: Space, cell: int = 5) -> bool:
    """Return whether two footprints have a square in common, whatever their elevations."""
    here, there = squares_across(one.side, cell), squares_across(other.side, cell)
    return (
        one.column < other.column + there
        and other.column < one.column + here
        and one.row < other.row + there
        and other.row < one.row + here
    )
