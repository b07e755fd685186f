"""The About dialog: versions, the log, and the licence of each part."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QLabel

from turnwright import __version__
from turnwright.storage.library.search import components
from turnwright.ui.dialogs.help import AboutDialog
from turnwright.workspace.settings import Folders


@pytest.fixture
def dialog(application, qtbot, tmp_path):
    dialog = AboutDialog(Folders(tmp_path / "state", tmp_path / "config", tmp_path / "data"))
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def test_it_tells_versions_and_where_the_log_is(dialog, tmp_path):
    said = [label.text() for label in dialog.findChildren(QLabel)]
    assert __version__ in said
    assert str(tmp_path / "state" / "turnwright.log") in said
    dialog.copy_button.click()
    assert QApplication.clipboard().text().startswith(f"turnwright {__version__}\nPython 3.")


def test_every_part_shows_its_licence_as_plain_text(dialog):
    parts = components()
    assert dialog.list.topLevelItemCount() == len(parts)
    for number, part in enumerate(parts):
        dialog.list.setCurrentItem(dialog.list.topLevelItem(number))
        assert dialog.text.toPlainText().startswith(part.title)


def test_the_folder_of_the_log_opens(dialog, monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    dialog.show_log()
    assert opened == [str(tmp_path / "state")]
