"""Resources as pips: clicks, keys and the focus."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from turnwright.ui.widgets.records.resource_pips import ResourcePip, ResourcePips

RESOURCES = (
    ResourcePip("action", "action", 1, 1, "1"),
    ResourcePip("reaction", "reaction", 0, 1, "2"),
    ResourcePip("legendary", "legendary", 2, 3),
)


@pytest.fixture
def turn(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    window.line = QLineEdit()
    window.pips = ResourcePips()
    window.pips.set_pips(RESOURCES)
    window.asked = []
    window.pips.changeRequested.connect(lambda id, left: window.asked.append((id, left)))
    column.addWidget(window.line)
    column.addWidget(window.pips)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def test_a_click_asks_to_spend_or_to_get_back(qtbot, turn):
    qtbot.mouseClick(turn.pips.group("action"), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(turn.pips.group("reaction"), Qt.MouseButton.LeftButton)
    assert turn.asked == [("action", 0), ("reaction", 1)]


def test_asking_changes_nothing_by_itself(qtbot, turn):
    qtbot.mouseClick(turn.pips.group("action"), Qt.MouseButton.LeftButton)
    assert turn.pips.group("action").accessibleName() == "action: 1 of 1"
    assert not turn.pips.group("action").hasFocus()


def test_of_several_the_full_ones_are_spent_and_the_hollow_ones_come_back(qtbot, turn):
    group = turn.pips.group("legendary")
    qtbot.mouseClick(group, Qt.MouseButton.LeftButton, pos=QPoint(8, group.height() // 2))
    qtbot.mouseClick(group, Qt.MouseButton.LeftButton, pos=QPoint(40, group.height() // 2))
    assert turn.asked == [("legendary", 1), ("legendary", 3)]


def test_pips_work_from_the_keyboard(qtbot, turn):
    group = turn.pips.group("legendary")
    group.setFocus()
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Plus, Qt.Key.Key_Minus):
        qtbot.keyClick(group, key)
    assert turn.asked == [("legendary", 1), ("legendary", 3), ("legendary", 1)]


def test_alt_shows_the_keys_and_with_a_key_spends(qtbot, turn):
    turn.line.setFocus()
    qtbot.keyPress(turn.line, Qt.Key.Key_Alt)
    assert turn.pips.group("action").key_is_shown
    assert not turn.pips.group("legendary").key_is_shown
    qtbot.keyRelease(turn.line, Qt.Key.Key_Alt)
    assert not turn.pips.group("action").key_is_shown
    qtbot.keyClick(turn.line, Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
    assert turn.asked == [("action", 0)]


def test_pips_that_stay_keep_the_focus(qtbot, turn):
    turn.pips.group("action").setFocus()
    turn.pips.set_pips((ResourcePip("action", "action", 0, 1, "1"), *RESOURCES[1:]))
    assert turn.pips.group("action").hasFocus()
    assert turn.pips.group("action").accessibleName() == "action: 0 of 1"
