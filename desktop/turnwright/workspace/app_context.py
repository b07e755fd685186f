"""Opens documents, using the rule systems, folders and settings of the running program."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from turnwright.encounter.prepared import DEFAULT_SYSTEM
from turnwright.encounter.state import Record
from turnwright.storage.encounters import prepared
from turnwright.storage.library.entries import Library
from turnwright.storage.resources import resource_root
from turnwright.workspace.document import Document, open_document, recover_document, reopen_document, untitled_document
from turnwright.workspace.files import ReadFiles, Systems, read_files
from turnwright.workspace.leftover_logs import Recoverable, find_leftovers, sweep_logs, sweep_restores
from turnwright.workspace.locks import lock_name, lock_untitled
from turnwright.workspace.open_state import (
    DocumentInUseError,
    OpenState,
    RecoverError,
    ignore_error,
    with_dice,
)
from turnwright.workspace.recovery import LogErrorHandler
from turnwright.workspace.settings import Folders, Settings
from turnwright.workspace.undo_history import history_path, keep_history

if TYPE_CHECKING:
    from turnwright.storage.library.entries import Library

_INDEX = "library.index"


class AppContext:
    """The program's rule systems, folders and settings. `on_log_error` is called if a recovery log can't be written.

    `unread_logs` are logs of another version of the program that the user hasn't been told about yet.
    """

    def __init__(
        self,
        systems: Systems,
        folders: Folders,
        settings: Callable[[], Settings],
        on_log_error: LogErrorHandler = ignore_error,
    ) -> None:
        self.systems = systems
        self.folders = folders
        self.on_log_error = on_log_error
        self.unread_logs: list[Path] = []
        self._settings = settings
        self._library: Library | None = None

    @property
    def library(self) -> Library:
        """The library: the user's folder, then all shipped folders."""
        if self._library is None:
            self._library = Library.standard(self.folders.library, self.folders.state / _INDEX)
        return self._library

    def open(self, path: Path) -> Document:
        """Open a file without the unsaved changes of an earlier process. Raise OpenError or OSError."""
        return open_document(
            path, self.systems, self.folders.state, dice=self._settings().dice, on_log_error=self._say_trouble
        )

    def open_or_recover(self, path: Path) -> Document:
        """Open a file and recover the unsaved changes of an earlier process, if any. Raise OpenError or OSError."""
        for recoverable in self.recoverable(path):
            with suppress(RecoverError, DocumentInUseError):
                return self.recover(recoverable)
        return self.open(path)

    def read(self, path: Path) -> ReadFiles:
        """Return the content of an encounter's files. Raise OpenError or OSError."""
        return read_files(path, self.systems)

    def reopen(self, document: Document, read: ReadFiles) -> Document:
        """Close a document without saving, and return a new document with the content just read from its files."""
        return reopen_document(document, read, self.systems, self.folders.state, on_log_error=self._say_trouble)

    def untitled(self) -> Document:
        """Return a new, empty document for the last used rule system."""
        settings = self._settings()
        game = settings.last_game if settings.last_game in self.systems.ids else DEFAULT_SYSTEM
        return untitled_document(
            self.systems, self.folders.state, system=game, dice=settings.dice, on_log_error=self._say_trouble
        )

    def copy_of(self, path: Path) -> Document:
        """Return a new document without a file that contains a copy of an encounter. Raise OpenError or OSError."""
        read = read_files(path, self.systems, fight=False)
        start = OpenState(with_dice(read.encounter, None, self._settings().dice), findings=read.findings)
        lock = lock_untitled(self.folders.recovery)
        copy = Document(start, self.systems, self.folders.state, lock, self._say_trouble)
        copy.copied_from = path.absolute()
        return copy

    def prepared_in(self, path: Path) -> tuple[Record, ...]:
        """Return the prepared records in an encounter file. Raise OpenError or OSError."""
        return tuple(prepared(read_files(path, self.systems, fight=False).encounter))

    def is_sample(self, path: Path) -> bool:
        """Whether a file is shipped with the program and must not be written."""
        return (resource_root() / "encounters").resolve() in path.resolve().parents

    # Documents left by earlier processes -----------------------------------------------------------------------------

    def recoverable(self, path: Path | None = None) -> tuple[Recoverable, ...]:
        """Return the unsaved documents of crashed processes, either for one file or for all."""
        leftovers = find_leftovers(self.folders.state, lock_name(path) if path is not None else "*")
        self.unread_logs += leftovers.unread
        return leftovers.unsaved

    def recover(self, recoverable: Recoverable) -> Document:
        """Restore a document to the exact state before a crash. Raise RecoverError, DocumentInUseError or OSError."""
        return recover_document(recoverable.log, self.systems, self.folders.state, on_log_error=self._say_trouble)

    def discard(self, recoverable: Recoverable) -> None:
        """Delete the unsaved changes in a document's log. Raise OSError if that fails."""
        name = lock_name(recoverable.path) if recoverable.path is not None else recoverable.log.stem
        keep_history(recoverable.log, history_path(self.folders.state, name))

    def sweep_leftovers(self) -> None:
        """Delete the oldest undo histories and unreadable logs beyond the limits, and leftovers of killed processes."""
        sweep_logs(self.folders.state)
        sweep_restores(self.folders.library)

    def _say_trouble(self, error: OSError) -> None:
        self.on_log_error(error)
