"""The map: terrain, obstacles, edges and light by square. It is read-only once built.

Barriers to movement, sight and effects are separate, both for squares and for the edges between them. For example,
a pane lets sight through, and a curtain stops only sight.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from turnwright.battlemap.segments import BITS, Edge, FreeBarrier, FreeWalls, Side, free_walls

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from turnwright.battlemap.arrays import Bytes, Feet, Flags, Levels, Walls
    from turnwright.battlemap.spaces import Square

BarrierKind: TypeAlias = Literal["wall", "pane", "curtain", "rail"]

# What each kind of obstacle blocks. Like a chasm, a rail blocks walking but doesn't block sight or reach. An object is
# an outline: it stops lines that pass through it, not lines that end in it.
STOPS: Final[Mapping[str, tuple[str, ...]]] = {
    "wall": ("move", "sight", "effect"), "pane": ("move", "effect"), "curtain": ("sight",), "rail": ("move",),
    "object": ("sight", "effect"),
}  # fmt: skip
UNLIMITED: Final = 1_000_000  # feet; the top of an obstacle of unlimited height


@dataclass(frozen=True, eq=False, slots=True)
class Barrier:
    """A barrier to movement, sight or effects. All arrays are `[row, column]` of the whole map.

    `squares` are blocked squares; `east` and `south` are the edges to the right of and below each square, of any
    height. `top` is the elevation in feet below which the square blocks a line: the obstacle's top, or the ground.
    `walls` are the map's segments off the grid; only those that stop one of `bits` count. For movement, `east` and
    `south` include the steps that these segments close.
    """

    squares: Flags
    east: Flags
    south: Flags
    top: Levels
    walls: Walls
    bits: int


@dataclass(frozen=True, eq=False, slots=True)
class Window:
    """A rectangular part of the map; `left, top` is its upper-left square."""

    left: int
    top: int
    columns: int
    rows: int

    def of(self, array: NDArray[Any]) -> NDArray[Any]:
        """Return a view of this rectangle of a whole map's array."""
        return array[self.top : self.top + self.rows, self.left : self.left + self.columns]


@dataclass(frozen=True, eq=False, slots=True)
class Grid:
    """A map of `columns` × `rows` squares, each `cell` feet wide. All arrays are `[row, column]` and read-only.

    `blocked`: squares filled by a wall. `cost`: extra feet for each foot into the square, on top of the terrain
    flags. `light`: 0 clear, 1 lightly, 2 heavily obscured. `ground`: feet. `climb`: squares that must be climbed.
    `cover`: the cover that the square's obstacle gives: 0 none, 1 half, 2 three-quarters, 3 total. `height`: how
    many feet the obstacle or wall in the square rises above the ground, 0 for unlimited. `free` are barriers and
    doors off the grid; `diagonals` are the steps past each square's lower right corner that they close.
    """

    columns: int
    rows: int
    cell: int
    blocked: Flags
    difficult: Flags
    water: Flags
    climb: Flags
    cost: Bytes
    light: Bytes
    cover: Bytes
    ground: Feet
    height: Feet
    cover_top: Levels  # feet; lines below it cross the obstacle that gives cover
    move: Barrier
    sight: Barrier
    effect: Barrier
    free: FreeWalls

    def __contains__(self, square: Square) -> bool:
        return 0 <= square[0] < self.columns and 0 <= square[1] < self.rows

    def window(self, center: Square, radius: int) -> Window:
        """Return the squares within `radius` squares of `center` in each direction, clipped to the map."""
        left, top = max(0, center[0] - radius), max(0, center[1] - radius)
        right, bottom = min(self.columns, center[0] + radius + 1), min(self.rows, center[1] + radius + 1)
        return Window(left, top, max(0, right - left), max(0, bottom - top))


class TerrainLayers(NamedTuple):
    """The layers of a map as plain data: kinds, numbers in feet and grades, for all squares that have any."""

    obstacles: Mapping[Square, BarrierKind] = {}
    edges: Mapping[Edge, BarrierKind] = {}
    difficult: Iterable[Square] = ()
    water: Iterable[Square] = ()
    climb: Iterable[Square] = ()
    cost: Mapping[Square, int] = {}
    light: Mapping[Square, int] = {}
    cover: Mapping[Square, int] = {}
    ground: Mapping[Square, int] = {}
    height: Mapping[Square, int] = {}
    barriers: Sequence[FreeBarrier] = ()


EMPTY: Final = TerrainLayers()


def build(columns: int, rows: int, terrain: TerrainLayers = EMPTY, *, cell: int = 5) -> Grid:
    """Build a map from plain data.

    Raise ValueError if a square is outside the map, a kind is unknown or a number is out of range.
    """
    if columns < 1 or rows < 1 or cell < 1:
        raise ValueError(f"columns, rows and a square's side must be above 0; got {columns}, {rows}, {cell}")
    sheet = _Sheet(columns, rows, free_walls(columns, rows, (), STOPS, {}))
    floor = sheet.numbers("ground", terrain.ground, -32_000, 32_000, "int16")
    rise = sheet.numbers("height", terrain.height, 0, 32_000, "int16")
    grades = sheet.numbers("cover", terrain.cover, 0, 3, "uint8")
    above = sheet.tops(floor, rise)
    bare = Grid(
        columns=columns,
        rows=rows,
        cell=cell,
        blocked=sheet.flags("obstacles", (square for square, kind in terrain.obstacles.items() if kind == "wall")),
        difficult=sheet.flags("difficult", terrain.difficult),
        water=sheet.flags("water", terrain.water),
        climb=sheet.flags("climb", terrain.climb),
        cost=sheet.numbers("cost", terrain.cost, 0, 255, "uint8"),
        light=sheet.numbers("light", terrain.light, 0, 2, "uint8"),
        cover=grades,
        ground=floor,
        height=rise,
        cover_top=above,
        move=sheet.barrier("move", terrain.obstacles, terrain.edges, floor, above),
        sight=sheet.barrier("sight", terrain.obstacles, terrain.edges, floor, above),
        effect=sheet.barrier("effect", terrain.obstacles, terrain.edges, floor, above),
        free=sheet.free,
    )
    return with_barriers(bare, terrain.barriers) if terrain.barriers else bare


def with_barriers(bare: Grid, barriers: Sequence[FreeBarrier]) -> Grid:
    """Return a map that has no barriers off the grid with some added."""
    parts = bare.move, bare.sight, bare.effect
    east, south = ([getattr(part, side).astype("uint8") * part.bits for part in parts] for side in ("east", "south"))
    edges: dict[Side, Bytes] = {"east": east[0] | east[1] | east[2], "south": south[0] | south[1] | south[2]}
    free = free_walls(bare.columns, bare.rows, barriers, STOPS, edges)
    move, sight, effect = (_parted(replace(part, walls=free.table), free.parted) for part in parts)
    move = replace(move, east=_sealed(move.east | free.east), south=_sealed(move.south | free.south))
    return replace(bare, move=move, sight=sight, effect=effect, free=free)


def _parted(barrier: Barrier, edges: Collection[Edge]) -> Barrier:
    """Return a barrier without the edges onto which doors were put."""
    if not edges:
        return barrier
    sides = {"east": barrier.east.copy(), "south": barrier.south.copy()}
    for column, row, side in edges:
        sides[side][row, column] = False
    return replace(barrier, east=_sealed(sides["east"]), south=_sealed(sides["south"]))


@dataclass(frozen=True, slots=True)
class _Sheet:
    """Builds arrays of one size from plain data, checking each square and number."""

    columns: int
    rows: int
    free: FreeWalls

    def flags(self, name: str, squares: Iterable[Square]) -> Flags:
        """Return an array that is true at `squares`."""
        import numpy as np

        array = np.zeros((self.rows, self.columns), dtype=np.bool_)
        for square in squares:
            array[self._place(name, square)] = True
        return _sealed(array)

    def numbers(self, name: str, values: Mapping[Square, int], low: int, high: int, kind: str) -> NDArray[Any]:
        """Return an array of `values`, with 0 in all other squares."""
        import numpy as np

        array = np.zeros((self.rows, self.columns), dtype=kind)
        for square, value in values.items():
            if not low <= value <= high:
                raise ValueError(f"{name} of square {square} must be from {low} to {high}; got {value}")
            array[self._place(name, square)] = value
        return _sealed(array)

    def barrier(
        self,
        what: str,
        obstacles: Mapping[Square, BarrierKind],
        edges: Mapping[Edge, BarrierKind],
        floor: Feet,
        above: Levels,
    ) -> Barrier:
        """Return the barrier that obstacles and edges form to movement, sight or effects (`what`)."""
        import numpy as np

        squares = self.flags("obstacles", (at for at, kind in obstacles.items() if what in _stops(kind)))
        sides = {
            side: self.flags(
                "edges", ((at[0], at[1]) for at, kind in edges.items() if at[2] == side and what in _stops(kind))
            )
            for side in ("east", "south")
        }
        if any(edge[2] not in sides for edge in edges):
            raise ValueError("the side of an edge must be east or south")
        top = _sealed(np.where(squares, above, floor).astype(np.int32))
        return Barrier(squares, sides["east"], sides["south"], top, self.free.table, BITS[what])

    def tops(self, floor: Feet, rise: Feet) -> Levels:
        """Return the elevations of the tops of obstacles, given their heights."""
        import numpy as np

        return _sealed(np.where(rise == 0, np.int32(UNLIMITED), floor.astype(np.int32) + rise))

    def _place(self, name: str, square: Square) -> tuple[int, int]:
        column, row = square
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            raise ValueError(f"{name}: square {square} is outside {self.columns} × {self.rows}")
        return row, column


def _stops(kind: str) -> tuple[str, ...]:
    """Return which of movement, sight and effects an obstacle type blocks. Raise ValueError if the type is unknown."""
    if kind not in STOPS:
        raise ValueError(f"unknown kind of obstacle: {kind}")
    return STOPS[kind]


def _sealed(array: NDArray[Any]) -> NDArray[Any]:
    """Make an array read-only and return it."""
    array.setflags(write=False)
    return array
