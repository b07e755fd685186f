"""Map images: their files next to an encounter, and grids fitted to them."""

from __future__ import annotations

from contextlib import suppress
from math import ceil
from pathlib import Path
from typing import Final

import msgspec

from turnwright.encounter.field_specs import spec_of
from turnwright.encounter.portraits import portraits_in
from turnwright.encounter.prepared import Handout, Map, MapPicture, Place
from turnwright.encounter.state import Encounter
from turnwright.storage.atomic import replace_atomically
from turnwright.storage.conversion_report import UnreadableError
from turnwright.storage.pictures.picture_check import MAX_MAP_BYTES, picture_name, picture_problem
from turnwright.storage.pictures.picture_format import picture_ending

HARDLY: Final = 0.02  # fraction of a square; a narrower remainder doesn't count as a column


def place_picture(encounter: Path, data: bytes, part: str = "map") -> str:
    """Write an image next to an encounter's file and return its file name, which contains `part`.

    Raise OSError if that fails. If the name is used by a different file, a number is added.
    """
    ending = picture_ending(data)
    number = 1
    while True:
        name = f"{encounter.stem}.{part}{f'-{number}' if number > 1 else ''}.{ending}"
        path = encounter.with_name(name)
        if not path.exists():
            replace_atomically(path, data)
            return name
        if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
            return name
        number += 1


def copy_pictures(encounter: Encounter, folder: Path, to: Path) -> None:
    """Copy an encounter's images from one folder to another. Existing files aren't replaced.

    Images that are missing or can't be copied are skipped.
    """
    names = [handout.picture for handout in encounter.all(Handout)]
    names += [portrait for _table, _id, portrait in portraits_in(encounter)]
    names += [battle_map.picture.file for battle_map in encounter.all(Map) if battle_map.picture is not None]
    for name in names if folder.resolve() != to.resolve() else ():
        target = to / picture_name(name)
        if not picture_problem(folder, name, MAX_MAP_BYTES) and not target.exists():
            with suppress(OSError):
                target.parent.mkdir(parents=True, exist_ok=True)
                replace_atomically(target, (folder / picture_name(name)).read_bytes())


def fitted_map(
    old: Map | None, size: tuple[int, int], pixels: float, offset: Place = (0.0, 0.0), file: str = ""
) -> Map:
    """Return a map fitted to an image of `size` pixels, with `pixels` per square. Everything else of `old` is kept.

    `offset` is the image pixel at the grid's top-left corner. Raise UnreadableError if the numbers don't fit a map.
    """
    if min(size) < 1 or not 1 <= pixels <= max(size) or not all(0 <= coordinate < pixels for coordinate in offset):
        raise UnreadableError(
            f"{pixels:g} pixels per square, starting at {offset[0]:g}, {offset[1]:g}, don't fit the picture"
        )
    squares = ((size[0] - offset[0]) / pixels, (size[1] - offset[1]) / pixels)
    columns, rows = (max(1, ceil(square - HARDLY)) for square in squares)
    most = spec_of(Map, "columns").most
    if max(columns, rows) > most:
        raise UnreadableError(f"{columns} × {rows} squares; the limit is {most} × {most}")
    own = old or Map()
    picture = msgspec.structs.replace(
        own.picture or MapPicture(""),
        file=file,
        at=(round(-offset[0] / pixels, 4), round(-offset[1] / pixels, 4)),
        size=(round(size[0] / pixels, 4), round(size[1] / pixels, 4)),
    )
    return msgspec.structs.replace(own, columns=columns, rows=rows, picture=picture)
