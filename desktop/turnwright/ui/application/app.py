"""The running application: Qt application, window, and everything done before and after the first paint.

Garbage is collected only in the GUI thread. Python runs a collection in the thread whose allocation reaches the
threshold. In a worker thread, it could destroy an unreachable widget, which crashes Qt.
"""

from __future__ import annotations

import gc
import linecache
import sys
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, QObject, QSize, QThreadPool, QTimer
from PySide6.QtWidgets import QApplication

from turnwright.ui.application.crash_handler import ExceptionHook
from turnwright.ui.look.style import ThemeChoice, theme_source, tr
from turnwright.ui.services.new_window import OpenEvents, set_identity, start_window
from turnwright.ui.services.settings_store import SettingsStore
from turnwright.ui.shell.window import MainWindow
from turnwright.workspace.files import OpenError
from turnwright.workspace.settings import Folders, folders
from turnwright.workspace.versions import LogFile

if TYPE_CHECKING:
    from turnwright.ui.controllers.file_controller import DocumentLoading
    from turnwright.ui.docks.arrangements import ArrangementName
    from turnwright.workspace.document import AppContext, Document
    from turnwright.workspace.files import Systems


INTERVAL_MS = 2_000


class GarbageCollector(QObject):
    """Replaces Python's automatic garbage collection while this object exists."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()
        self.destroyed.connect(gc.enable)

    def collect(self) -> int:
        """Collect the oldest generation that exceeds its threshold. Return its number, or -1 if there is none."""
        counts, thresholds = gc.get_count(), gc.get_threshold()
        due = [age for age, (count, most) in enumerate(zip(counts, thresholds, strict=True)) if most and count > most]
        if not due:
            return -1
        gc.collect(due[-1])
        return due[-1]


PAINT_WAIT_MS = 250


class Application:
    """The objects that live as long as the window. Create one per process."""

    def __init__(self, systems: Systems, folders: Folders) -> None:
        existing = QApplication.instance()
        self.qt = existing if isinstance(existing, QApplication) else QApplication(["turnwright"])
        set_identity(self.qt)
        self.settings_store = SettingsStore(folders.config, self.qt)
        self.theme = theme_source()
        self.window: MainWindow | None = None
        self._systems = systems
        self._places = folders

    @cached_property
    def workspace(self) -> AppContext:
        """The workspace that opens documents. Created on first use, because the first paint doesn't need it."""
        from turnwright.workspace.document import AppContext

        workspace = AppContext(self._systems, self._places, lambda: self.settings_store.settings)
        workspace.on_log_error = self._report_log_error
        return workspace

    def apply_look(self, theme: ThemeChoice, percent: int) -> None:
        """Set the theme and the scale of the window."""
        self.theme.choose(theme)
        if percent != 100:
            self.theme.set_scale(percent / 100)
        if self.settings_store.settings.reduced_motion:
            self.theme.set_reduced_motion(True)

    def create_window(self, open_document: Callable[[], Document]) -> MainWindow:
        """Create the window. `open_document` is called when the document is first needed."""
        self.window = MainWindow(open_document, lambda: self.workspace, self.settings_store, self.theme)
        return self.window

    def show(self, document: Document) -> MainWindow:
        """Create the window for a document and show it."""
        window = self.create_window(lambda: document)
        window.show()
        return window

    def _report_log_error(self, error: OSError) -> None:
        from turnwright.ui.controllers.file_controller import os_error_text

        window, text = self.window, tr("ui.files.log-trouble", why=os_error_text(error))
        if window is not None:
            QTimer.singleShot(0, window, lambda: window.messages().notify(text, "warn", persistent=True))


class InitialDocument:
    """The first document of a window: a file, or a new encounter if there is no file or opening it failed."""

    def __init__(self, application: Application, path: Path | None) -> None:
        self.path = path
        self.error: OpenError | OSError | None = None
        self.fault: Exception | None = None
        self._application = application
        self._loading: DocumentLoading | None = None

    def load_for(self, window: MainWindow) -> None:
        """Load the document in a thread, and build the window's contents. The user can cancel slow loading."""
        if self.path is None:
            window.build_content()
            return
        from turnwright.ui.controllers.file_controller import DocumentLoading

        loading = self._loading = DocumentLoading(self._load(self.path), window)
        if loading.is_quick(self.path.name, window):
            window.build_content()
            return
        loading.finished.connect(window.build_content)
        loading.cancelled.connect(lambda: self._give_up(window))

    def _give_up(self, window: MainWindow) -> None:
        self.path = self._loading = None
        window.build_content()

    def _load(self, path: Path) -> Callable[[], Document]:
        """Return the function that opens the document.

        Samples open as copies. Other files open with the unsaved work that was recovered after a crash.
        """
        workspace = self._application.workspace
        return partial(workspace.copy_of if workspace.is_sample(path) else workspace.open_or_recover, path)

    def open(self) -> Document:
        """Return the document, loading it first if necessary."""
        workspace = self._application.workspace
        if self.path is None:
            return workspace.untitled()
        try:
            return self._loading.take() if self._loading is not None else self._load(self.path)()
        except (OpenError, OSError) as trouble:
            self.error = trouble
        except Exception as fault:  # noqa: BLE001 - no exception may leave an empty window
            self.fault = fault  # raised when the window can report it
        return workspace.untitled()


def run(paths: Sequence[Path], *, systems: Systems, quit_when_shown: bool = False) -> int:
    """Open the window with a file or an empty encounter. Return the exit code after it is closed.

    The window is painted before the file is opened. Each additional file opens in a separate window and process.
    `quit_when_shown` ends the program after the first paint.
    """
    places = folders()
    for other in paths[1:]:
        start_window(other)
    path = paths[0] if paths else None
    application = Application(systems, places)
    settings = application.settings_store.settings
    application.apply_look(settings.theme, settings.font_scale)
    if path is None:  # nothing to run yet
        application.settings_store.update(arrangement="prepare")
    first = InitialDocument(application, path)
    window = application.create_window(first.open)
    window.setWindowTitle(path.stem if path is not None else "")
    hook = _exception_hook(window, LogFile(places.state))
    hook.install()
    window.show()
    if quit_when_shown:
        window.painted.connect(application.qt.quit)
        code = application.qt.exec()
        gc.freeze()  # the process ends: no need to collect its garbage
        return code
    window.painted.connect(hook.begin_log)
    window.painted.connect(lambda: QTimer.singleShot(0, window, lambda: first.load_for(window)))
    window.contentReady.connect(lambda: _after_first_paint(window, application.workspace, first))
    if sys.platform == "darwin":
        events = OpenEvents(application.qt)
        application.qt.installEventFilter(events)
        window.contentReady.connect(lambda: events.connect_to(window.content.file_controller.open_from_desktop))
    return application.qt.exec()


def _exception_hook(window: MainWindow, log: LogFile) -> ExceptionHook:
    """Return the hook that logs uncaught exceptions and reports them in the window."""
    hook = ExceptionHook(log, partial(_report_fault, window))
    window.destroyed.connect(hook.remove)
    return hook


def _report_fault(window: MainWindow, log: Path | None, details: str) -> None:
    from turnwright.ui.application.startup import show_fault

    show_fault(window, log, details)


def _after_first_paint(window: MainWindow, workspace: AppContext, first: InitialDocument) -> None:
    QTimer.singleShot(0, window, lambda: _report_opened(window, workspace, first))
    window.content.docksBuilt.connect(lambda: _collect_again(window))


def _report_opened(window: MainWindow, workspace: AppContext, first: InitialDocument) -> None:
    from turnwright.ui.application.startup import after_first_paint

    if not window.isVisible():  # it was closed while it was being built
        return
    opened = first.path if first.fault is None else None
    after_first_paint(window, workspace, opened, first.error)
    if first.fault is not None:
        raise first.fault


def _collect_again(window: MainWindow) -> None:
    linecache.clearcache()  # PySide6 has read the source of every module
    gc.freeze()  # the contents of the window live as long as the window
    GarbageCollector(window)


def screenshot(
    path: Path,
    out: Path,
    play: Callable[[Document], object],
    *,
    systems: Systems,
    folders: Folders,
    arrangement: ArrangementName,
    theme: ThemeChoice,
    size: tuple[int, int],
    dock: str,
) -> bool:
    """Save a screenshot of the real window with a file open, after `play` has changed the document.

    `dock` is raised to the top of its tabs. `folders` keep the user's settings out of the screenshot. Return whether
    the image could be written. Raise OpenError or OSError if the file can't be opened.
    """
    application = Application(systems, folders)
    application.settings_store.update(arrangement=arrangement)
    application.apply_look(theme, 100)
    application.theme.set_reduced_motion(True)
    document = application.workspace.copy_of(path)
    play(document)
    window = application.show(document)
    window.resize(QSize(*size))
    _settle(window)
    if dock:
        window.content.docks.show(dock)
        _wait()
        _wait_for_workers()
    done = window.grab().save(str(out))
    window.source.close(discard=True)
    window.hide()
    return done


def _settle(window: MainWindow) -> None:
    """Build all docks of the window and reset its layout."""
    loop = QEventLoop()
    window.content.docksBuilt.connect(loop.quit)
    loop.exec()
    window.content.services.layout.reset()
    _wait()


def _wait_for_workers() -> None:
    """Wait until the docks have loaded their background content, such as charts and forecasts."""
    pool, idle = QThreadPool.globalInstance(), 0
    while idle < 3:  # painting a worker's result can start another worker
        idle = 0 if pool.activeThreadCount() else idle + 1
        _wait()


def _wait() -> None:
    loop = QEventLoop()
    QTimer.singleShot(PAINT_WAIT_MS, loop.quit)
    loop.exec()
