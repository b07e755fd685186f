"""Recovery logs of crashed processes, recognised by a lock that isn't held.

Unsaved documents can be recovered from them. Logs of saved documents become undo histories.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from shutil import rmtree
from time import time

import msgspec

from turnwright.encounter.prepared import Scene
from turnwright.storage.atomic import replace_atomically
from turnwright.workspace.files import same_on_disk, written
from turnwright.workspace.locks import DocumentLock, lock_name
from turnwright.workspace.log_format import LogContents, SavePlan, encode_log, header, last_saved, read_log
from turnwright.workspace.recovery import set_aside
from turnwright.workspace.undo_history import history_path, keep_history, surplus

SECONDS_A_DAY = 86_400


class Recoverable(msgspec.Struct, frozen=True):
    """A document with unsaved changes. `path` is None if it was never saved."""

    log: Path
    title: str
    path: Path | None
    time: datetime
    steps: int


class Leftovers(msgspec.Struct, frozen=True):
    """Unsaved documents, latest first, and logs written by another version of the program."""

    unsaved: tuple[Recoverable, ...] = ()
    unread: tuple[Path, ...] = ()


class UnreadableLogError(ValueError):
    """Raised if a log can't be read at all. `is_foreign`: another version of the program wrote it."""

    def __init__(self, log: Path, is_foreign: bool) -> None:
        super().__init__(str(log))
        self.is_foreign = is_foreign


def find_leftovers(state_folder: Path, name: str = "*") -> Leftovers:
    """Return the logs of crashed processes for one document, or for all.

    `name` is the `locks.lock_name` of the document's path. Logs of saved documents become undo histories, and
    unreadable ones are moved to another folder.
    """
    folder = state_folder / "recovery"
    unsaved: list[Recoverable] = []
    unread: list[Path] = []
    for log in folder.glob(f"{name}.log"):
        lock = DocumentLock(folder, log.stem)
        if not lock.acquire():
            continue
        try:
            unsaved += _unsaved(log, state_folder)
        except ValueError as error:
            with suppress(OSError):
                aside = set_aside(log, folder / "unread")
                unread += [aside] if isinstance(error, UnreadableLogError) and error.is_foreign else []
        except OSError:
            pass  # the log isn't moved
        finally:
            lock.release()
    return Leftovers(tuple(sorted(unsaved, key=lambda recoverable: recoverable.time, reverse=True)), tuple(unread))


def sweep_logs(state_folder: Path) -> None:
    """Delete the oldest undo histories and unreadable logs beyond the limits."""
    folder = state_folder / "recovery"
    with suppress(OSError):
        for log in (*surplus((state_folder / "history").glob("*.log")), *surplus((folder / "unread").glob("*.log"))):
            lock = DocumentLock(folder, log.stem)
            if lock.acquire():  # otherwise it is the history of an open document
                log.unlink(missing_ok=True)
                lock.release()


def sweep_restores(library: Path) -> None:
    """Delete leftovers of killed library restores after a day. Newer ones may belong to a running restore."""
    before = time() - SECONDS_A_DAY
    with suppress(OSError):
        for remains in library.parent.glob(".restore-*"):
            if remains.is_dir() and not remains.is_symlink() and remains.stat().st_mtime < before:
                rmtree(remains, ignore_errors=True)


def read_leftover(log: Path, *, with_events: bool = True) -> LogContents:
    """Read a log whose lock is held, like `read_log`. Raise UnreadableLogError or OSError.

    A log is rewritten in the newest format if its format is older, or if it ends during a save. The files on disk show
    whether that save was completed.
    """
    data = log.read_bytes()
    contents = read_log(data, with_events=with_events)
    if contents.snapshot is None:
        raise UnreadableLogError(log, contents.format is None)
    done = None
    if contents.entries and isinstance(contents.entries[-1], SavePlan):
        with suppress(OSError):
            done = written(contents.origin, contents.entries[-1].origin)
    if done is None and data.startswith(header()):
        return contents
    entries = read_log(data).entries
    data = encode_log(contents.snapshot, entries if done is None else (*entries, done))
    replace_atomically(log, data)
    return read_log(data, with_events=with_events)


def _unsaved(log: Path, state_folder: Path) -> list[Recoverable]:
    when = datetime.fromtimestamp(log.stat().st_mtime, UTC)
    contents = read_leftover(log, with_events=False)
    assert contents.snapshot is not None
    path = contents.origin.path
    stands, saved = last_saved(contents)
    if path and stands == saved:
        owner = DocumentLock(log.parent, lock_name(Path(path)))
        if owner.name == log.stem or owner.acquire():
            if same_on_disk(contents.origin):
                keep_history(log, history_path(state_folder, owner.name))
            else:
                log.unlink()
            owner.release()
        return []
    title = next((record.title for record in contents.snapshot.records if isinstance(record, Scene)), "")
    return [Recoverable(log, title, Path(path) if path else None, when, len(contents.history_entries))]
