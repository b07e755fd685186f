"""The manifest of an import: a file in its folder that lists its records, where each came from, and its text as written.

A record's origin is its file in the source, its kind and its name there. By the digest of its text it is known whether
somebody has edited the file since.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Final

import msgspec

from turnwright.encounter.bounds import MAX_BYTES
from turnwright.storage.atomic import replace_atomically
from turnwright.storage.fights import fight_path

MANIFEST: Final = "import.json"
_FORMAT: Final = 1
_DEPTH: Final = 3  # folders in one another, as the library lists them
Origin = tuple[str, str, str, int]


class ImportedEntry(msgspec.Struct, frozen=True, array_like=True):
    """One record: its source and the file in that (empty where the source is a file), its kind and name there.

    `number` counts records of one origin, `path` is its file's name in the import's folder.
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
        """The origin by the full path of its file."""
        return (str(Path(self.source, self.file)), *self._record)

    @property
    def moved_origin(self) -> Origin:
        """The origin by its file's place in the source, wherever that is."""
        return (self.file or Path(self.source).name, *self._record)

    @property
    def _record(self) -> tuple[str, str, int]:
        return self.kind, self.name, self.number


class PastImport(msgspec.Struct, frozen=True):
    """An import that is in a library: its folder, its date and its records."""

    folder: Path
    imported: datetime
    entries: tuple[ImportedEntry, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """The files and folders that it came from."""
        return tuple(dict.fromkeys(entry.source for entry in self.entries))


class _Group(msgspec.Struct, frozen=True):
    """The records of one source in a manifest's file."""

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
    """Return the import whose folder this is, None for any other folder."""
    path = folder / MANIFEST
    try:
        if path.stat().st_size > MAX_BYTES:
            return None
        found = msgspec.json.decode(path.read_bytes(), type=_Manifest)
    except (OSError, msgspec.MsgspecError, ValueError, RecursionError):
        return None
    entries = tuple(ImportedEntry(group.source, *one) for group in found.sources for one in group.records)
    if found.format != _FORMAT or any(not _is_plain(entry.path) for entry in entries):
        return None
    return PastImport(folder, found.imported, entries)


def write_manifest(folder: Path, entries: Collection[ImportedEntry], imported: datetime) -> None:
    """Write the manifest of a folder, or remove it where there are no records; OSError."""
    if not entries:
        (folder / MANIFEST).unlink(missing_ok=True)
        return
    groups: dict[str, list[tuple[str, str, str, int, str, str]]] = {}
    for one in entries:
        groups.setdefault(one.source, []).append((one.file, one.kind, one.name, one.number, one.path, one.digest))
    made = _Manifest(_FORMAT, imported, tuple(_Group(source, tuple(rows)) for source, rows in groups.items()))
    text = msgspec.json.format(msgspec.json.encode(made), indent=0)
    if len(text) <= MAX_BYTES:  # a larger file would keep a backup of the library from being restored
        replace_atomically(folder / MANIFEST, text)


def past_imports(library: Path) -> list[PastImport]:
    """Return the imports in a library, the latest first."""
    found = [read for folder in _folders(library, _DEPTH) if (read := read_manifest(folder)) is not None]
    return sorted(found, key=lambda each: (each.imported.timestamp(), str(each.folder)), reverse=True)


def is_edited(folder: Path, entry: ImportedEntry) -> bool:
    """Return whether a record's file is another than was written, or holds an encounter whose fight runs; OSError."""
    path = folder / entry.path
    if entry.kind == "encounter" and fight_path(path).exists():
        return True
    return digest_of(path.read_bytes()) != entry.digest


def without(entries: Iterable[ImportedEntry], paths: Collection[str]) -> tuple[ImportedEntry, ...]:
    """Return the entries of a manifest whose files have other names."""
    return tuple(entry for entry in entries if entry.path not in paths)


def _is_plain(name: str) -> bool:
    """Return whether a name is that of a record's file, so that it leads nowhere else."""
    return name.endswith(".toml") and not name.startswith(".") and not {"/", "\\", ":", "\0"} & set(name)


def _folders(folder: Path, depth: int) -> Iterator[Path]:
    with suppress(OSError), os.scandir(folder) as listing:
        for each in listing:
            if not each.name.startswith(".") and each.is_dir(follow_symlinks=False):
                yield Path(each.path)
                if depth > 1:
                    yield from _folders(Path(each.path), depth - 1)
