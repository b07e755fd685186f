"""The manifest of an import, which lists its records, their origins and digests of their texts, and allows undoing it.

The origin of a record is its file in the source, its kind and its name. The digest shows whether the record's file was
edited later. Undoing an import moves its records from the library to the backups; files that the user edited stay.
"""

import os
import shutil
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from hashlib import blake2b
from itertools import chain, count
from pathlib import Path
from typing import Final

import msgspec

from turnwright.encounter.field_specs import MAX_BYTES
from turnwright.encounter.state import grouped
from turnwright.storage.atomic import make_private, replace_atomically
from turnwright.storage.fights import fight_path

MANIFEST: Final = "import.json"
_FORMAT: Final = 1
_DEPTH: Final = 3  # levels of nested folders, as in the library list
Origin = tuple[str, str, str, int]


class ImportedEntry(msgspec.Struct, frozen=True, array_like=True):
    """One imported record: its source, its file within the source (empty if the source is a file), its kind and name.

    `number` counts records with the same origin; `path` is the name of the record's file in the import folder.
    """

    source: str
    file: str
    kind: str
    name: str
    number: int
    path: str
    digest: str

    @property
    def origin(self) -> Origin:
        """The record's origin, with the full path of its source file."""
        return (str(Path(self.source, self.file)), *self._record)

    @property
    def moved_origin(self) -> Origin:
        """The record's origin, with the path of its file within the source, so that a moved source still matches."""
        return (self.file or Path(self.source).name, *self._record)

    @property
    def _record(self) -> tuple[str, str, int]:
        return self.kind, self.name, self.number


class PastImport(msgspec.Struct, frozen=True):
    """An earlier import in a library: its folder, date and records."""

    folder: Path
    imported: datetime
    entries: tuple[ImportedEntry, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """The files and folders that were imported."""
        return tuple(dict.fromkeys(entry.source for entry in self.entries))


class _Group(msgspec.Struct, frozen=True):
    """The records of one source in a manifest file."""

    source: str
    records: tuple[tuple[str, str, str, int, str, str], ...]


class _Manifest(msgspec.Struct, frozen=True):
    format: int
    imported: datetime
    sources: tuple[_Group, ...]


def digest_of(data: bytes) -> str:
    """Return the digest of a file's content."""
    return blake2b(data, digest_size=8).hexdigest()


def read_manifest(folder: Path) -> PastImport | None:
    """Return the import that created a folder, or None if the folder isn't an import."""
    path = folder / MANIFEST
    try:
        if path.stat().st_size > MAX_BYTES:
            return None
        manifest = msgspec.json.decode(path.read_bytes(), type=_Manifest)
    except (OSError, msgspec.MsgspecError, ValueError, RecursionError):
        return None
    entries = tuple(ImportedEntry(group.source, *record) for group in manifest.sources for record in group.records)
    if manifest.format != _FORMAT or any(not _is_plain(entry.path) for entry in entries):
        return None
    return PastImport(folder, manifest.imported, entries)


def write_manifest(folder: Path, entries: Collection[ImportedEntry], imported: datetime) -> None:
    """Write the manifest of a folder, or remove it if `entries` is empty. Raise OSError."""
    if not entries:
        (folder / MANIFEST).unlink(missing_ok=True)
        return
    groups = grouped((one.source, (one.file, one.kind, one.name, one.number, one.path, one.digest)) for one in entries)
    manifest = _Manifest(_FORMAT, imported, tuple(_Group(source, tuple(rows)) for source, rows in groups.items()))
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=0)
    if len(text) <= MAX_BYTES:  # a backup with a larger file could not be restored
        replace_atomically(folder / MANIFEST, text)


def past_imports(library: Path) -> list[PastImport]:
    """Return the imports in a library, the latest first."""
    imports = [read for folder in _folders(library, _DEPTH) if (read := read_manifest(folder)) is not None]
    return sorted(imports, key=lambda past: (past.imported.timestamp(), str(past.folder)), reverse=True)


def is_edited(folder: Path, entry: ImportedEntry) -> bool:
    """Whether a record's file was changed since the import, or its encounter has a fight in progress. Raise OSError."""
    path = folder / entry.path
    if entry.kind == "encounter" and fight_path(path).exists():
        return True
    return digest_of(path.read_bytes()) != entry.digest


def without(entries: Iterable[ImportedEntry], paths: Collection[str]) -> tuple[ImportedEntry, ...]:
    """Return the manifest entries except those with these file names."""
    return tuple(entry for entry in entries if entry.path not in paths)


def _is_plain(name: str) -> bool:
    """Whether a name is a record's file name, without a path to another folder."""
    return name.endswith(".toml") and not name.startswith(".") and not {"/", "\\", ":", "\0"} & set(name)


def _folders(folder: Path, depth: int) -> Iterator[Path]:
    with suppress(OSError), os.scandir(folder) as listing:
        for entry in listing:
            if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False):
                yield Path(entry.path)
                if depth > 1:
                    yield from _folders(Path(entry.path), depth - 1)


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
    named = [entry for entry in past.entries if names is None or entry.path in names]
    gone = {entry.path for entry in named if not (folder / entry.path).is_file()}
    edited = {entry.path for entry in named if entry.path not in gone and is_edited(folder, entry)}
    kept = [entry for entry in named if entry.path in edited]
    moved = [entry for entry in named if entry.path not in gone | edited]
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
