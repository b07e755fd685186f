"""The running application: one Qt application, one window, what is done before its first paint and what after it."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, QSize, QTimer
from PySide6.QtWidgets import QApplication

from turnwright.ui.keeping import Keeper
from turnwright.ui.say import say
from turnwright.ui.theme import Choice, theme_source
from turnwright.ui.window import MainWindow
from turnwright.workspace.folders import Folders, folders

if TYPE_CHECKING:
    from turnwright.ui.arrangements import Name
    from turnwright.workspace.document import Document, Systems
    from turnwright.workspace.files import CannotOpen
    from turnwright.workspace.opening import Workspace

SETTLE_MS = 250


class Application:
    """Everything that lives as long as the window, put together. Make it once a process."""

    def __init__(self, systems: Systems, places: Folders) -> None:
        existing = QApplication.instance()
        self.qt = existing if isinstance(existing, QApplication) else QApplication(sys.argv[:1])
        self.qt.setApplicationName("turnwright")
        self.qt.setApplicationDisplayName("Turnwright")
        self.keeper = Keeper(places.config, self.qt)
        self.theme = theme_source()
        self.window: MainWindow | None = None
        self._systems = systems
        self._places = places

    @cached_property
    def workspace(self) -> Workspace:
        """What opens documents; the window is painted without it."""
        from turnwright.workspace.opening import Workspace

        workspace = Workspace(self._systems, self._places, lambda: self.keeper.settings)
        workspace.trouble = self._say_log_trouble
        return workspace

    def dress(self, theme: Choice, percent: int) -> None:
        """Choose the theme and the size of everything."""
        self.theme.choose(theme)
        if percent != 100:
            self.theme.set_scale(percent / 100)
        if self.keeper.settings.reduced_motion:
            self.theme.set_reduced_motion(True)

    def window_over(self, open_document: Callable[[], Document]) -> MainWindow:
        """Make the window over a document that is opened when it is first asked for."""
        self.window = MainWindow(open_document, lambda: self.workspace, self.keeper, self.theme)
        return self.window

    def show(self, document: Document) -> MainWindow:
        """Make the window over a document and show it."""
        window = self.window_over(lambda: document)
        window.show()
        return window

    def _say_log_trouble(self, error: OSError) -> None:
        from turnwright.ui.filing import reason

        window, text = self.window, say("ui.files.log-trouble", why=reason(error))
        if window is not None:
            QTimer.singleShot(0, window, lambda: window.messages().tell(text, "warn", stays=True))


class FirstDocument:
    """What a window begins with: a file, or a new encounter where there is none or it can't be opened (`trouble`)."""

    def __init__(self, application: Application, path: Path | None) -> None:
        self.path = path
        self.trouble: CannotOpen | OSError | None = None
        self._application = application

    def open(self) -> Document:
        """Open it. A sample opens as a copy; what a crash left unsaved as it was left."""
        from turnwright.workspace.files import CannotOpen

        workspace = self._application.workspace
        if self.path is None:
            return workspace.untitled()
        is_sample = workspace.is_sample(self.path)
        try:
            return (workspace.copy_of if is_sample else workspace.open_or_recover)(self.path)
        except (CannotOpen, OSError) as trouble:
            self.trouble = trouble
            return workspace.untitled()


def run(path: Path | None, *, systems: Systems, quit_when_shown: bool = False) -> int:
    """Open the window, with a file or what it had last; return the exit code once it is closed.

    The window is painted first, then the file is opened and shown in it. `quit_when_shown` ends the program after the
    first paint.
    """
    application = Application(systems, folders())
    settings = application.keeper.settings
    application.dress(settings.theme, settings.font_scale)
    first = FirstDocument(application, path)
    window = application.window_over(first.open)
    window.setWindowTitle(path.stem if path is not None else "")
    window.show()
    if quit_when_shown:
        window.painted.connect(application.qt.quit)
        code = application.qt.exec()
        gc.freeze()  # the process ends: nobody needs to look through what it leaves
        return code
    window.painted.connect(lambda: QTimer.singleShot(0, window, window.furnish))
    window.furnished.connect(lambda: _after_first_paint(window, application.workspace, first))
    return application.qt.exec()


def _after_first_paint(window: MainWindow, workspace: Workspace, first: FirstDocument) -> None:
    from turnwright.ui.startup import after_first_paint

    QTimer.singleShot(0, window, lambda: after_first_paint(window, workspace, first.path, first.trouble))
    window.inside.settled.connect(lambda: _collect_again(window))


def _collect_again(window: MainWindow) -> None:
    from turnwright.ui.collecting import Collector

    gc.freeze()  # what stands in the window stays as long as it does
    Collector(window)


def screenshot(
    path: Path,
    out: Path,
    *,
    systems: Systems,
    places: Folders,
    arrangement: Name = "prepare",
    theme: Choice = "light",
    size: tuple[int, int] = (1280, 800),
    percent: int = 100,
    dock: str = "",
    play: Callable[[Document], object] | None = None,
) -> bool:
    """Save a picture of the real window with a file open, after `play` has done what it wants with the document.

    `dock` is brought to the front of its tabs. Return whether the picture could be written; CannotOpen or OSError for
    the file. `places` keep it from the person's own settings.
    """
    application = Application(systems, places)
    application.keeper.change(arrangement=arrangement)
    application.dress(theme, percent)
    application.theme.set_reduced_motion(True)
    document = application.workspace.copy_of(path)
    if play is not None:
        play(document)
    window = application.show(document)
    window.resize(QSize(*size))
    _settle(window)
    if dock:
        window.inside.docks.show(dock)
        _wait()
    done = window.grab().save(str(out))
    window.document.close(discard=True)
    window.hide()
    return done


def _settle(window: MainWindow) -> None:
    """Let the window build all its docks, and lay itself out anew."""
    loop = QEventLoop()
    window.inside.settled.connect(loop.quit)
    loop.exec()
    window.inside.lay_out_again()
    _wait()


def _wait() -> None:
    loop = QEventLoop()
    QTimer.singleShot(SETTLE_MS, loop.quit)
    loop.exec()
