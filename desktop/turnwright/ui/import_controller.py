"""Import of files, chosen or dropped onto the window: read in a worker, reported in a dialog."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, QTimer
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QMainWindow

from turnwright.ui.docking import Docks
from turnwright.ui.translations import tr

if TYPE_CHECKING:
    from turnwright.storage.importers.results import ImportOutcome
    from turnwright.ui.dialogs.message_bar import MessageBar
    from turnwright.ui.models.import_report import ReportLine
    from turnwright.ui.workers import BackgroundTask, Progress
    from turnwright.workspace.app_context import AppContext

SHOW_AFTER_MS: Final = 400
_HEAD: Final = 8_192
_LIBRARY_FILE = re.compile(rb"^kind[ \t]*=", re.MULTILINE)
OnFinished = Callable[[Any], object]


class ImportController(QObject):
    """The imports of one window, one at a time. `open` opens encounters."""

    def __init__(
        self,
        window: QMainWindow,
        workspace: AppContext,
        docks: Docks,
        messages: Callable[[], MessageBar],
        open: Callable[[Sequence[Path]], object],  # noqa: A002  # the field's own word
    ) -> None:
        super().__init__(window)
        self._window = window
        self._workspace = workspace
        self._docks = docks
        self._messages = messages
        self._open = open
        self._work: BackgroundTask | None = None
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    @property
    def is_free(self) -> bool:
        """Whether no import, backup or restoration is running."""
        return self._work is None

    # Choosing --------------------------------------------------------------------------------------------------------

    def ask_files(self) -> None:
        """Ask for files, and import them."""
        from PySide6.QtWidgets import QFileDialog

        chosen, _ = QFileDialog.getOpenFileNames(
            self._window, tr("ui.import.choose-files"), str(Path.home()), tr("ui.import.kind")
        )
        self.import_paths([Path(each) for each in chosen])

    def ask_folder(self) -> None:
        """Ask for a folder, and import everything in it."""
        from PySide6.QtWidgets import QFileDialog

        chosen = QFileDialog.getExistingDirectory(self._window, tr("ui.import.choose-folder"), str(Path.home()))
        self.import_paths([Path(chosen)] if chosen else [])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Drag enter and drag move events are drop events too.
        if watched is self._window and isinstance(event, QDropEvent):
            paths = dropped_paths(event.mimeData())
            if paths and self.is_free:
                event.setDropAction(Qt.DropAction.CopyAction)
                event.accept()
                if event.type() == QEvent.Type.Drop:
                    # The source of the drag waits for the drop to end.
                    QTimer.singleShot(0, self, lambda: self.drop(paths))
                return True
        return super().eventFilter(watched, event)

    def drop(self, paths: Sequence[Path]) -> None:
        """Open what was dropped if all of it is encounters; import anything else."""
        if all(is_encounter_file(path) for path in paths):
            self._open(paths)
        else:
            self.import_paths(paths)

    # Importing -------------------------------------------------------------------------------------------------------

    def import_paths(self, paths: Sequence[Path]) -> None:
        """Import files and folders into the person's library, and report the result."""
        if not paths or not self.is_free:
            return
        into = self._workspace.folders.library

        def make(progress: Progress) -> tuple[ImportOutcome, ReportLine]:
            from turnwright.storage.importers.import_files import import_paths
            from turnwright.ui.models.import_report import report_tree

            outcome = import_paths(paths, into, progress=progress)
            return outcome, report_tree(outcome)

        self.run_in_worker(make, self._tell, "ui.import.title")

    def run_in_worker(self, job: Callable[[Progress], Any], on_finished: OnFinished, title: str) -> None:
        """Run a job in a worker under a dialog that can cancel it; `on_finished` gets the job's result."""
        from turnwright.ui.dialogs.import_dialogs import ProgressDialog
        from turnwright.ui.workers import BackgroundTask

        dialog = ProgressDialog(tr(title), self._window)
        work = self._work = BackgroundTask(job, self)

        def then(step: Callable[..., object]) -> Callable[..., None]:
            def ended(*result: object) -> None:
                self._work = None
                dialog.hide()
                dialog.deleteLater()
                work.deleteLater()
                step(*result)

            return ended

        work.progressed.connect(lambda done, what: dialog.show_progress(_far(done, what)))
        dialog.cancelled.connect(work.cancel)
        work.finished.connect(then(on_finished))
        work.cancelled.connect(then(lambda: self.notify(tr("ui.import.cancelled"))))
        work.failed.connect(then(self.notify_failed))
        QTimer.singleShot(SHOW_AFTER_MS, dialog, lambda: dialog.show() if self._work is work else None)

    def _tell(self, result: tuple[ImportOutcome, ReportLine]) -> None:
        from turnwright.ui.dialogs.import_dialogs import ImportResultDialog

        outcome, tree = result
        self.reload()
        dialog = ImportResultDialog(outcome, tree, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.showInLibraryRequested.connect(self.show_library)
        dialog.openRequested.connect(lambda path: self._open([Path(path)]))
        dialog.undoRequested.connect(lambda: self.undo_import(Path(outcome.folder)))
        dialog.show()

    def undo_import(self, folder: Path) -> None:
        """Move a folder that was just added to the backups."""
        from turnwright.storage.importers.take_back import take_back

        try:
            aside = take_back(folder, self._workspace.folders.backups).aside
        except OSError as error:
            self.notify_failed(error.strerror or str(error))
            return
        self.reload()
        self.notify(tr("ui.import.undone", folder=str(aside)))

    # The library dock ------------------------------------------------------------------------------------------------

    def reload(self) -> None:
        """Reload the list of the library dock, if it has been built."""
        dock = self._docks.built("library")
        if dock is not None and hasattr(dock, "reload"):
            dock.reload()

    def show_library(self) -> None:
        """Go to the library."""
        self._docks.focus_dock("library")

    # Saying ----------------------------------------------------------------------------------------------------------

    def notify(self, text: str, tone: str = "", *, persistent: bool = False) -> None:
        """Show a message in the window's message bar."""
        self._messages().notify(text, tone, persistent=persistent)

    def notify_failed(self, why: str) -> None:
        """Report why a job failed; nothing has changed."""
        text = tr("ui.import.failed", why=why) if why else tr("ui.import.fault")
        self.notify(text, "warn", persistent=True)


def dropped_paths(data: QMimeData) -> list[Path]:
    """Return the local files and folders of a drag."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile() and url.toLocalFile()]


def is_encounter_file(path: Path) -> bool:
    """Return whether a file is to be opened, not imported: TOML that is no single library record."""
    if path.suffix.lower() != ".toml" or not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return True  # opening it says why it can't be read
    first_table = re.search(rb"^[ \t]*\[", head, re.MULTILINE)
    return not _LIBRARY_FILE.search(head[: first_table.start()] if first_table else head)


def _far(done: int, what: str) -> str:
    return tr("ui.import.record", n=done, name=what) if done else tr("ui.import.reading", file=what)
