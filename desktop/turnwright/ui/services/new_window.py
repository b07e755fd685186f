"""Opens additional windows in separate processes, and files that the desktop passes to a running program."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QProcess
from PySide6.QtGui import QFileOpenEvent


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
