"""An open document: an encounter with its session, its files and its recovery log.

Prepared records are in `x.toml`, and a running fight in `x.fight.toml` next to it. A save never silently overwrites
changes that another program made to the files. Each save makes a backup, which can be restored as an earlier version.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from turnwright import __version__
from turnwright.encounter.prepared import DEFAULT_SYSTEM, Scene
from turnwright.encounter.running import Dice
from turnwright.encounter.state import Encounter, Record
from turnwright.play.kernel.events import JournalLine
from turnwright.play.kernel.history import History, HistoryEntry
from turnwright.play.kernel.transaction import Command, Refused
from turnwright.storage.adventures import PLAN, RUN, encounter_at, read_adventure, read_run
from turnwright.storage.atomic import backups_of
from turnwright.storage.encounters import EncounterFile, prepared
from turnwright.storage.fights import fight_path
from turnwright.storage.findings import Finding
from turnwright.storage.library.entries import Library
from turnwright.storage.picture_files import copy_pictures
from turnwright.storage.resources import resource_root
from turnwright.workspace import files, log_format
from turnwright.workspace.file_origin import FileOrigin
from turnwright.workspace.locks import DocumentLock, lock_name, lock_untitled
from turnwright.workspace.recovery import LogErrorHandler, RecoveryLog, history_path, keep_history, log_path
from turnwright.workspace.settings import Folders, Settings

if TYPE_CHECKING:
    from turnwright.play.kernel.scheduler import Step
    from turnwright.play.session import Session


class DocumentInUseError(Exception):
    """Raised if another process has the document open."""


class RecoverError(Exception):
    """Raised if a log can't be read. The log isn't changed."""


class NoPathError(Exception):
    """Raised if a document was never saved, so that the user has to choose a path."""


def ignore_error(_error: OSError) -> None:
    """Ignore an error."""


class OpenState(msgspec.Struct, frozen=True):
    """The initial state of a document. `encounter` is the state before any step.

    `is_saved`: the files have the same content. `log` is the log that the document continues, `entries` are its
    entries, and `log_bytes` is its complete length. `is_recovered`: a crashed process left the document.
    `keeps_broken_fight`: the fight file is broken, and is kept until a fight is saved.
    """

    encounter: Encounter
    origin: FileOrigin = FileOrigin()
    earlier_lines: tuple[JournalLine, ...] = ()
    entries: tuple[log_format.LogEntry, ...] = ()
    log: Path | None = None
    log_bytes: int = 0
    is_saved: bool = True
    findings: tuple[Finding, ...] = ()
    is_recovered: bool = False
    keeps_broken_fight: bool = False


def with_dice(encounter: Encounter, seed: int | None, mode: Literal["ask", "roll"]) -> Encounter:
    """Return an encounter with dice. `seed` replaces its dice; without a seed, missing dice are added."""
    old_dice = encounter.get(Dice, "dice")
    if old_dice is not None and seed is None:
        return encounter
    fresh = Dice(seed=_fresh_seed() if seed is None else seed, mode=old_dice.mode if old_dice else mode)
    return Encounter((*(record for record in encounter if not isinstance(record, Dice)), fresh))


def _fresh_seed() -> int:
    return int.from_bytes(os.urandom(7), "big") >> 3


def open_state_from_log(log: Path, contents: log_format.LogContents) -> OpenState:
    """Return the initial state for a document that continues a log."""
    assert contents.snapshot is not None
    return OpenState(
        encounter=Encounter(contents.snapshot.records),
        origin=contents.snapshot.origin,
        earlier_lines=contents.snapshot.earlier,
        entries=contents.entries,
        log=log,
        log_bytes=contents.valid_bytes,
        is_saved=contents.snapshot.saved,
    )


def with_history(start: OpenState, history: Path) -> OpenState:
    """Add the undo history to the state of files. A history that doesn't match the files is deleted."""
    with suppress(OSError, LookupError, ValueError):
        contents = files.read_leftover(history, with_events=False)
        state, origin = open_state_from_log(history, contents), contents.origin
        encounter, steps = state.encounter, History()
        for entry in contents.history_entries:
            encounter = encounter.with_changes(steps.changes_of(entry))
            steps.apply(entry)
        if (origin.digest, origin.fight) == (start.origin.digest, start.origin.fight) and _have_same_files(
            encounter, start.encounter
        ):
            # to have the path just opened
            here = log_format.SaveEntry(msgspec.structs.replace(start.origin, text=origin.text))
            return msgspec.structs.replace(
                state,
                entries=(*state.entries, here),
                findings=start.findings,
                keeps_broken_fight=start.keeps_broken_fight,
            )
    with suppress(OSError):
        history.unlink(missing_ok=True)
    return start


def _have_same_files(one: Encounter, other: Encounter) -> bool:
    """Whether two encounters would be saved as the same files. Dice only matter during a fight."""
    return one == other if files.is_running(one) else prepared(one) == prepared(other)


class Document:
    """An encounter that is being prepared or run, with its lock and its log. The functions below create documents.

    `lock` isn't held if the document is read-only. A headless document has no lock (None) and no log.
    """

    def __init__(
        self,
        start: OpenState,
        systems: files.Systems,
        state_folder: Path,
        lock: DocumentLock | None,
        on_log_error: LogErrorHandler = ignore_error,
    ) -> None:
        self.findings = start.findings
        self._start = start
        self.systems = systems
        self.state_folder = state_folder
        self._recovery = state_folder / "recovery"
        self._trouble = on_log_error
        self._lock = lock
        self._origin = start.origin
        self._leaves_fight = start.keeps_broken_fight
        self.copied_from: Path | None = None  # the original file of a copy; the images are in its folder
        self._mark: log_format.SavePoint | None = (0, 0) if start.is_saved else None
        self._as_saved: Encounter | None = start.encounter if start.is_saved else None
        self._log: RecoveryLog | None = None
        self._session: Session | None = None
        if start.log is not None:
            self._begin()
        elif files.encounter_system(start.encounter) not in systems.ids:
            raise LookupError(files.encounter_system(start.encounter))

    @property
    def session(self) -> Session:
        """The encounter with its history. It is created on first use, because a file is opened before it is played."""
        return self._session or self._begin()

    def _begin(self) -> Session:
        from turnwright.play.session import Session  # loads the whole engine, which the first paint doesn't need

        start, opened = self._start, time.monotonic()
        self._session = Session(
            start.encounter,
            self.systems.get(files.encounter_system(start.encounter)),
            earlier_lines=start.earlier_lines,
            clock=lambda: int(time.monotonic() - opened),
        )
        self._session.subscribe(lambda _changed: self._follow_system())
        self._go_through(start.entries)
        if self._lock is not None and self._lock.is_held:
            self._keep_log(self._lock)
        return self._session

    def _go_through(self, entries: Sequence[log_format.LogEntry]) -> None:
        for entry in entries:
            if isinstance(entry, HistoryEntry):
                self.session.replay([entry])
            elif isinstance(entry, log_format.SaveEntry):
                self._take_saved(entry)
        self._follow_system()

    def _keep_log(self, lock: DocumentLock) -> None:
        path = log_path(self._recovery, lock.name)
        self._log = RecoveryLog(path, self._beginning, self._trouble)
        if self._start.log is not None:
            self._log.resume(self._start.log, self._start.log_bytes)
        if self._start.is_recovered:
            self._log.move(path)
        self.session.set_log(self._keep)

    def _beginning(self) -> bytes:
        start = self._start
        encounter, is_saved = tuple(start.encounter), self._mark == (0, 0)
        return log_format.encode_snapshot(
            log_format.LogSnapshot(self._origin, encounter, start.earlier_lines, is_saved, __version__)
        )

    def _keep(self, entry: log_format.LogEntry) -> None:
        if self._log is None:
            return
        try:
            self._log.append(log_format.encode_entry(entry), synced=isinstance(entry, log_format.SavePlan))
        except (OverflowError, TypeError, ValueError) as error:  # not logged, but the document is usable
            self._log.close()
            self._log = None
            self._trouble(OSError(errno.EINVAL, str(error)))

    def _follow_system(self) -> None:
        scene = self.session.encounter.get(Scene, "scene")
        if scene is not None:
            with suppress(LookupError):
                self.session.rules = self.systems.get(scene.system)

    # Reading -------------------------------------------------------------------------------------------------

    @property
    def encounter(self) -> Encounter:
        """The current state of the encounter."""
        return self._start.encounter if self._session is None else self._session.encounter

    @property
    def path(self) -> Path | None:
        """The encounter file, or None if the document was never saved."""
        return Path(self._origin.path) if self._origin.path else None

    @property
    def title(self) -> str:
        """The encounter's title, or the file's name without its extension, or an empty string."""
        scene = self.encounter.get(Scene, "scene")
        return (scene.title if scene else "") or (self.path.stem if self.path else "")

    @property
    def picture_folder(self) -> Path | None:
        """The folder of the encounter's images. A copy uses the folder of the original file."""
        path = self.path or self.copied_from
        return path.parent if path is not None else None

    @property
    def read_only(self) -> bool:
        """Whether another process has the document open. It can then only be viewed or saved under another name."""
        return self._lock is not None and not self._lock.is_held

    @property
    def was_recovered(self) -> bool:
        """Whether the document was recovered from the log of a crashed process."""
        return self._start.is_recovered

    @property
    def is_modified(self) -> bool:
        """Whether there are unsaved changes. After undoing all of them, this is False."""
        if log_format.save_point_of(self.session.history) == self._mark:
            return False
        if self._as_saved is None or files.is_running(self.encounter) or files.is_running(self._as_saved):
            return True
        return prepared(self.encounter) != prepared(self._as_saved)

    # Commands --------------------------------------------------------------------------------------------------

    def do(self, command: Command, *, override: bool = False, strict: bool = False, joins: bool = False) -> Step | None:
        """Execute a command like `Session.do`. Raise Refused if the document is read-only."""
        if self.read_only:
            raise Refused("refused.read_only")
        return self.session.do(command, override=override, strict=strict, joins=joins)

    def undo(self) -> bool:
        """Undo the last step. Return False if there is none."""
        return self.session.undo()

    def redo(self) -> bool:
        """Redo the last undone step. Return False if there is none."""
        return self.session.redo()

    # Files -----------------------------------------------------------------------------------------------------

    def text(self) -> str:
        """Return the text that a save would write to the encounter's file."""
        return EncounterFile(self._origin.text).render(self.encounter)

    def changed_on_disk(self) -> bool:
        """Whether another program changed the files since they were read or saved.

        Raise OSError if they can't be read.
        """
        return self.path is not None and not files.same_on_disk(self._origin)

    def save(self, overwrite: bool = False) -> None:
        """Write the changes to the files. Raise NoPathError, DocumentInUseError or OSError.

        Unless `overwrite` is set, raise FileChangedError if another program changed the files, or FightUnreadError if a
        fight would replace one that couldn't be read. With `overwrite`, the other program's version is backed up, and
        its comments are kept. On any error the document, its history and its log are unchanged.
        """
        if self.path is None:
            raise NoPathError
        if self.read_only:
            raise DocumentInUseError(self.path)
        guard = self._lock or DocumentLock(self._recovery, lock_name(self.path))
        if not guard.acquire():
            raise DocumentInUseError(self.path)
        try:
            if not overwrite and self.changed_on_disk():
                raise files.FileChangedError(self.path)
            if not overwrite and self._leaves_fight and files.is_running(self.encounter):
                raise files.FightUnreadError(fight_path(self.path))
            self._write(self.path)
        finally:
            if self._lock is None:
                guard.release()

    def save_as(self, path: Path) -> None:
        """Write to another file, which becomes the document's file. Its old content is backed up.

        Raise DocumentInUseError if another process has that file open, or OSError if it can't be written; then nothing
        changes. Images next to the old file are copied to a new folder. Existing files there aren't replaced.
        """
        path, before = path.absolute(), self.picture_folder
        if self.path is not None and path.resolve() == self.path.resolve() and not self.read_only:
            self.save(overwrite=True)
            return
        lock = DocumentLock(self._recovery, lock_name(path))
        if not lock.acquire():
            raise DocumentInUseError(path)
        try:
            self._write(path)
        except BaseException:
            lock.release()
            raise
        self._change_lock(lock)
        if before is not None:
            copy_pictures(self.encounter, before, path.parent)

    def _change_lock(self, lock: DocumentLock) -> None:
        """Move the lock and the log to the document's new path. A headless document has neither."""
        if self._log is not None:
            self._log.move(log_path(self._recovery, lock.name))
        if self._lock is None:
            lock.release()
            return
        self._lock.release()
        self._lock = lock
        if self._log is None:
            self._keep_log(lock)

    def close(self, discard: bool = False) -> None:
        """Close the document. If there are unsaved changes, its log is kept, unless `discard` is set.

        The log up to the last save becomes the file's undo history.
        """
        if self._log is not None and self._lock is not None:
            is_modified = self.is_modified
            if not is_modified and self._mark != log_format.save_point_of(self.session.history):
                self._log_save(log_format.SaveEntry(self._origin))
            if is_modified and not discard:
                self._log.close()
            else:
                self._log.keep_saved(history_path(self.state_folder, self._lock.name))
            self._log = None
        if self._lock is not None:
            self._lock.release()

    def reopen(self, read: files.ReadFiles) -> Document:
        """Close the document without saving, and return a new document with the content just read from its files."""
        if self.path is None:
            raise NoPathError
        self.close(discard=True)
        return open_document(self.path, self.systems, self.state_folder, read=read, on_log_error=self._trouble)

    def _write(self, path: Path) -> None:
        writes = files.plan_writes(
            path,
            self.encounter,
            self.session.journal(),
            self._origin,
            prepared_changed=self._as_saved is None or prepared(self.encounter) != prepared(self._as_saved),
            keeps_fight=self._leaves_fight,
        )
        self._log_save(log_format.SavePlan(writes.origin))
        try:
            writes.write(self.state_folder / "backups")
        except OSError:
            with suppress(OSError):
                done = files.written(self._origin, writes.origin)
                if done is not None:
                    self._note(done)
            raise
        self._leaves_fight = False
        self._note(log_format.SaveEntry(writes.origin))

    def _note(self, saved: log_format.SaveEntry) -> None:
        """Remember the new content of the files, and add it to the log."""
        self._log_save(saved)
        self._take_saved(saved)

    def _log_save(self, entry: log_format.SavePlan | log_format.SaveEntry) -> None:
        """Add a save to the log. The text that saves are based on is only included if it has changed."""
        if self._log is not None and self._log.has_started:
            text = "" if entry.origin.text == self._origin.text else entry.origin.text
            self._keep(msgspec.structs.replace(entry, origin=msgspec.structs.replace(entry.origin, text=text)))

    def _take_saved(self, saved: log_format.SaveEntry) -> None:
        self._origin = msgspec.structs.replace(saved.origin, text=saved.origin.text or self._origin.text)
        if saved.complete:
            self.session.history.seal()
            self._mark = log_format.save_point_of(self.session.history)
            self._as_saved = self.encounter


# Making documents ------------------------------------------------------------------------------------------------


def open_document(
    path: Path,
    systems: files.Systems,
    state_folder: Path,
    *,
    seed: int | None = None,
    dice: Literal["ask", "roll"] = "ask",
    locked: bool = True,
    with_fight: bool = True,
    read: files.ReadFiles | None = None,
    on_log_error: LogErrorHandler = ignore_error,
) -> Document:
    """Open an encounter with its saved fight and its undo history. Raise OpenError with all findings.

    The document is read-only if another process has it open. A fight that hasn't begun gets new dice, or dice with
    `seed`; with a seed there is no undo history. For headless use, set `locked` to False: then there is no log, the file
    is only locked while saving, and a file with errors isn't opened. `read` is the files' content if it was just read. `on_log_error` is called if the
    log can't be written.
    """
    path = path.absolute()
    lock = DocumentLock(state_folder / "recovery", lock_name(path)) if locked else None
    if lock is not None:
        lock.acquire()
    try:
        read = read or files.read_files(path, systems, with_fight, whole=not locked)
        base = with_dice(read.encounter, seed, dice)
        start = OpenState(
            base, read.origin, read.earlier_lines, findings=read.findings, keeps_broken_fight=read.fight_is_broken
        )
        if lock is not None and lock.is_held and seed is None:
            start = with_history(start, history_path(state_folder, lock.name))
        return Document(start, systems, state_folder, lock, on_log_error)
    except BaseException:
        if lock is not None:
            lock.release()
        raise


def untitled_document(
    systems: files.Systems,
    state_folder: Path,
    *,
    system: str = Scene().system,
    title: str = "",
    seed: int | None = None,
    dice: Literal["ask", "roll"] = "ask",
    on_log_error: LogErrorHandler = ignore_error,
) -> Document:
    """Return a new, empty document for a rule system. Raise LookupError if the system is unknown."""
    seconds = systems.get(system).default_round_seconds(Scene().purpose)
    base = with_dice(Encounter([Scene(title=title, system=system, round_seconds=seconds)]), seed, dice)
    return Document(OpenState(base), systems, state_folder, lock_untitled(state_folder / "recovery"), on_log_error)


def recover_document(
    log: Path, systems: files.Systems, state_folder: Path, *, on_log_error: LogErrorHandler = ignore_error
) -> Document:
    """Restore a document from its log to its exact state, including the undo history.

    Raise RecoverError or DocumentInUseError; then the log isn't changed.
    """
    own = DocumentLock(log.parent, log.stem)
    if not own.acquire():
        raise DocumentInUseError(log)
    lock = own
    try:
        contents = files.read_leftover(log)
        path = contents.origin.path
        if path and lock_name(Path(path)) != own.name:
            lock = DocumentLock(own.folder, lock_name(Path(path)))
            if not lock.acquire():
                raise DocumentInUseError(path)
        start = open_state_from_log(log, contents)
        return Document(msgspec.structs.replace(start, is_recovered=True), systems, state_folder, lock, on_log_error)
    except (OSError, LookupError, ValueError) as error:
        lock.release()
        raise RecoverError(log) from error
    finally:
        if lock is not own:
            own.release()


CONTEXT = 2  # number of lines shown around each change
MAX_LINES = 20_000  # maximum length of a text; longer ones are not compared


class EarlierVersion(msgspec.Struct, frozen=True):
    """A copy of a file made before a save, and the time of that save."""

    path: Path
    saved_over: datetime


def earlier_versions(path: Path, backups: Path) -> list[EarlierVersion]:
    """Return the earlier versions of a file, newest first."""
    versions = [
        EarlierVersion(copy, datetime.fromtimestamp(copy.stat().st_mtime).astimezone())
        for copy in backups_of(path, backups)
    ]
    return versions[::-1]


def changed_lines(now: str, then: str) -> list[str]:
    """Return the differences between two texts as lines that begin with a plus, a minus, or a space if unchanged.

    Each group of lines is preceded by the heading of its table. Raise ValueError if a text is too long to compare.
    """
    from difflib import SequenceMatcher  # only needed in this dialog

    here, there = now.splitlines(), then.splitlines()
    if max(len(here), len(there)) > MAX_LINES:
        raise ValueError(f"more than {MAX_LINES:,} lines")
    lines: list[str] = []
    for group in SequenceMatcher(None, here, there, autojunk=False).get_grouped_opcodes(CONTEXT):
        heading = next((line for line in reversed(here[: group[0][1]]) if line.startswith("[")), "")
        lines += [""] * bool(lines) + [f"  {heading}"] * bool(heading)
        for kind, a, b, c, d in group:
            lines += [f"  {line}" for line in here[a:b]] if kind == "equal" else []
            lines += [f"- {line}" for line in here[a:b] if kind != "equal"]
            lines += [f"+ {line}" for line in there[c:d] if kind != "equal"]
    return lines


class AppContext:
    """The program's rule systems, folders and settings. `on_log_error` is called if a recovery log can't be written.

    `unread_logs` are logs of another version of the program that the user hasn't been told about yet.
    """

    def __init__(
        self,
        systems: files.Systems,
        folders: Folders,
        settings: Callable[[], Settings],
        on_log_error: LogErrorHandler = ignore_error,
    ) -> None:
        self.systems = systems
        self.folders = folders
        self.on_log_error = on_log_error
        self.unread_logs: list[Path] = []
        self._settings = settings
        self._library: Library | None = None

    @property
    def library(self) -> Library:
        """The library: the user's folder, then all shipped folders."""
        if self._library is None:
            self._library = Library.standard(self.folders.library, self.folders.library_index)
        return self._library

    def open(self, path: Path) -> Document:
        """Open a file without the unsaved changes of an earlier process. Raise OpenError or OSError."""
        return open_document(
            path, self.systems, self.folders.state, dice=self._settings().dice, on_log_error=self._say_trouble
        )

    def open_or_recover(self, path: Path) -> Document:
        """Open a file and recover the unsaved changes of an earlier process, if any. Raise OpenError or OSError.

        For the plan of an adventure, open the encounter of its current step, or a new one if it has none yet.
        """
        plan, path = path, self.document_path(path)
        if path.name == PLAN:
            document = self.untitled()
            document.copied_from = plan.absolute()
            return document
        for recoverable in self.recoverable(path):
            with suppress(RecoverError, DocumentInUseError):
                return self.recover(recoverable)
        return self.open(path)

    def document_path(self, path: Path) -> Path:
        """Return the file to open for a path: for the plan of an adventure, the encounter of its current step.

        Return the plan itself if it has no encounter yet. Raise OpenError if the plan has errors.
        """
        if path.name != PLAN:
            return path
        loaded, (run, _) = read_adventure(path, self.systems.ids), read_run(path.with_name(RUN))
        if loaded.adventure is None:
            raise files.OpenError(path, loaded.findings)
        return encounter_at(path.parent, loaded.adventure, run.at) or path

    def read(self, path: Path) -> files.ReadFiles:
        """Return the content of an encounter's files. Raise OpenError or OSError."""
        return files.read_files(path, self.systems)

    def untitled(self) -> Document:
        """Return a new, empty document for the last used rule system."""
        settings = self._settings()
        game = settings.last_game if settings.last_game in self.systems.ids else DEFAULT_SYSTEM
        return untitled_document(
            self.systems, self.folders.state, system=game, dice=settings.dice, on_log_error=self._say_trouble
        )

    def copy_of(self, path: Path) -> Document:
        """Return a new document without a file that contains a copy of an encounter. Raise OpenError or OSError."""
        read = files.read_files(path, self.systems, fight=False)
        start = OpenState(with_dice(read.encounter, None, self._settings().dice), findings=read.findings)
        lock = lock_untitled(self.folders.recovery)
        copy = Document(start, self.systems, self.folders.state, lock, self._say_trouble)
        copy.copied_from = path.absolute()
        return copy

    def prepared_in(self, path: Path) -> tuple[Record, ...]:
        """Return the prepared records in an encounter file. Raise OpenError or OSError."""
        return tuple(prepared(files.read_files(path, self.systems, fight=False).encounter))

    def is_sample(self, path: Path) -> bool:
        """Whether a file is shipped with the program and must not be written."""
        return (resource_root() / "encounters").resolve() in path.resolve().parents

    # Documents left by earlier processes -----------------------------------------------------------------------------

    def recoverable(self, path: Path | None = None) -> tuple[files.Recoverable, ...]:
        """Return the unsaved documents of crashed processes, either for one file or for all."""
        leftovers = files.find_leftovers(self.folders.state, lock_name(path) if path is not None else "*")
        self.unread_logs += leftovers.unread
        return leftovers.unsaved

    def recover(self, recoverable: files.Recoverable) -> Document:
        """Restore a document to the exact state before a crash. Raise RecoverError, DocumentInUseError or OSError."""
        return recover_document(recoverable.log, self.systems, self.folders.state, on_log_error=self._say_trouble)

    def discard(self, recoverable: files.Recoverable) -> None:
        """Delete the unsaved changes in a document's log. Raise OSError if that fails."""
        name = lock_name(recoverable.path) if recoverable.path is not None else recoverable.log.stem
        keep_history(recoverable.log, history_path(self.folders.state, name))

    def sweep_leftovers(self) -> None:
        """Delete the oldest undo histories and unreadable logs beyond the limits, and leftovers of killed processes."""
        files.sweep_logs(self.folders.state)
        files.sweep_restores(self.folders.library)

    def _say_trouble(self, error: OSError) -> None:
        self.on_log_error(error)
