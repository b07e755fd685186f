"""Letters before the combatants of the turn order, by which targets are chosen."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.ui.docks.running_fight import settle
from turnwright.encounter.running import Clock
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.table.game_master import SetDice
from turnwright.ui.docks.turn.cards.attack_card import AttackCard
from turnwright.ui.docks.turn_order.dock import TurnOrderDock
from turnwright.ui.models.turn_order import TurnOrderColumn


@pytest.fixture
def dock(fight, show):
    return show(TurnOrderDock)


def letters(dock):
    looks = [dock.view.look_of(place) for place in range(dock.model.rowCount())]
    return {look.row.id: look.letter for look in looks if look.letter}


def test_a_letter_selects_its_combatant_and_is_no_command(fight, dock, qtbot):
    fight.execute(SetDead("tam"))
    dock.choose_target()
    shown = letters(dock)
    assert "mira" not in shown  # she acts
    assert "tam" not in shown
    assert list(shown.values())[:3] == ["a", "b", "c"]
    qtbot.keyClicks(dock.view, "z")
    assert dock.selected == ()
    qtbot.keyClicks(dock.view, shown["velu"])
    assert dock.selected == ("velu",)
    assert letters(dock) == {}
    assert fight.encounter.need(Clock, "clock").active == "mira"


def test_escape_leaves_the_letters_and_keeps_the_selection(fight, dock, qtbot):
    fight.select_combatants(("tam",))
    dock.choose_target()
    qtbot.keyClick(dock.view, Qt.Key.Key_Escape)
    assert (letters(dock), dock.selected) == ({}, ("tam",))
    qtbot.keyClick(dock.view, Qt.Key.Key_Escape)
    assert dock.selected == ()


def test_letters_of_an_attack_stand_in_the_turn_order_too(fight, dock):
    card = AttackCard(fight)
    card.open_for("mira")
    assert letters(dock) == {button.pick.id: button.pick.key for button in card.targets.buttons() if button.pick.key}
    card.close_card()
    assert letters(dock) == {}


def test_g_goes_to_the_turn_of_the_current_row(fight, dock, qtbot):
    dock.view.setFocus()
    dock.view.setCurrentIndex(dock.model.index(dock.model.row_of("osk"), TurnOrderColumn.WHO))
    qtbot.keyClick(dock.view, Qt.Key.Key_G)
    assert fight.encounter.need(Clock, "clock").active == "mira"
    assert (dock.go_hint.isVisible(), dock.go_hint.title.text()) == (True, "Mira has actions left")
    qtbot.keyClick(dock.view, Qt.Key.Key_Escape)
    assert not dock.go_hint.isVisible()
    for _ in range(2):
        qtbot.keyClick(dock.view, Qt.Key.Key_G)
    assert fight.encounter.need(Clock, "clock").active == "osk"
    assert not dock.go_hint.isVisible()


@pytest.mark.soak
def test_t_in_the_window_chooses_for_damage(window, qtbot):
    for command in (SetDice("roll"), StartEncounter(), AdvanceSetup(), AdvanceSetup(), AdvanceSetup()):
        window.document.execute(command)
        settle(window.document)
    window.content.services.layout.arrange("run")
    order, turn = (window.content.docks.dock(id) for id in ("order", "turn"))
    qtbot.waitUntil(lambda: order.isVisible() and turn.isVisible())
    turn.live.setFocus()
    qtbot.keyClicks(QApplication.focusWidget(), "t")
    who, letter = next(iter(letters(order).items()))
    assert order.view.hasFocus()
    qtbot.keyClicks(QApplication.focusWidget(), letter)
    assert turn.damage.targets.chosen() == (who,)
