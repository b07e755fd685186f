"""The library entries that the user has marked as favourites, stored with the program's other state."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from turnwright.storage.atomic import make_private, replace_atomically
from turnwright.storage.library.entries import LibraryEntry

FavouriteKey = tuple[str, str, str, str, str]


def favourite_key(entry: LibraryEntry) -> FavouriteKey:
    """Return an entry's key: kind, rule system, id, file name and source. It doesn't depend on the folder.

    If several books contain the same creature, its files have the same name in different folders. The source
    distinguishes them.
    """
    file = entry.path.replace("\\", "/").rpartition("/")[2]
    return (entry.kind, entry.system, entry.id, file, entry.source)


class Favourites:
    """The favourite entries, stored in `file`, or only in memory if it is None. Invalid data in the file is ignored."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._marks = self._read()

    def __contains__(self, entry: object) -> bool:
        return isinstance(entry, LibraryEntry) and favourite_key(entry) in self._marks

    def __len__(self) -> int:
        return len(self._marks)

    def toggle(self, entry: LibraryEntry) -> bool:
        """Add or remove a favourite, and return whether it was added. On OSError the change is in memory only."""
        mark = favourite_key(entry)
        self._marks ^= {mark}
        if self._file is not None:
            make_private(self._file.parent)
            replace_atomically(self._file, msgspec.json.encode(sorted(self._marks)))
        return mark in self._marks

    def _read(self) -> frozenset[FavouriteKey]:
        if self._file is not None:
            with suppress(OSError, msgspec.MsgspecError, ValueError, RecursionError):
                return msgspec.json.decode(self._file.read_bytes(), type=frozenset[FavouriteKey])
        return frozenset()
