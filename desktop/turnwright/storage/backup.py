"""A whole library as one .zip file, and its restoration into a new folder that replaces the library at once.

The content is held to what a library may hold: no name leads outside, no link, no bomb, nothing over its size. The
previous library is kept beside the new one.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import IO, Final

import msgspec

from turnwright.encounter.bounds import MAX_BYTES
from turnwright.storage.atomic import remove_parts, replacement, umask

MAX_FILES: Final = 100_000
MAX_ZIP: Final = 500_000_000
MAX_TOTAL: Final = 1_000_000_000
MAX_LISTING: Final = 20_000_000
MAX_NAME: Final = 200
MAX_FOLDERS: Final = 10
COMMENT: Final = b"Turnwright library"
_CHUNK: Final = 1 << 16
_END, _END_SIZE = b"PK\x05\x06", 22
_FORBIDDEN: Final = frozenset('<>:"|?*\\') | {chr(n) for n in range(32)}
_DEVICES: Final = frozenset({"con", "prn", "aux", "nul"}) | {f"{port}{n}" for port in ("com", "lpt") for n in range(10)}
_STAMP: Final = "%Y-%m-%dT%H%M%S"
Progress = Callable[[int, str], None]


class RestoreError(OSError):
    """A file that is no backup of a library, or an unsafe one; the message says why. Nothing was changed."""


class RestoreResult(msgspec.Struct, frozen=True):
    """The number of files restored, and the path of the previous library; None where there was none."""

    files: int
    previous_library: Path | None = None


def no_progress(_done: int, _what: str) -> None:
    """Report no progress."""


def back_up_library(library: Path, out: Path, progress: Progress = no_progress) -> int:
    """Write all files of a library into one .zip, replacing an existing file; return their number. OSError.

    Links and hidden files are left out. On any error the existing file stays.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    count = 0
    remove_parts(out)
    with replacement(out) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = COMMENT
        for count, path in enumerate((one for one in _files(library) if one.resolve() != out.resolve()), 1):
            progress(count, path.name)
            archive.writestr(_entry(path, library), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return count


def restore_library(
    backup: Path, library: Path, progress: Progress = no_progress, now: datetime | None = None
) -> RestoreResult:
    """Replace a library by the content of a .zip, all of it or nothing; RestoreError, OSError."""
    library.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".restore-{os.getpid()}-", dir=library.parent))
    try:
        count = _unpack(backup, fresh, progress)
        fresh.chmod(0o777 & ~umask())
        return RestoreResult(count, _swap(fresh, library, now or datetime.now().astimezone()))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise RestoreError(f"{backup.name} is no .zip file that can be read: {error}") from None
    except OSError as error:
        if error.errno == errno.EINVAL:  # its list of files points outside of it
            raise RestoreError(f"{backup.name} is no .zip file that can be read") from None
        raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _files(folder: Path) -> Iterator[Path]:
    for each in sorted(folder.iterdir()) if folder.is_dir() else ():
        if each.name.startswith(".") or each.is_symlink():
            continue
        if each.is_dir():
            yield from _files(each)
        elif each.is_file():
            yield each


def _entry(path: Path, library: Path) -> zipfile.ZipInfo:
    changed = datetime.fromtimestamp(path.stat().st_mtime).astimezone().timetuple()[:6]
    date = changed if 1980 <= changed[0] <= 2107 else (1980, 1, 1, 0, 0, 0)
    return zipfile.ZipInfo(path.relative_to(library).as_posix(), date)


def _unpack(backup: Path, into: Path, progress: Progress) -> int:
    """Write the files of a .zip into a folder; return their number."""
    if not backup.is_file():
        raise RestoreError(f"{backup.name} is no file")
    if backup.stat().st_size > MAX_ZIP:
        raise RestoreError(f"{backup.name} is larger than any backup: {backup.stat().st_size / 1e6:.0f} MB")
    with backup.open("rb") as file:
        _check_listing(file)
        with zipfile.ZipFile(file) as archive:
            entries = [each for each in archive.infolist() if not each.filename.endswith("/")]
            _check(entries)
            left = MAX_TOTAL
            for count, entry in enumerate(entries, 1):
                progress(count, entry.filename)
                target = into.joinpath(*PurePosixPath(entry.filename).parts)
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(entry) as source, target.open("xb") as made:
                    left -= _copy(source, made, entry.filename, min(left, MAX_BYTES))
    return len(entries)


def _check_listing(file: IO[bytes]) -> None:
    """Refuse a .zip whose list of files is longer than that of any library, before the list is read."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _END_SIZE - 0xFFFF))
    tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) - at < _END_SIZE:
        raise RestoreError("this is no .zip file, or not the whole of one")
    if int.from_bytes(tail[at + 12 : at + 16], "little") > MAX_LISTING:
        raise RestoreError("this lists more files than any library has")
    file.seek(0)


def _check(entries: list[zipfile.ZipInfo]) -> None:
    """Refuse names and sizes that no backup of a library has."""
    if not entries:
        raise RestoreError("this holds no files")
    if len(entries) > MAX_FILES:
        raise RestoreError(f"this holds {len(entries):,} files; at most {MAX_FILES:,} are restored")
    if sum(each.file_size for each in entries) > MAX_TOTAL:
        raise RestoreError(f"this holds more than {MAX_TOTAL // 1_000_000} MB")
    seen: set[str] = set()
    for each in entries:
        wrong = _wrong_with(each)
        if wrong:
            raise RestoreError(f"{each.filename[:MAX_NAME]!a}: {wrong}")
        if each.filename.casefold() in seen:
            raise RestoreError(f"{each.filename}: stands in it twice")
        seen.add(each.filename.casefold())


def _wrong_with(entry: zipfile.ZipInfo) -> str:
    """Return the reason for which an entry may not enter a library, empty for a valid entry."""
    parts = entry.filename.split("/")
    mode = entry.external_attr >> 16
    if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "is no ordinary file"
    if entry.flag_bits & 1:
        return "is locked with a password"
    if len(parts) > MAX_FOLDERS or any(not part or len(part) > MAX_NAME for part in parts):
        return "has a name that no file of a library has"
    if any(_leads_elsewhere(part) for part in parts):
        return "has a name that leads elsewhere"
    if entry.file_size > MAX_BYTES:
        return f"is larger than any file of a library: {entry.file_size / 1e6:.0f} MB"
    return ""


def _leads_elsewhere(part: str) -> bool:
    return (
        part.startswith((".", " "))
        or part.endswith((".", " "))
        or bool(_FORBIDDEN & set(part))
        or part.partition(".")[0].lower() in _DEVICES
    )


def _copy(source: IO[bytes], made: IO[bytes], name: str, most: int) -> int:
    """Copy a file and return its size; RestoreError beyond `most` bytes, whatever size its entry states."""
    size = 0
    while chunk := source.read(_CHUNK):
        size += len(chunk)
        if size > most:
            raise RestoreError(f"{name}: is larger than it says")
        made.write(chunk)
    return size


def _swap(fresh: Path, library: Path, now: datetime) -> Path | None:
    """Put a folder in the place of a library; return the previous library's new path, None where there was none."""
    if not os.path.lexists(library):
        fresh.rename(library)
        return None
    stamp, number = now.strftime(_STAMP), 1
    aside = library.with_name(f"{library.name}.{stamp}")
    while os.path.lexists(aside):
        number += 1
        aside = library.with_name(f"{library.name}.{stamp}-{number}")
    library.rename(aside)
    try:
        fresh.rename(library)
    except OSError:
        aside.rename(library)
        raise
    return aside
