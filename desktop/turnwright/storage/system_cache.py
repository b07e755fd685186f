"""Caches shipped rule systems and texts after they were read and checked, to speed up the next start.

Each cache file begins with a digest of the program's version, the source files and the code that reads them. If the
digest differs, the files are read again. The cache folder can be deleted safely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

import msgspec

from turnwright import __version__
from turnwright.rules.system_data import SystemData
from turnwright.storage.atomic import replace_atomically
from turnwright.storage.resources import resource_root
from turnwright.storage.system_data import read_system_data
from turnwright.storage.word_catalogue import texts_of

T = TypeVar("T")
_CODE = Path(__file__).resolve().parents[1]
_READERS = ("encounter", "rules/system_data", "rules/parts/environment", "storage")


def cached_system_data(system_id: str, folder: Path, root: Path | None = None) -> SystemData:
    """Return all data of a system except its ledger. Use the cache if nothing has changed.

    Raise SystemDataError in the same cases as `read_system_data`.
    """
    root = root or resource_root()

    def read() -> SystemData:
        return read_system_data(system_id, root)

    data = [file for name in (f"systems/{system_id}", "environments", "words") for file in _files(root / name, ".toml")]
    code = [file for name in _READERS for file in _files(_CODE / name, ".py")]
    return _kept(folder / f"{system_id}.msgpack", [*data, *code], SystemData, read)


def cached_texts(language: str, folder: Path) -> dict[str, str]:
    """Return a language's texts, keyed by message key. Use the cache if nothing has changed."""

    def read() -> dict[str, str]:
        return dict(texts_of(language))

    files = [resource_root() / "words" / f"{language}.toml"]
    return _kept(folder / f"words-{language}.msgpack", files, dict[str, str], read)


def _kept(cache_file: Path, files: Iterable[Path], kind: type[T], read: Callable[[], T]) -> T:
    """Return the content of a cache file if its source files haven't changed, or else read them again."""
    digest = _digest(files)
    with suppress(OSError, msgspec.DecodeError, ValueError, RecursionError):
        content = cache_file.read_bytes()
        if content.startswith(digest):
            return msgspec.msgpack.decode(content[len(digest) :], type=kind)
    data = read()
    with suppress(OSError):
        cache_file.parent.mkdir(parents=True, exist_ok=True)
        replace_atomically(cache_file, digest + msgspec.msgpack.encode(data))
    return data


def _files(folder: Path, ending: str) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.suffix == ending) if folder.is_dir() else []


def _digest(files: Iterable[Path]) -> bytes:
    """Return a digest of the program's version and the state of files."""
    digest = blake2b(__version__.encode(), digest_size=32)
    for file in files:
        state = file.stat()
        digest.update(f"{file} {state.st_mtime_ns} {state.st_size} ".encode())
    return digest.digest()
