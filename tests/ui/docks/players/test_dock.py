"""The players dock in the window: pages, sending, names and what decides the rest, by its widgets and keys."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog

from turnwright.encounter.prepared import Handout
from turnwright.encounter.running import Combatant, KnownName
from turnwright.encounter.state import scene_of
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Add, Edit
from turnwright.play.table.game_master import SetDice, SetHidden
from turnwright.ui.docks.players.dock import NAME, SHOWN_AS, PlayersDock
from turnwright.ui.docks.players.screen import PlayersScreen


@pytest.fixture
def dock(window) -> PlayersDock:
    found = window.content.docks.show("players")
    assert isinstance(found, PlayersDock)
    found.refresh()
    return found


@pytest.fixture
def players(window):
    yield window.content.services.controller(PlayersScreen)
    window.content.services.controller(PlayersScreen).set_mode("order")
    window.content.services.controller(PlayersScreen).close_window()


def row_of(dock: PlayersDock, name: str) -> int:
    return next(row for row in range(dock.names.rowCount()) if dock.names.item(row, NAME).text().startswith(name))


@pytest.mark.soak
def test_keys_choose_the_page_and_its_button_shows_it(window, qtbot, dock, players):
    for key, mode in ((Qt.Key.Key_5, "dice"), (Qt.Key.Key_4, "text"), (Qt.Key.Key_1, "order")):
        qtbot.keyClick(window, key, Qt.KeyboardModifier.AltModifier)
        assert players.view.mode == mode
        assert [name for name, button in dock.mode_buttons.items() if button.isChecked()] == [mode]
    qtbot.keyClick(window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert players.view.mode == "black"
    qtbot.keyClick(window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert players.view.mode == "order"


def test_buttons_hold_and_open_the_window(window, qtbot, dock, players):
    qtbot.mouseClick(dock.hold_button, Qt.MouseButton.LeftButton)
    assert (players.presenter.is_held, dock.hold_button.text()) == (True, "Unfreeze")
    qtbot.keyClick(window, Qt.Key.Key_0, Qt.KeyboardModifier.AltModifier)
    assert not players.presenter.is_held
    qtbot.mouseClick(dock.open_button, Qt.MouseButton.LeftButton)
    assert players.is_open
    assert dock.open_button.text() == "Close players' window"


def test_what_comes_after_the_hold_is_shown_beside_what_is_held(window, dock, players):
    for command in (StartEncounter(), SetDice("roll"), AdvanceSetup(), AdvanceSetup()):
        window.document.execute(command)
    window.content.window_actions.run("roll-initiative")
    window.document.execute(AdvanceSetup())
    players.waiting.timeout.emit()
    assert dock.coming.isHidden()
    held = dock.thumbnail.shown()
    players.set_held(is_held=True)
    assert not dock.coming.isHidden()
    window.document.execute(SetHidden((next(iter(window.document.encounter.ids(Combatant))),), hidden=True))
    assert dock.thumbnail.shown() == held
    assert len(dock.coming.shown().order) == len(held.order) - 1
    before = dock.thumbnail.grab().toImage()
    assert dock.coming.grab().toImage() != before
    players.set_held(is_held=False)
    assert dock.coming.isHidden()


def test_words_of_ones_own_and_the_text_to_read_aloud_are_sent(window, qtbot, dock, players):
    dock.words.setPlainText("The door opens.")
    qtbot.mouseClick(dock.send_button, Qt.MouseButton.LeftButton)
    assert (players.view.mode, players.view.text) == ("text", "The door opens.")
    scene = msgspec.structs.replace(scene_of(window.document.encounter), read_aloud="Cold wind.")
    window.document.execute(Edit(scene))
    dock.refresh()
    dock.what.setCurrentIndex(dock.what.findData("read-aloud"))
    assert not dock.words.isVisible()
    qtbot.mouseClick(dock.send_button, Qt.MouseButton.LeftButton)
    assert players.view.text == "Cold wind."


def test_names_are_ticked_and_given_in_the_table_and_taken_back_by_undo(window, dock):
    window.document.execute(StartEncounter())
    dock.refresh()
    row = row_of(dock, "River raider (4)")
    dock.names.item(row, NAME).setCheckState(Qt.CheckState.Checked)
    (known,) = window.document.encounter.all(KnownName)
    assert (known.id.startswith("all."), known.shown_as) == (True, "")
    dock.names.item(row, SHOWN_AS).setText("Masked rider")
    assert next(iter(window.document.encounter.all(KnownName))).shown_as == "Masked rider"
    window.document.undo()
    window.document.undo()
    dock.refresh()
    assert dock.names.item(row, NAME).checkState() == Qt.CheckState.Unchecked
    assert not any("Mira" in dock.names.item(one, NAME).text() for one in range(dock.names.rowCount()))


def test_clearing_a_false_name_does_not_tell_the_own_one(window, dock):
    window.document.execute(StartEncounter())
    dock.refresh()
    row = row_of(dock, "River raider (4)")
    dock.names.item(row, SHOWN_AS).setText("Masked rider")
    dock.names.item(row, SHOWN_AS).setText("")
    assert not list(window.document.encounter.all(KnownName))


def test_what_decides_the_rest_is_kept(window, dock, players):
    dock.health["enemies"].setCurrentIndex(dock.health["enemies"].findData("nothing"))
    dock.health["enemies"].activated.emit(dock.health["enemies"].currentIndex())
    assert players.presenter.showing.health_mode("enemies") == "nothing"
    dock.countdowns_box.click()
    assert not players.presenter.showing.has_countdowns
    dock.countdowns_box.click()
    showing = players.presenter.showing
    assert (showing.has_own_effects, showing.has_other_effects) == (True, False)
    dock.effect_boxes["other"].click()
    dock.effect_boxes["own"].click()
    showing = players.presenter.showing
    assert (showing.has_own_effects, showing.has_other_effects) == (False, True)
    dock.effect_boxes["own"].click()
    dock.effect_boxes["other"].click()
    dock.limit_choice.activated.emit(dock.limit_choice.findData(60))
    assert (players.presenter.turn_limit, dock.limit_choice.currentText()) == (60, "one minute")
    players.set_turn_limit(0)
    dock.theme_choice.activated.emit(dock.theme_choice.findData("light"))
    assert not players.theme.dark
    dock.theme_choice.activated.emit(dock.theme_choice.findData("dark"))
    assert players.theme.dark


def test_a_handout_is_sent_from_where_it_is_written(window, qtbot, players):
    window.document.execute(Add((Handout("letter", "A letter", text="Come at noon."),)))
    editor = window.content.docks.show("handout")
    editor.prepare()
    window.document.select(("handouts", "letter"))
    qtbot.mouseClick(editor.send_button, Qt.MouseButton.LeftButton)
    assert (players.view.mode, players.view.handout.text) == ("picture", "Come at noon.")


def test_a_picture_is_chosen_pasted_or_dropped(window, qtbot, dock, players, tmp_path, monkeypatch):
    files = {}
    for colour in ("red", "blue"):
        image = QImage(40, 30, QImage.Format.Format_RGB32)
        image.fill(QColor(colour))
        files[colour] = tmp_path / f"{colour}.png"
        assert image.save(str(files[colour]))

    def colour_shown() -> QColor:
        return players.pictures[players.view.handout.picture].pixelColor(3, 3)

    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_given: (str(files["red"]), ""))
    qtbot.mouseClick(dock.file_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: players.view.handout is not None and colour_shown() == QColor("red"))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(files["blue"]))])
    copy, held = Qt.DropAction.CopyAction, (Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    enter = QDragEnterEvent(QPoint(9, 9), copy, data, *held)
    dock.dragEnterEvent(enter)
    drop = QDropEvent(QPointF(9, 9), copy, data, *held)
    dock.dropEvent(drop)
    assert (enter.isAccepted(), drop.isAccepted()) == (True, True)
    qtbot.waitUntil(lambda: colour_shown() == QColor("blue"))
    QGuiApplication.clipboard().setImage(QImage(str(files["red"])))
    qtbot.mouseClick(dock.paste_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: colour_shown() == QColor("red"))
    qtbot.mouseClick(dock.back_button, Qt.MouseButton.LeftButton)
    assert players.view.handout is None


def test_the_menu_of_a_combatant_lets_players_know_its_name_and_forget_it(window, players):
    window.document.execute(StartEncounter())
    order = window.content.docks.show("order")
    order.view.set_current_row(order.model.row_of("raiders-1"))
    meet = next(one for one in order.menu_for("raiders-1").actions() if one.text() == "Reveal its name to players")
    meet.trigger()
    assert [one.id for one in window.document.encounter.all(KnownName)] == ["all.river-raider"]
    texts = [one.text() for one in order.menu_for("raiders-1").actions()]
    assert "Hide its name from players" in texts
    assert not any("its name" in one.text() for one in order.menu_for("mira").actions())
    meet.trigger()
    assert not list(window.document.encounter.all(KnownName))
