"""Portraits in a folder of pictures: found by the names of creatures."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

ENDINGS: Final = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif"})
MOST_FILES: Final = 20_000
_LEFT_OUT: Final = re.compile(r"[\W_]+|\d+$")


def pictures_by_name(folder: Path) -> dict[str, Path]:
    """Return the pictures in a folder and the folders in it by the key of their names, of namesakes the first.

    No more than `MOST_FILES` files are looked at, and no links to other folders followed.
    """
    found: dict[str, Path] = {}
    for looked_at, path in enumerate(_files(folder)):
        if looked_at >= MOST_FILES:
            break
        if path.suffix.casefold() in ENDINGS:
            found.setdefault(name_key(path.stem), path)
    return found


def picture_for(pictures: Mapping[str, Path], names: Iterable[str]) -> Path | None:
    """Return the picture for the first of some names that has one; a plural stands for its singular."""
    for name in names:
        key = name_key(name)
        for wanted in (key, key.removesuffix("s"), f"{key}s"):
            if key and wanted in pictures:
                return pictures[wanted]
    return None


def name_key(name: str) -> str:
    """Return a name without case, spaces, punctuation and a number at its end: by that names are compared."""
    key = name.casefold()
    return _LEFT_OUT.sub("", _LEFT_OUT.sub("", key)) or key


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        folders.sort()
        yield from (Path(place) / file for file in sorted(files))
