"""Taking a file out of a person's library, so that it can always be had again."""

from __future__ import annotations

from pathlib import Path

from turnwright.storage.atomic import back_up, replace_atomically
from turnwright.storage.library import LibraryEntry


def discard(entry: LibraryEntry, backups: Path) -> bytes:
    """Take an own entry's file away, a dated copy of it into the backups; return what it held. OSError: it stays.

    What is shipped is never touched: ValueError.
    """
    if entry.shipped:
        raise ValueError(entry.path)
    path = Path(entry.path)
    held = path.read_bytes()
    back_up(path, b"", backups)
    path.unlink()
    return held


def restore(entry: LibraryEntry, content: bytes) -> bool:
    """Write a discarded file again where it was; False where something else stands there now. OSError."""
    path = Path(entry.path)
    if path.exists():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_atomically(path, content)
    return True
