"""Backs up a whole library as a .zip file, and restores it.

A .zip file is checked before it is restored. Paths outside the folder, links, decompression bombs and oversized
files are rejected. The restored folder replaces the library in one step; the previous library is kept next to it.
"""

import errno
import os
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import IO, Final

import msgspec

from turnwright.encounter.field_specs import MAX_BYTES
from turnwright.encounter.state import numbered
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
    """Raised if a file isn't a valid and safe backup of a library. Nothing was changed."""


class RestoreResult(msgspec.Struct, frozen=True):
    """The number of restored files, and the path of the previous library, or None if there was none."""

    files: int
    previous_library: Path | None = None


def no_progress(_done: int, _what: str) -> None:
    """Ignore progress reports."""


def back_up_library(library: Path, out: Path, progress: Progress = no_progress) -> int:
    """Write all files of a library to a .zip file and return their number. Raise OSError if that fails.

    An existing file is replaced, but left untouched if an error occurs. Links and hidden files are skipped.
    """
    files = (source for source in _files(library) if source.resolve() != out.resolve())
    return write_zip(library, files, out, COMMENT, progress)


def write_zip(
    folder: Path,
    files: Iterable[Path],
    out: Path,
    comment: bytes,
    progress: Progress = no_progress,
    extra: Mapping[str, bytes] = MappingProxyType({}),
) -> int:
    """Write files of a folder to a .zip file and return their number. On OSError an existing file is untouched.

    `extra` are more files by name.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    count = 0
    remove_parts(out)
    with replacement(out) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = comment
        for count, path in enumerate(files, 1):
            progress(count, path.name)
            archive.writestr(_entry(path, folder), path.read_bytes(), zipfile.ZIP_DEFLATED)
        for name, content in extra.items():
            archive.writestr(name, content, zipfile.ZIP_DEFLATED)
    return count + len(extra)


def restore_library(
    backup: Path, library: Path, progress: Progress = no_progress, now: datetime | None = None
) -> RestoreResult:
    """Replace a library with the content of a .zip file, completely or not at all. Raise RestoreError or OSError."""
    with unpacked(backup, library.parent, progress) as (fresh, count):
        return RestoreResult(count, _swap(fresh, library, now or datetime.now().astimezone()))


@contextmanager
def unpacked(backup: Path, beside: Path, progress: Progress = no_progress) -> Iterator[tuple[Path, int]]:
    """Unpack a .zip file to a new folder in `beside`, and yield the folder and the number of files.

    The folder is removed at the end, unless it was moved. Raise RestoreError if the file isn't safe, or OSError.
    """
    beside.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".restore-{os.getpid()}-", dir=beside))
    try:
        count = _unpack(backup, fresh, progress)
        fresh.chmod(0o777 & ~umask())
        yield fresh, count
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise RestoreError(f"{backup.name} is not a readable .zip file: {error}") from None
    except OSError as error:
        if error.errno == errno.EINVAL:  # an offset in the .zip directory is outside the file
            raise RestoreError(f"{backup.name} is not a readable .zip file") from None
        raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.name.startswith(".") or path.is_symlink():
            continue
        if path.is_dir():
            yield from _files(path)
        elif path.is_file():
            yield path


def _entry(path: Path, library: Path) -> zipfile.ZipInfo:
    changed = datetime.fromtimestamp(path.stat().st_mtime).astimezone().timetuple()[:6]
    date = changed if 1980 <= changed[0] <= 2107 else (1980, 1, 1, 0, 0, 0)
    return zipfile.ZipInfo(path.relative_to(library).as_posix(), date)


def _unpack(backup: Path, into: Path, progress: Progress) -> int:
    """Extract a .zip file into a folder and return the number of files."""
    if not backup.is_file():
        raise RestoreError(f"{backup.name} is not a file")
    if backup.stat().st_size > MAX_ZIP:
        raise RestoreError(
            f"{backup.name} has {backup.stat().st_size / 1e6:.0f} MB; the limit is {MAX_ZIP // 1_000_000} MB"
        )
    with backup.open("rb") as file:
        _check_listing(file)
        with zipfile.ZipFile(file) as archive:
            entries = [info for info in archive.infolist() if not info.filename.endswith("/")]
            _check(entries)
            remaining = MAX_TOTAL
            for count, entry in enumerate(entries, 1):
                progress(count, entry.filename)
                target = into.joinpath(*PurePosixPath(entry.filename).parts)
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(entry) as source, target.open("xb") as out:
                    remaining -= _copy(source, out, entry.filename, min(remaining, MAX_BYTES))
    return len(entries)


def _check_listing(file: IO[bytes]) -> None:
    """Check a .zip file's directory before it is read. Raise RestoreError if it is too large."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _END_SIZE - 0xFFFF))
    tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) - at < _END_SIZE:
        raise RestoreError("not a .zip file, or the file is truncated")
    if int.from_bytes(tail[at + 12 : at + 16], "little") > MAX_LISTING:
        raise RestoreError("the .zip file lists too many files")
    file.seek(0)


def _check(entries: list[zipfile.ZipInfo]) -> None:
    """Check the names and sizes of all entries. Raise RestoreError if one isn't safe."""
    if not entries:
        raise RestoreError("the .zip file is empty")
    if len(entries) > MAX_FILES:
        raise RestoreError(f"the .zip file has {len(entries):,} files; the limit is {MAX_FILES:,}")
    if sum(entry.file_size for entry in entries) > MAX_TOTAL:
        raise RestoreError(f"the unpacked files have more than {MAX_TOTAL // 1_000_000} MB")
    seen: set[str] = set()
    for entry in entries:
        wrong = _wrong_with(entry)
        if wrong:
            raise RestoreError(f"{entry.filename[:MAX_NAME]!a}: {wrong}")
        if entry.filename.casefold() in seen:
            raise RestoreError(f"{entry.filename}: appears twice")
        seen.add(entry.filename.casefold())


def _wrong_with(entry: zipfile.ZipInfo) -> str:
    """Return the reason why an entry isn't allowed, or an empty string if it is valid."""
    parts = entry.filename.split("/")
    mode = entry.external_attr >> 16
    if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "not a regular file"
    if entry.flag_bits & 1:
        return "protected with a password"
    if len(parts) > MAX_FOLDERS or any(not part or len(part) > MAX_NAME for part in parts):
        return "not a valid name for a file"
    if any(_leads_elsewhere(part) for part in parts):
        return "the name points outside the folder"
    if entry.file_size > MAX_BYTES:
        return f"{entry.file_size / 1e6:.0f} MB; the limit is {MAX_BYTES // 1_000_000} MB"
    return ""


def _leads_elsewhere(part: str) -> bool:
    return (
        part.startswith((".", " "))
        or part.endswith((".", " "))
        or bool(_FORBIDDEN & set(part))
        or part.partition(".")[0].lower() in _DEVICES
    )


def _copy(source: IO[bytes], out: IO[bytes], name: str, most: int) -> int:
    """Copy a file and return its size.

    Raise RestoreError after `most` bytes, regardless of the size stated in the .zip file.
    """
    size = 0
    while chunk := source.read(_CHUNK):
        size += len(chunk)
        if size > most:
            raise RestoreError(f"{name}: larger than stated in the .zip file")
        out.write(chunk)
    return size


def _swap(fresh: Path, library: Path, now: datetime) -> Path | None:
    """Replace a library with a folder. Return the new path of the previous library, or None if there was none."""
    if not os.path.lexists(library):
        fresh.rename(library)
        return None
    taken = {path.name for path in library.parent.iterdir()}
    aside = library.with_name(numbered(f"{library.name}.{now.strftime(_STAMP)}", taken))
    library.rename(aside)
    try:
        fresh.rename(library)
    except OSError:
        aside.rename(library)
        raise
    return aside
