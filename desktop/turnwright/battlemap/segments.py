"""Walls at any position, off-grid barriers and doors, as a table of segments with what each of them blocks.

Coordinates are whole numbers of 1/512 of a square. Each square lists the segments in it or on its edge. Movement goes
from the centre of one square to the centre of the next, so the steps that segments cross are closed in advance, and
pathfinding never reads the segments. Everything here is derived from the map and never saved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from math import ceil, floor
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, TypeVar

from turnwright.battlemap.arrays import Walls
from turnwright.battlemap.kernels.paths import FALLING, RISING
from turnwright.battlemap.kernels.segments import UNIT

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from turnwright.battlemap.arrays import Bytes, Flags, Levels, Numbers
    from turnwright.battlemap.spaces import Square


PolylineKind: TypeAlias = Literal["wall", "pane", "curtain", "rail", "object"]
BarrierPart: TypeAlias = Literal["barrier", "door", "edge"]
Side: TypeAlias = Literal["east", "south"]
Edge: TypeAlias = tuple[int, int, Side]
Line: TypeAlias = tuple[int, int, int, int]

MOVE: Final = 1
SIGHT: Final = 2
EFFECT: Final = 4
BITS: Final = {"move": MOVE, "sight": SIGHT, "effect": EFFECT}
NEAR: Final = UNIT // 64  # a 64th of a square; a segment this near to a step closes it
SMALLEST: Final = UNIT // 8  # the smallest part of a door that lets the way through


class FreeBarrier(NamedTuple):
    """A polyline in squares with its type. An open door blocks nothing. An object's last point joins its first."""

    kind: PolylineKind
    points: tuple[tuple[float, float], ...]
    is_door: bool = False
    is_open: bool = False


class SegmentOwner(NamedTuple):
    """A segment's origin: the number of a barrier or door in the input, or an edge of a square."""

    part: BarrierPart
    number: int
    edge: Edge = (0, 0, "east")


@dataclass(frozen=True, eq=False, slots=True)
class FreeWalls:
    """A map's table of segments, and the steps between centres of squares that they close.

    `east` and `south` are steps from a square to the next, `diagonals` are those past its lower right corner. `parted`
    lists the grid walls with doors on them, whose remaining parts are in the table.
    """

    table: Walls
    owners: tuple[SegmentOwner, ...]
    east: Flags
    south: Flags
    diagonals: Bytes
    parted: frozenset[Edge] = frozenset()

    def line(self, segment: int) -> tuple[float, float, float, float]:
        """Return a segment from end to end, in squares."""
        x0, y0, x1, y1 = (int(coordinate) / UNIT for coordinate in self.table[0][segment])
        return x0, y0, x1, y1


def free_walls(
    columns: int,
    rows: int,
    barriers: Sequence[FreeBarrier],
    stops: Mapping[str, Sequence[str]],
    edges: Mapping[Side, Bytes],
) -> FreeWalls:
    """Return the segments of barriers and doors on a map. `stops`: what each type blocks; `edges`: what walls on the grid block.

    The table also contains grid walls that touch the end of a segment at a grid corner, so that lines can't pass
    between the two. Doors open the walls onto which they were put.
    """
    import numpy as np

    found: list[tuple[int, ...]] = []
    owners: list[SegmentOwner] = []

    def add(lines: Sequence[Line], owner: SegmentOwner, mask: int, role: int = CLEAR, ring: int = 0) -> None:
        found.extend((*line, mask, role, ring) for line in lines)
        owners.extend([owner] * len(lines))

    bits = {kind: sum(BITS[blocked] for blocked in blocks) for kind, blocks in stops.items()}
    leaves = [line for each in barriers if each.is_door for line in _segments(each.points, closed=False)]
    parted = {edge: mask for leaf in leaves for edge in _edges_along(leaf) if (mask := _mask(edges, edge))}
    whole = [line for each in barriers if not each.is_door for line in _segments(each.points, closed=False)]
    doors = _doors_on([*whole, *map(_edge_line, parted)], leaves) if leaves else {}
    for index, barrier in enumerate(barriers):
        mask, is_object = bits[barrier.kind], barrier.kind == "object"
        own = _segments(barrier.points, closed=is_object)
        if doors and not barrier.is_door and not is_object:
            own = tuple(piece for line in own for piece in (_outside(line, doors[line]) if line in doors else (line,)))
        owner = SegmentOwner("door" if barrier.is_door else "barrier", index)
        add(own, owner, 0 if barrier.is_open else mask, _role(barrier, mask), index + 1 if is_object else 0)
    for edge, mask in parted.items():
        own = tuple(_outside(_edge_line(edge), doors.get(_edge_line(edge), ())))
        add(own, SegmentOwner("edge", 0, edge), mask, STOPS if mask & MOVE else CLEAR)
    for edge, mask in _joined_edges([row[:4] for row in found], edges, parted):
        add([_edge_line(edge)], SegmentOwner("edge", 0, edge), mask)
    if found:  # lines can't leave the map
        add(_border(columns, rows), SegmentOwner("edge", 0), MOVE | SIGHT | EFFECT)
    *ends, masks, roles, rings = np.array(found, dtype=np.int32).reshape(-1, 7).T
    table = np.stack(ends, axis=1)
    walls = Walls(table, masks.astype(np.uint8), rings.copy(), *_buckets(columns, rows, table))
    closed = _closed_steps(columns, rows, walls, roles)
    diagonals = closed["falling"] * np.uint8(FALLING) | closed["rising"] * np.uint8(RISING)
    for array in (*walls, closed["east"], closed["south"], diagonals):
        array.setflags(write=False)
    return FreeWalls(walls, tuple(owners), closed["east"], closed["south"], diagonals, frozenset(parted))


def fixed(value: float) -> int:
    """Convert a coordinate in squares to a whole number of 1/512 squares."""
    return round(value * UNIT)


@lru_cache(maxsize=4096)
def _segments(points: tuple[tuple[float, float], ...], *, closed: bool) -> tuple[Line, ...]:
    """Return the segments of a polyline that have a non-zero length."""
    corners = [(fixed(x), fixed(y)) for x, y in points]
    if closed and len(corners) > 2 and corners[0] != corners[-1]:
        corners.append(corners[0])
    return tuple((*start, *end) for start, end in pairwise(corners) if start != end)


def _border(columns: int, rows: int) -> tuple[Line, ...]:
    """Return the four sides of the map."""
    right, bottom = columns * UNIT, rows * UNIT
    return (0, 0, right, 0), (0, bottom, right, bottom), (0, 0, 0, bottom), (right, 0, right, bottom)


def _edge_line(edge: Edge) -> Line:
    column, row, side = edge
    x, y = (column + (side == "east")) * UNIT, (row + (side == "south")) * UNIT
    return (x, y, x, y + UNIT) if side == "east" else (x, y, x + UNIT, y)


def _mask(edges: Mapping[Side, Bytes], edge: Edge) -> int:
    """Return the bits of the grid wall on an edge, or 0 if there is none."""
    column, row, side = edge
    rows, columns = edges[side].shape
    return int(edges[side][row, column]) if 0 <= row < rows and 0 <= column < columns else 0


def _edges_along(line: Line) -> Iterator[Edge]:
    """Yield the edges of squares along which a line runs."""
    for axis, side in ((0, "east"), (1, "south")):
        middle = round((line[axis] + line[axis + 2]) / (2 * UNIT))
        if all(abs(line[end] - middle * UNIT) <= 4 * NEAR for end in (axis, axis + 2)):
            start, end = sorted((line[1 - axis], line[3 - axis]))
            for place in range(start // UNIT, ceil(end / UNIT)):
                yield (middle - 1, place, "east") if side == "east" else (place, middle - 1, "south")


def _doors_on(lines: Sequence[Line], doors: Sequence[Line]) -> dict[Line, list[Line]]:
    """Return the doors that were put onto each line, for the lines with any."""
    import numpy as np

    found: dict[Line, list[Line]] = {}
    table, ends = np.array(lines, dtype=np.int64).reshape(-1, 4), np.array(doors, dtype=np.int64).reshape(-1, 4, 1)
    (x, y), (dx, dy) = table.T[:2], table.T[2:] - table.T[:2]
    places = [(ends[:, axis] - x, ends[:, axis + 1] - y) for axis in (0, 2)]
    aside = np.maximum(*(np.abs(dx * down - dy * across) for across, down in places))
    along = [dx * across + dy * down for across, down in places]
    is_on = (aside <= 4 * NEAR * np.hypot(dx, dy)) & (np.maximum(*along) > 0) & (np.minimum(*along) < dx**2 + dy**2)
    for door, line in np.argwhere(is_on).tolist():
        found.setdefault(lines[line], []).append(doors[door])
    return found


def _outside(line: Line, doors: Iterable[Line]) -> Iterator[Line]:
    """Yield the parts of a wall that aren't behind the doors on it."""
    (x, y), (dx, dy), place = line[:2], (line[2] - line[0], line[3] - line[1]), (0, line[:2])
    sides = (((dx * (at[0] - x) + dy * (at[1] - y), at) for at in (door[:2], door[2:])) for door in doors)
    end = (dx * dx + dy * dy, line[2:])
    for first, last in (*sorted(map(sorted, sides)), (end, end)):
        if first[0] > place[0] and first[1] != place[1]:
            yield (*place[1], *first[1])  # a gap would let lines through
        place = max(place, last)


def _joined_edges(
    lines: Iterable[Sequence[int]], edges: Mapping[Side, Bytes], apart: Collection[Edge]
) -> Iterator[tuple[Edge, int]]:
    """Yield the distinct grid walls, except some, that meet the end of a segment at a grid corner, and what they block."""
    joined: dict[Edge, int] = {}
    for x0, y0, x1, y1 in lines if any(side.any() for side in edges.values()) else ():
        for x, y in ((x0, y0), (x1, y1)):
            if x % UNIT or y % UNIT:
                continue
            column, row = x // UNIT, y // UNIT
            around: list[Edge] = [(column - 1, row - back, "east") for back in (1, 0)]
            around += [(column - back, row - 1, "south") for back in (1, 0)]
            joined.update({edge: mask for edge in around if edge not in apart and (mask := _mask(edges, edge))})
    yield from joined.items()


def _buckets(columns: int, rows: int, table: Levels) -> tuple[Numbers, Numbers]:
    """Return the start of each square's segments in a list, and this list of all squares' segments."""
    import numpy as np

    segments, across, down = _cells_near(table, columns, rows, 1)
    squares = down * columns + across
    start = np.searchsorted(np.sort(squares), np.arange(rows * columns + 1))
    return start.astype(np.int32), segments[np.argsort(squares, kind="stable")].astype(np.int32)


def _cells_near(
    table: Levels, columns: int, rows: int, reach: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the cells within `reach` of segments, possibly with a few neighbours: segment, column and row of each."""
    import numpy as np

    x0, y0, x1, y1 = np.where(table[:, 1:2] <= table[:, 3:], table, table[:, [2, 3, 0, 1]]).astype(np.int64).T
    at, row = _counted(np.maximum(0, (y0 - reach) // UNIT), np.minimum(rows - 1, (y1 + reach) // UNIT))
    x0, y0, x1, y1 = x0[at], y0[at], x1[at], y1[at]
    slope = (x1 - x0) / np.maximum(1, y1 - y0)
    high = x0 + slope * (np.clip(row * UNIT - reach, y0, y1) - y0)
    low = np.where(y0 == y1, x1, x0 + slope * (np.clip((row + 1) * UNIT + reach, y0, y1) - y0))
    first = np.floor((np.minimum(high, low) - reach) / UNIT).astype(np.int64)
    last = np.floor((np.maximum(high, low) + reach) / UNIT).astype(np.int64)
    each, column = _counted(np.maximum(0, first), np.minimum(columns - 1, last))
    return at[each], column, row[each]


def _counted(first: NDArray[np.int64], last: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all whole numbers from each `first` to its `last`: the index of the pair, and the number."""
    import numpy as np

    counts = np.maximum(0, last - first + 1)
    index = np.repeat(np.arange(len(counts)), counts)
    return index, first[index] + np.arange(len(index)) - (np.cumsum(counts) - counts)[index]


def squares_along(start: tuple[float, float], end: tuple[float, float], columns: int, rows: int) -> Iterator[Square]:
    """Return the squares that a line between two places crosses or touches, possibly with a few neighbours."""
    return squares_touched((fixed(start[0]), fixed(start[1]), fixed(end[0]), fixed(end[1])), columns, rows)


def squares_touched(line: Line, columns: int, rows: int) -> Iterator[Square]:
    """Yield the squares that a segment crosses or touches, possibly with a few neighbours."""
    x0, y0, x1, y1 = line if line[1] <= line[3] else (*line[2:], *line[:2])
    for row in range(max(0, (y0 - 1) // UNIT), min(rows - 1, y1 // UNIT) + 1):
        if y0 == y1:
            left, right = float(min(x0, x1)), float(max(x0, x1))
        else:
            high = x0 + (x1 - x0) * (max(y0, row * UNIT) - y0) / (y1 - y0)
            low = x0 + (x1 - x0) * (min(y1, (row + 1) * UNIT) - y0) / (y1 - y0)
            left, right = min(high, low), max(high, low)
        first, last = max(0, ceil(left / UNIT - 1e-6) - 1), min(columns - 1, floor(right / UNIT + 1e-6))
        yield from ((column, row) for column in range(first, last + 1))


# Steps ---------------------------------------------------------------------------------------------------------------


# The steps that begin in a square: where the step's line begins, in squares, and its direction.
STEPS: Final = {"east": (0, 0, 1, 0), "south": (0, 0, 0, 1), "falling": (0, 0, 1, 1), "rising": (0, 1, 1, -1)}
CLEAR, STOPS, HANGS = range(3)  # whether a segment lets movement pass, closes steps, or is an open door or a curtain


def _role(barrier: FreeBarrier, bits: int) -> int:
    if barrier.kind == "curtain" or (barrier.is_open and bits & MOVE):
        return HANGS
    return STOPS if bits & MOVE else CLEAR


def _closed_steps(columns: int, rows: int, walls: Walls, kinds: Numbers) -> dict[str, Flags]:
    """Return the steps between squares that segments close, by the name of the step.

    An open door or a curtain opens those that lead through it, even if it covers only a part of a square's side.
    """
    import numpy as np

    table = walls.table
    at, across, down = _cells_near(table - UNIT // 2, columns, rows, 2 * NEAR)
    passages = np.flatnonzero(kinds == HANGS)
    doors = [*_cells_near(table[passages] - UNIT // 2, columns, rows, UNIT // 2)]
    doors[0] = passages[doors[0]]
    closed = {}
    for name, (x, y, dx, dy) in STEPS.items():
        flags = closed[name] = np.zeros((rows, columns), dtype=np.bool_)
        stops = (across + dx < columns) & (down + (dy != 0) < rows) & (kinds[at] == STOPS)
        origin = np.stack((across[stops] + x, down[stops] + y)) * UNIT + UNIT // 2
        meets = _meet(origin, (dx, dy), table[at[stops]].T)
        flags[down[stops][meets], across[stops][meets]] = True
        shut = flags[doors[2], doors[1]]
        for number, column, row in zip(*(each[shut].tolist() for each in doors), strict=True):
            start = ((column + x) * UNIT + UNIT // 2, (row + y) * UNIT + UNIT // 2)
            step = (*start, start[0] + dx * UNIT, start[1] + dy * UNIT)
            places = {(row + i) * columns + column + j for i in {0, abs(dy)} for j in {0, dx}}
            near = {n for at in places for n in walls.items[walls.start[at] : walls.start[at + 1]].tolist()}
            lines = [table[n].tolist() for n in near if kinds[n] == STOPS]
            if _leads_through(table[number].tolist(), step, lines):
                flags[row, column] = False
    return closed


def _meet(origin: NDArray[np.int64], way: tuple[int, int], table: NDArray[np.int32]) -> Flags:
    """Return whether segments are within 1/64 of a square of steps in one direction, each from its own `origin`."""
    import numpy as np

    length: float = UNIT * (way[0] ** 2 + way[1] ** 2) ** 0.5
    dx, dy = way[0] * UNIT / length, way[1] * UNIT / length
    (ax, ay), (bx, by) = table[:2] - origin, table[2:] - origin
    t0, t1, s0, s1 = ax * dx + ay * dy, bx * dx + by * dy, dx * ay - dy * ax, dx * by - dy * bx
    low, high = np.minimum(s0, s1), np.maximum(s0, s1)
    is_level = high - low <= 1e-9
    rise = np.where(is_level, 1, s1 - s0)
    shares = [np.where(is_level, end, np.clip((edge - s0) / rise, 0, 1)) for end, edge in enumerate((-NEAR, NEAR))]
    ends = [t0 + (t1 - t0) * share for share in shares]  # keep the part of the segment near enough to the step's line
    crosses, crossing = (low < -NEAR) & (high > NEAR), t0 - (t1 - t0) * s0 / rise  # only the crossing point counts
    begins, ends = (np.where(crosses, crossing, side(*ends)) for side in (np.minimum, np.maximum))
    near: Flags = (low <= NEAR) & (high >= -NEAR) & (ends >= -NEAR) & (begins <= length + NEAR)
    return near


def _leads_through(door: Line, step: Line, walls: Iterable[Line]) -> bool:
    """Return whether a step can bend to the middle of the part of a door between its ends without meeting a wall."""
    (left, right), (top, bottom) = sorted(step[::2]), sorted(step[1::2])
    aside, along = (UNIT // 2 * (left == right), UNIT // 2 * (top == bottom))
    first, last = share_inside(door, (left - aside, top - along, right + aside, bottom + along))
    (x, y), (dx, dy) = door[:2], (door[2] - door[0], door[3] - door[1])
    sides = [dx * (at[1] - y) - dy * (at[0] - x) for at in (step[:2], step[2:])]
    if (last - first) * (dx * dx + dy * dy) ** 0.5 < SMALLEST or sides[0] * sides[1] >= 0:
        return False
    middle = (x + round(dx * (first + last) / 2), y + round(dy * (first + last) / 2))
    return not any(_touch((*end, *middle), wall) for end in (step[:2], step[2:]) for wall in walls)


def _touch(one: Line, other: Line) -> bool:
    """Return whether two lines cross or touch, or are on one line."""
    sides = (
        [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in (points[:2], points[2:])]
        for (ax, ay, bx, by), points in ((one, other), (other, one))
    )
    return all(first * last <= 0 for first, last in sides)


def share_inside(line: Sequence[float], box: Sequence[float]) -> tuple[float, float]:
    """Return the part of a line in a box (left, top, right, bottom) as shares of its length, in reverse if there is none."""
    first, last = 0.0, 1.0
    for axis in (0, 1):
        start, step = line[axis], line[axis + 2] - line[axis]
        low, high = box[axis], box[axis + 2]
        if step == 0 and not low <= start <= high:
            return 1.0, 0.0
        if step:
            near, far = sorted(((low - start) / step, (high - start) / step))
            first, last = max(first, near), min(last, far)
    return first, last


Kind = TypeVar("Kind", bound=str)


def kind_along(line: Line, others: Iterable[tuple[Kind, Line]], default: Kind) -> Kind:
    """Return the kind of the first line that another one continues, or a default."""
    return next((kind for kind, each in others if _continued(line, each)), default)


def joined_lines(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield lines, merging those that overlap along the grid or continue each other, so that joints are invisible."""
    runs: dict[tuple[int, int], list[tuple[int, int]]] = {}
    at: dict[Square, set[Line]] = {}
    for x0, y0, x1, y1 in sorted(lines):
        if x0 == x1:
            runs.setdefault((0, x0), []).append((min(y0, y1), max(y0, y1)))
        elif y0 == y1:
            runs.setdefault((1, y0), []).append((min(x0, x1), max(x0, x1)))
        else:
            at.setdefault((x0, y0), set()).add((x0, y0, x1, y1))
            at.setdefault((x1, y1), set()).add((x0, y0, x1, y1))
    for (across, place), parts in runs.items():
        merged: list[tuple[int, int]] = []
        for start, end in sorted(parts):
            if merged and start <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(merged[-1][1], end))
            else:
                merged.append((start, end))
        yield from ((start, place, end, place) if across else (place, start, place, end) for start, end in merged)
    for point in sorted(at):
        for one, other in combinations(sorted(at[point]), 2):
            whole = _continued(one, other)
            if whole is not None:
                for line in (one, other):
                    at[line[:2]].discard(line)
                    at[line[2:]].discard(line)
                at[whole[:2]].add(whole)
                at[whole[2:]].add(whole)
                break
    yield from sorted(set().union(*at.values()))


def _continued(one: Line, other: Line) -> Line | None:
    """Return one line instead of two that meet at their ends and continue each other, or None if they don't."""
    ends = Counter((one[:2], one[2:], other[:2], other[2:]))
    if len(ends) != 3:
        return None
    (point, _), (first, _), (last, _) = ends.most_common()
    (ax, ay), (bx, by) = (first[0] - point[0], first[1] - point[1]), (last[0] - point[0], last[1] - point[1])
    length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
    is_straight = ax * bx + ay * by < 0 and abs(ax * by - ay * bx) <= NEAR * length
    return (*min(first, last), *max(first, last)) if is_straight else None


SquareEdge: TypeAlias = tuple[int, int, bool]  # the corner where it starts (column, row), and whether it is horizontal
FourNumbers: TypeAlias = tuple[int, int, int, int]
LETTERS: Final = 26


def column_name(column: int) -> str:
    """Return the letters of a column: A to Z, then AA."""
    name = ""
    column += 1
    while column > 0:
        column, letter = divmod(column - 1, LETTERS)
        name = chr(ord("A") + letter) + name
    return name


def square_name(square: Square) -> str:
    """Return the name of a square, such as `C7`."""
    return f"{column_name(square[0])}{square[1] + 1}"


def row_runs(squares: Iterable[Square]) -> Iterator[tuple[int, int, int]]:
    """Split squares into runs along rows: first column, row, length."""
    rows: dict[int, list[int]] = {}
    for column, row in squares:
        rows.setdefault(row, []).append(column)
    for row in sorted(rows):
        yield from ((start, row, length) for start, length in _runs(sorted(rows[row])))


def rectangles_of(squares: Iterable[Square]) -> tuple[FourNumbers, ...]:
    """Combine squares into a few rectangles (column, row, width, height), merging equal runs in consecutive rows."""
    rows: dict[int, list[tuple[int, int]]] = {}
    for column, row, width in row_runs(squares):
        rows.setdefault(row, []).append((column, width))
    growing: dict[tuple[int, int], list[int]] = {}  # maps run (column, width) to [first row, rows so far]
    rectangles: list[FourNumbers] = []
    for row, runs in rows.items():
        for run, (top, height) in [*growing.items()]:
            if run not in runs or top + height != row:
                rectangles.append((run[0], top, run[1], height))
                del growing[run]
        for run in runs:
            growing.setdefault(run, [row, 0])[1] += 1
    rectangles += [(column, top, width, height) for (column, width), (top, height) in growing.items()]
    return tuple(sorted(rectangles, key=lambda rectangle: (rectangle[1], rectangle[0])))


def square_edges(segments: Iterable[FourNumbers]) -> set[SquareEdge]:
    """Split straight segments into the edges of single squares. Diagonal segments are ignored."""
    edges: set[SquareEdge] = set()
    for left, top, right, bottom in segments:
        if top == bottom:
            edges |= {(column, top, True) for column in range(min(left, right), max(left, right))}
        elif left == right:
            edges |= {(left, row, False) for row in range(min(top, bottom), max(top, bottom))}
    return edges


def edges_within(square: Square) -> tuple[SquareEdge, ...]:
    """Return the four edges of a square."""
    column, row = square
    return ((column, row, True), (column, row + 1, True), (column, row, False), (column + 1, row, False))


def outline_edges(squares: Iterable[Square]) -> set[SquareEdge]:
    """Return the outer edges of a set of squares."""
    edges: set[SquareEdge] = set()
    for square in squares:
        edges ^= set(edges_within(square))
    return edges


def merged_segments(edges: Collection[SquareEdge]) -> tuple[FourNumbers, ...]:
    """Convert edges to segments, merging edges in line; horizontal segments first."""
    segments: list[FourNumbers] = []
    for across in (True, False):
        lines: dict[int, list[int]] = {}
        for column, row, runs in set(edges):
            if runs == across:
                lines.setdefault(row if across else column, []).append(column if across else row)
        for line in sorted(lines):
            for start, length in _runs(sorted(lines[line])):
                segments.append((start, line, start + length, line) if across else (line, start, line, start + length))
    return tuple(segments)


def _runs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """Yield runs of consecutive numbers as first number and length."""
    start = 0
    for place in range(1, len(numbers) + 1):
        if place == len(numbers) or numbers[place] != numbers[place - 1] + 1:
            yield numbers[start], place - start
            start = place
