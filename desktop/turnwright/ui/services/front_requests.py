"""Brings the window to the front when another process tries to open the same file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, Qt
from PySide6.QtWidgets import QApplication, QMainWindow

from turnwright.ui.services.document_model import DocumentModel
from turnwright.workspace.window_requests import WindowRequests, pass_on_token


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
        token = self._requests.take()
        if token is not None:
            pass_on_token(token)
            bring_to_front(self._window)


def bring_to_front(window: QMainWindow) -> None:
    """Bring a window to the front. If the desktop prevents this, the task bar entry is highlighted instead."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
    QApplication.alert(window)
