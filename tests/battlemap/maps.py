"""Maps drawn as text for the tests, and random ones.

`#` wall, `%` pane, `:` curtain, `o` rail, `1` `2` `3` cover of that grade, `~` difficult, letters name squares.
"""

from __future__ import annotations

from hypothesis import strategies as st

from turnwright.battlemap.grid import Grid, TerrainLayers, build
from turnwright.battlemap.segments import FreeBarrier
from turnwright.battlemap.spaces import Space

KINDS = {"#": "wall", "%": "pane", ":": "curtain", "o": "rail"}


def draw(text: str, edges=None, height: int = 0, ground=None) -> tuple[Grid, dict[str, tuple[int, int]]]:
    """Return the map of a drawing and its named squares. `height` is that of every obstacle in it, in feet."""
    lines = [line.strip() for line in text.strip().splitlines()]
    signs = {(column, row): sign for row, line in enumerate(lines) for column, sign in enumerate(line)}
    obstacles = {square: KINDS[sign] for square, sign in signs.items() if sign in KINDS}
    cover = {square: int(sign) for square, sign in signs.items() if sign.isdigit()}
    grid = build(
        len(lines[0]),
        len(lines),
        TerrainLayers(
            obstacles=obstacles,
            edges=edges or {},
            cover=cover,
            difficult=[square for square, sign in signs.items() if sign == "~"],
            height=dict.fromkeys([*obstacles, *cover], height),
            ground=ground or {},
        ),
    )
    return grid, {sign: square for square, sign in signs.items() if sign.isalpha() and sign != "o"}


def medium(square: tuple[int, int], **figures) -> Space:
    return Space(*square, **figures)


@st.composite
def grids(draw_one, size: int = 7, heights: bool = False, covers: bool = False, barriers: bool = False) -> Grid:
    """Draw a map of at most `size` squares a side with walls, panes, curtains and edges strewn over it.

    `barriers` are off the grid: some end in its corners or middles, most anywhere.
    """
    columns, rows = draw_one(st.integers(2, size)), draw_one(st.integers(2, size))
    squares = st.tuples(st.integers(0, columns - 1), st.integers(0, rows - 1))
    kinds = st.sampled_from(["wall", "wall", "pane", "curtain", "rail"])
    sides = st.tuples(squares, st.sampled_from(["east", "south"])).map(lambda both: (*both[0], both[1]))
    feet = st.sampled_from([0, 2, 5, 10])
    return build(
        columns,
        rows,
        TerrainLayers(
            obstacles=draw_one(st.dictionaries(squares, kinds, max_size=10)),
            edges=draw_one(st.dictionaries(sides, kinds, max_size=10)),
            height=draw_one(st.dictionaries(squares, feet, max_size=6)) if heights else {},
            ground=draw_one(st.dictionaries(squares, feet, max_size=4)) if heights else {},
            cover=draw_one(st.dictionaries(squares, st.integers(1, 3), max_size=6)) if covers else {},
            barriers=draw_one(st.lists(polylines(columns, rows), max_size=6)) if barriers else (),
        ),
    )


def polylines(columns: int, rows: int):
    """Barriers and doors off the grid; every other point lies in a corner or a middle of the grid."""
    units = st.sampled_from([1, 2, 2, 64, 512])
    across = units.flatmap(lambda unit: st.integers(0, columns * unit).map(lambda x: x / unit))
    down = units.flatmap(lambda unit: st.integers(0, rows * unit).map(lambda y: y / unit))
    return st.builds(
        FreeBarrier,
        st.sampled_from(["wall", "wall", "pane", "curtain", "rail", "object"]),
        st.lists(st.tuples(across, down), min_size=2, max_size=4).map(tuple),
        st.booleans(),
        st.just(False),
    )
