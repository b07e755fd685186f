"""The items in the library panel: library entries, the user's encounters, the samples, and duplicates."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import cast

import msgspec

from turnwright.storage.library.entries import Kind, Library, LibraryEntry
from turnwright.storage.library.search import duplicates
from turnwright.storage.resources import sample_encounters

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
