"""Rows of the turn order dragged by the mouse."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.ui.docks.running_fight import end_turns
from turnwright.encounter.running import Clock
from turnwright.ui.docks.turn_order.dock import TurnOrderDock
from turnwright.ui.docks.turn_order.view import DROP_GAP
from turnwright.ui.models.turn_order import TurnOrderColumn

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def dock(fight, show):
    dock = show(TurnOrderDock)
    dock.window().resize(640, 1000)
    return dock


@pytest.fixture
def drag(dock):
    """Drag a row to the upper part of the row of another, or below the last one, without letting it drop."""

    def middle(place):
        return dock.view.visualRect(dock.model.index(place, TurnOrderColumn.WHO)).center()

    def drag(who, goal):
        viewport = dock.view.viewport()
        end = QPoint(middle(0).x(), viewport.height() - 30)
        if goal:
            end = middle(dock.model.row_of(goal)) - QPoint(0, 8)
        QTest.mousePress(viewport, LEFT, pos=middle(dock.model.row_of(who)))
        QTest.mouseMove(viewport, middle(dock.model.row_of(who)) + QPoint(0, 15))
        QTest.mouseMove(viewport, end)
        return end

    return drag


def order(dock):
    return [dock.model.row_at(place).id for place in range(dock.model.rowCount())]


def test_a_row_is_dropped_before_another_and_takes_its_number(fight, dock, drag):
    before = order(dock)
    height = dock.view.verticalHeader().length()
    end = drag("velu", "tam")
    assert dock.drag_hint.isVisible()
    assert dock.drag_hint.title.text() == "Velu: 29, after Mira"
    assert dock.view.verticalHeader().length() == height + DROP_GAP
    assert order(dock) == before
    QTest.mouseRelease(dock.view.viewport(), LEFT, pos=end)
    assert order(dock)[:4] == ["mira", "velu", "tam", "osk"]
    assert dock.model.row_at(1).count == 29
    assert not dock.drag_hint.isVisible()
    assert dock.selected == ()
    assert fight.encounter.need(Clock, "clock").active == "mira"
    fight.undo()
    assert order(dock) == before


def test_at_the_end_a_row_takes_the_number_above(dock, drag):
    last = dock.model.row_at(dock.model.rowCount() - 1)
    end = drag("tam", "")
    QTest.mouseRelease(dock.view.viewport(), LEFT, pos=end)
    assert order(dock)[-1] == "tam"
    assert dock.model.row_at(dock.model.rowCount() - 1).count == last.count


def test_escape_and_its_own_place_change_nothing(fight, dock, drag, qtbot):
    depth, before = fight.source.session.history.depth, order(dock)
    end = drag("velu", "tam")
    qtbot.keyClick(dock.view, Qt.Key.Key_Escape)
    QTest.mouseRelease(dock.view.viewport(), LEFT, pos=end)
    end = drag("velu", "velu")
    QTest.mouseRelease(dock.view.viewport(), LEFT, pos=end)
    assert (fight.source.session.history.depth, order(dock)) == (depth, before)


def test_nobody_gets_a_second_turn_in_a_round(fight, dock, drag):
    end_turns(fight, 2)  # Mira and Tam have acted, Osk acts
    end = drag("mira", "velu")
    QTest.mouseRelease(dock.view.viewport(), LEFT, pos=end)
    assert order(dock)[:4] == ["tam", "osk", "mira", "velu"]
    end_turns(fight, 1)
    assert fight.encounter.need(Clock, "clock").active == "velu"
