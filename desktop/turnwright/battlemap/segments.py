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
    from turnwright.battlemap.arrays import Bytes, Flags
    from turnwright.battlemap.spaces import Square


PolylineKind: TypeAlias = Literal["wall", "pane", "curtain", "rail", "object"]
BarrierPart: TypeAlias = Literal["barrier", "door", "edge"]
Edge: TypeAlias = tuple[int, int, Literal["east", "south"]]
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
    edges: Mapping[Edge, str],
) -> FreeWalls:
    """Return the segments of barriers and doors on a map. `stops`: what each type blocks; `edges`: walls on the grid.

    The table also contains grid walls that touch the end of a segment at a grid corner, so that lines can't pass
    between the two.
    """
    import numpy as np

    lines: list[Line] = []
    masks: list[int] = []
    rings: list[int] = []
    owners: list[SegmentOwner] = []
    for index, barrier in enumerate(barriers):
        mask = 0 if barrier.is_open else sum(BITS[blocked] for blocked in stops[barrier.kind])
        ring = index + 1 if barrier.kind == "object" else 0
        for line in _segments(barrier.points, closed=bool(ring)):
            lines.append(line)
            masks.append(mask)
            rings.append(ring)
            owners.append(SegmentOwner("door" if barrier.is_door else "barrier", index))
    for edge, kind in _joined_edges(lines, edges):
        lines.append(_edge_line(edge))
        masks.append(sum(BITS[blocked] for blocked in stops[kind]))
        rings.append(0)
        owners.append(SegmentOwner("edge", 0, edge))
    for line in _border(columns, rows) if lines else ():  # lines can't leave the map
        lines.append(line)
        masks.append(MOVE | SIGHT | EFFECT)
        rings.append(0)
        owners.append(SegmentOwner("edge", 0))
    start, items = _buckets(columns, rows, tuple(lines))
    table = np.array(lines, dtype=np.int32).reshape(-1, 4)
    walls = Walls(
        table,
        np.array(masks, dtype=np.uint8),
        np.array(rings, dtype=np.int32),
        np.array(start, dtype=np.int32),
        np.array(items, dtype=np.int32),
    )
    for array in walls:
        array.setflags(write=False)
    east = np.zeros((rows, columns), dtype=np.bool_)
    south = np.zeros((rows, columns), dtype=np.bool_)
    diagonals = np.zeros((rows, columns), dtype=np.uint8)
    places = {"east": east, "south": south}
    moving = tuple(
        (line, owner.number)
        for line, owner in zip(lines, owners, strict=True)
        if owner.part != "edge"
        and (_is_curtain(barriers[owner.number]) or "move" in stops[barriers[owner.number].kind])
    )
    for (column, row, name), meetings in _meetings(columns, rows, moving):
        if not _is_closed(meetings, barriers):
            continue
        if name in places:
            places[name][row, column] = True
        else:
            diagonals[row, column] |= FALLING if name == "falling" else RISING
    for blocked in (east, south, diagonals):
        blocked.setflags(write=False)
    return FreeWalls(walls, tuple(owners), east, south, diagonals)


def fixed(value: float) -> int:
    """Convert a coordinate in squares to a whole number of 1/512 squares."""
    return round(value * UNIT)


def _segments(points: Sequence[tuple[float, float]], *, closed: bool) -> Iterator[Line]:
    """Yield the segments of a polyline that have a non-zero length."""
    corners = [(fixed(x), fixed(y)) for x, y in points]
    if closed and len(corners) > 2 and corners[0] != corners[-1]:
        corners.append(corners[0])
    yield from ((*start, *end) for start, end in pairwise(corners) if start != end)


def _border(columns: int, rows: int) -> tuple[Line, ...]:
    """Return the four sides of the map."""
    right, bottom = columns * UNIT, rows * UNIT
    return (0, 0, right, 0), (0, bottom, right, bottom), (0, 0, 0, bottom), (right, 0, right, bottom)


def _edge_line(edge: Edge) -> Line:
    column, row, side = edge
    x, y = (column + (side == "east")) * UNIT, (row + (side == "south")) * UNIT
    return (x, y, x, y + UNIT) if side == "east" else (x, y, x + UNIT, y)


def _joined_edges(lines: Iterable[Line], edges: Mapping[Edge, str]) -> Iterator[tuple[Edge, str]]:
    """Yield the distinct grid walls that meet the end of a segment at a grid corner."""
    joined: dict[Edge, str] = {}
    for x0, y0, x1, y1 in lines if edges else ():
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
            joined.update({edge: edges[edge] for edge in around if edge in edges})
    yield from joined.items()


@lru_cache(maxsize=4)  # opening a door doesn't move segments
def _buckets(columns: int, rows: int, lines: tuple[Line, ...]) -> tuple[list[int], list[int]]:
    """Return the start of each square's segments in a list, and this list of all squares' segments."""
    by_square: list[list[int]] = [[] for _ in range(rows * columns)]
    for index, line in enumerate(lines):
        for column, row in squares_touched(line, columns, rows):
            by_square[row * columns + column].append(index)
    start, items = [0], []
    for segments in by_square:
        items += segments
        start.append(len(items))
    return start, items


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


Step: TypeAlias = tuple[int, int, Literal["east", "south", "falling", "rising"]]


@lru_cache(maxsize=4)  # opening a door doesn't move segments
def _meetings(
    columns: int, rows: int, lines: tuple[tuple[Line, int], ...]
) -> tuple[tuple[Step, tuple[_Meeting, ...]], ...]:
    """Return the steps that segments meet, each with its meetings. `lines` include the numbers of their barriers."""
    by_step: dict[Step, list[_Meeting]] = {}
    for line, number in lines:
        for step in _steps_near(line, columns, rows):
            meeting = _meeting(_step_line(*step), line)
            if meeting is not None:
                by_step.setdefault(step, []).append(_Meeting(*meeting, line, number))
    return tuple((step, tuple(meetings)) for step, meetings in by_step.items())


def _steps_near(line: Line, columns: int, rows: int) -> Iterator[Step]:
    """Yield the steps that a segment may meet: those of squares whose centre is within a square of it."""
    x0, y0, x1, y1 = line if line[1] <= line[3] else (*line[2:], *line[:2])
    half = UNIT // 2
    for row in range(max(0, (y0 - half - NEAR) // UNIT), min(rows - 1, (y1 - half + NEAR) // UNIT) + 1):
        top, bottom = row * UNIT + half - NEAR, (row + 1) * UNIT + half + NEAR
        if y0 == y1:
            left, right = float(min(x0, x1)), float(max(x0, x1))
        else:
            high = x0 + (x1 - x0) * (max(y0, min(y1, top)) - y0) / (y1 - y0)
            low = x0 + (x1 - x0) * (max(y0, min(y1, bottom)) - y0) / (y1 - y0)
            left, right = min(high, low), max(high, low)
        first = max(0, floor((left - half - 2 * NEAR) / UNIT))
        for column in range(first, min(columns - 1, floor((right - half + 2 * NEAR) / UNIT)) + 1):
            if column + 1 < columns:
                yield column, row, "east"
            if row + 1 < rows:
                yield column, row, "south"
            if column + 1 < columns and row + 1 < rows:
                yield column, row, "falling"
                yield column, row, "rising"


def _step_line(column: int, row: int, name: str) -> Line:
    """Return a step as a line between the centres of two squares; `rising` begins below."""
    half = UNIT // 2
    x, y = column * UNIT + half, row * UNIT + half
    if name == "east":
        return x, y, x + UNIT, y
    if name == "south":
        return x, y, x, y + UNIT
    return (x, y, x + UNIT, y + UNIT) if name == "falling" else (x, y + UNIT, x + UNIT, y)


def _meeting(step: Line, line: Line) -> tuple[float, float, bool, bool] | None:
    """Return the part of a segment within 1/64 of a square of a step, and whether it extends to the left and right.

    Return None if the segment isn't that close.
    """
    px, py, qx, qy = step
    length = ((qx - px) ** 2 + (qy - py) ** 2) ** 0.5
    dx, dy = (qx - px) / length, (qy - py) / length
    ends = [
        ((x - px) * dx + (y - py) * dy, dx * (y - py) - dy * (x - px)) for x, y in (line[:2], line[2:])
    ]  # position along the step, and distance to its side
    (t0, s0), (t1, s1) = ends
    if min(s0, s1) > NEAR or max(s0, s1) < -NEAR:
        return None
    if abs(s0 - s1) > 1e-9:  # keep the part of the segment near enough to the step's line
        shares = sorted(max(0.0, min(1.0, (edge - s0) / (s1 - s0))) for edge in (-NEAR, NEAR))
        near, far = sorted(t0 + (t1 - t0) * share for share in shares)
    else:
        near, far = sorted((t0, t1))
    if far < -NEAR or near > length + NEAR:
        return None
    left, right = max(s0, s1) > NEAR, min(s0, s1) < -NEAR
    if left and right:  # the segment crosses the step: only the crossing point counts
        at = t0 + (t1 - t0) * (0 - s0) / (s1 - s0)
        if not -NEAR <= at <= length + NEAR:
            return None
        near = far = at
    return near, far, left, right


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
