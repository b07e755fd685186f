"""Cover by corners: the four lines from an attacker's corner to a square's corners, and everything that crosses them.

Points, elevations and codes are as in `kernels.rays`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from turnwright.battlemap.arrays import Barriers, Box, GridLine, Rise, Shields
from turnwright.battlemap.kernels.rays import code_of, cross, cut_off, lower, own, point, restore, stopped

if TYPE_CHECKING:
    from turnwright.battlemap.arrays import Boxes, Heights, Levels, Scratch

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


def _within(column: int, row: int, box: Box) -> bool:
    """Return whether a square is in a footprint."""
    return box.column <= column < box.column + box.side and box.row <= row < box.row + box.side


def _shield(
    shields: Shields, barriers: Barriers, count: int, rise: Rise, attacker: Box, target: Box
) -> tuple[int, int]:
    """Return the best grade of the obstacles and creatures that a line crosses, and the code of its square.

    Each counts as being in the middle of its square, so the line's elevation halfway through the square decides.
    """
    grade, grade_top, low, high = shields
    crossed, shares = barriers.crossed, barriers.shares
    best, code = 0, 0
    for index in range(count):
        column, row = int(crossed[index, 0]), int(crossed[index, 1])
        square_grade = int(grade[row, column])
        occupied = low[row, column] < high[row, column]
        if not (square_grade > best or (occupied and best < HALF)):
            continue
        if _within(column, row, attacker) or _within(column, row, target):
            continue
        leaves = shares[index + 1] if index + 1 < count else 1.0
        over = rise.z0 + (rise.z1 - rise.z0) * (shares[index] + leaves) / 2
        if square_grade > best and over < grade_top[row, column]:
            best, code = square_grade, code_of(grade_top, column, row, 0)
        if occupied and best < HALF and low[row, column] <= over < high[row, column]:
            best, code = HALF, code_of(grade_top, column, row, 0)
    return best, code


def _four_lines(
    results: Scratch,
    index: int,
    barriers: Barriers,
    shields: Shields,
    attacker: Box,
    target: Box,
    rise: Rise,
    corner: int,
    part: int,
) -> tuple[int, int]:
    """Count the blocked lines from a corner to one square's corners, and find the best grade given on them.

    The lines' codes are written to the end of row `index` of `results`.
    """
    x0, y0 = point(corner, attacker)
    leave = own(x0, y0, attacker)
    blocked, best = 0, 0
    square = Box(target.column + part % target.side, target.row + part // target.side, 1)
    from_x, from_y = point(4, attacker)
    into_x, into_y = point(4, square)
    middles = GridLine(from_x, from_y, into_x, into_y)
    behind = cut_off(barriers, GridLine(from_x, from_y, x0, y0))
    for goal in range(4):
        x1, y1 = point(goal, square)
        arrive = own(x1, y1, target)
        code = behind or cut_off(barriers, GridLine(into_x, into_y, x1, y1))
        way = GridLine(x0, y0, x1, y1)
        count = cross(barriers, way)
        if code == 0:
            code = stopped(barriers, count, way, rise, middles, leave, arrive)
        line_grade, shield = _shield(shields, barriers, count, rise, attacker, target)
        blocked += 1 if code else 0
        best = max(best, line_grade)
        results[index, FOUND + goal] = code
        results[index, FOUND + 4 + goal] = shield
    return blocked, best


def covers(
    results: Scratch,
    top: Scratch,
    solid: Levels,
    barriers: Barriers,
    shields: Shields,
    attacker: Box,
    z: float,
    targets: Boxes,
    heights: Heights,
) -> None:
    """Fill `results[n, WIDTH]` with the cover of each of `targets[n, 3]` (column, row, side) from one attacker.

    Uses the attacker's corner and the target's square with the least cover. `top` is a copy of `solid` that this function
    changes and restores, and `barriers.top` is a read-only view of it. `z` and `heights[n]` are the elevations in feet
    at which lines start and end; sides are in squares.
    """
    for index in range(targets.shape[0]):
        target = Box(int(targets[index, 0]), int(targets[index, 1]), int(targets[index, 2]))
        rise = Rise(z, heights[index])
        lower(top, attacker)
        lower(top, target)
        best, fewest, hidden = TOTAL + 1, 5, True
        for trial in range(4 * target.side * target.side):
            corner, part = trial % 4, trial // 4
            blocked, worth = _four_lines(results, index, barriers, shields, attacker, target, rise, corner, part)
            hidden = hidden and blocked == 4
            worth = max(worth, 0 if blocked == 0 else HALF if blocked < 3 else THREE_QUARTERS)
            if worth < best or (worth == best and blocked < fewest):
                best, fewest = worth, blocked
                x0, y0 = point(corner, attacker)
                results[index, GRADE], results[index, BLOCKED] = worth, blocked
                results[index, CORNER_X], results[index, CORNER_Y] = x0 // 2, y0 // 2
                results[index, SQUARE_X] = target.column + part % target.side
                results[index, SQUARE_Y] = target.row + part // target.side
                for code_at in range(LINES, FOUND):
                    results[index, code_at] = results[index, code_at - LINES + FOUND]
            if best == 0:
                break
        if hidden:
            x0, y0 = point(4, attacker)
            x1, y1 = point(4, target)
            way = GridLine(x0, y0, x1, y1)
            leave, arrive = own(x0, y0, attacker), own(x1, y1, target)
            if stopped(barriers, cross(barriers, way), way, rise, way, leave, arrive):
                results[index, GRADE] = TOTAL
        restore(top, solid, target)
        restore(top, solid, attacker)
