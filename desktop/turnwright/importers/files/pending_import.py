"""An unfinished import: its records wait in a hidden folder and are compared with earlier imports.

The folder's files are all moved into the library in one step. Its name begins with a dot, so no list shows it. The next
import removes a folder that a killed import left behind.
"""

import os
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Final, Literal

import msgspec

from turnwright.encounter.state import Encounter
from turnwright.importers import results
from turnwright.importers.files import import_manifest
from turnwright.storage.atomic import IdAllocator, slug, umask
from turnwright.storage.fights import ConversionNote
from turnwright.storage.library.entries import library_text

PREFIX: Final = ".import-"
_DAY: Final = 86_400


class StagingFolder(AbstractContextManager["StagingFolder"]):
    """Collects records as files: `add` each, then `commit`. Leaving the context without a commit removes everything."""

    def __init__(self, into: Path, name: str) -> None:
        self._into = into
        self._name = slug(name, "import")
        self._ids = IdAllocator()
        self._folder: Path | None = None

    def __exit__(self, *_: object) -> None:
        self.discard()

    @property
    def folder(self) -> Path:
        """The hidden folder with the records so far. Raise OSError if it can't be created."""
        return self._open()

    def discard(self) -> None:
        """Remove everything that was added."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def add(self, imported: results.ImportedRecord) -> tuple[str, str, str]:
        """Write a record, and return its kind, its id and its file's name. Raise OSError if it can't be written."""
        folder = self._open()
        record = imported.record
        id = slug(imported.name) if isinstance(record, Encounter) else record.id
        name = f"{self._ids.allocate(id)}.toml"
        (folder / name).write_text(library_text(record, imported.system), encoding="utf-8", newline="\n")
        return type(record).__name__.lower(), id, name

    def commit(self) -> Path:
        """Move everything into a new folder of the library, and return its path. Raise OSError if that fails."""
        staged = self._open()
        target = next(path for path in import_manifest.free_places(self._into, self._name) if _moved(staged, path))
        self._folder = None
        return target

    def _open(self) -> Path:
        if self._folder is None:
            self._into.mkdir(parents=True, exist_ok=True)
            remove_stale(self._into)
            self._folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=self._into))
            self._folder.chmod(0o777 & ~umask())
        return self._folder


def _moved(staged: Path, target: Path) -> bool:
    """Move a folder to a free name; return False if another process took the name first."""
    try:
        staged.rename(target)
    except OSError:
        if os.path.lexists(target):
            return False
        raise
    return True


def remove_stale(into: Path) -> None:
    """Remove the staging folders of killed imports."""
    for folder in into.glob(f"{PREFIX}*"):
        number = folder.name.removeprefix(PREFIX).partition("-")[0]
        if number.isdecimal() and not _runs(int(number), folder):
            shutil.rmtree(folder, ignore_errors=True)


def _runs(process: int, folder: Path) -> bool:
    if process == os.getpid():
        return True
    if os.name == "nt":  # signal 0 would end the process, so check the age: no import takes a day
        with suppress(OSError):
            return time.time() - folder.stat().st_mtime < _DAY
        return True
    with suppress(OSError, OverflowError):
        os.kill(process, 0)
        return True
    return False


Again = Literal["update", "both", "skip"]


class PendingRecord(msgspec.Struct):
    """One record of an unfinished import.

    `past` is the earlier import that contains it, `before` its entry there, `path` the name of its file.
    """

    imported: results.ImportedFile
    entry: import_manifest.ImportedEntry
    reports: tuple[ConversionNote, ...]
    understood: tuple[results.UnderstoodFeature, ...] = ()
    unplayed: int = 0
    past: import_manifest.PastImport | None = None
    before: import_manifest.ImportedEntry | None = None
    path: str = ""


class PendingImport(AbstractContextManager["PendingImport"]):
    """Collects records, then `compare`, then `finish` or `discard`. Leaving its context discards an unfinished import."""

    def __init__(self, paths: Sequence[Path], into: Path, name: str) -> None:
        self.records: list[PendingRecord] = []
        self.notes: list[ConversionNote] = []
        self.unread: list[results.UnreadRecord] = []
        self.skipped: list[str] = []
        self.main: import_manifest.PastImport | None = None
        self.gone: tuple[import_manifest.ImportedEntry, ...] = ()
        self._into = into
        self._sources = [str(path.absolute()) for path in paths]
        self._stage = StagingFolder(into, name)
        self._numbers: Counter[tuple[str, str, str]] = Counter()

    def __exit__(self, *_: object) -> None:
        self.discard()

    @property
    def counts(self) -> results.RecordCounts | None:
        """The number of records in each state since the source was last imported, or None for a new source."""
        if self.main is None:
            return None
        return msgspec.convert(Counter(record.imported.state for record in self.records), results.RecordCounts)

    def add(self, found: results.ImportedRecord, form: str) -> None:
        """Write a record to the staging folder. Raise OSError or UnicodeError if it can't be written."""
        kind, id, path = self._stage.add(found)
        digest = import_manifest.digest_of((self._stage.folder / path).read_bytes())
        source, file = self._origin(str(Path(found.file).absolute()))
        same = (str(Path(source, file)), kind, found.name)
        entry = import_manifest.ImportedEntry(source, file, kind, found.name, self._numbers[same], path, digest)
        self._numbers[same] += 1
        placed = results.ImportedFile(found.name, id, kind, found.system, path, found.file, form)
        self.records.append(PendingRecord(placed, entry, found.reports, found.understood, found.unplayed))

    def discard(self) -> None:
        """Remove the staged records; the library stays unchanged."""
        self._stage.discard()

    def compare(self) -> None:
        """Match each record to earlier imports.

        A moved source counts as the same if at least half of the shared records are unchanged.
        """
        earlier = import_manifest.past_imports(self._into) if self.records else []
        _match(self.records, earlier, lambda entry: entry.origin)
        for past in earlier:
            rest = [record for record in self.records if record.past is None]
            written = {entry.moved_origin: entry.digest for entry in past.entries}
            shared = [record for record in rest if record.entry.moved_origin in written]
            alike = sum(written[record.entry.moved_origin] == record.entry.digest for record in shared)
            if shared and 2 * alike >= len(shared):
                _match(shared, [past], lambda entry: entry.moved_origin)
        self._compare_files()
        matches = Counter(str(record.past.folder) for record in self.records if record.past is not None)
        most = matches.most_common(1)
        self.main = next((past for past in earlier if most and str(past.folder) == most[0][0]), None)
        self.gone = tuple(self._gone(self.main)) if self.main is not None else ()

    def _gone(self, past: import_manifest.PastImport) -> Iterator[import_manifest.ImportedEntry]:
        """Yield the records of the last import that its source no longer has, except those that the user removed.

        Records of an unreadable file may still exist, and so may all others if only part of the source is imported.
        """
        own = [record for record in self.records if record.past is past]
        matched = {record.before: record.entry for record in own if record.before is not None}
        sources = {before.source for before, now in matched.items() if before.file == now.file}  # those fully read
        unread = {str(Path(failed.file).absolute()) for failed in self.unread}
        for entry in past.entries:
            is_unread = any(str(Path(source, entry.file)) in unread for source in (entry.source, *self._sources))
            is_lost = entry not in matched and entry.source in sources and not is_unread
            if is_lost and (past.folder / entry.path).is_file():
                yield entry

    def _compare_files(self) -> None:
        for record in self.records:
            record.imported = msgspec.structs.replace(record.imported, state=self._state(record))

    def _state(self, record: PendingRecord) -> results.RecordState:
        if record.past is None or record.before is None:
            return "new"
        try:
            if import_manifest.digest_of((record.past.folder / record.path).read_bytes()) == record.entry.digest:
                return "same"
            return "edited" if import_manifest.is_edited(record.past.folder, record.before) else "changed"
        except OSError:
            return "removed"

    def finish(
        self, again: Again = "both", *, overwrite: Collection[int] = (), backups: Path | None = None
    ) -> results.ImportOutcome:
        """Move the records into the library, all or nothing, and return the outcome. Raise OSError.

        If the source was imported before, `update` overwrites changed records and adds new ones; `skip` only adds new
        ones; `both`, or any choice without `backups`, puts everything into a new folder. Records that the user edited
        or removed are written only if `overwrite` contains their index in `records`. Overwritten files are copied to
        `backups`.
        """
        if self.main is None or again == "both" or backups is None:
            return self._finish_new()
        self._compare_files()  # files may have been edited while a dialog was open
        states = ("new", "changed") if again == "update" else ("new",)
        numbered = enumerate(self.records)
        selected = [record for n, record in numbered if record.imported.state in states or n in overwrite]
        groups: dict[Path, list[PendingRecord]] = {}
        ids = IdAllocator(path.stem for path in self.main.folder.glob("*.toml"))
        ids_held = {entry.path.removesuffix(".toml") for entry in self.main.entries}
        for record in selected:
            if record.past is None:
                record.path = record.entry.path
                if not self._is_there(record.entry):
                    record.path = f"{_free_id(ids, record.path.removesuffix('.toml'), ids_held)}.toml"
            groups.setdefault((record.past or self.main).folder, []).append(record)
        written: list[results.WrittenFiles] = []
        try:
            for folder, records in groups.items():
                written.append(self._write_into(folder, records, backups))
            self._complete_manifests()
        except OSError:
            for files in written:
                with suppress(OSError):
                    undo_writing(files, backups)
            raise
        finally:
            self.discard()
        return self._outcome(str(self.main.folder) if selected else "", selected, tuple(written))

    def _finish_new(self) -> results.ImportOutcome:
        if not self.records:
            self.discard()
            return self._outcome("", ())
        import_manifest.write_manifest(self._stage.folder, [record.entry for record in self.records], datetime.now(UTC))
        folder = self._stage.commit()
        for one in self.records:
            one.past, one.path = import_manifest.PastImport(folder, datetime.now(UTC), ()), one.entry.path
        return self._outcome(str(folder), self.records)

    def _write_into(self, folder: Path, records: Sequence[PendingRecord], backups: Path) -> results.WrittenFiles:
        """Write records into the folder of an earlier import, after copying the files they replace to the backups."""
        past = import_manifest.read_manifest(folder)
        entries, when = (past.entries, past.imported) if past else ((), datetime.now(UTC))
        names = tuple(record.path for record in records)
        existing = [name for name in names if (folder / name).is_file()]
        aside = None
        if existing:
            aside = import_manifest.aside_folder(folder, backups)
            for name in existing:
                shutil.copy2(folder / name, aside / name)
            import_manifest.write_manifest(aside, [entry for entry in entries if entry.path in existing], when)
        done: list[str] = []
        added = tuple(msgspec.structs.replace(record.entry, path=record.path) for record in records)
        try:
            for record in records:
                (self._stage.folder / record.entry.path).replace(folder / record.path)
                done.append(record.path)
            import_manifest.write_manifest(
                folder, (*import_manifest.without(entries, names), *added), datetime.now(UTC)
            )
        except OSError:
            for name in done:
                if aside is not None and name in existing:
                    shutil.copy2(aside / name, folder / name)
                else:
                    (folder / name).unlink(missing_ok=True)
            raise
        return results.WrittenFiles(str(folder), names, str(aside or ""))

    def _is_there(self, entry: import_manifest.ImportedEntry) -> bool:
        """Whether an interrupted update has already written this new record, but not the manifest."""
        with suppress(OSError):
            return (
                self.main is not None
                and import_manifest.digest_of((self.main.folder / entry.path).read_bytes()) == entry.digest
            )
        return False

    def _complete_manifests(self) -> None:
        """Update the manifest entries of files that already have the source's current content but an older digest."""
        stale: dict[Path, list[import_manifest.ImportedEntry]] = {}
        for record in self.records:
            is_stale = record.before is not None and record.before.digest != record.entry.digest
            if is_stale and record.past and record.imported.state == "same":
                stale.setdefault(record.past.folder, []).append(msgspec.structs.replace(record.entry, path=record.path))
        for folder, entries in stale.items():
            past = import_manifest.read_manifest(folder)
            if past is not None:
                others = import_manifest.without(past.entries, {entry.path for entry in entries})
                import_manifest.write_manifest(folder, (*others, *entries), past.imported)

    def _outcome(
        self, folder: str, records: Iterable[PendingRecord], written: tuple[results.WrittenFiles, ...] = ()
    ) -> results.ImportOutcome:
        several, placed = list(records), list[results.ImportedFile]()
        for record in several:
            where = record.past or self.main
            path = str(where.folder / record.path) if where else record.imported.path
            placed.append(msgspec.structs.replace(record.imported, path=path))
        return results.ImportOutcome(
            folder,
            tuple(placed),
            (*chain.from_iterable(record.reports for record in several), *self.notes),
            tuple(self.unread),
            tuple(self.skipped),
            self.counts,
            written,
            tuple(entry.name for entry in self.gone),
            tuple(chain.from_iterable(record.understood for record in several)),
            sum(record.unplayed for record in several),
        )

    def _origin(self, file: str) -> tuple[str, str]:
        """Return the source that contains a file, and the file's path within it."""
        for source in self._sources:
            if file == source:
                return source, ""
            if file.startswith(source + os.sep):
                return source, file[len(source) + 1 :]
        return file, ""


def undo_writing(written: results.WrittenFiles, backups: Path) -> int:
    """Undo the changes of an import to an earlier import's folder, and restore the replaced files. Raise OSError.

    Keep files that the user has edited since, and return their number.
    """
    taken = import_manifest.take_back(Path(written.folder), backups, written.names)
    if written.aside:
        import_manifest.put_back(Path(written.aside), Path(written.folder))
    return len(taken.kept)


def _match(
    records: Iterable[PendingRecord],
    earlier: Iterable[import_manifest.PastImport],
    origin: Callable[[import_manifest.ImportedEntry], import_manifest.Origin],
) -> None:
    """Set the earlier import of each record by its origin; the latest import wins."""
    matches: dict[import_manifest.Origin, tuple[import_manifest.PastImport, import_manifest.ImportedEntry]] = {}
    for past in earlier:
        for entry in past.entries:
            matches.setdefault(origin(entry), (past, entry))
    for record in records:
        match = matches.get(origin(record.entry))
        if record.past is None and match is not None:
            record.past, record.before = match
            record.path = record.before.path


def _free_id(ids: IdAllocator, preferred: str, taken: Collection[str]) -> str:
    """Return an id that isn't used by any file, or by a record that the user removed."""
    while (id := ids.allocate(preferred)) in taken:
        pass
    return id
