"""The library: creatures, environments and countdowns to take into an encounter, one a file.

A person's own folder stands before what is shipped, which is never written to. An index remembers the list by each
file's name, time and size; it may be deleted at any time.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import msgspec
import rtoml

from turnwright.encounter.bounds import MAX_BYTES
from turnwright.encounter.prepared import Countdown, Creature, Environment
from turnwright.storage.atomic import replace_atomically
from turnwright.storage.findings import Finding, Notes, located
from turnwright.storage.migrations import FORMAT, Format
from turnwright.storage.reader import named, read_struct
from turnwright.storage.resources import resource_path
from turnwright.storage.source import read_source
from turnwright.storage.tree import Fields, table_of

Kind = Literal["creature", "environment", "countdown"]
LibraryRecord = Creature | Environment | Countdown
KINDS: Mapping[Kind, type[LibraryRecord]] = MappingProxyType({
    "creature": Creature,
    "environment": Environment,
    "countdown": Countdown,
})  # fmt: skip
_HEAD = frozenset({"format", "kind", "system"})
_INDEX_VERSION = 1
_UNSAFE = re.compile(r"[^a-z0-9_-]+")


class LibraryEntry(msgspec.Struct, frozen=True):
    """One thing in the library. `haystack` is what a search looks through, in small letters."""

    kind: Kind
    id: str
    name: str
    system: str
    path: str
    rating: str = ""
    tags: tuple[str, ...] = ()
    shipped: bool = False
    haystack: str = ""


def by_system(entries: Iterable[LibraryEntry]) -> dict[str, list[LibraryEntry]]:
    """Return entries by the rule system they are for, in their order."""
    held: dict[str, list[LibraryEntry]] = {}
    for entry in entries:
        held.setdefault(entry.system, []).append(entry)
    return held


class _Seen(msgspec.Struct, frozen=True, array_like=True):
    """What is remembered of one file: an entry, or that it is broken."""

    path: str
    mtime_ns: int
    size: int
    entry: LibraryEntry | None


class _Index(msgspec.Struct, frozen=True, array_like=True):
    version: int
    seen: tuple[_Seen, ...]


class Library:
    """A person's folder and shipped folders. `index` is the file that remembers the list, None to go without."""

    def __init__(self, folder: Path, shipped: Sequence[Path] = (), index: Path | None = None) -> None:
        self.folder = folder
        self.shipped = tuple(shipped)
        self.index = index
        self._seen: dict[str, _Seen] | None = None

    @classmethod
    def standard(cls, folder: Path, index: Path | None = None) -> Library:
        """Return the library of a person's folder and everything shipped."""
        return cls(folder, (resource_path("library"), resource_path("environments")), index)

    def entries(self) -> tuple[LibraryEntry, ...]:
        """Return what the library holds, by name; a person's own stands in the place of a shipped one's id."""
        found: dict[tuple[str, str, str], LibraryEntry] = {}
        for seen in self._scan():
            if seen.entry is not None:
                found.setdefault((seen.entry.kind, seen.entry.system, seen.entry.id), seen.entry)
        return tuple(sorted(found.values(), key=lambda entry: (entry.name.casefold(), entry.kind, entry.system)))

    def entries_for(self, system: str) -> tuple[LibraryEntry, ...]:
        """Return what the library holds for a rule system, by name."""
        return tuple(by_system(self.entries()).get(system, ()))

    def findings(self) -> tuple[Finding, ...]:
        """Return what is wrong with those files of the library that can't be listed."""
        found: list[Finding] = []
        for seen in self._scan():
            if seen.entry is None:
                found.extend(read_library_file(Path(seen.path))[1])
        return tuple(found)

    def load(self, entry: LibraryEntry) -> tuple[LibraryRecord | None, tuple[Finding, ...]]:
        """Read an entry's file: no record where a finding is an error."""
        return read_library_file(Path(entry.path))

    def save(self, record: LibraryRecord, system: str) -> Path:
        """Write something into the person's folder, over their file of the same id, and return the file; OSError."""
        from turnwright.storage.dump import dump
        from turnwright.storage.editor import edit
        from turnwright.storage.layout import Layout

        kind = next(kind for kind, struct in KINDS.items() if isinstance(record, struct))
        tree = Fields(format=FORMAT, kind=kind, system=system)
        tree.update(table_of(record, keyed=False))
        path = self._own_path(kind, record.id, system)
        text = ""
        source = read_source(path) if path.exists() else None
        if source is not None and source.tables is not None:
            layout = Layout(source.text)
            edit(layout, source.tables, tree)
            text = layout.text()
        if not text or _record_in(text) != record:
            text = dump(tree, headed=False)
        self.folder.mkdir(parents=True, exist_ok=True)
        replace_atomically(path, text.encode())
        return path

    def _own_path(self, kind: Kind, id: str, system: str) -> Path:
        for seen in self._scan():
            entry = seen.entry
            if entry and not entry.shipped and (entry.kind, entry.id, entry.system) == (kind, id, system):
                return Path(entry.path)
        stem = _UNSAFE.sub("-", id.casefold()).strip("-") or kind
        path, number = self.folder / f"{stem}.toml", 2
        while path.exists():
            path = self.folder / f"{stem}-{number}.toml"
            number += 1
        return path

    def _scan(self) -> list[_Seen]:
        """Return what each file holds, reading only those that changed since the index was written."""
        remembered = dict(self._remembered() if self._seen is None else self._seen)
        seen: list[_Seen] = []
        changed = False
        for path, status, shipped in self._files():
            known = remembered.pop(path, None)
            if known is None or (known.mtime_ns, known.size) != (status.st_mtime_ns, status.st_size):
                known = _Seen(path, status.st_mtime_ns, status.st_size, _entry(Path(path), status.st_size, shipped))
                changed = True
            seen.append(known)
        self._seen = {file.path: file for file in seen}
        if changed or remembered:
            self._remember(seen)
        return seen

    def _files(self) -> Iterator[tuple[str, os.stat_result, bool]]:
        for folder, shipped in ((self.folder, False), *((folder, True) for folder in self.shipped)):
            for path in _toml_files(folder, depth=1):
                with suppress(OSError):
                    yield path.path, path.stat(), shipped

    def _remembered(self) -> dict[str, _Seen]:
        if self.index is None:
            return {}
        try:
            index = msgspec.msgpack.decode(self.index.read_bytes(), type=_Index)
        except (OSError, msgspec.MsgspecError):
            return {}
        return {seen.path: seen for seen in index.seen} if index.version == _INDEX_VERSION else {}

    def _remember(self, seen: Iterable[_Seen]) -> None:
        """Write the index; a library whose index can't be written works all the same."""
        if self.index is None:
            return
        with suppress(OSError):
            self.index.parent.mkdir(parents=True, exist_ok=True)
            replace_atomically(self.index, msgspec.msgpack.encode(_Index(_INDEX_VERSION, tuple(seen))))


def _toml_files(folder: Path, depth: int) -> Iterator[os.DirEntry[str]]:
    try:
        found = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in found:
        if entry.is_dir() and depth:
            yield from _toml_files(Path(entry.path), depth - 1)
        elif entry.name.endswith(".toml") and not entry.name.startswith("."):
            yield entry


def _entry(path: Path, size: int, shipped: bool) -> LibraryEntry | None:
    """Return what the list shows of a file, without reading it field by field; None where it can't be listed."""
    if size > MAX_BYTES or not path.is_file():
        return None
    try:
        tables = rtoml.loads(path.read_bytes().decode("utf-8-sig"))
        kind, name, tags = tables["kind"], tables["name"], tables.get("tags", [])
        words = (name, kind, tables.get("type", ""), tables.get("rating", ""), tables.get("size", ""), *tags)
        entry = {
            "kind": kind,
            "id": tables["id"],
            "name": name,
            "system": tables["system"],
            "path": str(path),
            "rating": tables.get("rating", ""),
            "tags": tags,
            "shipped": shipped,
            "haystack": " ".join(word for word in words if word).casefold(),
        }
        if type(tables.get("format", FORMAT)) is not int or tables.get("format", FORMAT) > FORMAT:
            return None
        return msgspec.convert(entry, LibraryEntry)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def read_library_file(path: Path) -> tuple[LibraryRecord | None, tuple[Finding, ...]]:
    """Read one library file; no record where a finding is an error. Never raises for what stands in the file."""
    source = read_source(path)
    if source.tables is None:
        return None, source.findings
    notes = Notes()
    record = _record_of(source.tables, notes)
    findings = located(notes, str(path), source.text)
    return (None if notes.has_errors else record), findings


def _record_of(tables: dict[str, Any], notes: Notes) -> LibraryRecord | None:
    current = Format().bring_up(tables, notes)
    if current is None:
        return None
    kind = current.get("kind")
    struct = next((struct for name, struct in KINDS.items() if name == kind), None)
    if struct is None:
        found = named(kind) if "kind" in current else "nothing"
        notes.error(("kind",) if "kind" in current else (), f"kind: expected one of {', '.join(KINDS)}, found {found}")
        return None
    if not isinstance(current.get("system"), str):
        notes.error(("system",), "lacks system, the rule system that this belongs to")
    return read_struct(struct, current, (), notes, known=_HEAD)


def _record_in(text: str) -> LibraryRecord | None:
    """Return the record that a text holds, None where it holds none."""
    try:
        return _record_of(rtoml.loads(text.removeprefix("\ufeff")), Notes())
    except ValueError:
        return None
