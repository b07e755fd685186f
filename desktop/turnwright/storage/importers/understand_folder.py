"""Reads the catalogue of traits into the creatures of a folder that were imported, or written, before it was there.

A file keeps its layout and comments; the one before is kept in the backups. A file that nobody edited since its import counts
as unedited after it too.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec

from turnwright.encounter.prepared import Creature
from turnwright.storage.atomic import replace_atomically
from turnwright.storage.editor import edited_text
from turnwright.storage.findings import Finding
from turnwright.storage.importers.import_manifest import digest_of, read_manifest, write_manifest
from turnwright.storage.importers.take_back import aside_folder
from turnwright.storage.library import OWN_TRAITS, library_tree, read_library_file
from turnwright.storage.toml_source import read_toml
from turnwright.storage.traits.understand import TraitReaders, Understood


class UnderstoodFile(msgspec.Struct, frozen=True):
    """A creature's file whose features the catalogue understands further than its fields say, and its new text."""

    path: Path
    creature: str
    features: tuple[Understood, ...]
    text: str


class UnderstoodFolder(msgspec.Struct, frozen=True):
    """The files of a folder that the catalogue changes, and the mistakes in the table's own catalogues."""

    files: tuple[UnderstoodFile, ...]
    findings: tuple[Finding, ...] = ()


def read_folder(folder: Path) -> UnderstoodFolder:
    """Return what the catalogue of traits changes in a folder; nothing is written."""
    traits = TraitReaders(_library_of(folder))
    files = tuple(one for path in sorted(folder.rglob("*.toml")) if (one := _read(path, traits)) is not None)
    return UnderstoodFolder(files, tuple(traits.findings))


def write_folder(folder: Path, found: UnderstoodFolder, backups: Path) -> Path | None:
    """Write the changed files, and return the folder with those before them, None where nothing changes; OSError."""
    if not found.files:
        return None
    aside = aside_folder(folder, backups)
    for one in found.files:
        kept = aside / one.path.relative_to(folder)
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(one.path, kept)
    for one in found.files:
        before = digest_of(one.path.read_bytes())
        replace_atomically(one.path, one.text.encode())
        _keep_unedited(one.path, before, digest_of(one.text.encode()))
    return aside


def _library_of(folder: Path) -> Path:
    """Return the nearest folder around that holds a catalogue of a table's own, else the folder itself."""
    return next((one for one in _around(folder.absolute()) if any(one.glob(f"*{OWN_TRAITS}"))), folder)


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
    """Enter a file's new digest into the manifest of its import, if it was as imported."""
    past = read_manifest(path.parent)
    if past is not None and any((one.path, one.digest) == (path.name, before) for one in past.entries):
        entries = [msgspec.structs.replace(one, digest=after) if one.path == path.name else one for one in past.entries]
        write_manifest(path.parent, entries, past.imported)
