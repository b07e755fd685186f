"""Deletes files from the user's library so that they can always be restored."""

from __future__ import annotations

from pathlib import Path

from turnwright.storage.atomic import back_up, replace_atomically
from turnwright.storage.library.entries import LibraryEntry


def discard(entry: LibraryEntry, backups: Path) -> bytes:
    """Delete the file of a user's entry after copying it to the backups, and return its content.

    On OSError the file stays. Raise ValueError for a shipped entry.
    """
    if entry.shipped:
        raise ValueError(entry.path)
    path = Path(entry.path)
    content = path.read_bytes()
    back_up(path, b"", backups)
    path.unlink()
    return content


def restore(entry: LibraryEntry, content: bytes) -> bool:
    """Write a deleted file back. Return False if its path is in use again. Raise OSError if writing fails."""
    path = Path(entry.path)
    if path.exists():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_atomically(path, content)
    return True
