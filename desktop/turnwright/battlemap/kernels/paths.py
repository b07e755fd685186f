"""Shortest paths on a window of the map with Dial's algorithm: one bucket of squares for each number of feet.

A *spot* is the index, row by row, of a footprint's upper-left square in the window. Under the alternating rule
for diagonals each spot has two *nodes*, one for an even and one for an odd number of diagonal steps so far; the
second layer follows the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from turnwright.battlemap.arrays import Bytes, Feet, Flags, Marks, Moves, Row, Scratch

NONE: Final = -1
# Rows of the scratch array `nodes`. The last two chain the nodes of one bucket.
COST: Final = 0
DIAGONALS: Final = 1
PREVIOUS: Final = 2
AFTER: Final = 3
BEFORE: Final = 4
NODE_ROWS: Final = 5
# Straight steps left open by walls, as bits of `marks`.
EAST: Final = 1
SOUTH: Final = 2
WEST: Final = 4
NORTH: Final = 8
# Diagonal steps that barriers off the grid close, as bits of `marks`.
NOT_SOUTH_EAST: Final = 16
NOT_SOUTH_WEST: Final = 32
NOT_NORTH_WEST: Final = 64
NOT_NORTH_EAST: Final = 128
# The diagonals through the lower right corner of a square that are closed, as bits of `diagonals`.
FALLING: Final = 1
RISING: Final = 2


def _slides(walls: Flags, east: Flags, south: Flags, column: int, row: int, across: int, down: int, side: int) -> bool:
    """Return whether walls let a footprint of `side` squares move one straight step. It may not end astride an edge."""
    for along in range(side):
        if across != 0:
            entered_row = row + along
            entered = column + side if across > 0 else column - 1
            crossed = column + side - 1 if across > 0 else column - 1
            if walls[entered_row, entered] or east[entered_row, crossed]:
                return False
            if along + 1 < side and south[entered_row, entered]:
                return False
        else:
            entered_column = column + along
            entered = row + side if down > 0 else row - 1
            crossed = row + side - 1 if down > 0 else row - 1
            if walls[entered, entered_column] or south[crossed, entered_column]:
                return False
            if along + 1 < side and east[entered, entered_column]:
                return False
    return True


def _closes(diagonals: Bytes, column: int, row: int, bit: int, side: int) -> bool:
    """Return whether a barrier crosses the diagonal of any square of a footprint at this corner."""
    for down in range(side):
        for right in range(side):
            at_row, at_column = row + down, column + right
            if (
                0 <= at_row < diagonals.shape[0]
                and 0 <= at_column < diagonals.shape[1]
                and diagonals[at_row, at_column] & bit
            ):
                return True
    return False


def mark_steps(
    marks: Marks, walls: Flags, east: Flags, south: Flags, diagonals: Bytes, left: int, top: int, side: int
) -> None:
    """Fill `marks[height, width]` with the straight steps that walls leave open from each spot in the window.

    Diagonal steps that a barrier crosses are also marked; `diagonals` has those at each square's lower right corner.
    """
    height, width = marks.shape
    for down in range(height):
        for right in range(width):
            column, row = left + right, top + down
            bits = 0
            if right + 1 < width and _slides(walls, east, south, column, row, 1, 0, side):
                bits |= EAST
            if down + 1 < height and _slides(walls, east, south, column, row, 0, 1, side):
                bits |= SOUTH
            if right > 0 and _slides(walls, east, south, column, row, -1, 0, side):
                bits |= WEST
            if down > 0 and _slides(walls, east, south, column, row, 0, -1, side):
                bits |= NORTH
            if _closes(diagonals, column, row, FALLING, side):
                bits |= NOT_SOUTH_EAST
            if _closes(diagonals, column - 1, row, RISING, side):
                bits |= NOT_SOUTH_WEST
            if _closes(diagonals, column - 1, row - 1, FALLING, side):
                bits |= NOT_NORTH_WEST
            if _closes(diagonals, column, row - 1, RISING, side):
                bits |= NOT_NORTH_EAST
            marks[down, right] = bits


def _is_open(marks: Marks, at_row: int, at_column: int, across: int, down: int, lenient: bool) -> bool:
    """Return whether walls leave a step open. A diagonal needs both sides of its corner open, or one if `lenient`."""
    sideways = EAST if across > 0 else WEST
    lengthways = SOUTH if down > 0 else NORTH
    here = int(marks[at_row, at_column])
    if down == 0:
        return here & sideways != 0
    if across == 0:
        return here & lengthways != 0
    if down > 0:
        closed = NOT_SOUTH_EAST if across > 0 else NOT_SOUTH_WEST
    else:
        closed = NOT_NORTH_EAST if across > 0 else NOT_NORTH_WEST
    if here & closed:
        return False
    first = here & sideways != 0 and int(marks[at_row, at_column + across]) & lengthways != 0
    if first == lenient:
        return first
    return here & lengthways != 0 and int(marks[at_row + down, at_column]) & sideways != 0


def _toll(entry: Feet, column: int, row: int, across: int, down: int, side: int) -> int:
    """Return a step's cost in feet, the highest of the newly entered squares; 0 if one of them is impassable."""
    if side == 1:
        return max(0, int(entry[row + down, column + across]))
    worst = 0
    for to_row in range(row + down, row + down + side):
        for to_column in range(column + across, column + across + side):
            if row <= to_row < row + side and column <= to_column < column + side:
                continue
            feet = int(entry[to_row, to_column])
            if feet <= 0:
                return 0
            worst = max(worst, feet)
    return worst


def _put(nodes: Scratch, heads: Row, node: int, feet: int) -> None:
    """Insert a node at the head of the bucket for `feet`."""
    follower = heads[feet]
    nodes[AFTER, node] = follower
    nodes[BEFORE, node] = NONE
    if follower != NONE:
        nodes[BEFORE, follower] = node
    heads[feet] = node


def _take(nodes: Scratch, heads: Row, node: int, feet: int) -> None:
    """Remove a node from the bucket for `feet`."""
    before, after = nodes[BEFORE, node], nodes[AFTER, node]
    if before == NONE:
        heads[feet] = after
    else:
        nodes[AFTER, before] = after
    if after != NONE:
        nodes[BEFORE, after] = before


def _offer(nodes: Scratch, heads: Row, node: int, cost: int, diagonals: int, previous: int) -> None:
    """Keep a route to a node if it is cheaper than the known one, or equally cheap with fewer diagonals (no zigzags).

    Every step costs something, so the nodes before a node are settled before it.
    """
    known = int(nodes[COST, node])
    if known != NONE and (known < cost or (known == cost and nodes[DIAGONALS, node] <= diagonals)):
        return
    if known != cost:
        if known != NONE:
            _take(nodes, heads, node, known)
        _put(nodes, heads, node, cost)
        nodes[COST, node] = cost
    nodes[DIAGONALS, node] = diagonals
    nodes[PREVIOUS, node] = previous


def reach(nodes: Scratch, heads: Row, moves: Moves, start: int, budget: int) -> None:
    """Fill `nodes[NODE_ROWS, layers × spots]` with the cheapest routes of at most `budget` feet from the spot `start`.

    `heads[budget + 1]` is scratch.
    """
    marks, alternating = moves.marks, moves.alternating
    height, width = marks.shape
    spots = height * width
    for node in range(nodes.shape[1]):
        nodes[COST, node] = NONE
        nodes[PREVIOUS, node] = NONE
    for feet in range(budget + 1):
        heads[feet] = NONE
    _offer(nodes, heads, start + spots if alternating and moves.odd else start, 0, 0, NONE)
    for feet in range(budget + 1):
        while heads[feet] != NONE:
            node = int(heads[feet])
            _take(nodes, heads, node, feet)
            layer = 1 if node >= spots else 0
            spot = node - layer * spots
            at_row = spot // width
            at_column = spot - at_row * width
            for down in range(-1, 2):
                for across in range(-1, 2):
                    if (across == 0 and down == 0) or not 0 <= at_row + down < height:
                        continue
                    if not _is_open(marks, at_row, at_column, across, down, moves.lenient):
                        continue
                    column, row = moves.left + at_column, moves.top + at_row
                    step = _toll(moves.entry, column, row, across, down, moves.side)
                    if step == 0:
                        continue
                    to_layer, diagonal = layer, 0
                    if across != 0 and down != 0:
                        diagonal = 1
                        if alternating:
                            step += moves.cell * layer
                            to_layer = 1 - layer
                    if feet + step <= budget:
                        to_node = to_layer * spots + spot + down * width + across
                        _offer(nodes, heads, to_node, feet + step, int(nodes[DIAGONALS, node]) + diagonal, node)


def walk(costs: Row, steps: Scratch, moves: Moves) -> int:
    """Fill `costs[n]` with the feet needed to reach each of `steps[n, 2]` (column, row); return how many are reached.

    The window must contain all of them. A step ends the walk if it doesn't lead to a neighbour, passes a wall or
    enters an impassable square.
    """
    spent, second, length = 0, moves.odd, len(steps)
    costs[0] = 0
    for index in range(1, length):
        column, row = int(steps[index - 1, 0]), int(steps[index - 1, 1])
        across, down = int(steps[index, 0]) - column, int(steps[index, 1]) - row
        if max(abs(across), abs(down)) != 1:
            return index
        if not _is_open(moves.marks, row - moves.top, column - moves.left, across, down, moves.lenient):
            return index
        step = _toll(moves.entry, column, row, across, down, moves.side)
        if step == 0:
            return index
        if moves.alternating and across != 0 and down != 0:
            if second:
                step += moves.cell
            second = not second
        spent += step
        costs[index] = spent
    return length
