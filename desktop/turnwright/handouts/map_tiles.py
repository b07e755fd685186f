"""Map tiles at one inch per square: how the map is divided, which tiles are requested, and each tile as plain data.

Lengths are in millimetres. A tile has at most ten by seven squares, in portrait or landscape, whichever needs
fewer tiles. Each tile prints a strip beyond its right and lower edges, on which the next tile is laid. Tiles are
numbered in reading order.
"""

from __future__ import annotations

import re
from math import ceil, floor
from typing import Any, Final

import msgspec

from turnwright.battlemap.square_sets import column_name
from turnwright.handouts.map_shapes import PrintedMap
from turnwright.handouts.page_input import PageInput
from turnwright.handouts.print_document import PAPERS

INCH: Final = 25.4
OVERLAP: Final = 5.0
LEFT, RIGHT, TOP, BOTTOM = 10.0, 10.0, 12.0, 8.0  # margins of a tile, with room for coordinates and its header
ASK_ABOVE: Final = 60  # if there are more tiles, they are printed only by name
MAX_TILES: Final = 200  # each takes up to 2.4 MB during layout
_RUN = re.compile(r"([0-9]{1,6})(?:\s*([:\u2013-])\s*([0-9]{1,6}))?")
_ROMAN: Final = (
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
)
MAX_ROMAN: Final = 3999


class TileCut(msgspec.Struct, frozen=True):
    """A map's division into tiles: the paper size, and the first square of each column and row of tiles."""

    width: float
    height: float
    across: tuple[int, ...]
    down: tuple[int, ...]

    @property
    def columns(self) -> int:
        """The number of tile columns."""
        return len(self.across) - 1

    @property
    def tiles(self) -> int:
        """The number of tiles."""
        return self.columns * (len(self.down) - 1)

    def name(self, across: int, down: int) -> str:
        """Return the name of a tile, or an empty string beyond the last tile."""
        inside = across < self.columns and down < len(self.down) - 1
        return roman(down * self.columns + across + 1) if inside else ""


def roman(number: int) -> str:
    """Return a Roman numeral, to distinguish tile numbers from square numbers. Numbers above 3999 stay Arabic."""
    if number > MAX_ROMAN:
        return str(number)
    numeral = ""
    for worth, letters in _ROMAN:
        numeral += letters * (number // worth)
        number %= worth
    return numeral


def papers(source: PageInput) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the paper size in portrait and in landscape."""
    width, height = PAPERS[source.options.paper]
    return (width, height), (height, width)


def cut_of(columns: int, rows: int, source: PageInput) -> TileCut:
    """Divide a map into the fewest possible tiles."""
    ways = []
    for width, height in papers(source):
        across = floor((width - LEFT - RIGHT - OVERLAP) / INCH)
        down = floor((height - TOP - BOTTOM - OVERLAP) / INCH)
        ways.append(TileCut(width, height, _evenly(columns, across), _evenly(rows, down)))
    return min(ways, key=lambda cut: cut.tiles)


def chosen_tiles(cut: TileCut, source: PageInput) -> tuple[tuple[int, ...], str]:
    """Return the requested tiles, numbered from 0, or the reason why there are none."""
    requested, last = source.options.map_part.strip(), cut.tiles
    if not requested:
        if last > ASK_ABOVE:
            key = "ask" if last <= MAX_TILES else "too-many"
            return (), source.text(f"handout.map-sheets.{key}", n=last, most=MAX_TILES)
        return tuple(range(last)), ""
    tiles: set[int] = set()
    for part in requested.split(","):
        match = _RUN.fullmatch(part.strip())
        part_tiles = _named(cut, int(match[1]), match[2] or "", int(match[3] or match[1])) if match else range(0)
        if not part_tiles:
            return (), source.text("handout.map-sheets.no-part", part=requested, n=last)
        tiles.update(part_tiles)
    if len(tiles) > MAX_TILES:
        return (), source.text("handout.map-sheets.too-many", n=len(tiles), most=MAX_TILES)
    return tuple(sorted(tiles)), ""


def _named(cut: TileCut, first: int, sign: str, second: int) -> list[int]:
    """Return the tiles of a range or of the rectangle between two corners; none if the first doesn't exist."""
    low, high = sorted((first, second))
    if not 1 <= low <= cut.tiles:
        return []
    low, high = low - 1, min(high, cut.tiles) - 1
    if sign != ":":
        return [*range(low, high + 1)]
    left, right = sorted((low % cut.columns, high % cut.columns))
    rows = range(low // cut.columns, high // cut.columns + 1)
    return [row * cut.columns + column for row in rows for column in range(left, right + 1)]


def _evenly(squares: int, most: int) -> tuple[int, ...]:
    """Divide squares into equal parts of at most `most`; return where each part starts, and the end of the last."""
    parts = ceil(squares / most)
    return tuple(ceil(squares * part / parts) for part in range(parts + 1))


def tile_pages(ground: PrintedMap, cut: TileCut, numbers: tuple[int, ...], scale: str) -> list[dict[str, Any]]:
    """Return the pages of some tiles."""
    pages = []
    last_across, last_down = cut.columns - 1, len(cut.down) - 2
    strip = OVERLAP / INCH
    for number in numbers:
        down, across = divmod(number, cut.columns)
        left, right = cut.across[across], cut.across[across + 1]
        top, bottom = cut.down[down], cut.down[down + 1]
        beyond = (strip if across < last_across else 0.0, strip if down < last_down else 0.0)
        room = cut.width - (right - left + beyond[0]) * INCH
        pages.append({
            "sort": "tile",
            "label": cut.name(across, down),
            "number": number + 1,
            "of": cut.tiles,
            "width": cut.width,
            "height": cut.height,
            "x": max(LEFT, room / 2),
            "y": TOP,
            "unit": INCH,
            "columns": right - left,
            "rows": bottom - top,
            "beyond": beyond,
            "before": [across > 0, down > 0],
            "next": [cut.name(across + 1, down), cut.name(across, down + 1)],
            "place": [across, down],
            "across": last_across + 1,
            "down": last_down + 1,
            "letters": [column_name(column) for column in range(left, right)],
            "numbers": [str(row + 1) for row in range(top, bottom)],
            "scale": scale,
            "part": ground.section(
                left,
                top,
                right - left + bool(beyond[0]),
                bottom - top + bool(beyond[1]),
                strip=(int(bool(beyond[0])), int(bool(beyond[1]))),
            ),
        })  # fmt: skip
    return pages
