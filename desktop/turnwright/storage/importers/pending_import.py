"""An import that was read and waits to be finished: its records in a hidden folder, compared with earlier imports."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

import msgspec

from turnwright.storage.conversion_report import ConversionNote
from turnwright.storage.ids import IdAllocator
from turnwright.storage.importers.import_manifest import (
    ImportedEntry,
    Origin,
    PastImport,
    digest_of,
    is_edited,
    past_imports,
    read_manifest,
    without,
    write_manifest,
)
from turnwright.storage.importers.results import (
    ImportedFile,
    ImportedRecord,
    ImportOutcome,
    RecordCounts,
    RecordState,
    UnderstoodFeature,
    UnreadRecord,
    WrittenFiles,
)
from turnwright.storage.importers.staging_folder import StagingFolder
from turnwright.storage.importers.take_back import aside_folder, put_back, take_back

Again = Literal["update", "both", "skip"]


class PendingRecord(msgspec.Struct):
    """One record that was read. `past` is the earlier import that has it, `before` its entry there, `path` its file's name."""

    imported: ImportedFile
    entry: ImportedEntry
    reports: tuple[ConversionNote, ...]
    understood: tuple[UnderstoodFeature, ...] = ()
    unplayed: int = 0
    past: PastImport | None = None
    before: ImportedEntry | None = None
    path: str = ""


class PendingImport:
    """Collects records, then `compare`, then `finish` or `discard`; leaving its context discards what isn't finished."""

    def __init__(self, paths: Sequence[Path], into: Path, name: str) -> None:
        self.records: list[PendingRecord] = []
        self.notes: list[ConversionNote] = []
        self.unread: list[UnreadRecord] = []
        self.skipped: list[str] = []
        self.main: PastImport | None = None
        self.gone: tuple[ImportedEntry, ...] = ()
        self._into = into
        self._sources = [str(path.absolute()) for path in paths]
        self._stage = StagingFolder(into, name)
        self._numbers: Counter[tuple[str, str, str]] = Counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.discard()

    @property
    def counts(self) -> RecordCounts | None:
        """How the records compare with the last import of the same source; None where there is none."""
        if self.main is None:
            return None
        return msgspec.convert(Counter(one.imported.state for one in self.records), RecordCounts)

    def add(self, found: ImportedRecord, form: str) -> None:
        """Stage a record. OSError, UnicodeError where it can't be written."""
        kind, id, path = self._stage.add(found)
        digest = digest_of((self._stage.folder / path).read_bytes())
        source, file = self._origin(str(Path(found.file).absolute()))
        same = (str(Path(source, file)), kind, found.name)
        entry = ImportedEntry(source, file, kind, found.name, self._numbers[same], path, digest)
        self._numbers[same] += 1
        placed = ImportedFile(found.name, id, kind, found.system, path, found.file, form)
        self.records.append(PendingRecord(placed, entry, found.reports, found.understood, found.unplayed))

    def discard(self) -> None:
        """Remove what was read; nothing of it is in the library."""
        self._stage.discard()

    def compare(self) -> None:
        """Find each record in earlier imports. A source that was moved counts as the same if half of its records are."""
        earlier = past_imports(self._into) if self.records else []
        _match(self.records, earlier, lambda entry: entry.origin)
        for past in earlier:
            rest = [one for one in self.records if one.past is None]
            written = {entry.moved_origin: entry.digest for entry in past.entries}
            shared = [one for one in rest if one.entry.moved_origin in written]
            alike = sum(written[one.entry.moved_origin] == one.entry.digest for one in shared)
            if shared and 2 * alike >= len(shared):
                _match(shared, [past], lambda entry: entry.moved_origin)
        self._compare_files()
        held = Counter(str(one.past.folder) for one in self.records if one.past is not None)
        most = held.most_common(1)
        self.main = next((past for past in earlier if most and str(past.folder) == most[0][0]), None)
        self.gone = tuple(self._gone(self.main)) if self.main is not None else ()

    def _gone(self, past: PastImport) -> Iterator[ImportedEntry]:
        """Yield the records of the last import that its source no longer has, except those that a person removed.

        A record of a file that could not be read may still be there, as may all others where only a part is imported.
        """
        known = {one.before: one.entry for one in self.records if one.past is past and one.before is not None}
        sources = {
            before.source for before, now in known.items() if before.file == now.file
        }  # the whole source is here
        unread = {str(Path(one.file).absolute()) for one in self.unread}
        for entry in past.entries:
            there = any(str(Path(source, entry.file)) in unread for source in (entry.source, *self._sources))
            if entry not in known and entry.source in sources and not there and (past.folder / entry.path).is_file():
                yield entry

    def _compare_files(self) -> None:
        for one in self.records:
            one.imported = msgspec.structs.replace(one.imported, state=self._state(one))

    def _state(self, one: PendingRecord) -> RecordState:
        if one.past is None or one.before is None:
            return "new"
        try:
            if digest_of((one.past.folder / one.path).read_bytes()) == one.entry.digest:
                return "same"
            return "edited" if is_edited(one.past.folder, one.before) else "changed"
        except OSError:
            return "removed"

    def finish(
        self, again: Again = "both", *, overwrite: Collection[int] = (), backups: Path | None = None
    ) -> ImportOutcome:
        """Put the records into the library, all of them or nothing, and return the result; OSError.

        Where the source was imported before, `update` writes what has changed over it, and adds what is new; `skip`
        adds only what is new; `both`, or any without `backups`, puts everything into a new folder. What a person edited
        or removed since is written only if `overwrite` has its place in `records`. What is written over is kept in
        `backups`.
        """
        if self.main is None or again == "both" or backups is None:
            return self._finish_new()
        self._compare_files()  # a person may have edited some while they were asked
        states = ("new", "changed") if again == "update" else ("new",)
        chosen = [one for number, one in enumerate(self.records) if one.imported.state in states or number in overwrite]
        groups: dict[Path, list[PendingRecord]] = {}
        ids = IdAllocator(path.stem for path in self.main.folder.glob("*.toml"))
        ids_held = {entry.path.removesuffix(".toml") for entry in self.main.entries}
        for one in chosen:
            if one.past is None:
                wanted = one.entry.path.removesuffix(".toml")
                one.path = one.entry.path if self._is_there(one.entry) else f"{_free_id(ids, wanted, ids_held)}.toml"
            groups.setdefault((one.past or self.main).folder, []).append(one)
        written: list[WrittenFiles] = []
        try:
            for folder, some in groups.items():
                written.append(self._write_into(folder, some, backups))
            self._complete_manifests()
        except OSError:
            for each in written:
                with suppress(OSError):
                    undo_writing(each, backups)
            raise
        finally:
            self.discard()
        return self._outcome(str(self.main.folder) if chosen else "", chosen, tuple(written))

    def _finish_new(self) -> ImportOutcome:
        if not self.records:
            self.discard()
            return self._outcome("", ())
        write_manifest(self._stage.folder, [one.entry for one in self.records], datetime.now(UTC))
        folder = self._stage.commit()
        for one in self.records:
            one.past, one.path = PastImport(folder, datetime.now(UTC), ()), one.entry.path
        return self._outcome(str(folder), self.records)

    def _write_into(self, folder: Path, some: Sequence[PendingRecord], backups: Path) -> WrittenFiles:
        """Write records into the folder of an earlier import, after copying what they replace into the backups."""
        past = read_manifest(folder)
        held, when = (past.entries, past.imported) if past else ((), datetime.now(UTC))
        names = tuple(one.path for one in some)
        there = [name for name in names if (folder / name).is_file()]
        aside = None
        if there:
            aside = aside_folder(folder, backups)
            for name in there:
                shutil.copy2(folder / name, aside / name)
            write_manifest(aside, [entry for entry in held if entry.path in there], when)
        done: list[str] = []
        made = tuple(msgspec.structs.replace(one.entry, path=one.path) for one in some)
        try:
            for one in some:
                (self._stage.folder / one.entry.path).replace(folder / one.path)
                done.append(one.path)
            write_manifest(folder, (*without(held, names), *made), datetime.now(UTC))
        except OSError:
            for name in done:
                if aside is not None and name in there:
                    shutil.copy2(aside / name, folder / name)
                else:
                    (folder / name).unlink(missing_ok=True)
            raise
        return WrittenFiles(str(folder), names, str(aside or ""))

    def _is_there(self, entry: ImportedEntry) -> bool:
        """Return whether an update that was killed has written a new record, but no manifest."""
        with suppress(OSError):
            return self.main is not None and digest_of((self.main.folder / entry.path).read_bytes()) == entry.digest
        return False

    def _complete_manifests(self) -> None:
        """Enter those files as imported that hold what the source has now, though their manifest has another digest."""
        stale: dict[Path, list[ImportedEntry]] = {}
        for one in self.records:
            if one.imported.state == "same" and one.past and one.before and one.before.digest != one.entry.digest:
                stale.setdefault(one.past.folder, []).append(msgspec.structs.replace(one.entry, path=one.path))
        for folder, entries in stale.items():
            past = read_manifest(folder)
            if past is not None:
                held = without(past.entries, {entry.path for entry in entries})
                write_manifest(folder, (*held, *entries), past.imported)

    def _outcome(
        self, folder: str, chosen: Iterable[PendingRecord], written: tuple[WrittenFiles, ...] = ()
    ) -> ImportOutcome:
        placed: list[ImportedFile] = []
        reports: list[ConversionNote] = []
        understood: list[UnderstoodFeature] = []
        unplayed = 0
        for one in chosen:
            where = one.past or self.main
            placed.append(
                msgspec.structs.replace(one.imported, path=str(where.folder / one.path)) if where else one.imported
            )
            reports.extend(one.reports)
            understood.extend(one.understood)
            unplayed += one.unplayed
        reports += self.notes
        skipped = tuple(self.skipped)
        gone = tuple(entry.name for entry in self.gone)
        return ImportOutcome(
            folder,
            tuple(placed),
            tuple(reports),
            tuple(self.unread),
            skipped,
            self.counts,
            written,
            gone,
            tuple(understood),
            unplayed,
        )

    def _origin(self, file: str) -> tuple[str, str]:
        """Return the source that a file is of, and its place there."""
        for source in self._sources:
            if file == source:
                return source, ""
            if file.startswith(source + os.sep):
                return source, file[len(source) + 1 :]
        return file, ""


def undo_writing(written: WrittenFiles, backups: Path) -> int:
    """Take back what an import wrote into an earlier one's folder, and put back what it replaced; OSError.

    Files that a person edited since stay; their number is returned.
    """
    taken = take_back(Path(written.folder), backups, written.names)
    if written.aside:
        put_back(Path(written.aside), Path(written.folder))
    return len(taken.kept)


def _match(
    records: Iterable[PendingRecord], earlier: Iterable[PastImport], origin: Callable[[ImportedEntry], Origin]
) -> None:
    """Set the earlier import of each record by its origin, the latest where several have it."""
    known: dict[Origin, tuple[PastImport, ImportedEntry]] = {}
    for past in earlier:
        for entry in past.entries:
            known.setdefault(origin(entry), (past, entry))
    for one in records:
        found = known.get(origin(one.entry))
        if one.past is None and found is not None:
            one.past, one.before = found
            one.path = one.before.path


def _free_id(ids: IdAllocator, wanted: str, held: Collection[str]) -> str:
    """Return an id whose file neither exists nor is that of a record that a person removed."""
    found = ids.allocate(wanted)
    while found in held:
        found = ids.allocate(wanted)
    return found
