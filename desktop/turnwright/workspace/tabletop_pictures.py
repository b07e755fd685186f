"""Pictures for virtual tabletops: a token of each combatant, and each floor of the map, at a fixed number of pixels per square.

Names and letters are those that players know, since other programs show them. Players' maps have no secrets.
"""

from collections.abc import Iterator, Sequence
from math import sqrt
from pathlib import Path
from typing import Any, Final

import msgspec

from turnwright.encounter.floors import floors_of, map_of
from turnwright.encounter.prepared import Map
from turnwright.encounter.state import monograms
from turnwright.handouts.kinds import map_sheets, paper_minis
from turnwright.handouts.map_shapes import MapParts, PrintedMap
from turnwright.handouts.page_input import MAX_PIXELS, PageInput, Picture, PrintDocument, Section
from turnwright.handouts.typesetter import Typesetter
from turnwright.storage.atomic import IdAllocator, replace_atomically

PPI: Final = 140.0  # pixels per square, as virtual tabletops expect; fewer on maps larger than `MAX_PIXELS`


class TabletopPictures(msgspec.Struct, frozen=True):
    """A document with a picture on each page, the file names of the pictures, and their pixels per square."""

    names: tuple[str, ...]
    document: PrintDocument
    ppi: float = PPI


def tabletop_pictures(source: PageInput) -> Iterator[TabletopPictures]:
    """Yield the tokens, if there are combatants, then each floor of the map."""
    names, tokens = IdAllocator(), paper_minis.make(source)
    for section in tokens.sections:
        minis = section.data["minis"]
        signs = monograms(mini["outside"] for mini in minis)
        data = {"minis": [mini | {"sign": sign} for mini, sign in zip(minis, signs, strict=True)]}
        files = tuple(f"{names.allocate(mini['outside'])}.png" for mini in minis)
        yield TabletopPictures(files, _document(source, "token-pictures", data, tokens.pictures))
    known, options = source.of(map_sheets.KIND), source.options
    parts = MapParts(tokens=False, grid=options.map_grid, keys=options.map_keys, ground=options.map_ground)
    for whole in source.encounter.all(Map):
        for field in (map_of(whole, floor) for floor in floors_of(whole)):
            if squares := field.columns * field.rows:
                printed = PrintedMap(field, known, parts)
                shapes = {"columns": field.columns, "rows": field.rows, "part": printed.whole}
                document = _document(known, "map-pictures", shapes, printed.pictures)
                yield TabletopPictures(
                    (f"{names.allocate('map')}.png",), document, min(PPI, sqrt(MAX_PIXELS / squares))
                )


def _document(source: PageInput, kind: str, data: dict[str, Any], pictures: tuple[Picture, ...]) -> PrintDocument:
    section = Section(kind, data, form="bare", edition=source.options.edition)
    return msgspec.structs.replace(source.options.document("", (section,), {}, pictures=pictures), bleed=0.0)


def write_tabletop_pictures(
    typesetter: Typesetter, sheets: Sequence[TabletopPictures], folder: Path
) -> tuple[Path, ...]:
    """Write the pictures to a folder. No file is written if a template fails. Raise OSError if writing fails."""
    made = [typesetter.typeset(sheet.document, "png", sheet.ppi).pages for sheet in sheets]
    folder.mkdir(parents=True, exist_ok=True)
    files = tuple(folder / name for sheet in sheets for name in sheet.names)
    for file, picture in zip(files, (page for pages in made for page in pages), strict=True):
        replace_atomically(file, picture)
    return files


def taken_names(sheets: Sequence[TabletopPictures], folder: Path) -> tuple[str, ...]:
    """Return the names of the pictures that already exist in a folder."""
    return tuple(name for sheet in sheets for name in sheet.names if (folder / name).exists())
