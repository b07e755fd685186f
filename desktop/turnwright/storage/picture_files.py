"""Image files next to an encounter: maps, handouts and portraits, checked without decoding pixels."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from math import ceil
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec

from turnwright.encounter import field_specs, floors, picture_formats, portraits, prepared, state
from turnwright.storage import atomic, fights

MAX_BYTES: Final = 20_000_000
MAX_MAP_BYTES: Final = 200_000_000


def picture_name(name: str) -> PurePosixPath:
    """Return the relative path of an image. Both kinds of slashes are accepted."""
    return PurePosixPath(name.replace("\\", "/"))


def picture_problem(folder: Path, name: str, most: int = MAX_BYTES) -> str:
    """Return the reason why an image can't be shown, or an empty string if it can. Its pixels aren't read.

    `most` is the largest allowed file size in bytes.
    """
    inside = picture_name(name)
    if not name or "\0" in name or inside.is_absolute() or ".." in inside.parts:
        return "must be a file in the encounter's folder"
    try:
        path = (folder / inside).resolve()
        if not path.is_relative_to(folder.resolve()):
            return "outside the encounter's folder"
        if not path.is_file():
            return f'no file "{name}" in the encounter\'s folder'
        if path.stat().st_size > most:
            return f"larger than {most // 1_000_000} MB"
        with path.open("rb") as file:
            beginning = file.read(12)
    except (OSError, ValueError, RuntimeError):
        return f'the file "{name}" can\'t be read'
    return "" if picture_formats.picture_format(beginning) else "not a PNG, JPEG, GIF or WebP picture"


def picture_ending(data: bytes) -> str:
    """Return the file extension for an image's format, or an empty string if it isn't PNG, JPEG or WebP."""
    ending = picture_formats.picture_format(data)
    return "" if ending == "gif" else ending


HARDLY: Final = 0.1  # fraction of a square; a narrower remainder doesn't count as a column


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
            atomic.replace_atomically(path, data)
            return name
        if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
            return name
        number += 1


def pictures_of(encounter: state.Encounter) -> tuple[str, ...]:
    """Return the names of an encounter's image files: of handouts, portraits and the map."""
    names = [handout.picture for handout in encounter.all(prepared.Handout) if handout.picture]
    names += [portrait for _table, _id, portrait in portraits.portraits_in(encounter)]
    names += [
        picture.file for battle_map in encounter.all(prepared.Map) for _, picture in floors.map_pictures(battle_map)
    ]
    return tuple(dict.fromkeys(names))


def copy_pictures(encounter: state.Encounter, folder: Path, to: Path) -> None:
    """Copy an encounter's images from one folder to another. Existing files aren't replaced.

    Images that are missing or can't be copied are skipped.
    """
    for name in pictures_of(encounter) if folder.resolve() != to.resolve() else ():
        target = to / picture_name(name)
        if not picture_problem(folder, name, MAX_MAP_BYTES) and not target.exists():
            with suppress(OSError):
                target.parent.mkdir(parents=True, exist_ok=True)
                atomic.replace_atomically(target, (folder / picture_name(name)).read_bytes())


def fitted_map(
    old: prepared.Map | None, size: tuple[int, int], pixels: float, offset: prepared.Place = (0.0, 0.0), file: str = ""
) -> prepared.Map:
    """Return a map fitted to an image of `size` pixels, with `pixels` per square. Everything else of `old` is kept.

    `offset` is the image pixel at the grid's top-left corner. Raise UnreadableError if the numbers don't fit a map.
    """
    if min(size) < 1 or not 1 <= pixels <= max(size) or not all(0 <= coordinate < pixels for coordinate in offset):
        raise fights.UnreadableError(
            f"{pixels:g} pixels per square, starting at {offset[0]:g}, {offset[1]:g}, don't fit the picture"
        )
    squares = ((size[0] - offset[0]) / pixels, (size[1] - offset[1]) / pixels)
    columns, rows = (max(1, ceil(square - HARDLY)) for square in squares)
    most = field_specs.spec_of(prepared.Map, "columns").most
    if max(columns, rows) > most:
        raise fights.UnreadableError(f"{columns} × {rows} squares; the limit is {most} × {most}")
    own = old or prepared.Map()
    picture = msgspec.structs.replace(
        own.picture or prepared.MapPicture(""),
        file=file,
        at=(round(-offset[0] / pixels, 4), round(-offset[1] / pixels, 4)),
        size=(round(size[0] / pixels, 4), round(size[1] / pixels, 4)),
    )
    return msgspec.structs.replace(own, columns=columns, rows=rows, picture=picture)


ENDINGS: Final = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif"})
MAP_ENDINGS: Final = frozenset({".dd2vtt", ".uvtt", ".df2vtt", ".json"})  # of maps of other programs
MOST_FILES: Final = 20_000
_LEFT_OUT: Final = re.compile(r"[\W_]+|\d+$")


def pictures_by_name(folder: Path) -> dict[str, Path]:
    """Return the images in a folder and its subfolders, keyed by `name_key`. The first image with a key is used.

    At most `MOST_FILES` files are checked, and links to other folders aren't followed.
    """
    pictures: dict[str, Path] = {}
    for number, path in enumerate(_files(folder)):
        if number >= MOST_FILES:
            break
        if path.suffix.casefold() in ENDINGS:
            pictures.setdefault(name_key(path.stem), path)
    return pictures


def picture_for(pictures: Mapping[str, Path], names: Iterable[str]) -> Path | None:
    """Return the image for the first name that has one. Singular and plural forms match each other."""
    for name in names:
        key = name_key(name)
        for form in (key, key.removesuffix("s"), f"{key}s"):
            if key and form in pictures:
                return pictures[form]
    return None


def name_key(name: str) -> str:
    """Normalise a name for comparison: ignore case, spaces, punctuation and a trailing number."""
    key = name.casefold()
    return _LEFT_OUT.sub("", _LEFT_OUT.sub("", key)) or key


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        folders.sort()
        yield from (Path(place) / file for file in sorted(files))
