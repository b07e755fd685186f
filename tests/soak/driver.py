"""The real window on an encounter, played by itself until somebody kills it.

`python driver.py FILE SEED [ACTS BOUNDARY]`: after each paint it writes one line to standard output, unbuffered: how many
acts it has done, a digest of what the window then showed. The next act comes only after that. After so many acts it saves
instead, and kills itself at that boundary of the save, or after it.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from pathlib import Path
from random import Random
from zlib import crc32

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from tests.automatic import acts
from tests.workspace.kill_points import Killer
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.state import Encounter
from turnwright.play.kernel.transaction import Command
from turnwright.play.session import Session
from turnwright.ui.application import app
from turnwright.ui.shell.window import MainWindow

LEAST = 3  # the first steps are never taken back, so that there is always something unsaved to recover


def digest(encounter: Encounter) -> int:
    """A figure that two encounters have in common only if they are the same, record by record and in the same order."""
    return crc32(repr(list(encounter)).encode())


class Player(QObject):
    """Plays through a window's own bridge, one act for each paint."""

    def __init__(self, window: MainWindow, seed: int, save_after: int, boundary: int) -> None:
        super().__init__(window)
        self._save_after = save_after
        self._boundary = boundary
        self._window = window
        self._random = Random(seed)
        self._began = self.session.serial
        self._told = self._began
        self._painted = -1
        window.document.changed.connect(self._hear)
        QApplication.instance().installEventFilter(self)
        window.update()

    # The window's hands -------------------------------------------------------------------------------------

    @property
    def session(self) -> Session:
        return self._window.document.source.session

    def do(self, command: Command) -> bool:
        return self._window.document.execute(command)

    def undo(self) -> None:
        self._window.document.undo()

    def redo(self) -> None:
        self._window.document.redo()

    # Acting and telling -------------------------------------------------------------------------------------

    def _hear(self) -> None:
        self._told = self.session.serial  # the views have been told of this much, and can paint it from now on

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and isinstance(watched, QWidget) and self._painted < self._told:
            self._painted = self._told
            QTimer.singleShot(0, self, self._go_on)
        return False

    def _go_on(self) -> None:
        went_well = False
        try:
            line = f"{self._painted - self._began} {digest(self.session.encounter)}\n"
            os.write(sys.stdout.fileno(), line.encode())
            if self._boundary and self._painted - self._began >= self._save_after:
                Killer(self._boundary)
                assert self._window.content.file_controller.save()
                os.kill(os.getpid(), signal.SIGKILL)
            acts(self, self._random, least=LEAST)
            self._window.update()
            went_well = True
        finally:
            if not went_well:  # or the window would say sorry and stay
                traceback.print_exc()
                os._exit(3)


def play_in_the_window(seed: int, save_after: int = 0, boundary: int = 0) -> None:
    """Begin as soon as the window shows the document."""
    window = next(widget for widget in QApplication.topLevelWidgets() if isinstance(widget, MainWindow))
    window.contentReady.connect(lambda: Player(window, seed, save_after, boundary))


if __name__ == "__main__":
    qt = QApplication(sys.argv[:1])
    QTimer.singleShot(0, qt, lambda: play_in_the_window(*map(int, sys.argv[2:])))
    sys.exit(app.run([Path(sys.argv[1])], systems=RuleSystems()))
