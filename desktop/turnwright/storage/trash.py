"""Removes a file from a person's library, so that it can always be restored."""

from __future__ import annotations

from pathlib import Path

from turnwright.storage.atomic import back_up, replace_atomically
from turnwright.storage.library import LibraryEntry


def discard(entry: LibraryEntry, backups: Path) -> bytes:
    """Remove an own entry's file after copying it into the backups; return its content. OSError: the file stays.

    A shipped entry is never touched: ValueError.
    """
    if entry.shipped:
        raise ValueError(entry.path)
    path = Path(entry.path)
    held = path.read_bytes()
    back_up(path, b"", backups)
    path.unlink()
    return held


def restore(entry: LibraryEntry, content: bytes) -> bool:
    """Write a discarded file again in its place; False where another file is there now. OSError."""
    path = Path(entry.path)
    if path.exists():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_atomically(path, content)
    return True
