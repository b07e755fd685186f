"""The fixtures of a running fight, in docks that the tests of a module share: making one takes longer than most tests."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow
from pytestqt.qtbot import QtBot

from tests.ui.conftest import delete_now, keep_still, model_of
from tests.ui.docks.running_fight import Show, fight, systems
from turnwright.bootstrap import RuleSystems
from turnwright.ui.look.style import theme_source
from turnwright.ui.services.document_model import DocumentModel
from turnwright.workspace.document import Document, open_document

__all__ = ["fight", "systems"]


class SharedDocks:
    """A document model, in which each test opens a document of its own, and the windows of its docks."""

    def __init__(self) -> None:
        self._document: DocumentModel | None = None
        self._windows: dict[type[QDockWidget], QMainWindow] = {}

    def document_of(self, document: Document) -> DocumentModel:
        """Return the document model with a document open in it."""
        if self._document is None:
            self._document = model_of(document)
        else:
            self._document.open(document)
        return self._document

    def window(self, kind: type[QDockWidget]) -> QMainWindow:
        """Return the window of a dock, the dock shown."""
        assert self._document is not None
        if kind not in self._windows:
            self._windows[kind] = QMainWindow()
            self._windows[kind].setCentralWidget(kind(self._document, theme_source()))
        self._windows[kind].centralWidget().show()
        return self._windows[kind]

    def hide(self) -> None:
        """Hide the docks, so that they need not keep up. Their windows stay: shown again, one would not be active."""
        for window in self._windows.values():
            window.centralWidget().hide()

    def delete(self) -> None:
        """Delete the windows now: the garbage collector would delete their parts in any order."""
        for window in self._windows.values():
            window.deleteLater()
        delete_now()


@pytest.fixture(scope="module")
def shared_docks(qapp: QApplication) -> Iterator[SharedDocks]:
    shared = SharedDocks()
    yield shared
    shared.delete()


@pytest.fixture
def document(
    shared_docks: SharedDocks, tmp_path: Path, repository: Path, systems: RuleSystems
) -> Iterator[DocumentModel]:
    path = tmp_path / "ford.toml"
    shutil.copy(repository / "encounters" / "cold-ford-bridge.toml", path)
    document = open_document(path, systems, tmp_path / "state", seed=7)
    yield shared_docks.document_of(document)
    document.close()


@pytest.fixture
def show(qtbot: QtBot, shared_docks: SharedDocks) -> Iterator[Show]:
    """Show a dock in a window of its own."""
    keep_still()

    def shown(kind: type[QDockWidget]) -> QDockWidget:
        window = shared_docks.window(kind)
        window.resize(640, 700)
        window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        return window.centralWidget()

    yield shown
    shared_docks.hide()
