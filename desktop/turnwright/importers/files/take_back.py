"""Undoes imports: moves their records from a library to the backups, and back. Files that the user edited stay."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import datetime
from itertools import chain, count
from pathlib import Path

import msgspec

from turnwright.importers.files.import_manifest import (
    ImportedEntry,
    is_edited,
    read_manifest,
    without,
    write_manifest,
)
from turnwright.storage.atomic import make_private


class TakenBack(msgspec.Struct, frozen=True):
    """The result of undoing an import: the number of moved records, their backup folder, and the records kept."""

    folder: Path
    aside: Path | None = None
    count: int = 0
    kept: tuple[str, ...] = ()


def take_back(
    folder: Path, backups: Path, names: Collection[str] | None = None, now: datetime | None = None
) -> TakenBack:
    """Move an import's files, or those with these names, to the backups. On failure, restore all and raise OSError.

    Files that the user edited stay, and so do files that aren't part of the import.
    """
    past = read_manifest(folder)
    if past is None:
        return TakenBack(folder)
    moved: list[ImportedEntry] = []
    kept: list[ImportedEntry] = []
    gone: set[str] = set()
    for entry in past.entries:
        if names is not None and entry.path not in names:
            continue
        if not (folder / entry.path).is_file():
            gone.add(entry.path)
        elif is_edited(folder, entry):
            kept.append(entry)
        else:
            moved.append(entry)
    if not moved:
        return TakenBack(folder, kept=tuple(entry.name for entry in kept))
    aside = aside_folder(folder, backups, now)
    _move([entry.path for entry in moved], folder, aside)
    write_manifest(aside, moved, past.imported)
    write_manifest(folder, without(past.entries, gone | {entry.path for entry in moved}), past.imported)
    with suppress(OSError):
        folder.rmdir()  # fails unless the folder is empty
    return TakenBack(folder, aside, len(moved), tuple(entry.name for entry in kept))


def put_back(aside: Path, folder: Path) -> int:
    """Restore the files of an undone import, and return the number of files whose names are taken. Raise OSError."""
    past, now = read_manifest(aside), read_manifest(folder)
    if past is None:
        return 0
    free = [entry for entry in past.entries if not os.path.lexists(folder / entry.path)]
    folder.mkdir(parents=True, exist_ok=True)
    _move([entry.path for entry in free], aside, folder)
    names = {entry.path for entry in free}
    write_manifest(folder, (*without(now.entries if now else (), names), *free), (now or past).imported)
    write_manifest(aside, without(past.entries, names), past.imported)
    with suppress(OSError):
        aside.rmdir()
    return len(past.entries) - len(free)


def aside_folder(folder: Path, backups: Path, now: datetime | None = None) -> Path:
    """Create a new folder in the backups, named after another folder and the time. Raise OSError."""
    make_private(backups)
    stamp = (now or datetime.now().astimezone()).strftime("%Y-%m-%dT%H%M%S")
    aside = next(free_places(backups, f"{folder.name}.{stamp}"))
    aside.mkdir()
    return aside


def free_places(folder: Path, name: str) -> Iterator[Path]:
    """Yield unused paths for a name in a folder: `name`, `name-2`, `name-3`."""
    paths = chain([folder / name], (folder / f"{name}-{number}" for number in count(2)))
    return (path for path in paths if not os.path.lexists(path))


def _move(names: Collection[str], start: Path, end: Path) -> None:
    """Move files from one folder to another, all or none."""
    done: list[str] = []
    try:
        for name in names:
            shutil.move(start / name, end / name)
            done.append(name)
    except OSError:
        for name in done:
            shutil.move(end / name, start / name)
        with suppress(OSError):
            end.rmdir()
        raise
