"""The arrays and records that kernels read and fill.

The annotations of a kernel are the signature for which it is compiled. `ARRAYS` lists the types of its arrays, which are
C-contiguous.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Flags: TypeAlias = NDArray[np.bool_]  # [row, column]
    Bytes: TypeAlias = NDArray[np.uint8]  # [row, column], read-only
    Feet: TypeAlias = NDArray[np.int16]  # [row, column], read-only
    Levels: TypeAlias = NDArray[np.int32]  # [row, column] elevations, read-only
    Scratch: TypeAlias = NDArray[np.int32]  # 2-D, writable
    Marks: TypeAlias = NDArray[np.uint8]  # 2-D, writable
    Picked: TypeAlias = NDArray[np.bool_]  # 2-D, writable
    Row: TypeAlias = NDArray[np.int32]  # 1-D, writable
    Boxes: TypeAlias = NDArray[np.int64]  # [number, column row side], read-only
    Heights: TypeAlias = NDArray[np.float64]  # 1-D, read-only
    Shares: TypeAlias = NDArray[np.float64]  # 1-D, writable
    Bits: TypeAlias = NDArray[np.uint8]  # 1-D, read-only
    Numbers: TypeAlias = NDArray[np.int32]  # 1-D, read-only


class Walls(NamedTuple):
    """Walls at any position, as segments.

    `table` is [number, x0 y0 x1 y1]; `stops` is what each segment stops, and `rings` its ring or 0. The segments of a
    square are `items[start[square]:start[square + 1]]`.
    """

    table: Levels
    stops: Bits
    rings: Numbers
    start: Numbers
    items: Numbers


class Barriers(NamedTuple):
    """Everything that stops lines: the tops of squares, closed edges, and the walls with a bit of `bits`.

    `crossed[columns + rows + 2, 3]` and `shares[columns + rows + 2]` are scratch for the squares that one line crosses.
    """

    top: Levels
    east: Flags
    south: Flags
    walls: Walls
    bits: int
    crossed: Scratch
    shares: Shares


class Shields(NamedTuple):
    """Everything that gives cover without stopping lines: declared grades with their tops, and creatures.

    `low` and `high` are the elevations that creatures fill in each square; if `low` isn't below `high`, there is no
    creature.
    """

    grade: Bytes
    grade_top: Levels
    low: Levels
    high: Levels


class Box(NamedTuple):
    """A footprint: its upper-left square, and its side in squares."""

    column: int
    row: int
    side: int


class GridLine(NamedTuple):
    """A line from one point to another, in half squares."""

    x0: int
    y0: int
    x1: int
    y1: int


class Rise(NamedTuple):
    """The elevations of a line's ends, in feet."""

    z0: float
    z1: float


class RayTrack(NamedTuple):
    """A line from p to q against walls, in units of `kernels.segments`, on a map of `columns` by `rows` squares.

    `crossed` and `squares` (their number) are the result of `rays.cross`; `squares` is 0 for a line along the grid.
    """

    walls: Walls
    bits: int
    crossed: Scratch
    squares: int
    columns: int
    rows: int
    px: int
    py: int
    qx: int
    qy: int


class Moves(NamedTuple):
    """The steps of a footprint of `side` squares on a window of the map that begins at `left, top`.

    `marks` comes from `paths.mark_steps`; `entry` has the feet to enter each square of the whole map. `alternating`: every
    second diagonal costs `cell` feet more. `odd`: an odd number of diagonals was taken before, so the next one does.
    `lenient`: a diagonal needs only one side of its corner open.
    """

    marks: Marks
    entry: Feet
    left: int
    top: int
    side: int
    cell: int
    alternating: bool
    odd: bool
    lenient: bool


class ArrayKind(NamedTuple):
    """The numpy type of an array's items, its number of dimensions, and whether kernels write to it."""

    dtype: str
    dimensions: int
    is_written: bool = False


ARRAYS: Final[Mapping[str, ArrayKind]] = {
    "Flags": ArrayKind("bool", 2),
    "Bytes": ArrayKind("uint8", 2),
    "Feet": ArrayKind("int16", 2),
    "Levels": ArrayKind("int32", 2),
    "Scratch": ArrayKind("int32", 2, is_written=True),
    "Marks": ArrayKind("uint8", 2, is_written=True),
    "Picked": ArrayKind("bool", 2, is_written=True),
    "Row": ArrayKind("int32", 1, is_written=True),
    "Boxes": ArrayKind("int64", 2),
    "Heights": ArrayKind("float64", 1),
    "Shares": ArrayKind("float64", 1, is_written=True),
    "Bits": ArrayKind("uint8", 1),
    "Numbers": ArrayKind("int32", 1),
}
_RECORDS = (Walls, Barriers, Shields, Box, GridLine, Rise, RayTrack, Moves)
RECORDS: Final[Mapping[str, type]] = {record.__name__: record for record in _RECORDS}
