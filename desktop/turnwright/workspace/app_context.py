"""Opens documents with the rule systems, folders and settings of the running program."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from turnwright.encounter.prepared import DEFAULT_SYSTEM
from turnwright.encounter.state import Record
from turnwright.storage.encounters import prepared
from turnwright.storage.resources import resource_root
from turnwright.workspace.document import Document, open_document, recover_document, reopen_document, untitled_document
from turnwright.workspace.files import ReadFiles, read_files
from turnwright.workspace.folders import Folders
from turnwright.workspace.leftover_logs import Recoverable, find_leftovers, sweep_logs, sweep_restores
from turnwright.workspace.locks import lock_name, lock_untitled
from turnwright.workspace.open_state import (
    DocumentInUseError,
    OpenState,
    RecoverError,
    Systems,
    ignore_error,
    with_dice,
)
from turnwright.workspace.recovery import LogErrorHandler
from turnwright.workspace.settings import Settings
from turnwright.workspace.undo_history import history_path, keep_history

if TYPE_CHECKING:
    from turnwright.storage.library import Library

_INDEX = "library.index"


class AppContext:
    """Rule systems, folders and settings together. `on_log_error` is called when a recovery log can't be written.

    `unread_logs` are those that another version of the program wrote, until the person was told.
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
        """The library: the person's folder before all shipped folders."""
        if self._library is None:
            from turnwright.storage.library import Library  # loaded after the first paint

            self._library = Library.standard(self.folders.library, self.folders.state / _INDEX)
        return self._library

    def open(self, path: Path) -> Document:
        """Open a file, without what an earlier process left unsaved of it. OpenError, OSError."""
        return open_document(
            path, self.systems, self.folders.state, dice=self._settings().dice, on_log_error=self._say_trouble
        )

    def open_or_recover(self, path: Path) -> Document:
        """Open a file; where an earlier process left it unsaved, recover that. OpenError, OSError."""
        for left in self.recoverable(path):
            with suppress(RecoverError, DocumentInUseError):
                return self.recover(left)
        return self.open(path)

    def read(self, path: Path) -> ReadFiles:
        """Return what an encounter's files hold. OpenError, OSError."""
        return read_files(path, self.systems)

    def reopen(self, document: Document, read: ReadFiles) -> Document:
        """Return a document of the same files as just read, and close the old one with its unsaved changes."""
        return reopen_document(document, read, self.systems, self.folders.state, on_log_error=self._say_trouble)

    def untitled(self) -> Document:
        """Return a new, empty document of the game last used."""
        settings = self._settings()
        game = settings.last_game if settings.last_game in self.systems.ids else DEFAULT_SYSTEM
        return untitled_document(
            self.systems, self.folders.state, system=game, dice=settings.dice, on_log_error=self._say_trouble
        )

    def copy_of(self, path: Path) -> Document:
        """Return a document without a file that starts with a copy of an encounter. OpenError, OSError."""
        read = read_files(path, self.systems, fight=False)
        start = OpenState(with_dice(read.encounter, None, self._settings().dice), findings=read.findings)
        lock = lock_untitled(self.folders.recovery)
        copy = Document(start, self.systems, self.folders.state, lock, self._say_trouble)
        copy.copied_from = path.absolute()
        return copy

    def prepared_in(self, path: Path) -> tuple[Record, ...]:
        """Return the prepared records of an encounter file. OpenError, OSError."""
        return tuple(prepared(read_files(path, self.systems, fight=False).encounter))

    def is_sample(self, path: Path) -> bool:
        """Return whether a file is shipped with the program, and so not to be written to."""
        return (resource_root() / "encounters").resolve() in path.resolve().parents

    # Documents of earlier processes ----------------------------------------------------------------------------------

    def recoverable(self, path: Path | None = None) -> tuple[Recoverable, ...]:
        """Return the unsaved documents of crashed processes: of one file, or of all."""
        found = find_leftovers(self.folders.state, lock_name(path) if path is not None else "*")
        self.unread_logs += found.unread
        return found.unsaved

    def recover(self, recoverable: Recoverable) -> Document:
        """Return a document exactly as it was left. RecoverError, DocumentInUseError, OSError."""
        return recover_document(recoverable.log, self.systems, self.folders.state, on_log_error=self._say_trouble)

    def discard(self, recoverable: Recoverable) -> None:
        """Delete what a log has since the last save of its document. OSError."""
        name = lock_name(recoverable.path) if recoverable.path is not None else recoverable.log.stem
        keep_history(recoverable.log, history_path(self.folders.state, name))

    def sweep_leftovers(self) -> None:
        """Delete the oldest undo histories and unreadable logs beyond what may be kept, and what kills have left."""
        sweep_logs(self.folders.state)
        sweep_restores(self.folders.library)

    def _say_trouble(self, error: OSError) -> None:
        self.on_log_error(error)
