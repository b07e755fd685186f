"""Additional windows, bringing windows to the front, and the application's name and icon.

Opens additional windows in separate processes, and files that the desktop passes to a running program.

The window of a file comes to the front when another process tries to open the same file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QFileSystemWatcher, QObject, QProcess, QSize, Qt
from PySide6.QtGui import QFileOpenEvent, QIcon
from PySide6.QtWidgets import QApplication, QMainWindow

from turnwright.storage.resources import resource_path
from turnwright.workspace.locks import WindowRequests, pass_on_token

if TYPE_CHECKING:
    from turnwright.ui.services.document_model import DocumentModel


def start_window(path: Path) -> bool:
    """Start another process with a file. Return whether it started."""
    program = [] if hasattr(sys, "_MEIPASS") else ["-m", "turnwright"]
    started, _ = QProcess.startDetached(sys.executable, [*program, str(path.absolute())], str(Path.cwd()))
    return started


class OpenEvents(QObject):
    """Receives files that macOS passes to the running program, and queues them until the window is built."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: list[Path] = []
        self._open: Callable[[Path], object] | None = None

    def connect_to(self, open_file: Callable[[Path], object]) -> None:
        """Set the function that opens files, and call it for the queued ones."""
        self._open = open_file
        waiting, self._waiting = self._waiting, []
        for path in waiting:
            open_file(path)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QFileOpenEvent) or not event.file():
            return super().eventFilter(watched, event)
        path = Path(event.file())
        if self._open is None:
            self._waiting.append(path)
        else:
            self._open(path)
        return True


class FrontRequests(QObject):
    """Answers requests of other processes for the file of one window. Owned by the window."""

    def __init__(self, window: QMainWindow, document: DocumentModel, state_folder: Path) -> None:
        super().__init__(window)
        self._window = window
        self._document = document
        self._requests = WindowRequests(state_folder)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.directoryChanged.connect(self.answer)
        document.documentChanged.connect(self.follow)
        document.saved.connect(self.follow)
        app = QApplication.instance()
        assert app is not None
        app.aboutToQuit.connect(self.stop)
        self.follow()

    def follow(self) -> None:
        """Accept requests for the open document, unless another process has locked it."""
        document = self._document.source
        self._requests.follow(None if document.read_only else document.path)
        if not self._watcher.directories() and self._requests.folder.is_dir():
            self._watcher.addPath(str(self._requests.folder))
        self.answer()

    def stop(self) -> None:
        """Stop accepting requests."""
        self._requests.follow(None)

    def answer(self) -> None:
        """Bring the window to the front if it was requested."""
        if (token := self._requests.take()) is not None:
            pass_on_token(token)
            bring_to_front(self._window)


def bring_to_front(window: QMainWindow) -> None:
    """Bring a window to the front. If the desktop prevents this, the task bar entry is highlighted instead."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
    QApplication.alert(window)


if sys.platform == "win32":
    from ctypes import windll

APP_ID = "org.turnwright.Turnwright"  # also the name of the desktop entry
SIZES = (16, 24, 32, 48, 64, 128)


def set_identity(app: QApplication) -> None:
    """Set the application's name, so that menus and task bars show its own entry and icon."""
    app.setApplicationName("turnwright")
    app.setApplicationDisplayName("Turnwright")
    app.setDesktopFileName(APP_ID)
    app.setWindowIcon(app_icon())
    if sys.platform == "win32":
        windll.shell32.SetCurrentProcessExplicitAppUserModelID(APP_ID)


def app_icon() -> QIcon:
    """Return the program's icon."""
    icon = QIcon()
    for size in SIZES:
        icon.addFile(str(resource_path(f"icon/turnwright-{size}.png")), QSize(size, size))
    return icon
