"""The docks for preparing over a real document: the sample at the ford, opened from a copy of its file."""

import shutil

import pytest
from PySide6.QtWidgets import QMainWindow

from turnwright.bootstrap import RuleSystems
from turnwright.storage.library import Library
from turnwright.storage.words import Words
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.editing.inspector import InspectorDock
from turnwright.ui.docks.library import LibraryDock
from turnwright.ui.theme import theme_source
from turnwright.workspace.document import open_document


@pytest.fixture(scope="session")
def systems():
    return RuleSystems()


@pytest.fixture
def document(qapp, tmp_path, repository, systems):
    path = tmp_path / "ford.toml"
    shutil.copy(repository / "encounters" / "cold-ford-bridge.toml", path)
    opened = open_document(path, systems, tmp_path / "state", seed=7)
    yield opened
    opened.close(discard=True)


@pytest.fixture
def bridge(document):
    return Bridge(document, Words.load())


@pytest.fixture
def library(tmp_path):
    return Library.standard(tmp_path / "library")


@pytest.fixture
def show(qtbot, bridge, library):
    """Put a dock into a window of its own, as wide as it is beside others, and show it."""
    windows = []  # held, or they would be gone at once

    def shown(kind, width=380, height=760):
        window = QMainWindow()
        window.resize(width, height)
        more = {"library": library} if kind is LibraryDock else {}
        dock = kind(bridge, theme_source(), **more)
        window.setCentralWidget(dock)
        windows.append(window)
        qtbot.addWidget(window)
        window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        if isinstance(dock, InspectorDock):
            dock.prepare()
        return dock

    return shown


@pytest.fixture
def depth(document):
    """Return how many steps undo could take back."""
    return lambda: document.session.history.depth
