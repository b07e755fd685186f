"""The items in the library panel: library entries, the user's encounters, the samples, and duplicates.

The library entries that the user has marked as favourites, stored with the program's other state.

Deletes files from the user's library so that they can always be restored.

The licences of the program's components, as collected by `packaging/licences.py`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import cast

import msgspec
import rtoml

from turnwright.storage.atomic import back_up, make_private, replace_atomically
from turnwright.storage.library.entries import Kind, Library, LibraryEntry
from turnwright.storage.library.search import duplicates
from turnwright.storage.resources import read_text, sample_encounters

ENCOUNTER_KIND = cast("Kind", "encounter")  # not a kind of library file; such entries are opened instead of added
_HEAD_LINES = 40
_FIGHT = ".fight.toml"


class LibraryItems(msgspec.Struct, frozen=True):
    """The listed items, sorted by name.

    `duplicates` maps the path of an entry to the other entries with the same kind, rule system and name.
    """

    entries: tuple[LibraryEntry, ...] = ()
    duplicates: Mapping[str, tuple[LibraryEntry, ...]] = {}


def library_items(library: Library) -> LibraryItems:
    """Scan the library for its items. This reads files and can be slow, so don't call it in the window's thread."""
    return _offer(library, library.entries())


def indexed_library_items(library: Library) -> LibraryItems:
    """Return the items in the index without scanning the folders. Without an index, there are none."""
    entries = library.indexed_entries()
    return _offer(library, entries) if entries else LibraryItems()


def _offer(library: Library, entries: tuple[LibraryEntry, ...]) -> LibraryItems:
    known = frozenset(entry.path for entry in entries)
    own = encounters_in(_files(library.folder, library.folder.parent / "encounters"), known)
    shipped = encounters_in(map(str, sample_encounters()), shipped=True)
    return LibraryItems((*entries, *own, *shipped), duplicates(entries))


def encounters_in(
    files: Iterable[str], excluded: frozenset[str] = frozenset(), *, shipped: bool = False
) -> list[LibraryEntry]:
    """Return an entry for each encounter file. Only the first lines of a file are checked."""
    entries = []
    for path in map(Path, (file for file in files if file not in excluded and not file.endswith(_FIGHT))):
        head = _head(path)
        if "system" in head and "kind" not in head:
            name = head.get("title") or path.stem.replace("-", " ").capitalize()
            words = f"{name}\n{path.stem.replace('-', ' ')}\nencounter".casefold()
            entries.append(
                LibraryEntry(
                    ENCOUNTER_KIND, path.stem, name, head["system"], str(path), shipped=shipped, haystack=words
                )
            )
    return sorted(entries, key=lambda entry: entry.name.casefold())


def _files(*folders: Path) -> Iterator[str]:
    for folder in folders:
        with suppress(OSError):
            yield from sorted(entry.path for entry in os.scandir(folder) if entry.name.endswith(".toml"))


def _head(path: Path) -> dict[str, str]:
    """Return the texts before the first table of a file."""
    texts: dict[str, str] = {}
    with suppress(OSError, UnicodeDecodeError), path.open(encoding="utf-8") as text:
        for line in islice(text, _HEAD_LINES):
            if line.startswith("["):
                break
            key, equals, value = line.partition("=")
            if equals and value.strip()[:1] == '"':
                texts[key.strip()] = value.strip()[1:].partition('"')[0]
    return texts


FavouriteKey = tuple[str, str, str, str, str]


def favourite_key(entry: LibraryEntry) -> FavouriteKey:
    """Return an entry's key: kind, rule system, id, file name and source. It doesn't depend on the folder.

    If several books contain the same creature, its files have the same name in different folders. The source
    distinguishes them.
    """
    return (entry.kind, entry.system, entry.id, entry.path.replace("\\", "/").rpartition("/")[2], entry.source)


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


def discard(entry: LibraryEntry, backups: Path) -> bytes:
    """Delete the file of a user's entry after copying it to the backups, and return its content.

    On OSError the file stays. Raise ValueError for a shipped entry.
    """
    if entry.shipped:
        raise ValueError(entry.path)
    path = Path(entry.path)
    content = path.read_bytes()
    back_up(path, b"", backups)
    path.unlink()
    return content


def restore(entry: LibraryEntry, content: bytes) -> bool:
    """Write a deleted file back. Return False if its path is in use again. Raise OSError if writing fails."""
    path = Path(entry.path)
    if path.exists():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_atomically(path, content)
    return True


class Component(msgspec.Struct, frozen=True):
    """A component of the program.

    `licence` is its SPDX name. `texts` are the paths of its licence texts in the resources. `package` is the normalised
    name of a Python package, or an empty string for other components.
    """

    name: str
    licence: str
    version: str = ""
    site: str = ""
    copyright: str = ""
    package: str = ""
    texts: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The component's name and version."""
        return f"{self.name} {self.version}".rstrip()


def components() -> tuple[Component, ...]:
    """Return all components: first the program and its runtime, then the others, sorted by name."""
    return msgspec.convert(rtoml.loads(read_text("licences/index.toml"))["components"], tuple[Component, ...])


def licence_text(component: Component) -> str:
    """Return a component's licence, copyright and notices."""
    head = "\n".join(line for line in (component.title, component.licence, component.site) if line)
    texts = [read_text(path).strip("\n") for path in component.texts]
    shared = [PurePosixPath(path).stem if "/common/" in path else "" for path in component.texts]
    titled = [
        f"{name}\n{'=' * len(name)}\n\n{text}" if name else text for name, text in zip(shared, texts, strict=True)
    ]
    return "\n\n".join(part for part in (head, component.copyright.strip(), *titled) if part)
