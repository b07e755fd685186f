"""Applies the trait catalogue to the creatures of a folder that were imported or written before the catalogue existed.

A file keeps its layout and comments, and its previous version is backed up. A file unedited since its import still
counts as unedited.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec

from turnwright.encounter.prepared import Creature
from turnwright.importers.files.import_manifest import digest_of, read_manifest, write_manifest
from turnwright.importers.files.take_back import aside_folder
from turnwright.importers.traits.understand import TraitReaders, Understood
from turnwright.storage.atomic import replace_atomically
from turnwright.storage.editor import edited_text
from turnwright.storage.findings import Finding
from turnwright.storage.library.entries import OWN_TRAITS, library_tree, read_library_file
from turnwright.storage.toml.source import read_toml


class UnderstoodFile(msgspec.Struct, frozen=True):
    """A creature file that the catalogue changes: the features that it can read further, and the new text."""

    path: Path
    creature: str
    features: tuple[Understood, ...]
    text: str


class UnderstoodFolder(msgspec.Struct, frozen=True):
    """The files of a folder that the catalogue changes, and the errors in the user's own catalogues."""

    files: tuple[UnderstoodFile, ...]
    findings: tuple[Finding, ...] = ()


def read_folder(folder: Path) -> UnderstoodFolder:
    """Return the changes that the trait catalogue would make in a folder, without writing anything."""
    traits = TraitReaders(_library_of(folder))
    files = tuple(file for path in sorted(folder.rglob("*.toml")) if (file := _read(path, traits)) is not None)
    return UnderstoodFolder(files, tuple(traits.findings))


def write_folder(folder: Path, found: UnderstoodFolder, backups: Path) -> Path | None:
    """Write the changed files, and return the folder with their previous versions.

    Return None if nothing changes. Raise OSError.
    """
    if not found.files:
        return None
    aside = aside_folder(folder, backups)
    for file in found.files:
        copy = aside / file.path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file.path, copy)
    for file in found.files:
        before = digest_of(file.path.read_bytes())
        replace_atomically(file.path, file.text.encode())
        _keep_unedited(file.path, before, digest_of(file.text.encode()))
    return aside


def _library_of(folder: Path) -> Path:
    """Return the nearest parent folder with the user's own trait catalogue, or the folder itself."""
    return next((parent for parent in _around(folder.absolute()) if any(parent.glob(f"*{OWN_TRAITS}"))), folder)


def _around(folder: Path) -> Iterator[Path]:
    yield folder
    yield from list(folder.parents)[:3]


def _read(path: Path, traits: TraitReaders) -> UnderstoodFile | None:
    record, _ = read_library_file(path)
    source = read_toml(path)
    if not isinstance(record, Creature) or source.tables is None:
        return None
    system = str(source.tables["system"])
    read, features = traits.of(system).creature(record)
    if read == record:
        return None
    text = edited_text(source.text, source.tables, library_tree(read, system))
    return UnderstoodFile(path, record.name, features, text)


def _keep_unedited(path: Path, before: str, after: str) -> None:
    """Update a file's digest in the manifest of its import if the file was unedited."""
    past = read_manifest(path.parent)
    if past is not None and any((entry.path, entry.digest) == (path.name, before) for entry in past.entries):
        entries = [
            msgspec.structs.replace(entry, digest=after) if entry.path == path.name else entry for entry in past.entries
        ]
        write_manifest(path.parent, entries, past.imported)
