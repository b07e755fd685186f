"""Writes the recovery log. Every step of a document is passed to the operating system before the window shows it.

A worker syncs the log to disk at most about once a second. A log whose lock isn't held was left by a crashed process.
Its document can be recovered exactly. The log of a saved document up to the last save is kept as its undo history for
the next session. A history is only used for the same path and if the file's content matches the digests of the last
save.
"""

import errno
import os
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from turnwright.encounter.state import numbered
from turnwright.storage.atomic import make_private, replace_atomically
from turnwright.workspace.log_format import read_log, saved_length, trimmed

SYNC_SECONDS = 0.8
LogErrorHandler = Callable[[OSError], None]


def log_path(folder: Path, name: str) -> Path:
    """Return the path of the log with this name."""
    return folder / f"{name}.log"


class RecoveryLog:
    """A log to which frames are appended. Disk errors are never raised.

    `first_bytes` is called when the first frame is appended, and returns the beginning of the log. Frames that couldn't
    be written are retried with the next one. `on_error` is called for the first error, and after that only if a write
    has succeeded since.
    """

    def __init__(self, path: Path, first_bytes: Callable[[], bytes], on_error: LogErrorHandler) -> None:
        self._path = path
        self._begin = first_bytes
        self._trouble = on_error
        self._found: Path | None = None  # the file's current path; the file is moved when the next frame is written
        self._file = -1
        self._length = 0
        self._torn = False
        self._waiting: list[bytes] = []
        self.has_started = False  # whether a frame was appended, by this or an earlier process
        self._failure_reported = False
        self._syncer: _Syncer | None = None

    def resume(self, log: Path, valid_bytes: int) -> None:
        """Continue a log of an earlier process. The file isn't changed until a frame is appended."""
        self.has_started = True
        self._found, self._length = log, valid_bytes

    def append(self, frame: bytes, *, synced: bool = False) -> None:
        """Write a frame and all waiting frames. `synced`: also sync them to disk immediately."""
        if not self.has_started:
            self._waiting.append(self._begin())
            self.has_started = True
        self._waiting.append(frame)
        try:
            self._write(b"".join(self._waiting))
        except OSError as error:
            self._say(error)
        else:
            self._waiting.clear()
            self._failure_reported = False
            if synced:
                with suppress(OSError):
                    os.fsync(self._file)

    def move(self, path: Path) -> None:
        """Rename the log. An existing log with that name is moved away."""
        self._release()
        self._path = path
        if self._found is not None:
            try:
                self._move()
            except OSError as error:
                self._say(error)

    def close(self) -> None:
        """Stop writing. The log is kept for the next start."""
        if self._waiting:
            with suppress(OSError):
                self._write(b"".join(self._waiting))
                self._waiting.clear()
        self._release()

    def keep_saved(self, history: Path) -> None:
        """Stop writing. The log up to its last save becomes the file's undo history.

        If it has no save, it is deleted.
        """
        self.close()
        if self._found is not None:
            try:
                keep_history(self._found, history)
            except OSError:
                with suppress(OSError):
                    self._found.unlink(missing_ok=True)

    def _write(self, data: bytes) -> None:
        if self._file < 0:
            self._open()
        if self._torn:
            os.ftruncate(self._file, self._length)
            os.lseek(self._file, self._length, os.SEEK_SET)
        self._torn = True
        written = os.write(self._file, data)
        if written != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._path))
        self._torn = False
        self._length += written
        if self._syncer is None:
            self._syncer = _Syncer(self._file)
        self._syncer.wake()

    def _open(self) -> None:
        make_private(self._path.parent)
        self._move()
        flags = os.O_RDWR | getattr(os, "O_BINARY", 0)
        if self._found is None:
            flags |= os.O_CREAT | os.O_EXCL
        self._file = os.open(self._path, flags, 0o600)
        self._found = self._path
        self._torn = True  # so that the first write seeks to its position

    def _move(self) -> None:
        """Move the file to its path. Another log with that path is moved away."""
        if self._found != self._path:
            set_aside(self._path)
            if self._found is not None:
                self._found.replace(self._path)
                self._found = self._path

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
    """A worker that syncs writes to disk. Stop it before its file is closed."""

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
        """Sync a last time and stop."""
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


def set_aside(log: Path, folder: Path | None = None) -> Path:
    """Move a log to an unused name in its own folder or another one. Return the new path."""
    folder = folder or log.parent
    taken = {other.stem for other in folder.glob("*.log")}
    aside = folder / f"{numbered(log.stem, taken, '.')}.log"
    if log.exists():
        make_private(aside.parent)
        log.replace(aside)
    return aside


MAX_BYTES = 8_000_000  # maximum size of the steps in one history
MAX_FOLDER_BYTES = 64_000_000
MAX_FILES = 200


def history_path(state_folder: Path, name: str) -> Path:
    """Return the path of the undo history with this name (`locks.lock_name` of the document's path)."""
    return state_folder / "history" / f"{name}.log"


def keep_history(log: Path, history: Path) -> None:
    """Convert a log up to its last save to its document's undo history. Delete the log if it has no save.

    Raise OSError if that fails.
    """
    data = log.read_bytes()
    length = saved_length(data)
    if not length:
        log.unlink()
        return
    if length > MAX_BYTES:
        replace_atomically(log, trimmed(read_log(data[:length]), MAX_BYTES))
    else:
        os.truncate(log, length)
    make_private(history.parent)
    log.replace(history)


def surplus(logs: Iterable[Path]) -> list[Path]:
    """Return the oldest logs beyond `MAX_FILES` and `MAX_FOLDER_BYTES`. Raise OSError if a log can't be read."""
    oldest, total = [], 0
    for number, (_, size, log) in enumerate(sorted((_age_and_size(log) for log in logs), reverse=True), 1):
        total += size
        if number > MAX_FILES or total > MAX_FOLDER_BYTES:
            oldest.append(log)
    return oldest


def _age_and_size(log: Path) -> tuple[float, int, Path]:
    status = log.stat()
    return status.st_mtime, status.st_size, log
