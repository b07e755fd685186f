"""The focus after a change of arrangement: in the middle of it, never on the status bar."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from turnwright.play.table.game_master import AddNote

CONTROL = Qt.KeyboardModifier.ControlModifier


def press(qtbot, key, modifier=Qt.KeyboardModifier.NoModifier):
    qtbot.keyClick(QApplication.focusWidget(), key, modifier)
    QApplication.processEvents()


def focused_dock(window):
    """Return the id of the dock that the focus is in, empty for none."""
    focus = QApplication.focusWidget()
    return next((id for id, dock in window.content.docks.all.items() if dock.isAncestorOf(focus)), "")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("from_dock", ["library", "roster", "creature"])
def test_taking_on_an_arrangement_goes_to_its_middle(qtbot, window, from_dock):
    window.content.docks.focus_dock(from_dock)
    press(qtbot, Qt.Key.Key_2, CONTROL)
    assert focused_dock(window) == "turn"
    for place in ("stat-block", "order", "turn"):
        window.content.docks.focus_dock(place)
        press(qtbot, Qt.Key.Key_1, CONTROL)
        assert focused_dock(window) == "roster"
        press(qtbot, Qt.Key.Key_2, CONTROL)
        assert focused_dock(window) == "turn"


@pytest.mark.soak
def test_what_stays_in_sight_keeps_the_focus(qtbot, window):
    window.resize(1920, 1080)
    window.document.execute(AddNote("The ford is quiet"))
    window.content.docks.focus_dock("journal")
    note = window.content.docks.dock("journal").note
    note.setFocus()
    press(qtbot, Qt.Key.Key_F6)
    assert QApplication.focusWidget() is note
    press(qtbot, Qt.Key.Key_F5)
    assert QApplication.focusWidget() is note


def test_what_stands_in_front_in_the_middle_takes_the_focus(qtbot, window):
    window.content.docks.focus_dock("map")
    press(qtbot, Qt.Key.Key_2, CONTROL)
    window.content.docks.focus_dock("order")
    press(qtbot, Qt.Key.Key_1, CONTROL)
    assert focused_dock(window) == "map"
