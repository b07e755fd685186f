"""Undo histories of saved documents: the recovery log of each file up to its last save, kept for the next time.

One belongs to the path of a file and to the content that its last save has the digests of.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from turnwright.storage.atomic import replace_atomically
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
    history.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    log.replace(history)


def drop_oldest(logs: Iterable[Path]) -> None:
    """Delete the oldest of these logs, until no more than `MAX_FILES` and `MAX_FOLDER_BYTES` are left. OSError."""
    kept = 0
    newest = sorted(((log.stat().st_mtime, log) for log in logs), reverse=True)
    for number, (_, log) in enumerate(newest):
        kept += log.stat().st_size
        if number >= MAX_FILES or kept > MAX_FOLDER_BYTES:
            log.unlink(missing_ok=True)
