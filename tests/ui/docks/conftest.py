"""The docks for preparing, over a real document: a copy of the sample encounter at the ford."""

import shutil

import pytest
from PySide6.QtWidgets import QDockWidget, QMainWindow

from tests.ui.conftest import delete_now, model_of
from turnwright.bootstrap import RuleSystems
from turnwright.storage.library.entries import Library
from turnwright.ui.docks.editing.inspector import InspectorDock
from turnwright.ui.look.style import theme_source
from turnwright.ui.services.document_model import DocumentModel
from turnwright.workspace.document import Document, open_document


class SharedDocks:
    """The document model and dock windows shared by the tests of a module, which names its docks in `SHARED`.

    Building a form takes longer than most tests of it; each test opens a document of its own in the same window.
    """

    def __init__(self, shared: tuple[type[QDockWidget], ...]) -> None:
        self.shared = shared
        self.document: DocumentModel | None = None
        self.windows: dict[type[QDockWidget], QMainWindow] = {}

    def document_of(self, source: Document) -> DocumentModel:
        """Return the document model with a document open in it."""
        if self.document is None or not self.shared:
            self.document = model_of(source)
        else:
            self.document.open(source)
        return self.document

    def delete_windows(self) -> None:
        """Delete the windows now: the garbage collector would delete their parts in any order."""
        for window in self.windows.values():
            window.deleteLater()
        delete_now()


@pytest.fixture(scope="session")
def systems():
    return RuleSystems()


@pytest.fixture(scope="module")
def shared_docks(qapp, request):
    shared_docks = SharedDocks(getattr(request.module, "SHARED", ()))
    yield shared_docks
    shared_docks.delete_windows()


@pytest.fixture
def source(qapp, tmp_path, repository, systems):
    path = tmp_path / "ford.toml"
    shutil.copy(repository / "encounters" / "cold-ford-bridge.toml", path)
    opened = open_document(path, systems, tmp_path / "state", seed=7)
    yield opened
    opened.close(discard=True)


@pytest.fixture
def document(source, shared_docks):
    return shared_docks.document_of(source)


@pytest.fixture
def library(tmp_path):
    return Library.standard(tmp_path / "library")


@pytest.fixture
def show(qtbot, document, library, shared_docks):
    """Show a dock in a window of its own, as wide as it is in the main window."""
    windows = []  # keeps the windows alive

    def made(kind):
        window = QMainWindow()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("turnwright.ui.docks.library.dock.default_library", lambda: library)
            window.setCentralWidget(kind(document, theme_source()))
        if kind in shared_docks.shared:
            shared_docks.windows[kind] = window
        else:
            qtbot.addWidget(window)
        return window

    def shown(kind, width=380, height=760):
        window = shared_docks.windows.get(kind) or made(kind)
        windows.append(window)
        window.resize(width, height)
        window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        dock = window.centralWidget()
        if isinstance(dock, InspectorDock):
            dock.prepare()
        return dock

    return shown


@pytest.fixture
def depth(document):
    """Return the number of steps that can be undone."""
    return lambda: document.source.session.history.depth
