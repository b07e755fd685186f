"""Rooms: the squares that can be reached on foot from a square without passing a wall or door."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turnwright.battlemap.grid import Grid
    from turnwright.battlemap.spaces import Square


def room(grid: Grid, at: Square) -> frozenset[Square]:
    """Return the squares of the room around a square, including adjacent wall squares.

    Steps that the grid closes to movement bound the room. A wall square is a room of its own.
    """
    if at not in grid:
        return frozenset()
    blocked, east, south = grid.blocked.tolist(), grid.move.east.tolist(), grid.move.south.tolist()
    floor, waiting = {at}, [at] if not blocked[at[1]][at[0]] else []
    walls: set[Square] = set()
    while waiting:
        column, row = waiting.pop()
        neighbours = (
            ((column + 1, row), east[row][column]),
            ((column, row + 1), south[row][column]),
            ((column - 1, row), column > 0 and east[row][column - 1]),
            ((column, row - 1), row > 0 and south[row - 1][column]),
        )
        for square, is_closed in neighbours:
            if is_closed or square in floor or square not in grid:
                continue
            if blocked[square[1]][square[0]]:
                continue
            floor.add(square)
            waiting.append(square)
        walls.update(
            (column + across, row + down)
            for across in (-1, 0, 1)
            for down in (-1, 0, 1)
            if (column + across, row + down) in grid and blocked[row + down][column + across]
        )
    return frozenset(floor | walls)
