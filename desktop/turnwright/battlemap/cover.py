"""Cover by corners: lines from the attacker's best corner to the four corners of a square of the target.

One or two lines stopped are half cover, three or four are three-quarters; if no line at all gets from one to the other,
not even between the centres, cover is total. An obstacle that declares a grade gives at least that wherever a line
crosses it. All of it lies between the two, so cover protects against one side only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnwright.battlemap.compiled import kernels
from turnwright.battlemap.kernels import corners
from turnwright.battlemap.sight import LineBlocker, line_blocker, on_map, scratch
from turnwright.battlemap.spaces import Space, footprint

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from turnwright.battlemap.arrays import Levels
    from turnwright.battlemap.grid import Grid
    from turnwright.battlemap.spaces import Square


@dataclass(frozen=True, slots=True)
class Cover:
    """A target's grade of cover (0 none, 1 half, 2 three-quarters, 3 total) and its sources.

    `corner` is the attacker's best, a lattice point in squares; `square` the target's that the lines run to. Of those
    four lines `stopped` were stopped, by `obstacles`; `creatures` are squares crossed whose own grade or creature
    counts.
    """

    grade: int
    corner: Square
    square: Square
    stopped: int
    obstacles: tuple[LineBlocker, ...]
    creatures: tuple[Square, ...]


def cover(grid: Grid, attacker: Space, target: Space, *, creatures: Collection[Space] = ()) -> Cover:
    """Return the target's cover against an attacker. `creatures` are others that give half cover where crossed."""
    return cover_many(grid, attacker, (target,), creatures=creatures)[0]


def cover_many(
    grid: Grid, attacker: Space, targets: Sequence[Space], *, creatures: Collection[Space] = ()
) -> tuple[Cover, ...]:
    """Return each target's cover against one attacker, in their order. ValueError for a space not wholly on the map.

    Attacker and targets may be among `creatures`: no creature covers itself, but a target does cover those behind it.
    """
    import numpy as np

    places = [on_map(grid, space) for space in targets]
    found = np.zeros((len(places), corners.WIDTH), dtype=np.int32)
    low, high = _filled(grid, creatures)
    barrier = grid.effect
    kernels().covers(
        found,
        barrier.top.copy(),
        barrier.top,
        barrier.east,
        barrier.south,
        barrier.walls,
        barrier.bits,
        grid.cover,
        grid.cover_top,
        low,
        high,
        *scratch(grid),
        *on_map(grid, attacker),
        float(attacker.middle),
        np.array(places, dtype=np.int32).reshape(-1, 3),
        np.array([target.middle for target in targets], dtype=np.float64),
    )
    return tuple(_cover(grid, row) for row in found.tolist())


def _filled(grid: Grid, creatures: Collection[Space]) -> tuple[Levels, Levels]:
    """Return the elevations that creatures fill in each square, from low up to high; equal where there are none.

    Creatures above one another count as one from the lowest's feet to the highest's head.
    """
    import numpy as np

    low = np.zeros((grid.rows, grid.columns), dtype=np.int32)
    high = np.zeros((grid.rows, grid.columns), dtype=np.int32)
    for space in creatures:
        bottom, top = space.elevation, int(np.ceil(space.top))
        for column, row in footprint(space, grid.cell):
            if (column, row) in grid:
                there = low[row, column] < high[row, column]
                low[row, column] = min(bottom, low[row, column]) if there else bottom
                high[row, column] = max(top, high[row, column]) if there else top
    return low, high


def _cover(grid: Grid, row: list[int]) -> Cover:
    """Return the cover record of a row of the kernel's table."""
    lines, shields = row[corners.LINES : corners.SHIELDS], row[corners.SHIELDS : corners.FOUND]
    stopped = tuple(found for code in dict.fromkeys(lines) if (found := line_blocker(grid, code)) is not None)
    given = tuple(found.square for code in dict.fromkeys(shields) if (found := line_blocker(grid, code)) is not None)
    return Cover(
        grade=row[corners.GRADE],
        corner=(row[corners.CORNER_X], row[corners.CORNER_Y]),
        square=(row[corners.SQUARE_X], row[corners.SQUARE_Y]),
        stopped=row[corners.BLOCKED],
        obstacles=stopped,
        creatures=given,
    )
