"""Checks the picture files of handouts and maps, beside the encounter, before anything is printed."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Final

MAX_BYTES: Final = 20_000_000
MAX_MAP_BYTES: Final = 200_000_000
_BEGINNINGS: Final = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"RIFF")


def picture_name(name: str) -> PurePosixPath:
    """Return the path of a picture in its folder, with whichever slashes a person wrote it."""
    return PurePosixPath(name.replace("\\", "/"))


def picture_problem(folder: Path, name: str, most: int = MAX_BYTES) -> str:
    """Return the reason for which a picture in a folder can't be shown, or nothing. Its pixels are not read.

    `most` is the largest size of the file in bytes.
    """
    inside = picture_name(name)
    if not name or "\0" in name or inside.is_absolute() or ".." in inside.parts:
        return "must be a file in the folder of the encounter"
    try:
        path = (folder / inside).resolve()
        if not path.is_relative_to(folder.resolve()):
            return "leads out of the folder of the encounter"
        if not path.is_file():
            return f'there is no file "{name}" in the folder of the encounter'
        if path.stat().st_size > most:
            return f"is larger than {most // 1_000_000} MB"
        with path.open("rb") as file:
            beginning = file.read(12)
    except (OSError, ValueError, RuntimeError):
        return f'the file "{name}" can\'t be read'
    return "" if beginning.startswith(_BEGINNINGS) else "is no PNG, JPEG, GIF or WebP picture"
