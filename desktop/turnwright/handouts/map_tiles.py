"""Maps on pages: tiles at one inch per square, the small map of the game master's sheets, and positions of labels.

Lengths are in millimetres, and positions of labels in squares from the map's upper left corner. A tile has at most ten
by seven squares, in portrait or landscape, whichever needs fewer tiles. Each tile prints a strip beyond its right and
lower edges, on which the next tile is laid. Tiles are numbered in reading order.
"""

import re
from collections.abc import Collection, Iterable
from heapq import nsmallest
from math import ceil, floor
from typing import Any, Final

import msgspec

from turnwright.battlemap.segments import column_name
from turnwright.encounter.floors import floors_of, map_of
from turnwright.encounter.prepared import Map, Point
from turnwright.handouts.environment_data import one_line
from turnwright.handouts.map_shapes import PrintedMap
from turnwright.handouts.page_input import PAPERS, PageInput, Picture

INCH: Final = 25.4
OVERLAP: Final = 5.0
LEFT, RIGHT, TOP, BOTTOM = 10.0, 10.0, 12.0, 8.0  # margins of a tile, with room for coordinates and its header
ASK_ABOVE: Final = 60  # if there are more tiles, they are printed only by name
MAX_TILES: Final = 200  # each takes up to 2.4 MB during layout
_RUN = re.compile(r"([0-9]{1,6})(?:\s*([:\u2013-])\s*([0-9]{1,6}))?")
_ROMAN: Final = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
    (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip
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
        return roman(down * self.columns + across + 1) if across < self.columns and down < len(self.down) - 1 else ""


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


MAX_WIDTH: Final = 103.0  # millimetres
MAX_HEIGHT: Final = 78.0
SQUARES: Final = (3.95, 3.3, 2.9)  # sizes of a square to try, in millimetres
SMALLEST: Final = 2.2


def map_thumbnail(source: PageInput) -> tuple[dict[str, Any] | None, tuple[Picture, ...]]:
    """Return an encounter's map with its key, and its images. The map is None if it would be too small to read."""
    field = source.encounter.get(Map, Map.table)
    if field is None or field.columns <= 0 or field.rows <= 0:
        return None, ()
    field = map_of(field, floors_of(field)[0])
    fit = min(MAX_WIDTH / field.columns, MAX_HEIGHT / field.rows)
    units = [unit for unit in SQUARES if unit <= fit] or ([fit] if fit >= SMALLEST else [])
    if not units:
        return None, ()
    ground = PrintedMap(field, source)
    obstacles = dict.fromkeys((each.mark, each.name, each.statistics) for each in ground.obstacles if each.name)
    data = {
        "columns": ground.columns,
        "rows": ground.rows,
        "units": [round(unit, 2) for unit in units],
        "letters": [(at, column_name(at)) for at in range(ground.columns) if at == 0 or at % 5 == 4],
        "numbers": [(at, str(at + 1)) for at in range(ground.rows) if at == 0 or at % 5 == 4],
        "part": ground.whole,
        "scale": source.text("handout.running-sheet.scale", n=field.cell),
        "things": [{"mark": mark, "name": one_line(name), "figures": figures} for mark, name, figures in obstacles],
        "regions": [{"mark": area.mark, "name": one_line(area.name), "secret": area.secret} for area in ground.areas],
    }
    return data, ground.pictures


Box = tuple[float, float, float, float]  # left, upper, right and lower edge
AROUND: Final = 4  # squares around the named area in which its label may be placed, with a line to it
TRIED: Final = 600  # maximum number of squares to try
CROWDED: Final = 3.0  # a crowded square counts as this many squares further away
GAP: Final = 0.35  # gap between the frame and a label outside it


class PlaceLabel(msgspec.Struct, frozen=True):
    """The middle of a label, and the square that its line leads to (None if the label is on the area itself)."""

    at: tuple[float, float]
    to: tuple[float, float] | None = None


class LabelPlaces:
    """Finds free positions for labels of one size on a map. `taken` are boxes to keep free."""

    def __init__(self, columns: int, rows: int, size: tuple[float, float], taken: Iterable[Box] = ()) -> None:
        self._frame: Box = (0.0, 0.0, float(columns), float(rows))
        self._size = size
        self._taken = [*taken]

    def place(self, squares: Collection[Point], crowded: Collection[Point] = ()) -> PlaceLabel:
        """Reserve and return a position for the label of some squares, avoiding `crowded` squares if possible."""
        middle = _middle(squares)
        place = next((at for at in _nearest(squares, middle, crowded) if self._is_free(at)), None)
        if place is not None:
            return self._take(PlaceLabel(place))
        target = _centre(min(squares, key=lambda at: _far(_centre(at), middle)))
        nearby = {
            (x, y)
            for column, row in (min(squares), max(squares), (int(target[0]), int(target[1])))
            for x in range(column - AROUND, column + AROUND + 1)
            for y in range(row - AROUND, row + AROUND + 1)
        }
        place = next((at for at in _nearest(nearby, target, crowded) if self._is_free(at)), None)
        return self._take(PlaceLabel(place or self._outside(target), target))

    def free_in(self, box: tuple[int, int, int, int]) -> tuple[float, float] | None:
        """Return the free position nearest to the middle of a box (edges in squares), or None."""
        left, top, right, bottom = box
        width, height = self._size
        middle = ((left + right) / 2, (top + bottom) / 2)
        steps = [
            (x, y)
            for x in _steps(left + width / 2, right - width / 2)
            for y in _steps(top + height / 2, bottom - height / 2)
        ]
        return next((at for at in sorted(steps, key=lambda at: _far(at, middle)) if self._is_free(at)), None)

    def _box(self, at: tuple[float, float]) -> Box:
        width, height = self._size
        return at[0] - width / 2, at[1] - height / 2, at[0] + width / 2, at[1] + height / 2

    def _is_free(self, at: tuple[float, float]) -> bool:
        left, top, right, bottom = box = self._box(at)
        inside = (
            left >= self._frame[0] and top >= self._frame[1] and right <= self._frame[2] and bottom <= self._frame[3]
        )
        return inside and not any(_overlap(box, taken) for taken in self._taken)

    def _take(self, label: PlaceLabel) -> PlaceLabel:
        self._taken.append(self._box(label.at))
        return label

    def _outside(self, target: tuple[float, float]) -> tuple[float, float]:
        """Return a position beyond the right or lower edge, whichever is nearer, clear of the labels already there."""
        _, _, right, bottom = self._frame
        width, height = self._size
        is_right = right - target[0] <= bottom - target[1]
        for step in range(400):
            way = (step + 1) // 2 * (1 if step % 2 else -1)
            if is_right:
                at = (right + width / 2 + GAP, min(max(height / 2, target[1]), bottom) + way * height * 1.1)
            else:
                at = (min(max(width / 2, target[0]), right) + way * width * 1.1, bottom + height / 2 + GAP)
            if at[0] > 0 and at[1] > 0 and not any(_overlap(self._box(at), taken) for taken in self._taken):
                break
        return at


def _nearest(
    squares: Collection[Point], middle: tuple[float, float], crowded: Collection[Point]
) -> list[tuple[float, float]]:
    """Return the centres of squares, nearest to `middle` first. Crowded squares count as further away."""
    nearest = nsmallest(TRIED, squares, key=lambda at: (_far(_centre(at), middle) + CROWDED * (at in crowded), at))
    return [_centre(at) for at in nearest]


def _steps(low: float, high: float) -> list[float]:
    """Return positions from `low` to `high` in steps of half a square."""
    return [low + number / 2 for number in range(int((high - low) * 2) + 1)] if high >= low else []


def _middle(squares: Collection[Point]) -> tuple[float, float]:
    count = len(squares)
    return sum(x for x, _ in squares) / count + 0.5, sum(y for _, y in squares) / count + 0.5


def _centre(at: Point) -> tuple[float, float]:
    return at[0] + 0.5, at[1] + 0.5


def _far(one: tuple[float, float], other: tuple[float, float]) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
