"""Undo histories of saved documents. Each is the recovery log up to the last save, kept for the next session.

A history is only used for the same path and if the file's content matches the digests of the last save.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from turnwright.storage.atomic import make_private, replace_atomically
from turnwright.workspace.log_format import read_log, saved_length, trimmed

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
