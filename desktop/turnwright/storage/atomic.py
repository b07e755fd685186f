"""Replaces a file completely or not at all, and keeps dated copies of its earlier content."""

from __future__ import annotations

import errno
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from glob import escape
from hashlib import blake2b
from pathlib import Path
from typing import IO

MAX_BACKUPS = 10
_PRIVATE = 0o700
_STAMP = "%Y-%m-%dT%H%M%S"
_STAMPED = re.compile(r"\d{4}-\d{2}-\d{2}T\d{6}(?:-\d+)?\Z")


def replace_atomically(
    path: Path, data: bytes, backups: Path | None = None, keep: int = MAX_BACKUPS, now: datetime | None = None
) -> None:
    """Replace a file's content; on OSError the old file is whole and no temporary file is left beside it.

    A link is followed to the file it names, and that file keeps its permissions. Where `backups` is a folder, the old
    content goes there first under its date, and the oldest copies beyond `keep` are removed; a copy that can't be made
    does not keep the file from being saved.
    """
    target = _target(path)
    if backups is not None:
        with suppress(OSError):
            back_up(target, data, backups, keep, now)
    with replacement(target) as file:
        file.write(data)


@contextmanager
def replacement(target: Path) -> Iterator[IO[bytes]]:
    """Open a new file that takes the place of another once it is written; on any error the old one stays."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.chmod(_permissions(target))
        part.replace(target)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
    _sync_folder(target.parent)


def remove_parts(path: Path) -> None:
    """Remove the temporary files that a killed process left beside a file that no other process is writing."""
    with suppress(OSError):
        target = _target(path)
        for part in target.parent.glob(f".{escape(target.name)}.????????.part"):
            part.unlink()


def back_up(
    path: Path, new_data: bytes, backups: Path, keep: int = MAX_BACKUPS, now: datetime | None = None
) -> Path | None:
    """Copy a file into the backups if `new_data` differs from it; return the copy, or None."""
    try:
        held = path.read_bytes()
    except FileNotFoundError:
        return None
    earlier = backups_of(path, backups)
    if held == new_data or (earlier and earlier[-1].read_bytes() == held):
        return None
    make_private(backups)
    copy = _free_name(path, backups, (now or datetime.now().astimezone()).strftime(_STAMP))
    replace_atomically(copy, held)
    for old in backups_of(path, backups)[:-keep]:
        old.unlink(missing_ok=True)
    return copy


def backups_of(path: Path, backups: Path) -> list[Path]:
    """Return the backup copies of a file, oldest first."""
    if not backups.is_dir():
        return []
    start, end = _start(path), path.suffix
    found = {
        copy: copy.name[len(start) : len(copy.name) - len(end)]
        for copy in backups.iterdir()
        if copy.name.startswith(start) and copy.name.endswith(end)
    }
    return sorted((copy for copy, stamp in found.items() if _STAMPED.match(stamp)), key=lambda copy: _age(found[copy]))


def _start(path: Path) -> str:
    """Return how the names of a file's copies begin: with its own name, and a digest of its folder's."""
    folder = str(_target(path).parent).encode("utf-8", "surrogateescape")
    return f"{path.stem}.{blake2b(folder, digest_size=4).hexdigest()}."


def _age(stamp: str) -> tuple[str, int]:
    """Return the sort key of a time stamp: copies of one second are numbered."""
    return stamp[:17], int(stamp[18:] or 1)


def _free_name(path: Path, backups: Path, stamp: str) -> Path:
    start = _start(path)
    ages = [_age(copy.name[len(start) : len(copy.name) - len(path.suffix)]) for copy in backups_of(path, backups)]
    number = max((number for second, number in ages if second == stamp), default=0) + 1
    return backups / f"{start}{stamp}{f'-{number}' if number > 1 else ''}{path.suffix}"


def _target(path: Path) -> Path:
    try:
        return path.resolve()
    except RuntimeError as error:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from error


def _permissions(target: Path) -> int:
    """Return the permissions of an existing file, or those that a new file gets."""
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        return 0o666 & ~umask()


def umask() -> int:
    """Return the permissions that new files and folders don't get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def make_private(folder: Path) -> None:
    """Make a folder, and the missing folders above it, readable by their owner alone. OSError."""
    for missing in [each for each in (folder, *folder.parents) if not each.exists()][::-1]:
        missing.mkdir(mode=_PRIVATE, exist_ok=True)
    if os.name == "posix" and folder.stat().st_mode & 0o077:  # an earlier version made it as any other
        folder.chmod(_PRIVATE)


def _sync_folder(folder: Path) -> None:
    """Sync a folder, so that the new name survives a power cut, where the system allows it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
