"""Building an encounter in the roster: counts, sides, waves and parties."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import QMimeData, QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from turnwright.encounter.prepared import AddWave, Countdown, Creature, RosterEntry, Wave
from turnwright.play.setup.prepared_records import Edit, Remove
from turnwright.play.setup.roster import AddToEncounter
from turnwright.ui.docks.roster.dock import RosterDock
from turnwright.ui.models.roster import LIBRARY_MIME, RosterColumn

TOAD = Creature("toad", "Toad", rating="1")


@pytest.fixture
def dock(show):
    return show(RosterDock, width=760)


@pytest.fixture
def entry(document):
    return lambda id="raiders": document.encounter.need(RosterEntry, id)


def go(dock, id, column=RosterColumn.NAME):
    dock.roster_view.setFocus()
    dock.roster_view.setCurrentIndex(dock.roster.index_of(id, column))


def drop(dock, kind, record, onto=None):
    data = QMimeData()
    data.setData(LIBRARY_MIME, msgspec.msgpack.encode((kind, record)))
    return dock.roster.dropMimeData(data, Qt.DropAction.CopyAction, -1, -1, QModelIndex() if onto is None else onto)


def heading_row(dock, side):
    return next(row for row in range(dock.roster.rowCount()) if dock.roster.side_at(dock.roster.index(row, 0)) == side)


def toads(document):
    return [(one.id, one.count, one.side) for one in document.encounter.all(RosterEntry) if one.creature == "toad"]


def test_the_same_creature_dropped_again_makes_one_more_of_them(dock, document, depth):
    drop(dock, "creature", TOAD)
    drop(dock, "creature", TOAD)
    assert toads(document) == [("toad", 2, "enemies")]
    assert document.selection == ("roster", "toad")
    before = depth()
    drop(dock, "creature", TOAD)
    assert (toads(document), depth()) == ([("toad", 3, "enemies")], before + 1)
    document.undo()
    assert toads(document) == [("toad", 2, "enemies")]


def drag_record(dock, record, row):
    """Drag a record over a row of the view with the mouse and release it."""
    data = QMimeData()
    data.setData(LIBRARY_MIME, msgspec.msgpack.encode(("creature", record)))
    place = dock.roster_view.visualRect(dock.roster.index(row, RosterColumn.NAME)).center()
    port, copy = dock.roster_view.viewport(), Qt.DropAction.CopyAction
    held = (Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    for event in (
        QDragEnterEvent(place, copy, data, *held),
        QDragMoveEvent(place, copy, data, *held),
        QDropEvent(QPointF(place), copy, data, *held),
    ):
        QApplication.sendEvent(port, event)


def test_by_the_mouse_twice_on_the_foes_and_once_on_the_party(dock, document):
    party = next(one.side for one in document.encounter.all(RosterEntry) if one.player)
    drag_record(dock, TOAD, heading_row(dock, "enemies") + 1)
    drag_record(dock, TOAD, heading_row(dock, "enemies"))
    drag_record(dock, TOAD, heading_row(dock, party))
    assert toads(document) == [("toad", 2, "enemies"), ("toad-2", 1, party)]


def test_one_with_a_name_a_player_or_other_figures_stays_one_of_a_kind(dock, document, entry):
    drop(dock, "creature", TOAD)
    document.execute(Edit(msgspec.structs.replace(entry("toad"), name="The king")))
    drop(dock, "creature", TOAD)
    assert toads(document) == [("toad", 1, "enemies"), ("toad-2", 1, "enemies")]
    drop(dock, "creature", msgspec.structs.replace(TOAD, hp=30))
    assert len([one for one in document.encounter.all(RosterEntry) if one.creature.startswith("toad")]) == 3


def test_what_is_let_go_on_a_side_joins_it(dock, document):
    party = next(one.side for one in document.encounter.all(RosterEntry) if one.player)
    row = dock.roster.index(heading_row(dock, party), RosterColumn.NAME)
    drop(dock, "creature", TOAD, row)
    drop(dock, "creature", TOAD)
    drop(dock, "creature", TOAD, dock.roster.index(heading_row(dock, "enemies") + 1, RosterColumn.NAME))
    assert toads(document) == [("toad", 2, party), ("toad-2", 1, "enemies")]


def test_plus_and_minus_say_how_many_there_are(dock, entry, qtbot, depth, document):
    go(dock, "raiders")
    before, count = depth(), entry().count
    qtbot.keyClick(dock.roster_view, Qt.Key.Key_Plus)
    qtbot.keyClick(dock.roster_view, Qt.Key.Key_Plus, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(dock.roster_view, Qt.Key.Key_Minus)
    assert entry().count == count + 1
    assert depth() == before + 1
    for _ in range(count + 4):
        qtbot.keyClick(dock.roster_view, Qt.Key.Key_Minus)
    assert entry().count == 1


def test_ctrl_and_arrows_sideways_change_the_side(dock, entry, qtbot):
    go(dock, "raiders")
    qtbot.keyClick(dock.roster_view, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert entry().side == "party"
    assert dock.roster.key_at(dock.roster_view.currentIndex()) == ("roster", "raiders")
    qtbot.keyClick(dock.roster_view, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert entry().side == "enemies"


def test_a_click_on_a_side_offers_the_sides(dock, entry, document):
    go(dock, "raiders", RosterColumn.SIDE)
    menu = dock.roster_actions.open_side_menu(dock.roster.index_of("raiders", RosterColumn.SIDE))
    assert [action.isChecked() for action in menu.actions()][:2] == [True, False]
    menu.actions()[1].trigger()
    menu.hide()
    assert entry().side == "party"
    assert dock.roster_actions.open_side_menu(dock.roster.index_of("raiders", RosterColumn.NAME)) is None


# Waves ---------------------------------------------------------------------------------------------------------------


def late(document):
    return next(one for one in document.encounter.all(RosterEntry) if one.wave)


def test_the_strip_says_when_a_wave_comes_and_edits_it(dock, document, entry):
    document.select(("roster", "raiders"))
    assert not dock.wave.isVisible()
    go(dock, late(document).id)
    assert dock.wave.isVisible()
    countdown = next(one for one in document.encounter.all(Countdown) if AddWave("second-boat") in one.outcomes)
    assert dock.wave.summary() == f"Second boat: when “{countdown.name}” is empty"
    dock.wave.set_open(True)
    dock.wave.form.fields["round"].edited.emit(3)
    assert document.encounter.need(Wave, "second-boat") == Wave("second-boat", round=3)
    dock.wave.form.fields["when"].edited.emit("half")
    dock.wave.form.fields["who"].edited.emit("raiders")
    assert document.encounter.need(Wave, "second-boat") == Wave("second-boat", round=3, when="half", who="raiders")
    assert dock.wave.summary().startswith("Second boat: round 3, one of ")
    assert dock.roster.index_of(late(document).id, RosterColumn.WAVE).data() == "Second boat · 3"
    for _ in range(3):
        document.undo()
    assert document.encounter.get(Wave, "second-boat") is None


def test_a_wave_that_nothing_brings_comes_by_hand(dock, document):
    document.execute(Remove(tuple((Countdown.table, id) for id in document.encounter.ids(Countdown))))
    go(dock, late(document).id)
    assert dock.wave.summary() == "Second boat: by hand"


# Roles ---------------------------------------------------------------------------------------------------------------


def test_the_menu_of_a_row_sets_its_role_and_whether_it_is_absent(dock, document, entry):
    party = [each.id for each in document.encounter.all(RosterEntry) if each.side == "party"]
    go(dock, party[0])

    def choose(*words: str) -> None:
        menu = dock.roster_actions.open_menu(QPoint(0, 0))
        for word in words:
            action = next(each for each in menu.actions() if each.text() == word)
            menu = action.menu() or menu
        action.trigger()

    choose("Guest")
    assert entry(party[0]).role == "guest"
    choose("Player character")
    assert entry(party[0]).role == "character"
    choose("Absent")
    assert entry(party[0]).absent
    assert "absent" in dock.roster.index_of(party[0], RosterColumn.NAME).data(Qt.ItemDataRole.AccessibleTextRole)
    document.undo()
    document.undo()
    assert (entry(party[0]).role, entry(party[0]).absent) == ("guest", False)
    document.undo()
    document.execute(AddToEncounter(Creature("wolf", "Wolf"), RosterEntry("wolf", "wolf", side="party")))
    owner = entry(party[0]).name or document.encounter.need(Creature, entry(party[0]).creature).name
    go(dock, "wolf")
    choose("Companion of", owner)
    assert (entry("wolf").role, entry("wolf").controller) == ("companion", party[0])
    go(dock, "raiders")
    menu = dock.roster_actions.open_menu(QPoint(0, 0))
    assert [each.text() for each in menu.actions() if each.text()] == ["Side", "Absent", "Print…"]
    menu.close()
