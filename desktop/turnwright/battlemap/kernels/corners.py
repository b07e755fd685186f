"""Cover by corners: the four lines from an attacker's corner to a square's corners, and everything that crosses them.

Points, elevations and codes are as in `kernels.rays`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from turnwright.battlemap.kernels.rays import code_of, cross, cut_off, lower, own, point, restore, stopped

if TYPE_CHECKING:
    from turnwright.battlemap.arrays import Bytes, Flags, Heights, Levels, Scratch, Shares, Walls

# Columns of `results` in `covers`; LINES and SHIELDS are four columns each, one for each line.
GRADE: Final = 0
BLOCKED: Final = 1
CORNER_X: Final = 2
CORNER_Y: Final = 3
SQUARE_X: Final = 4
SQUARE_Y: Final = 5
LINES: Final = 6
SHIELDS: Final = 10
FOUND: Final = 14
WIDTH: Final = 22  # the last eight are scratch
HALF: Final = 1
THREE_QUARTERS: Final = 2
TOTAL: Final = 3


def _within(column: int, row: int, to_column: int, to_row: int, side: int) -> bool:
    """Return whether a square is in a footprint."""
    return to_column <= column < to_column + side and to_row <= row < to_row + side


def _shield(
    grade: Bytes,
    grade_top: Levels,
    low: Levels,
    high: Levels,
    crossed: Scratch,
    shares: Shares,
    count: int,
    z0: float,
    z1: float,
    from_column: int,
    from_row: int,
    from_side: int,
    to_column: int,
    to_row: int,
    to_side: int,
) -> tuple[int, int]:
    """Return the best grade of the obstacles and creatures that a line crosses, and the code of its square.

    Each counts as being in the middle of its square, so the line's elevation halfway through the square decides.
    """
    best, code = 0, 0
    for index in range(count):
        column, row = int(crossed[index, 0]), int(crossed[index, 1])
        square_grade = int(grade[row, column])
        occupied = low[row, column] < high[row, column]
        if not (square_grade > best or (occupied and best < HALF)):
            continue
        if _within(column, row, from_column, from_row, from_side) or _within(column, row, to_column, to_row, to_side):
            continue
        leaves = shares[index + 1] if index + 1 < count else 1.0
        over = z0 + (z1 - z0) * (shares[index] + leaves) / 2
        if square_grade > best and over < grade_top[row, column]:
            best, code = square_grade, code_of(grade_top, column, row, 0)
        if occupied and best < HALF and low[row, column] <= over < high[row, column]:
            best, code = HALF, code_of(grade_top, column, row, 0)
    return best, code


def _four_lines(
    results: Scratch,
    index: int,
    top: Scratch,
    east: Flags,
    south: Flags,
    walls: Walls,
    bits: int,
    grade: Bytes,
    grade_top: Levels,
    low: Levels,
    high: Levels,
    crossed: Scratch,
    shares: Shares,
    corner: int,
    column: int,
    row: int,
    side: int,
    z: float,
    part: int,
    to_column: int,
    to_row: int,
    to_side: int,
    to_z: float,
) -> tuple[int, int]:
    """Count the blocked lines from a corner to one square's corners, and find the best grade given on them.

    The lines' codes are written to the end of row `index` of `results`.
    """
    x0, y0 = point(corner, column, row, side)
    leave = own(x0, y0, column, row, side)
    blocked, best = 0, 0
    columns, rows = top.shape[1], top.shape[0]
    from_x, from_y = point(4, column, row, side)
    into_x, into_y = point(4, to_column + part % to_side, to_row + part // to_side, 1)
    behind = cut_off(walls, bits, crossed, shares, columns, rows, from_x, from_y, x0, y0)
    for goal in range(4):
        x1, y1 = point(goal, to_column + part % to_side, to_row + part // to_side, 1)
        arrive = own(x1, y1, to_column, to_row, to_side)
        code = behind or cut_off(walls, bits, crossed, shares, columns, rows, into_x, into_y, x1, y1)
        count = cross(crossed, shares, x0, y0, x1, y1)
        if code == 0:
            code = stopped(
                top,
                east,
                south,
                walls,
                bits,
                crossed,
                shares,
                count,
                x0,
                y0,
                z,
                x1,
                y1,
                to_z,
                leave,
                arrive,
                from_x,
                from_y,
                into_x,
                into_y,
            )
        line_grade, shield = _shield(
            grade, grade_top, low, high, crossed, shares, count, z, to_z, column, row, side, to_column, to_row, to_side
        )
        blocked += 1 if code else 0
        best = max(best, line_grade)
        results[index, FOUND + goal] = code
        results[index, FOUND + 4 + goal] = shield
    return blocked, best


def covers(
    results: Scratch,
    top: Scratch,
    solid: Levels,
    east: Flags,
    south: Flags,
    walls: Walls,
    bits: int,
    grade: Bytes,
    grade_top: Levels,
    low: Levels,
    high: Levels,
    crossed: Scratch,
    shares: Shares,
    column: int,
    row: int,
    side: int,
    z: float,
    targets: Scratch,
    heights: Heights,
) -> None:
    """Fill `results[n, WIDTH]` with the cover of each of `targets[n, 3]` (column, row, side) from one attacker.

    Uses the attacker's corner and the target's square with the least cover. `top` is a writable copy of `solid`.
    `low` and `high` are the elevations that creatures fill in each square; if `low` isn't below `high`, there is no
    creature. `z` and `heights[n]` are the elevations in feet at which lines start and end; sides are in squares.
    """
    for index in range(targets.shape[0]):
        to_column, to_row, to_side = int(targets[index, 0]), int(targets[index, 1]), int(targets[index, 2])
        to_z = heights[index]
        lower(top, column, row, side)
        lower(top, to_column, to_row, to_side)
        best, fewest, hidden = TOTAL + 1, 5, True
        for trial in range(4 * to_side * to_side):
            corner, part = trial % 4, trial // 4
            blocked, worth = _four_lines(
                results,
                index,
                top,
                east,
                south,
                walls,
                bits,
                grade,
                grade_top,
                low,
                high,
                crossed,
                shares,
                corner,
                column,
                row,
                side,
                z,
                part,
                to_column,
                to_row,
                to_side,
                to_z,
            )
            hidden = hidden and blocked == 4
            worth = max(worth, 0 if blocked == 0 else HALF if blocked < 3 else THREE_QUARTERS)
            if worth < best or (worth == best and blocked < fewest):
                best, fewest = worth, blocked
                x0, y0 = point(corner, column, row, side)
                results[index, GRADE], results[index, BLOCKED] = worth, blocked
                results[index, CORNER_X], results[index, CORNER_Y] = x0 // 2, y0 // 2
                results[index, SQUARE_X] = to_column + part % to_side
                results[index, SQUARE_Y] = to_row + part // to_side
                for code_at in range(LINES, FOUND):
                    results[index, code_at] = results[index, code_at - LINES + FOUND]
            if best == 0:
                break
        if hidden:
            x0, y0 = point(4, column, row, side)
            x1, y1 = point(4, to_column, to_row, to_side)
            count = cross(crossed, shares, x0, y0, x1, y1)
            leave, arrive = own(x0, y0, column, row, side), own(x1, y1, to_column, to_row, to_side)
            code = stopped(
                top,
                east,
                south,
                walls,
                bits,
                crossed,
                shares,
                count,
                x0,
                y0,
                z,
                x1,
                y1,
                to_z,
                leave,
                arrive,
                x0,
                y0,
                x1,
                y1,
            )
            if code:
                results[index, GRADE] = TOTAL
        restore(top, solid, to_column, to_row, to_side)
        restore(top, solid, column, row, side)
