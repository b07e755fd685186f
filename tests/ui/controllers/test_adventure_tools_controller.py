"""Work on a whole adventure in the window: find, print, share, copy and rename."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QInputDialog

from tests.ui.conftest import active
from tests.ui.player import CONTROL, Key, Player
from turnwright.encounter.adventure import Adventure, AdventureStep
from turnwright.storage.adventures import PLAN, write_adventure
from turnwright.storage.library.entries import Library
from turnwright.ui.controllers import adventure_tools_controller as tools
from turnwright.ui.controllers.adventure_tools_controller import AdventureToolsController
from turnwright.ui.dialogs.adventure_dialogs import FindPalette, PacketDialog, ShareDialog
from turnwright.ui.services.adventure import CurrentAdventure
from turnwright.workspace.settings import Folders

FILE = """format = 3
system = "dnd5e"
title = "{title}"
[creatures.captain]
name = "Captain"
hp = 11
notes = "The abbess pays {title}."
[roster.captain]
creature = "captain"
"""
STEPS = (
    AdventureStep(part="Saturday"),
    AdventureStep(encounter="bridge.toml"),
    AdventureStep(scene="The letter", read_aloud="Signed by the abbess."),
    AdventureStep(encounter="cellar.toml"),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "toll"
    folder.mkdir()
    for name in ("bridge", "cellar"):
        (folder / f"{name}.toml").write_text(FILE.format(title=name), encoding="utf-8")
    write_adventure(folder / PLAN, Adventure("dnd5e", "Toll", steps=STEPS))
    return folder


@pytest.fixture
def controller(window, folder, qtbot) -> AdventureToolsController:
    window.content.file_controller.open(folder / PLAN)
    qtbot.waitUntil(lambda: window.document.source.path == folder / "bridge.toml")
    active(window, qtbot)
    settle(window)
    return window.content.services.controller(AdventureToolsController)


def settle(window) -> CurrentAdventure:
    current = window.content.services.controller(CurrentAdventure)
    current.arrive()
    QApplication.processEvents()
    return current


def places(window) -> Folders:
    return window.content.services.workspace.folders


def notice(window) -> str:
    return window.messages().text()


def test_a_word_is_found_in_all_encounters_and_opened(window, controller, folder, qtbot):
    Player(window).press(Key.Key_F, modifier=CONTROL | Qt.KeyboardModifier.ShiftModifier)
    finder = window.findChild(FindPalette)
    qtbot.keyClicks(finder.line, "abbess")
    assert [entry.hint for entry in finder.shown] == [
        "bridge \N{MIDDLE DOT} Captain",
        "The letter",
        "cellar \N{MIDDLE DOT} Captain",
    ]
    qtbot.keyClick(finder.line, Qt.Key.Key_Up)
    qtbot.keyClick(finder.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.document.source.path == folder / "cellar.toml")
    assert window.document.selection == ("creatures", "captain")


def test_the_packet_is_chosen_and_written(window, controller, folder, qtbot, monkeypatch, tmp_path):
    out = tmp_path / "toll.pdf"
    monkeypatch.setattr(tools, "ask_save_path", lambda *_: out)
    controller.open_packet()
    dialog = window.findChild(PacketDialog)
    assert [dialog.steps.item(row).text() for row in range(dialog.steps.count())] == [
        "bridge",
        "The letter",
        "cellar",
    ]
    dialog.steps.item(2).setCheckState(Qt.CheckState.Unchecked)
    for row in range(dialog.kinds.count()):
        ticked = dialog.kinds.item(row).data(Qt.ItemDataRole.UserRole) == "stat-blocks"
        dialog.kinds.item(row).setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: str(out) in notice(window), timeout=30_000)
    assert out.read_bytes().startswith(b"%PDF")


def test_an_adventure_is_shared_and_imported(window, controller, folder, qtbot, monkeypatch, tmp_path):
    out = tmp_path / "toll.zip"
    monkeypatch.setattr(tools, "ask_save_path", lambda *_: out)
    controller.ask_export()
    qtbot.keyClick(window.findChild(ShareDialog), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: str(out) in notice(window), timeout=30_000)
    controller.import_from(out)
    new = places(window).adventures / "toll" / "bridge.toml"
    qtbot.waitUntil(lambda: window.document.source.path == new, timeout=30_000)
    controller.import_from(folder / PLAN)
    qtbot.waitUntil(lambda: ".zip file" in notice(window), timeout=30_000)


def test_an_encounter_is_copied_and_renamed(window, controller, folder, monkeypatch, qtbot):
    answers = iter((("Second bridge", True), ("ford", True), ("cellar", True)))
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: next(answers))
    current = settle(window)
    controller.ask_copy()
    assert current.selected == "encounter:second-bridge.toml"
    current.select("encounter:bridge.toml")
    controller.ask_rename()
    qtbot.waitUntil(lambda: window.document.source.path == folder / "ford.toml")
    current = settle(window)
    current.select("encounter:ford.toml")
    controller.ask_rename()
    assert "cellar.toml already exists" in notice(window)
    qtbot.waitUntil(lambda: window.document.source.path == folder / "ford.toml")


def test_a_sample_adventure_opens_as_a_copy_with_its_party(window, qtbot):
    choices = {text: run for text, _, run in window.content.file_controller.sample_choices()}
    choices["The glass road"]()
    first = places(window).adventures / "the-glass-road" / "cairn-toll.toml"
    qtbot.waitUntil(lambda: window.document.source.path == first)
    assert [entry.name for entry in Library(places(window).library).entries()] == ["Four for the works"]
