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
from pathlib import Path

from turnwright.storage.atomic import make_private
from turnwright.workspace.undo_history import keep_history

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
        self._path = path
        self._begin = first_bytes
        self._trouble = on_error
        self._found: Path | None = None  # where its file is, which the next frame moves to its path
        self._file = -1
        self._length = 0
        self._torn = False
        self._waiting: list[bytes] = []
        self._begun = False
        self._failure_reported = False
        self._syncer: _Syncer | None = None

    @property
    def has_started(self) -> bool:
        """Whether any frame was appended, now or by an earlier process."""
        return self._begun

    def resume(self, log: Path, valid_bytes: int) -> None:
        """Continue a log of an earlier process; it stays untouched until the first frame is appended."""
        self._begun = True
        self._found, self._length = log, valid_bytes

    def append(self, frame: bytes, *, synced: bool = False) -> None:
        """Write a frame, with all frames that wait; `synced` to the disk at once."""
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
            if synced:
                with suppress(OSError):
                    os.fsync(self._file)

    def move(self, path: Path) -> None:
        """Move the log to another name; an existing log of that name is set aside."""
        self._release()
        self._path = path
        if self._found is not None:
            try:
                self._move()
            except OSError as error:
                self._say(error)

    def close(self) -> None:
        """Stop writing; the log stays for another start."""
        if self._waiting:
            with suppress(OSError):
                self._write(b"".join(self._waiting))
                self._waiting.clear()
        self._release()

    def keep_saved(self, history: Path) -> None:
        """Stop writing. The log up to its last save becomes the undo history of its file; without a save it is deleted."""
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
        self._torn = True  # so that the first write finds its place

    def _move(self) -> None:
        """Move the file to its path, out of which any other log is moved."""
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


def set_aside(log: Path, folder: Path | None = None) -> Path:
    """Move a log that is in the way of another to a free name, here or in another folder; return its new path."""
    aside, number = (folder or log.parent) / log.name, 1
    while aside.exists():
        number += 1
        aside = aside.with_name(f"{log.stem}.{number}.log")
    if log.exists():
        make_private(aside.parent)
        log.replace(aside)
    return aside
