"""Atomic replacement of files with backups, and unique ids for names.

Replaces files atomically and keeps dated backups of their previous content.

Creates unique ids from names. They are safe as file names.
"""

import errno
import os
import re
import stat
import tempfile
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import lru_cache
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
    """Replace a file's content. On OSError the old file is unchanged and no temporary file is left.

    Symbolic links are followed, and the target keeps its permissions. If `backups` is a folder, the old content is
    first copied there under a dated name, and only the newest `keep` copies are kept. The file is saved even if the
    copy fails.
    """
    target = _target(path)
    if backups is not None:
        with suppress(OSError):
            back_up(target, data, backups, keep, now)
    with replacement(target) as file:
        file.write(data)


@contextmanager
def replacement(target: Path) -> Iterator[IO[bytes]]:
    """Open a new file that replaces `target` after it is written. On any error the old file stays."""
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
    """Remove the temporary files that a killed process left next to a file.

    No other process may be writing the file.
    """
    with suppress(OSError):
        target = _target(path)
        for part in target.parent.glob(f".{escape(target.name)}.????????.part"):
            part.unlink()


def back_up(
    path: Path, new_data: bytes, backups: Path, keep: int = MAX_BACKUPS, now: datetime | None = None
) -> Path | None:
    """Copy a file to the backups if its content differs from `new_data`. Return the path of the copy, or None."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    earlier = backups_of(path, backups)
    if content == new_data or (earlier and earlier[-1].read_bytes() == content):
        return None
    make_private(backups)
    copy = _free_name(path, backups, (now or datetime.now().astimezone()).strftime(_STAMP))
    replace_atomically(copy, content)
    for old in backups_of(path, backups)[:-keep]:
        old.unlink(missing_ok=True)
    return copy


def backups_of(path: Path, backups: Path) -> list[Path]:
    """Return the backups of a file, oldest first."""
    if not backups.is_dir():
        return []
    start, end = _start(path), path.suffix
    stamps = {
        copy: copy.name[len(start) : len(copy.name) - len(end)]
        for copy in backups.iterdir()
        if copy.name.startswith(start) and copy.name.endswith(end)
    }
    return sorted(
        (copy for copy, stamp in stamps.items() if _STAMPED.match(stamp)), key=lambda copy: _age(stamps[copy])
    )


def _start(path: Path) -> str:
    """Return the prefix of a file's backup names: its own name and a digest of its folder."""
    folder = str(_target(path).parent).encode("utf-8", "surrogateescape")
    return f"{path.stem}.{blake2b(folder, digest_size=4).hexdigest()}."


def _age(stamp: str) -> tuple[str, int]:
    """Return the sort key of a backup's time stamp. Copies made in the same second are numbered."""
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
    """Return the permissions of an existing file, or the default permissions of a new file."""
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        return 0o666 & ~umask()


def umask() -> int:
    """Return the permission bits that are removed from new files and folders."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def make_private(folder: Path) -> None:
    """Make a folder and its missing parents readable only by their owner. Raise OSError if that fails."""
    for missing in [parent for parent in (folder, *folder.parents) if not parent.exists()][::-1]:
        missing.mkdir(mode=_PRIVATE, exist_ok=True)
    if os.name == "posix" and folder.stat().st_mode & 0o077:  # an earlier version created it
        folder.chmod(_PRIVATE)


def _sync_folder(folder: Path) -> None:
    """Sync a folder to disk if the system supports it, so that the new file name survives a power cut."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


_NOT_ID = re.compile(r"[^a-z0-9]+")


_RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))})


@lru_cache(maxsize=4096)
def slug(name: str, default: str = "nameless") -> str:
    """Return an id for a name: up to 60 lower-case letters, digits and hyphens, safe as a file name on any system."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower().replace("'", "")
    id = _NOT_ID.sub("-", plain).strip("-")[:60].strip("-") or default
    return f"{id}-1" if id in _RESERVED else id


class IdAllocator:
    """Allocates unique ids. If a name is repeated, its ids are numbered."""

    __slots__ = ("_given",)

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._given = dict.fromkeys(taken, 1)

    def allocate(self, name: str, default: str = "nameless") -> str:
        """Return an unused id for a name."""
        first = id = slug(name, default)
        if first not in self._given:
            self._given[first] = 1
            return first
        number = self._given[first]
        while id in self._given:
            number += 1
            id = f"{first}-{number + 1 if number < 2 else number}"
        self._given[first] = number
        self._given[id] = 1
        return id
