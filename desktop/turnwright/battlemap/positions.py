"""Relative positions of creatures: whether two spaces are on opposite sides of a third."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.battlemap.spaces import squares_across

if TYPE_CHECKING:
    from turnwright.battlemap.spaces import Space


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
