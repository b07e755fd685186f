"""Locks on open documents: one process writes to a document and its recovery log, a second one only reads.

The system releases a lock when its process ends, however it ends, so a free lock beside a log means a crash.
"""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

from filelock import FileLock, Timeout

from turnwright.storage.atomic import make_private


class DocumentLock:
    """One lock on a document or log, by its name."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = name
        self._file = folder / f"{name}.lock"
        self._lock: FileLock | None = None

    @property
    def is_held(self) -> bool:
        """Whether this object holds the lock."""
        return self._lock is not None

    def acquire(self) -> bool:
        """Take the lock if no other process has it; return whether it is held now.

        Where the file system knows no locks, or its folder cannot be written, nothing can be guarded and it is held.
        """
        if self._lock is not None:
            return True
        lock = FileLock(self._file, timeout=0, thread_local=False)
        try:
            make_private(self.folder)
            lock.acquire()
        except Timeout:
            return False
        except (OSError, NotImplementedError):
            pass
        self._lock = lock
        return True

    def release(self) -> None:
        """Release the lock."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def lock_name(path: Path) -> str:
    """Return the name of a file's lock and log: the same for every notation of its path."""
    return blake2b(str(path.resolve()).encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()


def lock_untitled(folder: Path) -> DocumentLock:
    """Return a held lock named `untitled-n` that no other process has and that no log of an earlier one uses."""
    number = 1
    while True:
        name = f"untitled-{number}"
        lock = DocumentLock(folder, name)
        if not (folder / f"{name}.log").exists() and lock.acquire():
            return lock
        number += 1
