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

    from turnwright.battlemap.arrays import Bytes, Flags, Heights, Levels, Numbers
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

    `east` and `south` are steps from a square to the next, `diagonals` are those past its lower right corner.
    """

    table: Walls
    owners: tuple[SegmentOwner, ...]
    east: Flags
    south: Flags
    diagonals: Bytes

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
    between the two.
    """
    import numpy as np

    lines: list[Line] = []
    masks: list[int] = []
    rings: list[int] = []
    owners: list[SegmentOwner] = []
    roles: list[int] = []
    bits = {kind: sum(BITS[blocked] for blocked in blocks) for kind, blocks in stops.items()}
    for index, barrier in enumerate(barriers):
        own = _segments(barrier.points, closed=barrier.kind == "object")
        lines += own
        masks += [0 if barrier.is_open else bits[barrier.kind]] * len(own)
        rings += [index + 1 if barrier.kind == "object" else 0] * len(own)
        owners += [SegmentOwner("door" if barrier.is_door else "barrier", index)] * len(own)
        roles += [_role(barrier, bits[barrier.kind])] * len(own)
    for edge, mask in _joined_edges(lines, edges):
        lines.append(_edge_line(edge))
        masks.append(mask)
        owners.append(SegmentOwner("edge", 0, edge))
    if lines:  # lines can't leave the map
        lines += _border(columns, rows)
        masks += [MOVE | SIGHT | EFFECT] * 4
        owners += [SegmentOwner("edge", 0)] * 4
    rings += [0] * (len(lines) - len(rings))
    table = np.array(lines, dtype=np.int32).reshape(-1, 4)
    start, items = _buckets(columns, rows, table)
    walls = Walls(table, np.array(masks, dtype=np.uint8), np.array(rings, dtype=np.int32), start, items)
    closed = _closed_steps(columns, rows, table[: len(roles)], roles, owners, barriers)
    diagonals = closed["falling"] * np.uint8(FALLING) | closed["rising"] * np.uint8(RISING)
    for array in (*walls, closed["east"], closed["south"], diagonals):
        array.setflags(write=False)
    return FreeWalls(walls, tuple(owners), closed["east"], closed["south"], diagonals)


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


def _joined_edges(lines: Iterable[Line], edges: Mapping[Side, Bytes]) -> Iterator[tuple[Edge, int]]:
    """Yield the distinct grid walls that meet the end of a segment at a grid corner, with what they block."""
    joined: dict[Edge, int] = {}
    for x0, y0, x1, y1 in lines if any(side.any() for side in edges.values()) else ():
        rows, columns = edges["east"].shape
        for x, y in ((x0, y0), (x1, y1)):
            if x % UNIT or y % UNIT:
                continue
            column, row = x // UNIT, y // UNIT
            around: tuple[Edge, ...] = (
                (column - 1, row - 1, "east"),
                (column - 1, row, "east"),
                (column - 1, row - 1, "south"),
                (column, row - 1, "south"),
            )
            inside = (edge for edge in around if 0 <= edge[0] < columns and 0 <= edge[1] < rows)
            joined.update({edge: mask for edge in inside if (mask := int(edges[edge[2]][edge[1], edge[0]]))})
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


class _Meeting(NamedTuple):
    """A segment that meets a step: its range along the step in 1/512 of a square, and the sides to which it extends."""

    begins: float
    ends: float
    left: bool
    right: bool
    line: Line
    number: int


# The steps that begin in a square: where the step's line begins, in squares, and its direction.
STEPS: Final = {"east": (0, 0, 1, 0), "south": (0, 0, 0, 1), "falling": (0, 0, 1, 1), "rising": (0, 1, 1, -1)}
CLEAR, STOPS, HANGS = range(3)  # whether a segment lets movement pass, closes steps, or is an open door or a curtain


def _role(barrier: FreeBarrier, bits: int) -> int:
    if _is_curtain(barrier) or (barrier.is_open and bits & MOVE):
        return HANGS
    return STOPS if bits & MOVE else CLEAR


def _closed_steps(
    columns: int,
    rows: int,
    table: Levels,
    roles: Sequence[int],
    owners: Sequence[SegmentOwner],
    barriers: Sequence[FreeBarrier],
) -> dict[str, Flags]:
    """Return the steps between squares that segments close, by the name of the step."""
    import numpy as np

    kinds = np.array(roles, dtype=np.uint8)
    at, across, down = _cells_near(table - UNIT // 2, columns, rows, 2 * NEAR)
    at, across, down = (each[kinds[at] != CLEAR] for each in (at, across, down))
    closed = {}
    for name, (x, y, dx, dy) in STEPS.items():
        flags = closed[name] = np.zeros((rows, columns), dtype=np.bool_)
        fits = (across + dx < columns) & (down + (dy != 0) < rows)
        numbers, squares = at[fits], (down * columns + across)[fits]
        origin = np.stack((across[fits] + x, down[fits] + y)) * UNIT + UNIT // 2
        meets, *spans = _meetings(origin, (dx, dy), table[numbers].T)
        numbers, squares = numbers[meets], squares[meets]
        hangs = kinds[numbers] == HANGS
        flags.flat[squares[~hangs]] = True
        hung = np.unique(squares[hangs])
        unsure = np.isin(squares, hung[flags.flat[hung]])  # steps with jambs, or a curtain on a wall
        lines = map(tuple, table[numbers[unsure]].tolist())
        own = (owners[number].number for number in numbers[unsure].tolist())
        met = map(_Meeting, *(span[meets][unsure].tolist() for span in spans), lines, own)
        by_square: dict[int, list[_Meeting]] = {}
        for square, meeting in zip(squares[unsure].tolist(), met, strict=True):
            by_square.setdefault(square, []).append(meeting)
        for square, meetings in by_square.items():
            flags.flat[square] = _is_closed(meetings, barriers)
    return closed


def _meetings(
    origin: NDArray[np.int64], way: tuple[int, int], table: NDArray[np.int32]
) -> tuple[Flags, Heights, Heights, Flags, Flags]:
    """Compare segments with steps that run in one direction, each segment with the step at its own `origin`.

    Return whether it is within 1/64 of a square of the step, the part of the step where it is, and whether it extends
    to the left and right of it.
    """
    import numpy as np

    length: float = UNIT * (way[0] ** 2 + way[1] ** 2) ** 0.5
    dx, dy = way[0] * UNIT / length, way[1] * UNIT / length
    (ax, ay), (bx, by) = table[:2] - origin, table[2:] - origin
    t0, t1, s0, s1 = ax * dx + ay * dy, bx * dx + by * dy, dx * ay - dy * ax, dx * by - dy * bx
    left, right = np.maximum(s0, s1) > NEAR, np.minimum(s0, s1) < -NEAR
    is_level = np.abs(s0 - s1) <= 1e-9
    rise = np.where(is_level, 1, s1 - s0)
    shares = [np.where(is_level, end, np.clip((edge - s0) / rise, 0, 1)) for end, edge in enumerate((-NEAR, NEAR))]
    ends = [t0 + (t1 - t0) * share for share in shares]  # keep the part of the segment near enough to the step's line
    crossing = t0 + (t1 - t0) * (0 - s0) / rise
    crosses = left & right  # only the crossing point counts
    begins, ends = (np.where(crosses, crossing, side(*ends)) for side in (np.minimum, np.maximum))
    beside = (np.minimum(s0, s1) <= NEAR) & (np.maximum(s0, s1) >= -NEAR)
    return beside & (ends >= -NEAR) & (begins <= length + NEAR), begins, ends, left, right


def _is_curtain(barrier: FreeBarrier) -> bool:
    return barrier.kind == "curtain"


def _is_closed(meetings: Sequence[_Meeting], barriers: Sequence[FreeBarrier]) -> bool:
    """Return whether the meetings of a step close it: a wall or closed door, unless the wall is an open door's jamb.

    A curtain is like an open door, but doesn't open a wall on which it hangs.
    """
    doors = [meeting for meeting in meetings if _is_passage(barriers[meeting.number])]
    if any(not (barriers[door.number].is_open or _is_curtain(barriers[door.number])) for door in doors):
        return True
    walls = [meeting for meeting in meetings if not _is_passage(barriers[meeting.number])]
    blocking = [wall for wall in walls if not any(_is_same_spot(wall, door) for door in doors)]
    if blocking:
        return True
    for door in doors:
        jambs = [wall for wall in walls if _is_same_spot(wall, door)]
        hangs = _is_curtain(barriers[door.number])
        if any(jamb.left and jamb.right and (hangs or not _lies_along(jamb.line, door.line)) for jamb in jambs):
            return True
        if any(jamb.left for jamb in jambs) and any(jamb.right for jamb in jambs if not (jamb.left and jamb.right)):
            return True
    return False


def _is_passage(barrier: FreeBarrier) -> bool:
    return barrier.is_door or _is_curtain(barrier)


def _is_same_spot(wall: _Meeting, door: _Meeting) -> bool:
    """Return whether a wall meets a step only where a door also does."""
    return door.begins - 2 * NEAR <= wall.begins and wall.ends <= door.ends + 2 * NEAR


def _lies_along(wall: Line, door: Line) -> bool:
    """Return whether both ends of a door are on a wall's line, as for a door placed on a wall."""
    ax, ay, bx, by = wall
    length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
    return all(abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) <= 4 * NEAR * length for x, y in (door[:2], door[2:]))


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
