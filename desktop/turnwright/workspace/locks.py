"""Locks on open documents: one process writes to a document and its recovery log; a second one can only read.

The operating system releases a lock whenever its process ends, so a log with a free lock means a crash.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from turnwright.storage.atomic import make_private

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class DocumentLock:
    """A lock on a document or log, by name.

    It uses system calls, because a lock library takes longer to load than a file.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = name
        self.is_held = False
        self._file = folder / f"{name}.lock"
        self._descriptor: int | None = None

    def acquire(self) -> bool:
        """Take the lock unless another process has it. Return whether it is held now.

        If the file system doesn't support locks, or the folder can't be written, nothing is locked, but the lock counts
        as held.
        """
        if self.is_held:
            return True
        descriptor = None
        with suppress(OSError):
            make_private(self.folder)
            descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600)
        if descriptor is not None:
            try:
                _lock(descriptor)
            except (BlockingIOError, PermissionError):
                os.close(descriptor)
                return False
            except OSError:
                os.close(descriptor)
                descriptor = None
        self.is_held, self._descriptor = True, descriptor
        return True

    def release(self) -> None:
        """Release the lock."""
        self.is_held = False
        if self._descriptor is not None:
            os.close(self._descriptor)  # this releases the lock
            self._descriptor = None


def lock_name(path: Path) -> str:
    """Return the name of a file's lock and log, which is the same for all spellings of its path."""
    return blake2b(str(path.resolve()).encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()


def lock_untitled(folder: Path) -> DocumentLock:
    """Return a held lock named `untitled-n` that no other process has and for which no log exists."""
    number = 1
    while True:
        name = f"untitled-{number}"
        lock = DocumentLock(folder, name)
        if not (folder / f"{name}.log").exists() and lock.acquire():
            return lock
        number += 1
