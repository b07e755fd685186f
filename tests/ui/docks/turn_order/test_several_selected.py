"""Several combatants selected in the turn order, and the bar that acts on all of them."""

import pytest
from PySide6.QtCore import Qt

from tests.ui.docks.running_fight import settle
from turnwright.encounter.running import Combatant
from turnwright.play.table.game_master import SetDice
from turnwright.play.turns.turns import EndTurn
from turnwright.ui.docks.turn_order.dock import TurnOrderDock
from turnwright.ui.models.turn_order import TurnOrderColumn

NONE, CTRL, SHIFT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def dock(fight, show):
    return show(TurnOrderDock)


@pytest.fixture
def click(dock, qtbot):
    def click(who, modifiers=NONE, column=TurnOrderColumn.WHO):
        rect = dock.view.visualRect(dock.model.index(dock.model.row_of(who), column))
        qtbot.mouseClick(dock.view.viewport(), LEFT, modifiers, rect.center())

    return click


def test_clicks_select_one_more_and_a_range(dock, click, qtbot):
    heard = []
    dock.selection_changed.connect(heard.append)
    click("mira")
    assert dock.selected == ("mira",)
    click("osk", CTRL)
    assert set(dock.selected) == {"mira", "osk"}
    click("osk", CTRL)
    assert dock.selected == ("mira",)
    click("mira")
    click("osk", SHIFT)
    assert set(dock.selected) == {"mira", "tam", "osk"}
    click("velu", column=TurnOrderColumn.LEAD)
    assert set(dock.selected) == {"mira", "tam", "osk", "velu"}
    assert [set(ids) for ids in heard[:3]] == [{"mira"}, {"mira", "osk"}, {"mira"}]


def test_keys_move_without_selecting_and_space_ticks(dock, qtbot):
    view = dock.view
    view.setFocus()
    view.setCurrentIndex(dock.model.index(1, TurnOrderColumn.WHO))
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert dock.selected == ()
    qtbot.keyClick(view, Qt.Key.Key_Space)
    qtbot.keyClick(view, Qt.Key.Key_Down, SHIFT)
    assert set(dock.selected) == {"osk", "velu"}
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert dock.selected == ("osk",)
    qtbot.keyClick(view, Qt.Key.Key_A, CTRL)
    assert {dock.model.row_at(dock.model.row_of(who)).side for who in dock.selected} == {"enemies"}
    assert len(dock.selected) == 5
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert dock.selected == ()


def test_the_bar_shows_for_two_and_covers_nothing(dock, click):
    click("tam")
    assert not dock.bulk.isVisible()
    before = dock.view.height()
    click("osk", CTRL)
    assert dock.bulk.isVisible()
    assert dock.bulk.title.text() == "2 selected"
    assert dock.view.height() < before
    assert dock.view.geometry().bottom() < dock.bulk.mapTo(dock.view.parentWidget(), dock.bulk.rect().topLeft()).y()


def test_the_bar_goes_with_the_encounter(fight, dock, click):
    click("tam")
    click("osk", CTRL)
    fight.open(fight.source)
    assert not dock.bulk.isVisible()
    assert dock.selected == ()


def test_buttons_of_the_bar_ask_for_amounts_and_forms_and_clear(dock, click, qtbot):
    amounts, checks, conditions = [], [], []
    dock.conditionRequested.connect(lambda: conditions.append("card"))
    dock.amountRequested.connect(amounts.append)
    dock.checkRequested.connect(lambda: checks.append("line"))
    click("tam")
    click("osk", CTRL)
    for id in ("damage", "heal", "condition", "save"):
        qtbot.mouseClick(dock.bulk.buttons[id], LEFT)
    assert (amounts, checks, conditions) == (["", "+"], ["line"], ["card"])
    qtbot.mouseClick(dock.bulk.clear_button, LEFT)
    assert (dock.selected, dock.bulk.isVisible()) == ((), False)
    assert dock.view.hasFocus()


def test_all_selected_are_hidden_and_shown_again(fight, dock, click, qtbot):
    def hidden():
        return {one.id for one in fight.encounter.all(Combatant) if one.hidden}

    click("tam")
    click("osk", CTRL)
    depth = fight.source.session.history.depth
    qtbot.mouseClick(dock.bulk.buttons["hide"], LEFT)
    assert hidden() == {"tam", "osk"}
    assert fight.source.session.history.depth == depth + 1
    assert dock.bulk.buttons["hide"].text() == "Show"
    qtbot.mouseClick(dock.bulk.buttons["hide"], LEFT)
    assert hidden() == set()


def test_half_of_one_roll_is_dealt_to_all_selected(fight, dock, click, qtbot):
    fight.execute(SetDice("roll"))
    click("tam")
    click("osk", CTRL)
    before = {who: fight.encounter.need(Combatant, who).hp for who in ("tam", "osk")}
    qtbot.mouseClick(dock.bulk.half_button, LEFT)
    assert dock.bulk.amount.line.hasFocus()
    qtbot.keyClicks(dock.bulk.amount.line, "13 fire")
    qtbot.keyClick(dock.bulk.amount.line, Qt.Key.Key_Return)
    settle(fight)
    assert {who: hp - fight.encounter.need(Combatant, who).hp for who, hp in before.items()} == {"tam": 6, "osk": 6}
    assert not dock.bulk.amount.isVisible()


def test_what_is_no_damage_is_not_halved(fight, dock, click, qtbot):
    click("tam")
    click("osk", CTRL)
    depth = fight.source.session.history.depth
    qtbot.mouseClick(dock.bulk.half_button, LEFT)
    qtbot.keyClicks(dock.bulk.amount.line, "+5")
    qtbot.keyClick(dock.bulk.amount.line, Qt.Key.Key_Return)
    assert fight.source.session.history.depth == depth
    assert dock.bulk.amount.isVisible()


def test_the_next_turn_begins_without_a_selection(fight, dock, click):
    click("tam")
    click("osk", CTRL)
    fight.execute(EndTurn())
    assert (dock.selected, dock.bulk.isVisible(), dock.view.selected_ids()) == ((), False, ())
