"""A blank battle mat to draw on: an empty one-inch grid on as many sheets as necessary."""

import re
from typing import Final

from turnwright.encounter.prepared import Map
from turnwright.handouts.map_shapes import MapParts, PrintedMap
from turnwright.handouts.map_tiles import chosen_tiles, cut_of, tile_pages
from turnwright.handouts.page_input import PageContent, PageInput, PageKind, Section

ID: Final = "battle-mat"
USUAL: Final = (20, 14)  # the default size in squares, if the encounter doesn't have a map: four tiles
MOST: Final = 500  # squares per side, the same limit as for a map
_SIZE = re.compile(r"([0-9]{1,4})\s*[x\u00d7*]\s*([0-9]{1,4})", re.IGNORECASE)


def make(source: PageInput) -> PageContent:
    """Return the sheets of a mat of the requested size, or of the map's size or the default size if none is requested.

    If the requested size is invalid, the result only reports that problem.
    """
    prepared = source.encounter.get(Map, Map.table)
    requested = source.options.mat.strip()
    size = (prepared.columns, prepared.rows) if prepared is not None else (0, 0)
    if requested:
        match = _SIZE.fullmatch(requested)
        size = (int(match[1]), int(match[2])) if match is not None else (0, 0)
        if not all(1 <= side <= MOST for side in size):
            return PageContent(problems=(source.text("handout.battle-mat.no-size", size=requested, most=MOST),))
    columns, rows = size if all(size) else USUAL
    field = Map(columns=columns, rows=rows, cell=prepared.cell if prepared is not None else 5)
    cut = cut_of(columns, rows, source)
    numbers, problem = chosen_tiles(cut, source)
    pages = tile_pages(
        PrintedMap(field, source, MapParts(tokens=False)), cut, numbers, source.text("handout.battle-mat.scale")
    )
    problems = (problem,) if problem else ()
    return PageContent((Section(ID, {"pages": pages}),) if pages else (), problems=problems)


KIND: Final = PageKind(ID, make, for_players=True, form="cut-one-side", asked_by="mat")
