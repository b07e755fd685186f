"""The map on paper: one inch to the square over as many sheets as that takes, or all of it on one.

Lengths are millimetres.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import ceil, floor
from typing import Any, Final

import msgspec

from turnwright.battlemap.square_sets import column_name
from turnwright.encounter.prepared import Map
from turnwright.encounter.state import Lookup
from turnwright.handouts.map_labels import Box, LabelPlaces
from turnwright.handouts.map_shapes import FENCES, MapParts, PrintedArea, PrintedMap
from turnwright.handouts.map_tiles import INCH, OVERLAP, TileCut, chosen_tiles, cut_of, papers, tile_pages
from turnwright.handouts.page_input import PageContent, PageInput, PageKind
from turnwright.handouts.print_document import PAPERS, PageForm, Section

EDGE, RIM = 14.0, 5.0  # of the page that says how tiles join: margin, coordinates
SIDE, OVER, UNDER, TITLE = 13.0, 15.0, 13.0, 11.0  # of a page with the whole map: margins, and its title over the map
KEY_WIDTH, KEY_GAP = 54.0, 6.0  # of a key beside the map
KEY_START, KEY_HEAD, KEY_ROW, KEY_SHARE = 4.0, 6.8, 6.3, 0.45  # of a key: heading, line, share of the page it may take
KEY_TITLE, KEY_LEAST, KEY_LETTER = 22.0, 35.0, 1.6  # name and scale of one beside the map, least column, a letter
KEY_COLUMNS: Final = 3  # of a key below the map, where its lists are one below another
MIN_UNIT: Final = 0.1
LOOKS: Final = ("party", "foes", "others")  # signs of those who stand on the map
LABEL_WIDTH, LABEL_HEIGHT = 9.0, 5.5  # of the name of a tile on the page that says how they join
MARK: Final = 5.0  # of the letter of a place in its circle
MANY_PLACES: Final = 60  # more than these have their letters in their corners, without a search for a free square
SPARSE_BELOW: Final = 4.5  # coordinates of every fifth square only


class _Page(msgspec.Struct, frozen=True):
    """A page with the whole map: the paper's size, the width of a square on it, and where the key is.

    It stands beside the map or below, there with its lists abreast or one below another.
    """

    width: float
    height: float
    unit: float
    is_beside: bool = False
    is_abreast: bool = False


def make(source: PageInput) -> PageContent:
    """Return the sheets of the prepared map; nothing where the encounter has none."""
    field = _field(source.encounter)
    if field is None:
        return PageContent()
    wanted = source.options
    parts = MapParts(wanted.map_tokens, wanted.map_grid, wanted.map_keys, wanted.map_ground)
    ground = PrintedMap(field, source, parts)
    page = _one_page(ground, source)
    form: PageForm = "page"
    left_out = (
        source.text("handout.map-sheets.too-many-areas", n=ground.too_many_areas) if ground.too_many_areas else ""
    )
    if wanted.map == "tiled" and page.unit < INCH:
        cut = cut_of(field.columns, field.rows, source)
        numbers, problem = chosen_tiles(cut, source)
        pages = [_key(ground, cut, source), *tile_pages(ground, cut, numbers, scale_of(field, source))]
        form = "cut-one-side"
    else:
        pages, problem = [_whole(ground, page, source)], ""
    return PageContent(
        (Section("map-sheets", {"pages": pages}, form=form),),
        ground.pictures,
        problems=tuple(one for one in (problem, left_out) if one),
    )


def _field(encounter: Lookup) -> Map | None:
    found = encounter.get(Map, Map.table)
    return found if found is not None and found.columns > 0 and found.rows > 0 else None


def _one_page(ground: PrintedMap, source: PageInput) -> _Page:
    """Return the page on which the whole map is largest, an inch to the square at most."""
    found = []
    lists = _key_lists(ground)
    beside = KEY_TITLE + KEY_HEAD * len(lists) + KEY_ROW * sum(_key_rows(one, 1, KEY_WIDTH) for one in lists)
    for width, height in papers(source):
        room, line = height - OVER - UNDER, width - 2 * SIDE
        below = sum(KEY_HEAD + KEY_ROW * _key_rows(one, KEY_COLUMNS, line / KEY_COLUMNS) for one in lists)
        ways = [(below, False)]
        if lists and line / len(lists) >= KEY_LEAST:
            ways.append((KEY_HEAD + KEY_ROW * max(_key_rows(one, 1, line / len(lists)) for one in lists), True))
        high, is_abreast = min(ways)
        down = room - RIM - TITLE - min(KEY_START + high, height * KEY_SHARE)
        found.append(_Page(width, height, _unit(ground, line - 2 * RIM, down), is_abreast=is_abreast))
        if beside <= room:
            across = line - RIM - KEY_GAP - KEY_WIDTH
            found.append(_Page(width, height, _unit(ground, across, room - RIM - 1.0), is_beside=True))
    return max(found, key=lambda one: one.unit)


def _unit(ground: PrintedMap, across: float, down: float) -> float:
    """Return the width of a square of a map that fills a room, an inch at most."""
    unit = min(INCH, across / ground.columns, down / ground.rows)
    return unit if unit == INCH else max(MIN_UNIT, floor(unit * 20) / 20)


def _key_lists(ground: PrintedMap) -> list[list[str]]:
    """Return the words of a map's key, a list under each heading."""
    company = ground.company()
    found = [
        [name for name in _signs(ground) if not company or name not in LOOKS],
        [f"{one.name}  {one.statistics}" for one in {one.mark: one for one in ground.obstacles}.values()],
        *([one["name"] for one in company if one["look"] == look] for look in range(len(LOOKS))),
        [one.name for one in _named_areas(ground)],
    ]
    return [one for one in found if one]


def _key_rows(words: list[str], columns: int, width: float) -> int:
    """Return about how many lines a list of a key takes in columns of a width."""
    letters = max(1, floor(width / KEY_LETTER) - 5)
    lines = [ceil(max(1, len(one)) / letters) for one in words]
    return sum(max(lines[at : at + columns]) for at in range(0, len(lines), columns))


def _key(ground: PrintedMap, cut: TileCut, source: PageInput) -> dict[str, Any]:
    """Return the page that explains how the tiles join, and the signs."""
    width, height = PAPERS[source.options.paper]
    unit = min((width - 2 * EDGE - 2 * RIM) / ground.columns, (height * 0.42) / ground.rows, 12.0)
    length = f"{OVERLAP:g}\N{NO-BREAK SPACE}mm"
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


def joining(cut: TileCut, source: PageInput, length: str) -> list[str]:
    """Return how the tiles of a division are put together, in sentences."""
    keys = ("print-exactly", *(("numbered", "cut", "lay-over") if cut.tiles > 1 else ()))
    return [source.text(f"handout.map-sheets.{key}", length=length, n=cut.columns) for key in keys]


def _tile_labels(ground: PrintedMap, cut: TileCut, unit: float) -> list[dict[str, Any]]:
    """Return the names of tiles with a free place for each on the key; a name that would not fit is left out."""
    size = (LABEL_WIDTH / unit, LABEL_HEIGHT / unit)
    places = LabelPlaces(ground.columns, ground.rows, size, _token_boxes(ground))
    found = []
    for down, (top, bottom) in enumerate(pairwise(cut.down)):
        for across, (left, right) in enumerate(pairwise(cut.across)):
            at = places.free_in((left, top, right, bottom))
            if at is not None:
                found.append({"name": cut.name(across, down), "at": [*at]})
    return found


def _token_boxes(ground: PrintedMap) -> list[Box]:
    return [
        (float(x), float(y), float(x + one.size), float(y + one.size)) for one in ground.tokens for x, y in (one.at,)
    ]


def _places(ground: PrintedMap, unit: float, labels: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the areas of a map for its key, each with a free place for its letter; None where there are very many."""
    areas = _named_areas(ground)
    width, height = LABEL_WIDTH / unit / 2, LABEL_HEIGHT / unit / 2
    named = [(x - width, y - height, x + width, y + height) for x, y in (one["at"] for one in labels)]
    places = LabelPlaces(ground.columns, ground.rows, (MARK / unit, MARK / unit), [*_token_boxes(ground), *named])
    crowded = {
        (x + column, y + row)
        for x, y, wide, high in (one.box for one in ground.obstacles)
        for column in range(wide)
        for row in range(high)
    }
    found = []
    for one in areas:
        spot = places.place(one.squares, crowded) if one.squares and len(areas) <= MANY_PLACES else None
        found.append({
            "mark": one.mark,
            "name": one.name,
            "secret": one.secret,
            "at": [*spot.at] if spot is not None else None,
            "to": [*spot.to] if spot is not None and spot.to is not None else None,
        })  # fmt: skip
    return found


def _whole(ground: PrintedMap, page: _Page, source: PageInput) -> dict[str, Any]:
    scale = scale_of(ground.field, source)
    if page.unit < INCH:
        scale = source.text("handout.map-sheets.scale-of-page", n=ground.field.cell, paper=f"{page.unit:.4g} mm")
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
        "things": _listed((one.mark, one.name, one.statistics) for one in ground.obstacles),
        "company": ground.company(),
        "regions": _places(ground, page.unit, labels),
        "unit_words": source.text("handout.map-sheets.heights-in", cell=ground.field.cell),
    }


def _named_areas(ground: PrintedMap) -> tuple[PrintedArea, ...]:
    return ground.areas if ground.whole["keys"] else ()


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
    found += [name for look, name in enumerate(LOOKS) if look in looks]
    return [*found, *(["unseen"] if any(one.is_hidden for one in ground.tokens) else [])]


def scale_of(field: Map, source: PageInput) -> str:
    """Return the scale of tiles in words."""
    return source.text("handout.map-sheets.scale", n=field.cell)


KIND: Final = PageKind("map-sheets", make, for_players=True)
