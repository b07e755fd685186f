"""The recovery log on disk: every step of a document is with the system before the window shows it.

A worker syncs it to the disk at most once a second. A log without a held lock was left by a process that crashed; its
document can be recovered exactly as it was.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from turnwright.encounter.prepared import Scene
from turnwright.storage.atomic import replace_atomically
from turnwright.workspace.locks import DocumentLock
from turnwright.workspace.log_format import LogContents, SaveEntry, last_saved, read_log

SYNC_SECONDS = 0.8
LogErrorHandler = Callable[[OSError], None]


def log_path(folder: Path, name: str) -> Path:
    """Return the path of the log of that name."""
    return folder / f"{name}.log"


class RecoveryLog:
    """One log that frames are appended to. Nothing here raises for a disk that fails.

    `first_bytes` returns the bytes it starts with, called when the first frame is appended. Frames that could not be
    written wait for the next; `on_error` is called once, and again only after it has worked in between.
    """

    def __init__(self, path: Path, first_bytes: Callable[[], bytes], on_error: LogErrorHandler) -> None:
        self.path = path
        self._begin = first_bytes
        self._trouble = on_error
        self._file = -1
        self._length = 0
        self._torn = False
        self._waiting: list[bytes] = []
        self._begun = False
        self._failure_reported = False
        self._syncer: _Syncer | None = None

    @property
    def has_started(self) -> bool:
        """Whether any frame was appended."""
        return self._begun

    def rewrite(self, data: bytes) -> None:
        """Start anew with these bytes, replacing the old content."""
        self._release()
        self._begun = True
        self._waiting = []
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            replace_atomically(self.path, data)
            self._file = os.open(self.path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        except OSError as error:
            self._waiting = [data]
            self._say(error)
        else:
            self._length = len(data)
            self._torn = True  # so that the next write finds its place

    def append(self, frame: bytes) -> None:
        """Write a frame, with all frames that wait."""
        if not self._begun:
            self._waiting.append(self._begin())
            self._begun = True
        self._waiting.append(frame)
        try:
            self._write(b"".join(self._waiting))
        except OSError as error:
            self._say(error)
        else:
            self._waiting.clear()
            self._failure_reported = False

    def move(self, path: Path) -> None:
        """Move the log to another name; an existing log of that name is set aside."""
        there = self._file >= 0
        self._release()
        try:
            if there:
                set_aside(path)
                self.path.replace(path)
                self.path = path
                self._file = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
                self._torn = True  # so that the next write finds its place
        except OSError as error:
            self._waiting.insert(0, self._held())
            self._say(error)
        self.path = path

    def close(self) -> None:
        """Stop writing; the log stays for another start."""
        if self._waiting:
            with suppress(OSError):
                self._write(b"".join(self._waiting))
        self._release()

    def remove(self) -> None:
        """Stop writing, and delete the log."""
        there = self._file >= 0
        self._release()
        if there:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)

    def _held(self) -> bytes:
        with suppress(OSError):
            return self.path.read_bytes()[: self._length]
        return b""

    def _write(self, data: bytes) -> None:
        if self._file < 0:
            self._create()
        if self._torn:
            os.ftruncate(self._file, self._length)
            os.lseek(self._file, self._length, os.SEEK_SET)
        self._torn = True
        written = os.write(self._file, data)
        if written != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))
        self._torn = False
        self._length += written
        if self._syncer is None:
            self._syncer = _Syncer(self._file)
        self._syncer.wake()

    def _create(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        set_aside(self.path)
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        self._file = os.open(self.path, flags, 0o600)
        self._length = 0
        self._torn = False

    def _release(self) -> None:
        if self._syncer is not None:
            self._syncer.stop()
            self._syncer = None
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _say(self, error: OSError) -> None:
        if not self._failure_reported:
            self._failure_reported = True
            self._trouble(error)


class _Syncer:
    """The worker that syncs the last writes to the disk. It ends before its file is closed."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._fresh = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="recovery log", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Report that there is something to sync."""
        self._fresh.set()

    def stop(self) -> None:
        """Sync once more and end."""
        self._stopping.set()
        self._fresh.set()
        self._thread.join()

    def _run(self) -> None:
        last = False
        while not last:
            self._fresh.wait()
            self._fresh.clear()
            last = self._stopping.is_set()
            with suppress(OSError):
                os.fsync(self._file)
            self._stopping.wait(0 if last else SYNC_SECONDS)


def set_aside(log: Path) -> Path | None:
    """Rename a log that is in the way of another; it is still found. Return its new path."""
    if not log.exists():
        return None
    number = 2
    while (aside := log.with_name(f"{log.stem}.{number}.log")).exists():
        number += 1
    log.replace(aside)
    return aside


# Logs of earlier processes ----------------------------------------------------------------------------------


class Recoverable(msgspec.Struct, frozen=True):
    """A document that can be recovered. `path` is None for one that was never saved; `steps` are those in the log.

    `unsaved`: it holds changes that its files don't. `dropped_bytes` at its end are broken. Not `is_same_version`: another
    version wrote it, and only the state in which it began can be read.
    """

    log: Path
    title: str
    path: Path | None
    time: datetime
    steps: int
    unsaved: bool
    dropped_bytes: int = 0
    is_same_version: bool = True


def find_recoverable(state_folder: Path) -> list[Recoverable]:
    """Return the documents of processes that crashed, the latest first. Unreadable logs stay where they are."""
    folder = state_folder / "recovery"
    found = [_looked_at(log) for log in folder.glob("*.log")] if folder.is_dir() else []
    return sorted((one for one in found if one is not None), key=lambda one: one.time, reverse=True)


def recoverable_for(state_folder: Path, name: str) -> Recoverable | None:
    """Return the recoverable document of that name (`locks.lock_name` of its path), if any."""
    log = log_path(state_folder / "recovery", name)
    return _looked_at(log) if log.exists() else None


def _looked_at(log: Path) -> Recoverable | None:
    lock = DocumentLock(log.parent, log.stem)
    if not lock.acquire():
        return None
    try:
        contents = read_log(log.read_bytes())
        time = datetime.fromtimestamp(log.stat().st_mtime, UTC)
        return _recoverable(log, contents, time) if contents.snapshot is not None else None
    except (OSError, ValueError):
        return None
    finally:
        lock.release()


def _recoverable(log: Path, contents: LogContents, time: datetime) -> Recoverable | None:
    assert contents.snapshot is not None
    stands, saved = last_saved(contents)
    path = contents.snapshot.origin.path
    title = next((record.title for record in contents.snapshot.records if isinstance(record, Scene)), "")
    for entry in contents.entries:
        if isinstance(entry, SaveEntry):
            path = entry.origin.path or path
    return Recoverable(
        log=log,
        title=title,
        path=Path(path) if path else None,
        time=time,
        steps=len(contents.history_entries),
        unsaved=stands != saved,
        dropped_bytes=contents.dropped_bytes,
        is_same_version=contents.is_same_version,
    )
