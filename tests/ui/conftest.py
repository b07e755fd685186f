"""A real window over a copy of the sample at the ford, with folders of its own.

Building one takes longer than most of what is tried in it, so the tests share one, as a person keeps one window for
many encounters: each gets a copy of its own opened in it, and finds it as it stands after a first start.
A test of what stands there after a start asks for a `fresh_window` instead.
"""

from __future__ import annotations

import gc
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QByteArray, QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QDockWidget
from pytestqt.qtbot import QtBot
from shiboken6.Shiboken import createdByPython

from turnwright.bootstrap import RuleSystems
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.ui.application.app import Application
from turnwright.ui.docks.arrangements import ArrangementName
from turnwright.ui.look.style import theme_source
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.shell.window import MainWindow, initial_geometry
from turnwright.workspace.document import Document
from turnwright.workspace.settings import Folders, Settings

MODELS: list[DocumentModel] = []  # of the module
PATIENCE_MS = 30_000  # a busy machine takes its time to build a window


class Kept:
    """The application that the tests share, with its window once there is one."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._application: Application | None = None
        self._count = 0
        self._usual: QByteArray | None = None  # the layout before a test

    @property
    def application(self) -> Application:
        """The application, another one where the window of the one before was closed."""
        if self._application is None:
            self._count += 1
            self._application = application_in(self._root / str(self._count))
        return self._application

    @property
    def is_closed(self) -> bool:
        """Whether there is no window."""
        return self._application is None or self._application.window is None

    def window_with(self, document: Document, qtbot: QtBot, arrangement: ArrangementName = "prepare") -> MainWindow:
        """Return the window with a document open in it, everything in it built, in an arrangement."""
        window = self.application.window
        if window is None:
            window = furnished(self.application, document, qtbot)
        else:
            window.content.file_controller.show(document)
        window.content.services.layout.arrange(arrangement)
        self.application.settings_store.replace(Settings(arrangement=arrangement))
        return window

    def tidy(self) -> None:
        """Reset the window to its state after a start; forget a window that was closed."""
        self._reset()
        kept = None if self.is_closed else self.application.window
        for one in QApplication.topLevelWidgets():
            if isinstance(one, MainWindow) and one is not kept:
                remove(one)  # or each change of style would be worked out for its parts as well

    def _reset(self) -> None:
        window = self.application.window
        if window is None:
            return
        window.document.source.close(discard=True)
        if not window.isVisible():
            self.close()
            return
        for one in QApplication.topLevelWidgets():
            if one is not window and one.isVisible() and not isinstance(one, QDockWidget):
                one.close()
        window.messages().dismiss()
        window.setGeometry(initial_geometry(window.screen().availableGeometry()))
        self.application.settings_store.replace(Settings())
        if window.saveState() != self._usual:
            window.content.services.layout.reset()
            self.application.settings_store.replace(Settings())
        delete_now()

    def remember_layout(self) -> None:
        """Remember the layout before a test, settled: only if a test changes it, it is reset."""
        self._usual = self.application.window.saveState()

    def close(self) -> None:
        """Close the window, and make a new application on next use."""
        if self._application is None:
            return
        if self._application.window is not None:
            remove(self._application.window)
        self._application = self._usual = None
        collect()  # not what was frozen before: that would take a second, and has no widget that is still alive


class PatientBot(QtBot):
    """Waits for signals and states as long as a busy machine may take."""

    def waitSignal(self, signal: object, *, timeout: int = PATIENCE_MS, **options: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitSignals(self, signals: object, *, timeout: int = PATIENCE_MS, **options: Any) -> Any:
        return super().waitSignals(signals, timeout=timeout, **options)

    def waitUntil(self, callback: Callable[[], Any], *, timeout: int = PATIENCE_MS) -> None:
        super().waitUntil(callback, timeout=timeout)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


def application_in(home: Path) -> Application:
    return Application(RuleSystems(), Folders(home / "state", home / "config", home / "data"))


def furnished(application: Application, document: Document, qtbot: QtBot) -> MainWindow:
    """A new window with a document open in it, everything in it built."""
    window = application.show(document)
    with qtbot.waitSignal(window.content.docksBuilt, timeout=PATIENCE_MS):
        window.build_content()
    return window


def dressed(application: Application) -> Iterator[Application]:
    """The application in the light theme at its usual size, nothing moving; the size as it was at the end."""
    application.apply_look("light", 100)
    application.theme.set_scale(1.0)
    keep_still()
    yield application
    application.theme.set_scale(1.0)


def keep_still() -> None:
    """Turn animations off until the end of the module: each change of it reaches everything that is painted."""
    if not theme_source().reduced_motion:
        theme_source().set_reduced_motion(True)


def model_of(source: Document) -> DocumentModel:
    """A document's model, deleted at the end of the module.

    Lambdas connected to its signals keep their docks, which keep the model: a circle that the collector can't see.
    """
    MODELS.append(DocumentModel(source, words()))
    return MODELS[-1]


@cache
def words() -> WordCatalogue:
    return WordCatalogue.load()


@pytest.fixture
def sample(tmp_path: Path, repository: Path) -> Path:
    path = tmp_path / "ford.toml"
    shutil.copy(repository / "encounters" / "cold-ford-bridge.toml", path)
    return path


def sharing(items: list[pytest.Item]) -> set[Path]:
    """Return the modules with tests in the window that is shared."""
    return {item.path for item in items if "application" in getattr(item, "fixturenames", ())}


@cache
def shared_in(session: pytest.Session) -> set[Path]:
    """Return the modules of a session that share the window."""
    return sharing(session.items)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run first, of the tests of the window's parts, all modules that share the window: it is built once for them."""
    shared = sharing(items)
    places = [place for place, item in enumerate(items) if item.nodeid.startswith("tests/ui/")]
    for place, item in zip(
        places, sorted((items[place] for place in places), key=lambda item: item.path not in shared), strict=True
    ):
        items[place] = item


@pytest.fixture(scope="module", autouse=True)
def collected(kept: Kept, request: pytest.FixtureRequest) -> Iterator[None]:
    """Collect no garbage while a module's tests run: a worker would destroy widgets that only the GUI thread may."""
    if request.path not in shared_in(request.session):
        kept.close()  # or each change of style would be worked out for a window that these tests don't use
    gc.disable()
    yield
    if not kept.is_closed:
        kept.application.window.content.services.layout.arrange("prepare")  # and the type of it, for other windows
    if theme_source().reduced_motion:
        theme_source().set_reduced_motion(False)
    while MODELS:
        MODELS.pop().deleteLater()
    delete_now()
    collect()
    for one in QApplication.topLevelWidgets() if kept.is_closed else ():  # or each change of style would be theirs too
        if createdByPython(one):  # Qt has some of its own, such as one in a chart's layout, which deletes it once more
            one.deleteLater()
    delete_now()
    gc.enable()


@pytest.fixture(scope="session")
def kept(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    kept = Kept(tmp_path_factory.mktemp("kept"))
    yield kept
    kept.close()


@pytest.fixture
def application(kept: Kept) -> Iterator[Application]:
    yield from dressed(kept.application)


@pytest.fixture
def window(
    qtbot: QtBot, kept: Kept, application: Application, sample: Path, request: pytest.FixtureRequest
) -> Iterator[MainWindow]:
    """The window with the sample open, everything in it built, active; in the `ARRANGEMENT` of the module, if it has one.

    Switching takes as long as opening, so a module whose tests are all in Run starts them there.
    """
    arrangement = getattr(request.module, "ARRANGEMENT", "prepare")
    window = kept.window_with(application.workspace.open(sample), qtbot, arrangement)
    active(window, qtbot)
    kept.remember_layout()
    yield window
    kept.tidy()


@pytest.fixture
def fresh_application(qapp: QApplication, tmp_path: Path) -> Iterator[Application]:
    yield from dressed(application_in(tmp_path))


@pytest.fixture
def fresh_window(qtbot: QtBot, fresh_application: Application, sample: Path) -> Iterator[MainWindow]:
    """A window that nothing was done in yet, with the sample open, everything in it built, active."""
    window = furnished(fresh_application, fresh_application.workspace.open(sample), qtbot)
    active(window, qtbot)
    yield window
    fresh_application.theme.set_at_table(False)
    window.document.source.close(discard=True)
    remove(window)


def collect() -> None:
    """Collect garbage; what is left stays for good, and looking through it at each module took a tenth of the time."""
    gc.collect()
    gc.freeze()


def remove(window: MainWindow) -> None:
    """Delete a window now: left to the collector, its parts would be deleted in whatever order it finds them."""
    window.hide()
    window.deleteLater()
    delete_now()


def delete_now() -> None:
    """Delete what waits for an event loop to be deleted."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@contextmanager
def unseen(document: DocumentModel) -> Iterator[None]:
    """Have the window show only what comes of many commands: showing each takes longer than carrying it out."""
    document.blockSignals(True)
    yield
    document.blockSignals(False)
    document.open(document.source)


def active(window: MainWindow, qtbot: QtBot) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=PATIENCE_MS)
