"""A hidden folder that collects an import's files before they are all moved into the library in one step.

The folder's name begins with a dot, so no list shows it. The next import removes a folder that a killed import left
behind.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from turnwright.encounter.state import Encounter
from turnwright.importers.files.take_back import free_places
from turnwright.importers.results import ImportedRecord
from turnwright.storage.ids import IdAllocator, slug
from turnwright.storage.library.entries import library_text

PREFIX: Final = ".import-"
_DAY: Final = 86_400


class StagingFolder:
    """Collects records as files: `add` each, then `commit`. Leaving the context without a commit removes everything."""

    def __init__(self, into: Path, name: str) -> None:
        self._into = into
        self._name = slug(name, "import")
        self._ids = IdAllocator()
        self._folder: Path | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.discard()

    @property
    def folder(self) -> Path:
        """The hidden folder with the records so far. Raise OSError if it can't be created."""
        return self._open()

    def discard(self) -> None:
        """Remove everything that was added."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def add(self, imported: ImportedRecord) -> tuple[str, str, str]:
        """Write a record, and return its kind, its id and its file's name. Raise OSError if it can't be written."""
        folder = self._open()
        record = imported.record
        id = slug(imported.name) if isinstance(record, Encounter) else record.id
        name = f"{self._ids.allocate(id)}.toml"
        (folder / name).write_text(library_text(record, imported.system), encoding="utf-8", newline="\n")
        return type(record).__name__.lower(), id, name

    def commit(self) -> Path:
        """Move everything into a new folder of the library, and return its path. Raise OSError if that fails."""
        staged = self._open()
        target = next(path for path in free_places(self._into, self._name) if _moved(staged, path))
        self._folder = None
        return target

    def _open(self) -> Path:
        if self._folder is None:
            self._into.mkdir(parents=True, exist_ok=True)
            remove_stale(self._into)
            self._folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=self._into))
            self._folder.chmod(0o777 & ~_umask())
        return self._folder


def _moved(staged: Path, target: Path) -> bool:
    """Move a folder to a free name; return False if another process took the name first."""
    try:
        staged.rename(target)
    except OSError:
        if os.path.lexists(target):
            return False
        raise
    return True


def remove_stale(into: Path) -> None:
    """Remove the staging folders of killed imports."""
    for folder in into.glob(f"{PREFIX}*"):
        number = folder.name.removeprefix(PREFIX).partition("-")[0]
        if number.isdecimal() and not _runs(int(number), folder):
            shutil.rmtree(folder, ignore_errors=True)


def _runs(process: int, folder: Path) -> bool:
    if process == os.getpid():
        return True
    if os.name == "nt":  # signal 0 would end the process, so check the age: no import takes a day
        with suppress(OSError):
            return time.time() - folder.stat().st_mtime < _DAY
        return True
    with suppress(OSError, OverflowError):
        os.kill(process, 0)
        return True
    return False


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
