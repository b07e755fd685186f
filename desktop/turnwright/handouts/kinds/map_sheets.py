"""The map on paper: on several sheets with one-inch squares, or as a whole on one sheet.

Lengths are in millimetres.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from math import ceil, floor
from typing import Any, Final

import msgspec

from turnwright.battlemap.segments import column_name
from turnwright.encounter.floors import on_floor
from turnwright.encounter.prepared import Map
from turnwright.encounter.state import Lookup
from turnwright.handouts import map_tiles
from turnwright.handouts.map_shapes import FENCES, MapParts, PrintedArea, PrintedMap
from turnwright.handouts.page_input import PAPERS, PageContent, PageForm, PageInput, PageKind, Section

EDGE, RIM = 14.0, 5.0  # page with the joining instructions: margin, coordinates
SIDE, OVER, UNDER, TITLE = 13.0, 15.0, 13.0, 11.0  # page with the whole map: margins, and the title above the map
KEY_WIDTH, KEY_GAP = 54.0, 6.0  # key next to the map
KEY_START, KEY_HEAD, KEY_ROW, KEY_SHARE = (
    4.0,
    6.8,
    6.3,
    0.45,
)  # key: space above it, heading, line, maximum share of the page
KEY_TITLE, KEY_LEAST, KEY_LETTER = (
    22.0,
    35.0,
    1.6,
)  # key next to the map: name and scale; narrowest column, width of a letter
KEY_COLUMNS: Final = 3  # key below the map with stacked lists
MIN_UNIT: Final = 0.1
LOOKS: Final = ("party", "enemies", "others")  # signs of tokens on the map
LABEL_WIDTH, LABEL_HEIGHT = 9.0, 5.5  # a tile's name on the page with the joining instructions
MARK: Final = 5.0  # the circle with a place's letter
MANY_PLACES: Final = 60  # if there are more, letters are placed in corners, without a search for a free square
SPARSE_BELOW: Final = 4.5  # millimetres per square; below that, only every fifth coordinate is printed


class _Page(msgspec.Struct, frozen=True):
    """A page with the whole map: the paper's size, the width of a square, and the position of the key.

    The key is next to the map or below it. Below the map, its lists are side by side or stacked.
    """

    width: float
    height: float
    unit: float
    is_beside: bool = False
    is_abreast: bool = False


def make(source: PageInput) -> PageContent:
    """Return the sheets of the prepared map, or no pages if the encounter has none."""
    field = _field(source.encounter)
    if field is None:
        return PageContent()
    if len(field.floors) > 1:
        floors = (make(replace(source, encounter=on_floor(source.encounter, floor))) for floor in field.floors)
        return PageContent(
            *map(tuple, map(chain.from_iterable, zip(*map(msgspec.structs.astuple, floors), strict=True)))
        )
    options = source.options
    parts = MapParts(options.map_tokens, options.map_grid, options.map_keys, options.map_ground)
    ground = PrintedMap(field, source, parts)
    page = _one_page(ground, source)
    form: PageForm = "page"
    left_out = (
        source.text("handout.map-sheets.too-many-areas", n=ground.too_many_areas) if ground.too_many_areas else ""
    )
    if options.map == "tiled" and page.unit < map_tiles.INCH:
        cut = map_tiles.cut_of(field.columns, field.rows, source)
        numbers, problem = map_tiles.chosen_tiles(cut, source)
        pages = [_key(ground, cut, source), *map_tiles.tile_pages(ground, cut, numbers, scale_of(field, source))]
        form = "cut-one-side"
    else:
        pages, problem = [_whole(ground, page, source)], ""
    return PageContent(
        (Section("map-sheets", {"pages": pages}, form=form),),
        ground.pictures,
        problems=tuple(text for text in (problem, left_out) if text),
    )


def _field(encounter: Lookup) -> Map | None:
    prepared = encounter.get(Map, Map.table)
    return prepared if prepared is not None and prepared.columns > 0 and prepared.rows > 0 else None


def _one_page(ground: PrintedMap, source: PageInput) -> _Page:
    """Return the page layout with the largest map, at most one inch per square."""
    pages = []
    lists = _key_lists(ground)
    beside = KEY_TITLE + KEY_HEAD * len(lists) + KEY_ROW * sum(_key_rows(words, 1, KEY_WIDTH) for words in lists)
    for width, height in map_tiles.papers(source):
        room, line = height - OVER - UNDER, width - 2 * SIDE
        below = sum(KEY_HEAD + KEY_ROW * _key_rows(words, KEY_COLUMNS, line / KEY_COLUMNS) for words in lists)
        ways = [(below, False)]
        if lists and line / len(lists) >= KEY_LEAST:
            ways.append((KEY_HEAD + KEY_ROW * max(_key_rows(words, 1, line / len(lists)) for words in lists), True))
        high, is_abreast = min(ways)
        down = room - RIM - TITLE - min(KEY_START + high, height * KEY_SHARE)
        pages.append(_Page(width, height, _unit(ground, line - 2 * RIM, down), is_abreast=is_abreast))
        if beside <= room:
            across = line - RIM - KEY_GAP - KEY_WIDTH
            pages.append(_Page(width, height, _unit(ground, across, room - RIM - 1.0), is_beside=True))
    return max(pages, key=lambda page: page.unit)


def _unit(ground: PrintedMap, across: float, down: float) -> float:
    """Return the width of a square if the map fills the available room, at most one inch."""
    unit = min(map_tiles.INCH, across / ground.columns, down / ground.rows)
    return unit if unit == map_tiles.INCH else max(MIN_UNIT, floor(unit * 20) / 20)


def _key_lists(ground: PrintedMap) -> list[list[str]]:
    """Return the entries of a map's key, with one list per heading."""
    company = ground.company()
    lists = [
        [name for name in _signs(ground) if not company or name not in LOOKS],
        [
            f"{obstacle.name}  {obstacle.statistics}"
            for mark, obstacle in {obstacle.mark: obstacle for obstacle in ground.obstacles}.items()
            if mark
        ],
        *([token["name"] for token in company if token["look"] == look] for look in range(len(LOOKS))),
        [area.name for area in _named_areas(ground)],
    ]
    return [words for words in lists if words]


def _key_rows(words: list[str], columns: int, width: float) -> int:
    """Estimate how many lines a list of the key takes in columns of this width."""
    letters = max(1, floor(width / KEY_LETTER) - 5)
    lines = [ceil(max(1, len(word)) / letters) for word in words]
    return sum(max(lines[at : at + columns]) for at in range(0, len(lines), columns))


def _key(ground: PrintedMap, cut: map_tiles.TileCut, source: PageInput) -> dict[str, Any]:
    """Return the page with the key and the instructions for joining the tiles."""
    width, height = PAPERS[source.options.paper]
    unit = min((width - 2 * EDGE - 2 * RIM) / ground.columns, (height * 0.42) / ground.rows, 12.0)
    length = f"{map_tiles.OVERLAP:g}\N{NO-BREAK SPACE}mm"
    labels = _tile_labels(ground, cut, unit)
    return _drawn(ground, _Page(width, height, unit), source, labels) | {
        "sort": "key",
        "across": [*cut.across],
        "down": [*cut.down],
        "labels": labels,
        "scale": scale_of(ground.field, source),
        "count": source.text("handout.map-sheets.count", n=cut.tiles),
        "joining": joining(cut, source, length),
    }


def joining(cut: map_tiles.TileCut, source: PageInput, length: str) -> list[str]:
    """Return the sentences that explain how to join the tiles."""
    keys = ("print-exactly", *(("numbered", "cut", "lay-over") if cut.tiles > 1 else ()))
    return [source.text(f"handout.map-sheets.{key}", length=length, n=cut.columns) for key in keys]


def _tile_labels(ground: PrintedMap, cut: map_tiles.TileCut, unit: float) -> list[dict[str, Any]]:
    """Return the tile names with their positions on the key page, omitting names that don't fit."""
    places = map_tiles.LabelPlaces(
        ground.columns, ground.rows, (LABEL_WIDTH / unit, LABEL_HEIGHT / unit), _token_boxes(ground)
    )
    labels = []
    for down, (top, bottom) in enumerate(pairwise(cut.down)):
        for across, (left, right) in enumerate(pairwise(cut.across)):
            at = places.free_in((left, top, right, bottom))
            if at is not None:
                labels.append({"name": cut.name(across, down), "at": [*at]})
    return labels


def _token_boxes(ground: PrintedMap) -> list[map_tiles.Box]:
    return [
        (float(x), float(y), float(x + token.size), float(y + token.size))
        for token in ground.tokens
        for x, y in (token.at,)
    ]


def _places(ground: PrintedMap, unit: float, labels: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the areas for a map's key, each with a free position for its letter.

    If there are too many areas, the positions are None.
    """
    areas = _named_areas(ground)
    width, height = LABEL_WIDTH / unit / 2, LABEL_HEIGHT / unit / 2
    label_boxes = [(x - width, y - height, x + width, y + height) for x, y in (label["at"] for label in labels)]
    places = map_tiles.LabelPlaces(
        ground.columns, ground.rows, (MARK / unit, MARK / unit), [*_token_boxes(ground), *label_boxes]
    )
    crowded = {
        (x + column, y + row)
        for x, y, wide, high in (obstacle.box for obstacle in ground.obstacles)
        for column in range(wide)
        for row in range(high)
    }
    regions = []
    for area in areas:
        spot = places.place(area.squares, crowded) if area.squares and len(areas) <= MANY_PLACES else None
        regions.append({
            "mark": area.mark,
            "name": area.name,
            "secret": area.secret,
            "at": [*spot.at] if spot is not None else None,
            "to": [*spot.to] if spot is not None and spot.to is not None else None,
        })  # fmt: skip
    return regions


def _whole(ground: PrintedMap, page: _Page, source: PageInput) -> dict[str, Any]:
    scale = scale_of(ground.field, source)
    if page.unit < map_tiles.INCH:
        scale = source.text("handout.map-sheets.scale-of-page", n=ground.field.cell, paper=f"{page.unit:.4g} mm")
        scale = _with_floor(ground.field, source, scale)
    return _drawn(ground, page, source) | {
        "sort": "whole",
        "scale": scale,
        "beside": page.is_beside,
        "abreast": page.is_abreast,
    }


def _drawn(
    ground: PrintedMap, page: _Page, source: PageInput, labels: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
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
        "things": _listed((obstacle.mark, obstacle.name, obstacle.statistics) for obstacle in ground.obstacles),
        "company": ground.company(),
        "regions": _places(ground, page.unit, labels),
        "unit_words": source.text("handout.map-sheets.heights-in", cell=ground.field.cell),
    }


def _named_areas(ground: PrintedMap) -> tuple[PrintedArea, ...]:
    return ground.areas if ground.whole["keys"] else ()


def _listed(things: Any) -> list[dict[str, str]]:
    return [{"mark": mark, "name": name, "figures": figures} for mark, name, figures in dict.fromkeys(things) if mark]


def _every(name: str, place: int, every: int) -> str:
    return name if every == 1 or (place + 1) % every == 0 else ""


def _signs(ground: PrintedMap) -> list[str]:
    """Return the signs used on a map, in key order."""
    part = ground.whole
    signs = [name for name, boxes in part["ground"].items() if boxes]
    signs += [name for name, boxes in part["light"].items() if boxes]
    signs += ["heights"] if part["heights"] else []
    signs += [name for name in FENCES if part[name]]
    signs += ["obstacle"] if part["obstacles"] else []
    looks = {token.side_style for token in ground.tokens}
    signs += [name for look, name in enumerate(LOOKS) if look in looks]
    return [*signs, *(["unseen"] if any(token.is_hidden for token in ground.tokens) else [])]


def scale_of(field: Map, source: PageInput) -> str:
    """Return the scale of a map's tiles as text."""
    return _with_floor(field, source, source.text("handout.map-sheets.scale", n=field.cell))


def _with_floor(field: Map, source: PageInput, scale: str) -> str:
    """Return a map's scale after the name of its floor, which may reveal more than players see."""
    return " \N{MIDDLE DOT} ".join([*(floor.name for floor in field.floors if source.shows_secrets), scale])


KIND: Final = PageKind("map-sheets", make, for_players=True)
