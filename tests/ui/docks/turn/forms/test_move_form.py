"""The form of a move: it is spent from its field, says its cost, and keeps what the rules refuse."""

import pytest
from PySide6.QtCore import Qt

from tests.ui.rule_checks import check_rules
from turnwright.encounter.running import Track
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.ui.docks.turn.dock import TurnDock

ENTER = Qt.Key.Key_Return


@pytest.fixture
def dock(show, fight):
    return show(TurnDock)


def moving(dock):
    dock.toggle_move()
    return dock.form_host.move_card


def test_a_move_says_what_it_would_cost_and_why_it_would_be_refused(fight, dock):
    card = moving(dock)
    feet, ground = card.field("feet").box, card.field("through").box
    feet.setValue(10)
    assert not card.text.isVisible()
    ground.setCurrentIndex(ground.findData("broken-span"))
    ground.activated.emit(ground.currentIndex())
    assert card.text.text() == "Costs 20 ft, leaves 10 ft"
    card.rule.open_card()
    assert "20" in card.rule.card().accessibleName()
    feet.setValue(20)
    assert "30" in card.text.text()
    fight.execute(ApplyCondition(("mira",), "prone"))
    assert "60" in card.text.text()  # crawling doubles it


def test_the_finer_points_go_with_the_move_only_while_they_are_shown(fight, dock):
    card = moving(dock)
    card.field("details").box.click()
    card.field("feet").box.setValue(10)
    card.field("up").box.setValue(5)
    card.field("squeezing").box.click()
    assert (card.command.up, card.command.squeezing) == (5, True)
    card.field("details").box.click()
    assert card.command == MoveFeet("mira", 10)


def test_movement_is_spent_from_its_field(fight, dock, qtbot):
    feet = moving(dock).field("feet").box
    assert feet.hasFocus()
    qtbot.keyClicks(feet, "20")
    qtbot.keyClick(feet, ENTER)
    assert dock.header.movement.text() == "10 / 30 ft"
    assert (feet.number(), dock.form_host.move_card.isVisible()) == (0, True)


def test_ground_costs_what_it_costs(fight, dock, qtbot):
    card = moving(dock)
    ground = card.field("through").box
    ground.setCurrentIndex(ground.findData("broken-span"))
    ground.activated.emit(ground.currentIndex())
    card.field("feet").box.setValue(10)
    assert card.text.text() == "Costs 20 ft, leaves 10 ft"
    qtbot.mouseClick(card.button, Qt.MouseButton.LeftButton)
    assert fight.encounter.need(Track, "mira.moved").value == 20
    assert ground.currentData() == "broken-span"


def test_a_refused_move_is_refused_and_the_field_keeps_it(fight, dock, qtbot):
    check_rules(fight)
    card = moving(dock)
    card.field("feet").box.setValue(45)
    with qtbot.waitSignal(fight.refused) as refused:
        qtbot.mouseClick(card.button, Qt.MouseButton.LeftButton)
    assert (refused.args[0].key, type(refused.args[1])) == ("refused.too_far", MoveFeet)
    assert card.field("feet").box.number() == 45


def test_escape_closes_the_move_card(fight, dock, qtbot):
    card = moving(dock)
    qtbot.keyClick(card.field("feet").box, Qt.Key.Key_Escape)
    assert (card.isVisible(), dock.action_bar.isVisible()) == (False, True)
