"""Cover by corners: lines from the attacker's best corner to the four corners of one of the target's squares.

One or two blocked lines give half cover, three or four give three-quarters cover. Cover is total if no line at all
connects the two, not even between their centres. An obstacle with a declared grade gives at least that grade if a
line crosses it. Only obstacles between attacker and target count, so cover protects against one side only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnwright.battlemap.arrays import Shields
from turnwright.battlemap.compiled import kernels
from turnwright.battlemap.kernels import corners
from turnwright.battlemap.sight import LineBlocker, barriers, line_blocker, on_map
from turnwright.battlemap.spaces import Space, footprint

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from turnwright.battlemap.arrays import Levels
    from turnwright.battlemap.grid import Grid
    from turnwright.battlemap.spaces import Square


@dataclass(frozen=True, slots=True)
class Cover:
    """A target's grade of cover (0 none, 1 half, 2 three-quarters, 3 total) and its sources.

    `corner` is the attacker's best corner, a lattice point in squares, and `square` the target's square to which the
    lines run. `stopped` counts the blocked ones of these four lines, and `obstacles` lists their blockers.
    `creatures` are the crossed squares that count for their own grade or for a creature in them.
    """

    grade: int
    corner: Square
    square: Square
    stopped: int
    obstacles: tuple[LineBlocker, ...]
    creatures: tuple[Square, ...]


def cover(grid: Grid, attacker: Space, target: Space, *, creatures: Collection[Space] = ()) -> Cover:
    """Return the target's cover against an attacker. Each of `creatures` gives half cover if a line crosses it."""
    return cover_many(grid, attacker, (target,), creatures=creatures)[0]


def cover_many(
    grid: Grid, attacker: Space, targets: Sequence[Space], *, creatures: Collection[Space] = ()
) -> tuple[Cover, ...]:
    """Return each target's cover against one attacker, in order. Raise ValueError if a space isn't wholly on the map.

    Attacker and targets may be among `creatures`: no creature gives itself cover, but a target does give cover to those
    behind it.
    """
    import numpy as np

    places = [on_map(grid, space) for space in targets]
    results = np.zeros((len(places), corners.WIDTH), dtype=np.int32)
    low, high = _filled(grid, creatures)
    solid = grid.effect.top
    top = solid.copy()
    kernels().covers(
        results,
        top,
        solid,
        barriers(grid, grid.effect, top),
        Shields(grid.cover, grid.cover_top, low, high),
        on_map(grid, attacker),
        float(attacker.middle),
        np.array(places, dtype=np.int64).reshape(-1, 3),
        np.array([target.middle for target in targets], dtype=np.float64),
    )
    return tuple(_cover(grid, row) for row in results.tolist())


def _filled(grid: Grid, creatures: Collection[Space]) -> tuple[Levels, Levels]:
    """Return the lowest and highest elevations that creatures fill in each square; they are equal if it is empty.

    Creatures above one another count as one, from the feet of the lowest to the head of the highest.
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
    for filled in (low, high):
        filled.setflags(write=False)
    return low, high


def _cover(grid: Grid, row: list[int]) -> Cover:
    """Convert a row of the kernel's table to a cover record."""
    lines, shields = row[corners.LINES : corners.SHIELDS], row[corners.SHIELDS : corners.FOUND]
    stopped = tuple(blocker for code in dict.fromkeys(lines) if (blocker := line_blocker(grid, code)) is not None)
    shielding = tuple(
        blocker.square for code in dict.fromkeys(shields) if (blocker := line_blocker(grid, code)) is not None
    )
    return Cover(
        grade=row[corners.GRADE],
        corner=(row[corners.CORNER_X], row[corners.CORNER_Y]),
        square=(row[corners.SQUARE_X], row[corners.SQUARE_Y]),
        stopped=row[corners.BLOCKED],
        obstacles=stopped,
        creatures=shielding,
    )
