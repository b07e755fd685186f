"""The map on paper: one inch to the square over as many sheets as that takes, or all of it on one.

Lengths are millimetres. Tiles hold whole squares, as evenly as may be; each prints a strip beyond its right and lower
edge, on which the next one is laid.
"""

from __future__ import annotations

import re
from math import ceil, floor
from typing import Any, Final

import msgspec

from turnwright.battlemap.square_sets import column_name, square_name
from turnwright.encounter.prepared import Map, Point
from turnwright.encounter.state import Lookup
from turnwright.handouts.map_shapes import FENCES, PrintedMap
from turnwright.handouts.page_input import PageContent, PageInput, PageKind
from turnwright.handouts.print_document import PAPERS, Section

INCH: Final = 25.4
OVERLAP: Final = 10.0
LEFT, RIGHT, TOP, BOTTOM = 12.0, 10.0, 22.0, 10.0  # margins of a tile, with room for coordinates and its head
EDGE, RIM, HEAD = 14.0, 5.0, 17.0  # of a page with the whole map: margin, coordinates, title
KEY_HEAD, KEY_ROW, KEY_SHARE = 9.0, 6.0, 0.4  # of its key: a heading, a line, and how much of the page it may take
MIN_UNIT: Final = 0.1
MAX_TILES: Final = 200  # each takes up to 2.4 MB while it is laid out
_TILES = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,3})(?:\s*[:\u2013-]\s*([A-Z]{1,3})([1-9][0-9]{0,3}))?")
_Part = tuple[int, int, int, int]  # the first and the last column and row of tiles
_NO_TILES: Final[_Part] = (0, 0, -1, -1)
SPARSE_BELOW: Final = 4.5  # coordinates of every fifth square only


class _Cut(msgspec.Struct, frozen=True):
    """The division of a map into tiles: the paper's size, and the first squares of each column and row of tiles."""

    width: float
    height: float
    across: tuple[int, ...]
    down: tuple[int, ...]

    @property
    def tiles(self) -> int:
        """The number of tiles."""
        return (len(self.across) - 1) * (len(self.down) - 1)


class _Page(msgspec.Struct, frozen=True):
    """A page with the whole map: the paper's size, and the width of a square on it."""

    width: float
    height: float
    unit: float


def make(source: PageInput) -> PageContent:
    """Return the sheets of the prepared map; nothing where the encounter has none."""
    field = _field(source.encounter)
    if field is None:
        return PageContent()
    ground = PrintedMap(field, source)
    page = _one_page(ground, source)
    pages, problem = [_whole(ground, page, source)], ""
    left_out = (
        source.text("handout.map-sheets.too-many-areas", n=ground.too_many_areas) if ground.too_many_areas else ""
    )
    if source.options.map == "tiled" and page.unit < INCH:
        cut = _cut(field, source)
        part, problem = _part(cut, source)
        pages = [_key(ground, cut, source), *_tiles(ground, cut, part, source)]
    return PageContent(
        (Section("map-sheets", {"pages": pages}),),
        ground.pictures,
        problems=tuple(one for one in (problem, left_out) if one),
    )


def _field(encounter: Lookup) -> Map | None:
    found = encounter.get(Map, Map.table)
    return found if found is not None and found.columns > 0 and found.rows > 0 else None


def _lying(source: PageInput) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the paper upright and on its side."""
    width, height = PAPERS[source.options.paper]
    return (width, height), (height, width)


def _one_page(ground: PrintedMap, source: PageInput) -> _Page:
    """Return the page on which the whole map is largest, an inch to the square at most."""
    found = []
    for width, height in _lying(source):
        across = (width - 2 * EDGE - 2 * RIM) / ground.columns
        foot = min(_foot(ground), height * KEY_SHARE)
        down = (height - 2 * EDGE - RIM - HEAD - foot) / ground.rows
        unit = min(INCH, across, down)
        found.append(_Page(width, height, unit if unit == INCH else max(MIN_UNIT, floor(unit * 20) / 20)))
    return max(found, key=lambda one: one.unit)


def _foot(ground: PrintedMap) -> float:
    """Return the approximate height of the key below a map."""
    lists = (
        (len(_signs(ground)), 4),
        (len({one.mark for one in ground.obstacles}), 3),
        (len(ground.areas), 3),
        (sum(1 for one in ground.tokens if one.ring), 3),
    )
    return KEY_HEAD + sum(KEY_HEAD + KEY_ROW * ceil(count / columns) for count, columns in lists if count)


def _cut(field: Map, source: PageInput) -> _Cut:
    """Return the division with the fewest tiles."""
    ways = []
    for width, height in _lying(source):
        across = floor((width - LEFT - RIGHT - OVERLAP) / INCH)
        down = floor((height - TOP - BOTTOM - OVERLAP) / INCH)
        ways.append(_Cut(width, height, _evenly(field.columns, across), _evenly(field.rows, down)))
    return min(ways, key=lambda one: one.tiles)


def _part(cut: _Cut, source: PageInput) -> tuple[_Part, str]:
    """Return the tiles that were asked for, and why there are none."""
    right, down = len(cut.across) - 2, len(cut.down) - 2
    last = square_name((right, down))
    part, asked = (0, 0, right, down), source.options.map_part.strip()
    if asked:
        match = _TILES.fullmatch(asked.upper())
        if match is None:
            return _NO_TILES, source.text("handout.map-sheets.no-part", part=asked, last=last)
        one, other = _tile(match[1], match[2]), _tile(match[3] or match[1], match[4] or match[2])
        (left, far), (top, low) = sorted((one[0], other[0])), sorted((one[1], other[1]))
        part = (left, top, min(far, right), min(low, down))
    tiles = max(0, part[2] - part[0] + 1) * max(0, part[3] - part[1] + 1)
    if not tiles:
        return _NO_TILES, source.text("handout.map-sheets.no-part", part=asked, last=last)
    if tiles > MAX_TILES:
        return _NO_TILES, source.text("handout.map-sheets.too-many", n=tiles, most=MAX_TILES, last=last)
    return part, ""


def _tile(letters: str, number: str) -> Point:
    """Return the place of a tile by the letters of its column and its number."""
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("A") + 1
    return column - 1, int(number) - 1


def _evenly(squares: int, most: int) -> tuple[int, ...]:
    """Return the starts of parts of at most `most` squares, and the end of the last."""
    parts = ceil(squares / most)
    return tuple(ceil(squares * part / parts) for part in range(parts + 1))


def _tiles(ground: PrintedMap, cut: _Cut, part: _Part, source: PageInput) -> list[dict[str, Any]]:
    made = []
    last_across, last_down = len(cut.across) - 2, len(cut.down) - 2
    strip = OVERLAP / INCH
    for down in range(part[1], part[3] + 1):
        for across in range(part[0], part[2] + 1):
            left, right = cut.across[across], cut.across[across + 1]
            top, bottom = cut.down[down], cut.down[down + 1]
            beyond = (strip if across < last_across else 0.0, strip if down < last_down else 0.0)
            room = cut.width - (right - left + beyond[0]) * INCH
            made.append({
                "sort": "tile",
                "label": square_name((across, down)),
                "width": cut.width,
                "height": cut.height,
                "x": max(LEFT, room / 2),
                "y": TOP,
                "unit": INCH,
                "columns": right - left,
                "rows": bottom - top,
                "beyond": beyond,
                "before": [across > 0, down > 0],
                "next": [
                    square_name((across + 1, down)) if beyond[0] else "",
                    square_name((across, down + 1)) if beyond[1] else "",
                ],
                "place": [across, down],
                "across": last_across + 1,
                "down": last_down + 1,
                "letters": [column_name(column) for column in range(left, right)],
                "numbers": [str(row + 1) for row in range(top, bottom)],
                "scale": _scale_of(ground, source),
                "part": ground.section(left, top, right - left + bool(beyond[0]), bottom - top + bool(beyond[1])),
            })  # fmt: skip
    return made


def _key(ground: PrintedMap, cut: _Cut, source: PageInput) -> dict[str, Any]:
    """Return the page that explains how the tiles join, and the signs."""
    width, height = PAPERS[source.options.paper]
    unit = min((width - 2 * EDGE - 2 * RIM) / ground.columns, (height * 0.42) / ground.rows, 12.0)
    return _drawn(ground, _Page(width, height, unit), source) | {
        "sort": "key",
        "across": [*cut.across],
        "down": [*cut.down],
        "labels": [
            [square_name((across, down)) for across in range(len(cut.across) - 1)] for down in range(len(cut.down) - 1)
        ],
        "scale": _scale_of(ground, source),
        "count": source.text("handout.map-sheets.count", n=cut.tiles),
        "joining": [
            source.text(f"handout.map-sheets.{key}", length=f"{OVERLAP:g}\N{NO-BREAK SPACE}mm")
            for key in ("print-exactly", *(("cut", "lay-over") if cut.tiles > 1 else ()))
        ],
    }  # fmt: skip


def _whole(ground: PrintedMap, page: _Page, source: PageInput) -> dict[str, Any]:
    scale = _scale_of(ground, source)
    if page.unit < INCH:
        scale = source.text("handout.map-sheets.scale-of-page", n=ground.field.cell, paper=f"{page.unit:.4g} mm")
    return _drawn(ground, page, source) | {"sort": "whole", "scale": scale}


def _drawn(ground: PrintedMap, page: _Page, source: PageInput) -> dict[str, Any]:
    every = 1 if page.unit >= SPARSE_BELOW else 5 if page.unit >= SPARSE_BELOW / 5 else 25
    return {
        "width": page.width,
        "height": page.height,
        "unit": page.unit,
        "columns": ground.columns,
        "rows": ground.rows,
        "letters": [_every(column_name(column), column, every) for column in range(ground.columns)],
        "numbers": [_every(str(row + 1), row, every) for row in range(ground.rows)],
        "part": ground.whole,
        "signs": _signs(ground),
        "things": _listed((one.mark, one.name, one.statistics) for one in ground.obstacles),
        "ringed": [{"mark": one.short, "name": one.name, "ring": one.ring} for one in ground.tokens if one.ring],
        "regions": [{"mark": one.mark, "name": one.name, "secret": one.secret} for one in ground.areas],
        "unit_words": source.text("handout.map-sheets.heights-in", cell=ground.field.cell),
    }


def _listed(things: Any) -> list[dict[str, str]]:
    return [{"mark": mark, "name": name, "figures": figures} for mark, name, figures in dict.fromkeys(things)]


def _every(name: str, place: int, every: int) -> str:
    return name if every == 1 or (place + 1) % every == 0 else ""


def _signs(ground: PrintedMap) -> list[str]:
    """Return the signs used on a map, in the order of a key."""
    part = ground.whole
    found = [name for name, boxes in part["ground"].items() if boxes]
    found += [name for name, boxes in part["light"].items() if boxes]
    found += ["heights"] if part["heights"] else []
    found += [name for name in FENCES if part[name]]
    found += ["obstacle"] if part["obstacles"] else []
    looks = {one.side_style for one in ground.tokens}
    found += [name for look, name in enumerate(("party", "foes", "others")) if look in looks]
    return [*found, *(["unseen"] if any(one.is_hidden for one in ground.tokens) else [])]


def _scale_of(ground: PrintedMap, source: PageInput) -> str:
    return source.text("handout.map-sheets.scale", n=ground.field.cell)


KIND: Final = PageKind("map-sheets", make, for_players=True, form="bare")
