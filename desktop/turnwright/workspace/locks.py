"""Locks open documents. One process writes to a document and its recovery log; others can only read.

The operating system releases a lock when its process ends, so a log whose lock isn't held means a crash.
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
    """A named lock on a document or log.

    It uses system calls, because loading a lock library would take longer than loading a file.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = name
        self.is_held = False
        self._file = folder / f"{name}.lock"
        self._descriptor: int | None = None

    def acquire(self) -> bool:
        """Acquire the lock unless another process holds it. Return whether it is held now.

        If the file system doesn't support locks, or the folder isn't writable, nothing is locked, but the lock counts
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
            os.close(self._descriptor)  # closing the file releases the lock
            self._descriptor = None


def lock_name(path: Path) -> str:
    """Return the name of a file's lock and log. All spellings of a path have the same name."""
    return blake2b(str(path.resolve()).encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()


def lock_untitled(folder: Path) -> DocumentLock:
    """Acquire and return a lock named `untitled-n` that no other process holds and that has no log."""
    number = 1
    while True:
        name = f"untitled-{number}"
        lock = DocumentLock(folder, name)
        if not (folder / f"{name}.log").exists() and lock.acquire():
            return lock
        number += 1
