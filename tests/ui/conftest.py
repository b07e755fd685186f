"""A real window over a copy of the sample at the ford, with folders of its own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from turnwright.bootstrap import RuleSystems
from turnwright.ui.app import Application
from turnwright.ui.window import MainWindow
from turnwright.workspace.folders import Folders

PATIENCE_MS = 30_000  # a busy machine takes its time to build a window


@pytest.fixture
def places(tmp_path: Path) -> Folders:
    return Folders(tmp_path / "state", tmp_path / "config", tmp_path / "data")


@pytest.fixture
def sample(tmp_path: Path, repository: Path) -> Path:
    path = tmp_path / "ford.toml"
    shutil.copy(repository / "encounters" / "cold-ford-bridge.toml", path)
    return path


@pytest.fixture
def application(qapp: QApplication, places: Folders) -> Iterator[Application]:
    application = Application(RuleSystems(), places)
    application.dress("light", 100)
    application.theme.set_reduced_motion(True)
    yield application
    application.theme.set_scale(1.0)
    application.theme.set_reduced_motion(False)


@pytest.fixture
def window(qtbot: QtBot, application: Application, sample: Path) -> Iterator[MainWindow]:
    """The window with the sample open, everything in it built, active."""
    window = application.show(application.workspace.open(sample))
    with qtbot.waitSignal(window.inside.settled, timeout=PATIENCE_MS):
        window.furnish()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=PATIENCE_MS)
    yield window
    window.bridge.document.close(discard=True)
    window.hide()
    window.deleteLater()
