"""Undo histories of saved documents: the recovery log of each file up to its last save, kept for the next time.

One belongs to the path of a file and to the content that its last save has the digests of.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from turnwright.storage.atomic import make_private, replace_atomically
from turnwright.workspace.log_format import read_log, saved_length, trimmed

MAX_BYTES = 8_000_000  # of the steps of one history
MAX_FOLDER_BYTES = 64_000_000
MAX_FILES = 200


def history_path(state_folder: Path, name: str) -> Path:
    """Return the path of the undo history of that name (`locks.lock_name` of the document's path)."""
    return state_folder / "history" / f"{name}.log"


def keep_history(log: Path, history: Path) -> None:
    """Make a log, up to its last save, the undo history of its document; delete it where it has no save. OSError."""
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
    """Return the oldest of these logs: those beyond `MAX_FILES` and `MAX_FOLDER_BYTES`. OSError."""
    oldest, total = [], 0
    for number, (_, size, log) in enumerate(sorted((_age_and_size(log) for log in logs), reverse=True), 1):
        total += size
        if number > MAX_FILES or total > MAX_FOLDER_BYTES:
            oldest.append(log)
    return oldest


def _age_and_size(log: Path) -> tuple[float, int, Path]:
    found = log.stat()
    return found.st_mtime, found.st_size, log
