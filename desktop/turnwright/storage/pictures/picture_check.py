"""Checks the image files of handouts and maps in the encounter's folder before printing."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Final

MAX_BYTES: Final = 20_000_000
MAX_MAP_BYTES: Final = 200_000_000
_BEGINNINGS: Final = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"RIFF")


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
    return "" if beginning.startswith(_BEGINNINGS) else "not a PNG, JPEG, GIF or WebP picture"
