"""Finds portraits for creatures in a folder of images, based on the file names."""

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
