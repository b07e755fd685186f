"""Import of chosen or dropped files. A worker reads them, and a dialog reports the result."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, QTimer

from turnwright.ui.docks.docking import Docks
from turnwright.ui.look.translations import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QDropEvent

    from turnwright.importers.files.import_manifest import PastImport
    from turnwright.importers.files.pending_import import Again, PendingImport
    from turnwright.importers.files.take_back import TakenBack
    from turnwright.importers.results import ImportOutcome
    from turnwright.ui.dialogs.message_bar import MessageBar
    from turnwright.ui.models.import_report import ReportLine
    from turnwright.ui.services.workers import BackgroundTask, Progress
    from turnwright.ui.shell.window import MainWindow
    from turnwright.workspace.app_context import AppContext

    ReportedOutcome = tuple[ImportOutcome, ReportLine]

SHOW_AFTER_MS: Final = 400
_HEAD: Final = 8_192
_LIBRARY_FILE = re.compile(rb"^kind[ \t]*=", re.MULTILINE)
OnFinished = Callable[[Any], object]


class ImportController(QObject):
    """The imports of one window, one at a time. Encounter files are passed to `open`."""

    def __init__(
        self,
        window: MainWindow,
        workspace: AppContext,
        docks: Docks,
        messages: Callable[[], MessageBar],
        open: Callable[[Sequence[Path]], object],  # noqa: A002 - the natural name
    ) -> None:
        super().__init__(window)
        self._window = window
        self._workspace = workspace
        self._docks = docks
        self._messages = messages
        self._open = open
        self._work: BackgroundTask | None = None
        self._asking: PendingImport | None = None
        self._paths: tuple[Path, ...] = ()
        window.setAcceptDrops(True)
        window.dragged.connect(self._on_dragged)

    @property
    def is_free(self) -> bool:
        """Whether no import, backup or restoration is running or waiting for an answer."""
        return self._work is None and self._asking is None

    # File selection --------------------------------------------------------------------------------------------------

    def ask_files(self) -> None:
        """Ask for files and import them."""
        from PySide6.QtWidgets import QFileDialog

        files, _ = QFileDialog.getOpenFileNames(
            self._window, tr("ui.import.choose-files"), str(Path.home()), tr("ui.import.kind")
        )
        self.import_paths([Path(file) for file in files])

    def ask_folder(self) -> None:
        """Ask for a folder and import everything in it."""
        from PySide6.QtWidgets import QFileDialog

        folder = QFileDialog.getExistingDirectory(self._window, tr("ui.import.choose-folder"), str(Path.home()))
        self.import_paths([Path(folder)] if folder else [])

    def _on_dragged(self, event: QDropEvent) -> None:
        """Accept files dragged over the window, and open or import files dropped onto it."""
        paths = dropped_paths(event.mimeData())
        if paths and self.is_free:
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            if event.type() == QEvent.Type.Drop:
                # Import later, because the source of the drag waits until this event has been handled.
                QTimer.singleShot(0, self, lambda: self.drop(paths))

    def drop(self, paths: Sequence[Path]) -> None:
        """Open the dropped files if they are all encounters; otherwise import them."""
        if all(is_encounter_file(path) for path in paths):
            self._open(paths)
        else:
            self.import_paths(paths)

    # Import ----------------------------------------------------------------------------------------------------------

    def import_paths(self, paths: Sequence[Path]) -> None:
        """Import files and folders into the user's library, and report the result."""
        if not paths or not self.is_free:
            return
        into = self._workspace.folders.library
        self._paths = tuple(paths)

        def make(progress: Progress) -> PendingImport | ReportedOutcome:
            from turnwright.importers.files.import_files import read_import

            pending = read_import(paths, into, progress=progress)
            return pending if pending.counts else _with_report(pending.finish())

        self.run_in_worker(make, self._tell_or_ask, "ui.import.title")

    def _read_again(self, paths: Sequence[Path], without: Collection[str]) -> None:
        """Repeat the last import without some catalogue entries, overwriting its results."""
        folders = self._workspace.folders
        self._paths = tuple(paths)

        def make(progress: Progress) -> ReportedOutcome:
            from turnwright.importers.files.import_files import read_import

            with read_import(paths, folders.library, progress=progress, without=without) as pending:
                return _with_report(pending.finish("update", backups=folders.backups))

        self.run_in_worker(make, self._tell, "ui.import.title")

    def _tell_or_ask(self, result: PendingImport | ReportedOutcome) -> None:
        if isinstance(result, tuple):
            self._tell(result)
            return
        from turnwright.ui.dialogs.imports.past_imports import ImportAgainDialog

        dialog = ImportAgainDialog(result, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._asking = result
        dialog.chosen.connect(lambda again, overwrite: self._finish(result, again, overwrite))
        dialog.rejected.connect(lambda: self._give_up(result))
        dialog.destroyed.connect(lambda: self._give_up(result))  # for example when its window closes
        dialog.show()

    def _finish(self, pending: PendingImport, again: Again, overwrite: Collection[int]) -> None:
        """Write the imported records to the library, following the user's choices."""
        self._asking = None
        backups = self._workspace.folders.backups

        def make(_progress: Progress) -> ReportedOutcome:
            with pending:
                return _with_report(pending.finish(again, overwrite=overwrite, backups=backups))

        self.run_in_worker(make, self._tell, "ui.import.title")

    def _give_up(self, pending: PendingImport) -> None:
        if self._asking is pending:
            self._asking = None
            pending.discard()

    def run_in_worker(self, job: Callable[[Progress], Any], on_finished: OnFinished, title: str) -> None:
        """Run a job in a worker and show a dialog that can cancel it. `on_finished` receives the job's result."""
        from turnwright.ui.dialogs.imports.import_dialogs import ProgressDialog
        from turnwright.ui.services.workers import BackgroundTask

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

    def _tell(self, result: ReportedOutcome) -> None:
        from turnwright.ui.dialogs.imports.import_dialogs import ImportResultDialog

        outcome, tree = result
        self.reload()
        dialog = ImportResultDialog(outcome, tree, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.showInLibraryRequested.connect(self.show_library)
        dialog.openRequested.connect(lambda path: self._open([Path(path)]))
        dialog.undoRequested.connect(lambda: self.undo_import(outcome))
        paths = self._paths
        dialog.againRequested.connect(lambda without: self._read_again(paths, without))
        dialog.show()

    # Undoing imports -------------------------------------------------------------------------------------------------

    def ask_take_back(self) -> None:
        """List the library's imports, so that the user can undo one."""
        library = self._workspace.folders.library

        def make(_progress: Progress) -> list[PastImport]:
            from turnwright.importers.files.import_manifest import past_imports

            return past_imports(library)

        self.run_in_worker(make, self._show_imports, "ui.take-back.title")

    def _show_imports(self, imports: list[PastImport]) -> None:
        from turnwright.ui.dialogs.imports.past_imports import TakeBackDialog

        if not imports:
            self.notify(tr("ui.take-back.none"))
            return
        dialog = TakeBackDialog(imports, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.takeBackRequested.connect(self.take_back)
        dialog.show()

    def undo_import(self, outcome: ImportOutcome) -> None:
        """Undo the latest import and restore the files that it replaced."""
        if not outcome.written:
            self.take_back(Path(outcome.folder))
            return
        backups = self._workspace.folders.backups

        def make(_progress: Progress) -> int:
            from turnwright.importers.files.pending_import import undo_writing

            return sum(undo_writing(written, backups) for written in outcome.written)

        def tell(kept_count: int) -> None:
            self.reload()
            self.notify(tr("ui.take-back.update-undone") + _kept_text(kept_count), persistent=bool(kept_count))

        self.run_in_worker(make, tell, "ui.take-back.title")

    def take_back(self, folder: Path) -> None:
        """Undo an import by moving its files to the backups, and offer to restore them."""
        backups = self._workspace.folders.backups

        def make(_progress: Progress) -> TakenBack:
            from turnwright.importers.files.take_back import take_back

            return take_back(folder, backups)

        self.run_in_worker(make, self._tell_taken_back, "ui.take-back.title")

    def _tell_taken_back(self, result: TakenBack) -> None:
        self.reload()
        kept_text = _kept_text(len(result.kept))
        if result.aside is None:
            self.notify(tr("ui.take-back.nothing") + kept_text, persistent=bool(kept_text))
            return
        text = tr("ui.take-back.done", n=result.count, folder=str(result.aside)) + kept_text
        step = (tr("ui.take-back.put-back"), lambda: self._put_back(result))
        self._messages().notify(text, "", [step], persistent=True)

    def _put_back(self, result: TakenBack) -> None:
        def make(_progress: Progress) -> int:
            from turnwright.importers.files.take_back import put_back

            return put_back(result.aside, result.folder) if result.aside is not None else 0

        def tell(remaining: int) -> None:
            self.reload()
            words = "ui.take-back.put-back-but" if remaining else "ui.take-back.put-back-done"
            self.notify(tr(words, n=remaining, folder=str(result.aside)), persistent=bool(remaining))

        self.run_in_worker(make, tell, "ui.take-back.title")

    # The library panel -----------------------------------------------------------------------------------------------

    def reload(self) -> None:
        """Reload the list of the library panel, if it has been built."""
        dock = self._docks.built("library")
        if dock is not None and hasattr(dock, "reload"):
            dock.reload()

    def show_library(self) -> None:
        """Move the focus to the library panel."""
        self._docks.focus_dock("library")

    # Messages --------------------------------------------------------------------------------------------------------

    def notify(self, text: str, tone: str = "", *, persistent: bool = False) -> None:
        """Show a message in the window's message bar."""
        self._messages().notify(text, tone, persistent=persistent)

    def notify_failed(self, why: str) -> None:
        """Report why a job failed. Nothing has changed."""
        text = tr("ui.import.failed", why=why) if why else tr("ui.import.fault")
        self.notify(text, "warn", persistent=True)


def dropped_paths(data: QMimeData) -> list[Path]:
    """Return the local files and folders in dragged data."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile() and url.toLocalFile()]


def is_encounter_file(path: Path) -> bool:
    """Whether a file should be opened rather than imported: a TOML file that isn't a single library record."""
    if path.suffix.lower() != ".toml" or not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return True  # opening it reports the error
    first_table = re.search(rb"^[ \t]*\[", head, re.MULTILINE)
    return not _LIBRARY_FILE.search(head[: first_table.start()] if first_table else head)


def _with_report(outcome: ImportOutcome) -> ReportedOutcome:
    """Add the lines of the report to the outcome of an import."""
    from turnwright.ui.models.import_report import report_tree

    return outcome, report_tree(outcome)


def _kept_text(count: int) -> str:
    """Return a space and a sentence about the edited files that were kept, or an empty string if there are none."""
    return " " + tr("ui.take-back.kept", n=count) if count else ""


def _far(done: int, what: str) -> str:
    return tr("ui.import.record", n=done, name=what) if done else tr("ui.import.reading", file=what)
