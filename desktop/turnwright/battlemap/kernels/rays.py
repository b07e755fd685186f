"""Traces straight lines on the map exactly: points are whole numbers of half squares, so rounding never matters.

A line is clear if something arbitrarily thin can follow it arbitrarily closely from its own square to the
other's. So a line may touch a wall, but can't slip between two walls that touch. Elevations are in feet and change
linearly along the line; a square stops the line if it runs below the square's `top`. The four squares around a
lattice point are bits of a mask. A *code* names the obstacle that stopped a line: 0 nothing, else 1 + 3 × (row × columns + column)
+ 0 for the square, 1 for its east edge, 2 for its south edge. For a segment of a barrier or door, it is the negative
of 1 + its number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from turnwright.battlemap.arrays import Barriers, Box, GridLine, Rise
from turnwright.battlemap.kernels.segments import struck

if TYPE_CHECKING:
    from turnwright.battlemap.arrays import Levels, Picked, Scratch

NW: Final = 1
NE: Final = 2
SE: Final = 4
SW: Final = 8
EVERY: Final = 15
# How a line entered a square, in `crossed[_, 2]`.
START: Final = 0
SIDEWAYS: Final = 1
LENGTHWAYS: Final = 2
CORNER: Final = 3
# The points of a footprint at which lines start or end.
CORNERS: Final = 1
CENTRE: Final = 2
LOWERED: Final = -1_000_000  # feet; the top of a square that doesn't stop any line


def _is_open(top: Levels, column: int, row: int, z: float) -> bool:
    """Return whether a line may pass through this square at elevation z; False outside the map."""
    return 0 <= row < top.shape[0] and 0 <= column < top.shape[1] and bool(z >= top[row, column])


def _bit(right: int, down: int) -> int:
    """Return a square's bit, given its offset from a lattice point: (-1, -1) is north-west, (0, 0) south-east."""
    if down < 0:
        return NW if right < 0 else NE
    return SW if right < 0 else SE


def _around(barriers: Barriers, x: int, y: int, z: float, came: int) -> int:
    """Return which squares around lattice point (x, y) can be reached from those in `came`; both are masks."""
    top, east, south, free = barriers.top, barriers.east, barriers.south, 0
    for down in range(-1, 1):
        for right in range(-1, 1):
            if _is_open(top, x + right, y + down, z):
                free |= _bit(right, down)
    reached = came & free
    if reached in (0, free):
        return reached
    for _ in range(3):
        if free & NW and free & NE and reached & (NW | NE) and not east[y - 1, x - 1]:
            reached |= NW | NE
        if free & NE and free & SE and reached & (NE | SE) and not south[y - 1, x]:
            reached |= NE | SE
        if free & SE and free & SW and reached & (SE | SW) and not east[y, x - 1]:
            reached |= SE | SW
        if free & SW and free & NW and reached & (SW | NW) and not south[y - 1, x - 1]:
            reached |= SW | NW
    return reached


def code_of(top: Levels, column: int, row: int, part: int) -> int:
    """Return the code of a square (part 0), its east edge (1) or its south edge (2)."""
    columns: int = top.shape[1]
    return 1 + 3 * (row * columns + column) + part


def _culprit(barriers: Barriers, x: int, y: int, z: float) -> int:
    """Return the code of the square, or else the edge, that stops lines at lattice point (x, y)."""
    top, east, south = barriers.top, barriers.east, barriers.south
    for down in range(-1, 1):
        for right in range(-1, 1):
            column, row = x + right, y + down
            if 0 <= row < top.shape[0] and 0 <= column < top.shape[1] and z < top[row, column]:
                return code_of(top, column, row, 0)
    for down in range(-1, 1):
        if 0 <= y + down < top.shape[0] and x > 0 and east[y + down, x - 1]:
            return code_of(top, x - 1, y + down, 1)
    for right in range(-1, 1):
        if 0 <= x + right < top.shape[1] and y > 0 and south[y - 1, x + right]:
            return code_of(top, x + right, y - 1, 2)
    return code_of(top, min(x, top.shape[1] - 1), min(y, top.shape[0] - 1), 0)


def cross(barriers: Barriers, line: GridLine) -> int:
    """List the squares whose inside a line crosses and return their number, or 0 if it runs along edges of squares.

    `crossed[n, 3]` gets the column, the row and how the square was entered; `shares[n]` gets the share of the line
    before the square.
    """
    crossed, shares, (x0, y0, x1, y1) = barriers.crossed, barriers.shares, line
    if (x0 == x1 and x0 % 2 == 0) or (y0 == y1 and y0 % 2 == 0):
        return 0
    right, down = (1 if x1 > x0 else -1), (1 if y1 > y0 else -1)
    wide, high = abs(x1 - x0), abs(y1 - y0)
    column = x0 // 2 if x1 >= x0 else (x0 - 1) // 2
    row = y0 // 2 if y1 >= y0 else (y0 - 1) // 2
    # Times until the next vertical and horizontal edge, in units; the whole line takes `whole` units.
    whole = max(wide, 1) * max(high, 1)
    to_side = (2 * column + 2 - x0 if right > 0 else x0 - 2 * column) * max(high, 1) if wide else whole
    to_level = (2 * row + 2 - y0 if down > 0 else y0 - 2 * row) * max(wide, 1) if high else whole
    crossed[0, 0], crossed[0, 1], crossed[0, 2] = column, row, START
    shares[0] = 0.0
    count = 1
    while min(to_side, to_level) < whole:
        now = min(to_side, to_level)
        entered = CORNER if to_side == to_level else SIDEWAYS if to_side < to_level else LENGTHWAYS
        if entered != LENGTHWAYS:
            column += right
            to_side += 2 * max(high, 1)
        if entered != SIDEWAYS:
            row += down
            to_level += 2 * max(wide, 1)
        crossed[count, 0], crossed[count, 1], crossed[count, 2] = column, row, entered
        shares[count] = now / whole
        count += 1
    return count


def _stopped_across(barriers: Barriers, count: int, line: GridLine, rise: Rise, leave: int, arrive: int) -> int:
    """Return the code of the obstacle that stops a line across the listed squares, or 0."""
    top, east, south = barriers.top, barriers.east, barriers.south
    crossed, shares = barriers.crossed, barriers.shares
    (x0, y0, x1, y1), (z0, z1) = line, rise
    column, row = int(crossed[0, 0]), int(crossed[0, 1])
    if x0 % 2 == 0 and y0 % 2 == 0:
        x, y = x0 // 2, y0 // 2
        if not _around(barriers, x, y, z0, leave) & _bit(column - x, row - y):
            return _culprit(barriers, x, y, z0)
    entered_at = z0
    for index in range(count):
        before_column, before_row = column, row
        column, row = int(crossed[index, 0]), int(crossed[index, 1])
        entered = int(crossed[index, 2])
        if entered == SIDEWAYS and east[row, min(before_column, column)]:
            return code_of(top, min(before_column, column), row, 1)
        if entered == LENGTHWAYS and south[min(before_row, row), column]:
            return code_of(top, column, min(before_row, row), 2)
        if entered == CORNER:
            x, y = max(before_column, column), max(before_row, row)
            came = _bit(before_column - x, before_row - y)
            if not _around(barriers, x, y, entered_at, came) & _bit(column - x, row - y):
                return _culprit(barriers, x, y, entered_at)
        left_at = z0 + (z1 - z0) * shares[index + 1] if index + 1 < count else z1
        if not _is_open(top, column, row, min(entered_at, left_at)):
            return code_of(top, column, row, 0)
        entered_at = left_at
    if x1 % 2 == 0 and y1 % 2 == 0:
        x, y = x1 // 2, y1 // 2
        if not _around(barriers, x, y, z1, _bit(column - x, row - y)) & arrive:
            return _culprit(barriers, x, y, z1)
    return 0


def _stopped_along(barriers: Barriers, line: GridLine, rise: Rise, leave: int, arrive: int) -> int:
    """Return the code of the obstacle that stops a line along square edges, or 0. One open side is enough.

    `upper` is True while the side above or to the left is still open to the line; `lower` is the same for the side
    below or to the right.
    """
    top, (x0, y0, x1, y1), (z0, z1) = barriers.top, line, rise
    level = y0 == y1 and y0 % 2 == 0
    across = (y0 if level else x0) // 2
    begin, end = (x0, x1) if level else (y0, y1)
    ahead = 1 if end > begin else -1
    upper_here, lower_here = _bit(-1, -1), (_bit(-1, 0) if level else _bit(0, -1))
    upper_ahead, lower_ahead = (_bit(0, -1) if level else _bit(-1, 0)), _bit(0, 0)
    if ahead < 0:
        upper_here, lower_here, upper_ahead, lower_ahead = upper_ahead, lower_ahead, upper_here, lower_here
    upper, lower = True, True
    place, z = begin, z0
    while True:
        if place % 2 == 0:
            x, y = (place // 2, across) if level else (across, place // 2)
            came = (upper_here if upper else 0) | (lower_here if lower else 0)
            reached = _around(barriers, x, y, z, leave if place == begin else came)
            if place == end:
                return 0 if reached & arrive else _culprit(barriers, x, y, z)
            upper, lower = reached & upper_ahead != 0, reached & lower_ahead != 0
            if not upper and not lower:
                return _culprit(barriers, x, y, z)
        if place == end:
            return 0
        stretch = place // 2 if ahead > 0 else (place - 1) // 2
        place += ahead * min(1 if place % 2 else 2, abs(end - place))
        before = z
        z = z0 + (z1 - z0) * (place - begin) / (end - begin)
        column, row = (stretch, across) if level else (across, stretch)
        upper_free = _is_open(top, column - (0 if level else 1), row - (1 if level else 0), min(before, z))
        lower_free = _is_open(top, column, row, min(before, z))
        upper, lower = upper and upper_free, lower and lower_free
        if not upper and not lower:
            inside = row < top.shape[0] and column < top.shape[1]
            if inside and not lower_free:
                return code_of(top, column, row, 0)
            return code_of(top, column - (0 if level else 1), row - (1 if level else 0), 0)


def stopped(
    barriers: Barriers, count: int, line: GridLine, rise: Rise, middles: GridLine, leave: int, arrive: int
) -> int:
    """Return the code of the obstacle that stops a line, or 0.

    `cross` must have filled `crossed`, `shares` and `count`. `middles` are the centres of the squares at the line's ends,
    which decide whether walls off the grid stop the line there.
    """
    if count == 0:
        code = _stopped_along(barriers, line, rise, leave, arrive)
    else:
        code = _stopped_across(barriers, count, line, rise, leave, arrive)
    return -struck(barriers, count, line, middles) if code == 0 else code


def cut_off(barriers: Barriers, line: GridLine) -> int:
    """Return the code of a barrier between a square's centre and its corner, or 0."""
    if barriers.walls.stops.shape[0] == 0:
        return 0
    return -struck(barriers, cross(barriers, line), line, line)


def own(x: int, y: int, box: Box) -> int:
    """Return the mask of a footprint's squares around lattice point (x, y), in half squares."""
    column, row, side = box
    mask = 0
    for down in range(-1, 1):
        for right in range(-1, 1):
            if column <= x // 2 + right < column + side and row <= y // 2 + down < row + side:
                mask |= _bit(right, down)
    return mask


def lower(top: Scratch, box: Box) -> None:
    """Lower the tops of a footprint's squares so that they don't stop any lines."""
    for row in range(max(0, box.row), min(top.shape[0], box.row + box.side)):
        for column in range(max(0, box.column), min(top.shape[1], box.column + box.side)):
            top[row, column] = LOWERED


def restore(top: Scratch, solid: Levels, box: Box) -> None:
    """Restore the tops changed by `lower` from the original array."""
    for row in range(max(0, box.row), min(top.shape[0], box.row + box.side)):
        for column in range(max(0, box.column), min(top.shape[1], box.column + box.side)):
            top[row, column] = solid[row, column]


def line(barriers: Barriers, line: GridLine, rise: Rise) -> int:
    """Return the code of the obstacle that stops the line between two points, or 0.

    A point on the lattice belongs to all squares around it.
    """
    return stopped(barriers, cross(barriers, line), line, rise, line, EVERY, EVERY)


def point(index: int, box: Box) -> tuple[int, int]:
    """Return a footprint's corner by index (0 upper left to 3 lower right) or its centre (4), in half squares."""
    column, row, side = box
    if index == 4:
        return 2 * column + side, 2 * row + side
    return 2 * (column + side * (index % 2)), 2 * (row + side * (index // 2))


def _wanted(index: int, points: int) -> bool:
    """Return whether `points` (CORNERS, CENTRE or both) includes the point at this index."""
    return points & (CENTRE if index == 4 else CORNERS) != 0


def sight(ends: Scratch, barriers: Barriers, one: Box, other: Box, rise: Rise, starts: int, goals: int) -> int:
    """Return 0 if a line between two footprints is clear (its ends go to `ends[2, 2]`), else a stopping code.

    Centres are tried last. `starts` and `goals` are CORNERS, CENTRE or both; sides are in squares. Corners that a
    barrier cuts off from the centre of their footprint don't count.
    """
    code = 0
    from_x, from_y = point(4, one)
    to_x, to_y = point(4, other)
    for start in range(5):
        if not _wanted(start, starts):
            continue
        x0, y0 = point(start, one)
        leave = own(x0, y0, one)
        behind = cut_off(barriers, GridLine(from_x, from_y, x0, y0))
        for goal in range(5):
            if not _wanted(goal, goals):
                continue
            x1, y1 = point(goal, other)
            arrive = own(x1, y1, other)
            ends[0, 0], ends[0, 1], ends[1, 0], ends[1, 1] = x0, y0, x1, y1
            code = behind or cut_off(barriers, GridLine(to_x, to_y, x1, y1))
            if code == 0:
                way = GridLine(x0, y0, x1, y1)
                middles = GridLine(from_x, from_y, to_x, to_y)
                code = stopped(barriers, cross(barriers, way), way, rise, middles, leave, arrive)
            if code == 0:
                return 0
    return code


def seen_squares(seen: Picked, barriers: Barriers, column: int, row: int, reach: int, height: float) -> None:
    """Mark the squares within `reach` half squares whose centre has a clear line from the centre of a square.

    Lines run `height` feet above the ground at both ends.
    """
    top = barriers.top
    rows, columns = top.shape
    x0, y0 = 2 * column + 1, 2 * row + 1
    z0 = top[row, column] + height
    for at_row in range(max(0, row - reach), min(rows, row + reach + 1)):
        for at_column in range(max(0, column - reach), min(columns, column + reach + 1)):
            x1, y1 = 2 * at_column + 1, 2 * at_row + 1
            if (x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0) > reach * reach or seen[at_row, at_column]:
                continue
            way, rise = GridLine(x0, y0, x1, y1), Rise(z0, top[at_row, at_column] + height)
            if stopped(barriers, cross(barriers, way), way, rise, way, EVERY, EVERY) == 0:
                seen[at_row, at_column] = True
