"""Straight lines against walls at any position: off-grid barriers and doors.

Coordinates are whole numbers, 512 to a square's side, so every product is exact. A line is clear if something
arbitrarily thin can follow it arbitrarily closely, as in `kernels.rays`: it may touch the end of a wall or run
along it, but not pass between two walls that touch. The line may bend at its ends: from the centre of its first
square to a corner, and from a corner to the centre of its last square. `bits` says whether the line is one of sight or of effect, as in `battlemap.segments`.
"""

from __future__ import annotations

from typing import Final

from turnwright.battlemap.arrays import Barriers, GridLine, RayTrack, Walls

UNIT: Final = 512  # units per side of a square
HALF_SQUARE: Final = 256
# How a wall meets a line.
APART: Final = 0
CROSSES: Final = 1
LEFT: Final = 2
RIGHT: Final = 3
ALONG: Final = 4
# The sides on which walls stop a line that bends at a point.
LEFT_SIDE: Final = 1
RIGHT_SIDE: Final = 2


def _turn(ax: int, ay: int, bx: int, by: int) -> int:
    """Return the cross product of two vectors; it is positive if the second is to the left of the first."""
    return ax * by - ay * bx


def _meet(track: RayTrack, index: int) -> int:
    """Return the relation of a wall to the inside of the line from p to q. A wall that touches only its ends counts as apart."""
    table, px, py, qx, qy = track.walls.table, track.px, track.py, track.qx, track.qy
    ax, ay, bx, by = int(table[index, 0]), int(table[index, 1]), int(table[index, 2]), int(table[index, 3])
    dx, dy = qx - px, qy - py
    first, last = _turn(dx, dy, ax - px, ay - py), _turn(dx, dy, bx - px, by - py)
    if (first > 0 and last > 0) or (first < 0 and last < 0):
        return APART
    if first == 0 and last == 0:
        begins, ends = dx * (ax - px) + dy * (ay - py), dx * (bx - px) + dy * (by - py)
        return ALONG if max(begins, ends) > 0 and min(begins, ends) < dx * dx + dy * dy else APART
    before, after = _turn(bx - ax, by - ay, px - ax, py - ay), _turn(bx - ax, by - ay, qx - ax, qy - ay)
    if not ((before > 0 and after < 0) or (before < 0 and after > 0)):
        return APART
    if first != 0 and last != 0:
        return CROSSES
    return LEFT if first + last > 0 else RIGHT


def _is_between(ux: int, uy: int, vx: int, vy: int, wx: int, wy: int) -> bool:
    """Return whether direction w is within the angle from u to v, turning left."""
    turned = _turn(ux, uy, vx, vy)
    if turned > 0:
        return _turn(ux, uy, wx, wy) > 0 and _turn(wx, wy, vx, vy) > 0
    if turned < 0:
        return _turn(vx, vy, wx, wy) < 0 or _turn(wx, wy, ux, uy) < 0
    return ux * vx + uy * vy < 0 and _turn(ux, uy, wx, wy) > 0


def _sides(walls: Walls, bits: int, square: int, px: int, py: int, ux: int, uy: int, vx: int, vy: int) -> int:
    """Return the sides on which walls at point p stop a line that comes from u and continues to v.

    If the line begins or ends at p, so that one of the two has no length, neither side is stopped.
    """
    table, stops, rings = walls.table, walls.stops, walls.rings
    sides = 0
    if (ux == 0 and uy == 0) or (vx == 0 and vy == 0):
        return 0
    for at in range(walls.start[square], walls.start[square + 1]):
        index = walls.items[at]
        if stops[index] & bits == 0 or rings[index] != 0:
            continue
        ax, ay, bx, by = int(table[index, 0]), int(table[index, 1]), int(table[index, 2]), int(table[index, 3])
        if _turn(bx - ax, by - ay, px - ax, py - ay) != 0:
            continue
        if (px - ax) * (px - bx) > 0 or (py - ay) * (py - by) > 0:
            continue
        for end in range(2):
            wx, wy = (ax - px, ay - py) if end == 0 else (bx - px, by - py)
            if wx == 0 and wy == 0:
                continue
            if _is_between(ux, uy, vx, vy, wx, wy):
                sides |= RIGHT_SIDE
            if _is_between(vx, vy, ux, uy, wx, wy):
                sides |= LEFT_SIDE
    return sides


def _touching(walls: Walls, bits: int, square: int, px: int, py: int) -> int:
    """Return 1 + the number of a segment that touches a point, or 0."""
    table, stops, rings = walls.table, walls.stops, walls.rings
    for at in range(walls.start[square], walls.start[square + 1]):
        index = walls.items[at]
        ax, ay, bx, by = int(table[index, 0]), int(table[index, 1]), int(table[index, 2]), int(table[index, 3])
        if stops[index] & bits == 0 or rings[index] != 0 or _turn(bx - ax, by - ay, px - ax, py - ay) != 0:
            continue
        if (px - ax) * (px - bx) <= 0 and (py - ay) * (py - by) <= 0:
            return int(index) + 1
    return 0


def _square_of(x: int, y: int, columns: int, rows: int) -> int:
    """Return the number of a square that contains a point, possibly on its edge."""
    return min(max(y // UNIT, 0), rows - 1) * columns + min(max(x // UNIT, 0), columns - 1)


def _steps(track: RayTrack) -> int:
    """Return the number of squares that a line passes."""
    return track.squares or max(abs(track.qx - track.px), abs(track.qy - track.py)) // UNIT + 2


def _passed(track: RayTrack, step: int) -> int:
    """Return the number of the square that a line passes at this step."""
    if track.squares:
        return int(track.crossed[step, 1]) * track.columns + int(track.crossed[step, 0])
    x, y = min(track.px, track.qx), min(track.py, track.qy)
    if track.px == track.qx:
        y = min(y + step * UNIT, max(track.py, track.qy))
    else:
        x = min(x + step * UNIT, max(track.px, track.qx))
    return _square_of(x, y, track.columns, track.rows)


def _place(track: RayTrack, index: int, end: int) -> int:
    """Return the position of a wall's end along the line, multiplied by the line's length."""
    table, px, py = track.walls.table, track.px, track.py
    along, across = int(table[index, 2 * end]) - px, int(table[index, 2 * end + 1]) - py
    return (track.qx - px) * along + (track.qy - py) * across


def _tip(track: RayTrack, index: int) -> int:
    """Return the position along the line of the wall end that touches it."""
    table, px, py = track.walls.table, track.px, track.py
    turned = _turn(track.qx - px, track.qy - py, int(table[index, 0]) - px, int(table[index, 1]) - py)
    return _place(track, index, 0 if turned == 0 else 1)


def _is_pinched(track: RayTrack, place: int, at_start: int, at_end: int) -> bool:
    """Return whether a wall on the right touches the line where one on the left does, or along walls from that place.

    `place` is where the left wall touches the line; `at_start` and `at_end` are the sides stopped at the line's
    ends.
    """
    walls, stops, rings = track.walls, track.walls.stops, track.walls.rings
    length = (track.qx - track.px) ** 2 + (track.qy - track.py) ** 2
    low, high = place, place
    grows = True
    while grows:
        grows = False
        for step in range(_steps(track)):
            square = _passed(track, step)
            for at in range(walls.start[square], walls.start[square + 1]):
                index = walls.items[at]
                if stops[index] & track.bits == 0 or rings[index] != 0:
                    continue
                if _meet(track, index) != ALONG:
                    continue
                first_end, second_end = _place(track, index, 0), _place(track, index, 1)
                near, far = min(first_end, second_end), max(first_end, second_end)
                if near <= high and far >= low and (near < low or far > high):
                    low, high = min(low, near), max(high, far)
                    grows = True
    if (at_start & RIGHT_SIDE and low <= 0) or (at_end & RIGHT_SIDE and high >= length):
        return True
    for step in range(_steps(track)):
        square = _passed(track, step)
        for at in range(walls.start[square], walls.start[square + 1]):
            index = walls.items[at]
            if stops[index] & track.bits == 0 or rings[index] != 0:
                continue
            if _meet(track, index) == RIGHT and low <= _tip(track, index) <= high:
                return True
    return False


def _crosses_ring(track: RayTrack, index: int, lenient: bool) -> int:
    """Return 1 if the line leaves a ring through this segment, -1 if it enters, else 0.

    A corner of the ring on the line counts as left of the line, or as right if `lenient`.
    """
    table, px, py, qx, qy = track.walls.table, track.px, track.py, track.qx, track.qy
    ax, ay, bx, by = int(table[index, 0]), int(table[index, 1]), int(table[index, 2]), int(table[index, 3])
    first, last = _turn(qx - px, qy - py, ax - px, ay - py), _turn(qx - px, qy - py, bx - px, by - py)
    if lenient:
        first, last = -first, -last
    if (first >= 0) == (last >= 0):
        return 0
    before, after = _turn(bx - ax, by - ay, px - ax, py - ay), _turn(bx - ax, by - ay, qx - ax, qy - ay)
    if before > 0 and after < 0:
        return 1
    return -1 if before < 0 and after > 0 else 0


def _beyond(track: RayTrack, lenient: bool) -> int:
    """Return 1 + the number of the segment through which a line leaves an object that it entered, or 0."""
    walls, stops, rings = track.walls, track.walls.stops, track.walls.rings
    steps = _steps(track)
    for step in range(steps):
        square = _passed(track, step)
        for at in range(walls.start[square], walls.start[square + 1]):
            index = walls.items[at]
            if stops[index] & track.bits == 0 or rings[index] == 0:
                continue
            crossing = _crosses_ring(track, index, lenient)
            if crossing == 0:
                continue
            for other_step in range(steps):
                other_square = _passed(track, other_step)
                for other_at in range(walls.start[other_square], walls.start[other_square + 1]):
                    other = walls.items[other_at]
                    if rings[other] == rings[index] and crossing == -_crosses_ring(track, other, lenient):
                        return int(index) + 1
    return 0


def _pinched(track: RayTrack, at_start: int, at_end: int) -> int:
    """Return 1 + the number of a segment if walls on both sides stop a line that touches them, or 0."""
    walls, stops, rings = track.walls, track.walls.stops, track.walls.rings
    length = (track.qx - track.px) ** 2 + (track.qy - track.py) ** 2
    for end in range(2):
        sides, place = (at_start, 0) if end == 0 else (at_end, length)
        if sides & LEFT_SIDE and _is_pinched(track, place, at_start, at_end):
            x, y = (track.px, track.py) if end == 0 else (track.qx, track.qy)
            return _touching(walls, track.bits, _square_of(x, y, track.columns, track.rows), x, y)
    for step in range(_steps(track)):
        square = _passed(track, step)
        for at in range(walls.start[square], walls.start[square + 1]):
            index = walls.items[at]
            if stops[index] & track.bits == 0 or rings[index] != 0 or _meet(track, index) != LEFT:
                continue
            place = _tip(track, index)
            if _is_pinched(track, place, at_start, at_end):
                return int(index) + 1
    return 0


def _outside(px: int, py: int, qx: int, qy: int, columns: int, rows: int) -> int:
    """Return which side of a line along the map's border is outside the map, or 0 if it isn't on the border."""
    nx = 1 if px == 0 else -1 if px == columns * UNIT else 0
    ny = 1 if py == 0 else -1 if py == rows * UNIT else 0
    if px == qx and nx:
        return RIGHT_SIDE if _turn(0, qy - py, nx, 0) > 0 else LEFT_SIDE
    if py == qy and ny:
        return RIGHT_SIDE if _turn(qx - px, 0, 0, ny) > 0 else LEFT_SIDE
    return 0


def struck(barriers: Barriers, count: int, line: GridLine, middles: GridLine) -> int:
    """Return 1 + the number of a segment that stops a line, or 0.

    `middles` are the points that the line bends towards at its ends (the ends themselves if it doesn't bend). All
    coordinates are half squares. `rays.cross` filled `crossed` and `count`.
    """
    walls, bits, top = barriers.walls, barriers.bits, barriers.top
    if walls.stops.shape[0] == 0:
        return 0
    px, py, qx, qy = line.x0 * HALF_SQUARE, line.y0 * HALF_SQUARE, line.x1 * HALF_SQUARE, line.y1 * HALF_SQUARE
    cx, cy, gx, gy = (
        middles.x0 * HALF_SQUARE, middles.y0 * HALF_SQUARE, middles.x1 * HALF_SQUARE, middles.y1 * HALF_SQUARE,
    )  # fmt: skip
    columns, rows = top.shape[1], top.shape[0]
    track = RayTrack(walls, bits, barriers.crossed, count, columns, rows, px, py, qx, qy)
    here, there = _square_of(px, py, columns, rows), _square_of(qx, qy, columns, rows)
    if px == qx and py == qy:
        around = _sides(walls, bits, here, px, py, cx - px, cy - py, gx - px, gy - py)
        return _touching(walls, bits, here, px, py) if around == LEFT_SIDE | RIGHT_SIDE else 0
    at_start = _sides(walls, bits, here, px, py, cx - px, cy - py, qx - px, qy - py)
    at_end = _sides(walls, bits, there, qx, qy, px - qx, py - qy, gx - qx, gy - qy)
    if at_start == LEFT_SIDE | RIGHT_SIDE:
        return _touching(walls, bits, here, px, py)
    if at_end == LEFT_SIDE | RIGHT_SIDE:
        return _touching(walls, bits, there, qx, qy)
    left, right, has_rings = (at_start | at_end) & LEFT_SIDE, (at_start | at_end) & RIGHT_SIDE, False
    outer = _outside(px, py, qx, qy, columns, rows)
    steps = _steps(track)
    for step in range(steps):
        square = _passed(track, step)
        for at in range(walls.start[square], walls.start[square + 1]):
            index = walls.items[at]
            if walls.stops[index] & bits == 0:
                continue
            if walls.rings[index] != 0:
                has_rings = True
                continue
            meeting = _meet(track, index)
            if (
                meeting == CROSSES
                or (meeting == LEFT and outer == RIGHT_SIDE)
                or (meeting == RIGHT and outer == LEFT_SIDE)
            ):
                return int(index) + 1
            if meeting == LEFT:
                left = 1
            elif meeting == RIGHT:
                right = 1
    if left and right:
        segment = _pinched(track, at_start, at_end)
        if segment:
            return segment
    if has_rings:
        segment = _beyond(track, False)
        if segment and _beyond(track, True):
            return segment
    return 0
