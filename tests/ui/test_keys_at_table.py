"""The keys of Run in the real window: what each does, and that the focus is back in the turn order afterwards."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QToolButton

from tests.ui.rule_checks import check_rules
from tests.ui.test_turn_by_keyboard import dock_of, press, running
from turnwright.encounter.running import Clock, Combatant
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.queries.queries import active_combatants, open_prompts
from turnwright.play.turns.turns import EndTurn
from turnwright.ui.controllers.run_controller import RunController

ARRANGEMENT = "run"

SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier

__all__ = ["running"]


@pytest.fixture
def home(running, qtbot):
    """The list of the turn order, with the focus, as after every act."""
    running.content.services.controller(RunController).go_home()
    view = running.content.docks.dock("order").view
    qtbot.waitUntil(view.hasFocus)
    return view


def docks_of(window):
    return window.content.docks


def active(window):
    return active_combatants(window.document.encounter)[0].id


def test_n_goes_to_what_waits_before_it_ends_the_turn(running, home, qtbot):
    running.document.execute(ApplyDamage(("tam",), "2d6 fire"))
    assert home.hasFocus()
    press(qtbot, Qt.Key.Key_N)
    assert active(running) == "mira"
    assert dock_of(running).prompts.isAncestorOf(QApplication.focusWidget())
    assert running.messages().text() == "Before the turn ends: Roll damage"
    press(qtbot, Qt.Key.Key_Return)
    assert not open_prompts(running.document.encounter)
    assert home.hasFocus()
    press(qtbot, Qt.Key.Key_N)
    assert active(running) == "tam"
    assert home.hasFocus()


def test_alt_spends_resources_by_letters_and_leaves_numbers_to_the_players_screen(running, home, qtbot):
    resources = dock_of(running).header.pips
    asked = []
    running.content.window_actions.action("players-order").triggered.connect(lambda: asked.append(True))
    press(qtbot, Qt.Key.Key_Q, Qt.KeyboardModifier.AltModifier)
    assert resources.group("action").accessibleName() == "Action: 0 of 1"
    press(qtbot, Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
    assert asked


def test_shift_n_goes_back_one_turn_and_redo_goes_on(running, home, qtbot):
    running.document.execute(EndTurn())
    running.document.execute(ApplyDamage(("mira",), "3"))
    hurt = running.document.encounter.need(Combatant, "mira").hp
    press(qtbot, Qt.Key.Key_N, SHIFT)
    assert active(running) == "mira"
    assert running.document.encounter.need(Combatant, "mira").hp == hurt + 3
    assert home.hasFocus()
    for _ in range(2):
        press(qtbot, Qt.Key.Key_Y, CONTROL)
    assert active(running) == "tam"
    assert running.document.encounter.need(Combatant, "mira").hp == hurt


def test_j_shows_the_journal_and_again_the_stat_block(running, home, qtbot):
    press(qtbot, Qt.Key.Key_J)
    qtbot.waitUntil(lambda: docks_of(running).is_raised("journal"))
    assert home.hasFocus()
    press(qtbot, Qt.Key.Key_J)
    qtbot.waitUntil(lambda: docks_of(running).is_raised("stat-block"))
    assert home.hasFocus()


def test_a_slash_writes_a_note_and_escape_keeps_its_text(running, home, qtbot):
    note = docks_of(running).dock("journal").note
    press(qtbot, "/")
    qtbot.waitUntil(note.hasFocus)
    press(qtbot, "the bridge")
    press(qtbot, Qt.Key.Key_Escape)
    assert (home.hasFocus(), note.text()) == (True, "the bridge")
    press(qtbot, "/")
    press(qtbot, " burns")
    press(qtbot, Qt.Key.Key_Return)
    assert (home.hasFocus(), note.text()) == (True, "")
    assert running.document.source.session.history.last.lines[0].phrase.params[0][1] == "the bridge burns"


def test_m_puts_the_map_into_the_stage_and_takes_it_out(running, home, qtbot):
    turn, map_dock = dock_of(running), docks_of(running).dock("map")
    for leave in (Qt.Key.Key_M, Qt.Key.Key_Escape):
        press(qtbot, Qt.Key.Key_M)
        qtbot.waitUntil(map_dock.view.hasFocus)
        assert turn.isAncestorOf(map_dock.view)
        assert not turn.action_bar.isVisible()
        assert all(part.isVisible() for part in (turn.header, turn.results, turn.damage))
        press(qtbot, leave)
        assert turn.action_bar.isVisible()
        assert home.hasFocus()


@pytest.mark.parametrize("key", [Qt.Key.Key_A, Qt.Key.Key_S])
def test_the_map_gives_way_to_a_card(running, home, qtbot, key):
    press(qtbot, Qt.Key.Key_M)
    map_dock = docks_of(running).dock("map")
    qtbot.waitUntil(map_dock.view.hasFocus)
    press(qtbot, key)
    assert not map_dock.view.isVisible()


def test_the_map_goes_back_into_its_dock(running, home, qtbot):
    press(qtbot, Qt.Key.Key_M)
    map_dock = docks_of(running).dock("map")
    qtbot.waitUntil(map_dock.view.hasFocus)
    running.content.services.layout.arrange("prepare")
    docks_of(running).show("map")
    qtbot.waitUntil(lambda: map_dock.isAncestorOf(map_dock.view) and map_dock.view.isVisible())
    assert not dock_of(running).is_stage_lent


def test_i_edits_the_initiative_of_the_row(running, home, qtbot):
    press(qtbot, Qt.Key.Key_I)
    assert home.isAncestorOf(QApplication.focusWidget())
    press(qtbot, Qt.Key.Key_Escape)
    assert home.hasFocus()


def test_shift_e_opens_the_form_to_ready(running, home, qtbot):
    press(qtbot, Qt.Key.Key_E, SHIFT)
    assert dock_of(running).form_host.is_open
    press(qtbot, Qt.Key.Key_Escape)
    assert not dock_of(running).form_host.is_open
    assert home.hasFocus()
    assert running.document.encounter.need(Clock, "clock").active == "mira"


def test_r_rolls_dice_in_the_place_of_the_amounts(running, home, qtbot):
    turn = dock_of(running)
    press(qtbot, Qt.Key.Key_R)
    assert (turn.dice.isVisible(), turn.damage.isVisible(), turn.dice.line.hasFocus()) == (True, False, True)
    press(qtbot, "d20a+5")
    press(qtbot, Qt.Key.Key_Return)
    event = running.document.source.session.history.last.events[0]
    assert (event.dice, len(event.roll.dice)) == ("1d20+5 adv", 2)
    assert turn.results.result.outcome == str(event.roll.total)
    assert (turn.dice.isVisible(), turn.damage.isVisible(), home.hasFocus()) == (False, True, True)


def test_earlier_rolls_come_back_and_escape_keeps_what_was_typed(running, home, qtbot):
    turn = dock_of(running)
    for dice in ("2d6", "1d4"):
        press(qtbot, Qt.Key.Key_R)
        press(qtbot, dice)
        press(qtbot, Qt.Key.Key_Return)
    press(qtbot, Qt.Key.Key_R)
    press(qtbot, Qt.Key.Key_Up)
    press(qtbot, Qt.Key.Key_Up)
    assert turn.dice.line.text() == "2d6"
    press(qtbot, Qt.Key.Key_Down)
    press(qtbot, Qt.Key.Key_Escape)
    assert (home.hasFocus(), turn.damage.isVisible(), turn.dice.line.text()) == (True, True, "1d4")
    press(qtbot, Qt.Key.Key_R)
    press(qtbot, "2x6")
    press(qtbot, Qt.Key.Key_Return)
    assert turn.dice.error()
    assert turn.dice.isVisible()
    press(qtbot, Qt.Key.Key_Escape)
    press(qtbot, Qt.Key.Key_D)
    assert turn.damage.amount.line.hasFocus()


def test_p_pins_the_stat_block_through_the_turns(running, home, qtbot):
    block = docks_of(running).dock("stat-block")
    press(qtbot, Qt.Key.Key_P)
    assert home.hasFocus()
    press(qtbot, Qt.Key.Key_N)
    assert (active(running), block.strip.label.text()) == ("tam", "Mira")
    press(qtbot, Qt.Key.Key_P)
    assert "Tam" in block.view.accessibleName()


def test_a_message_lies_at_the_foot_of_the_stage_and_takes_neither_focus_nor_escape(running, home, qtbot):
    turn, bar = dock_of(running), running.messages()
    press(qtbot, Qt.Key.Key_R)
    bar.notify("Saved.")
    place = bar.mapTo(running, bar.rect().bottomLeft())
    assert turn.stage.rect().contains(turn.stage.mapFrom(running, place))
    assert all(part.focusPolicy() == Qt.FocusPolicy.NoFocus for part in bar.findChildren(QToolButton))
    press(qtbot, Qt.Key.Key_Escape)
    assert (home.hasFocus(), bar.text()) == (True, "Saved.")
    bar.dismiss()


def test_tab_goes_from_the_amounts_to_the_turn_order_and_a_refusal_s_buttons_come_behind(running, home, qtbot):
    check_rules(running.document)
    running.document.execute(MoveFeet("mira", 500))
    bar, order, turn = running.messages(), docks_of(running).dock("order"), dock_of(running)
    press(qtbot, Qt.Key.Key_D)
    press(qtbot, Qt.Key.Key_Tab)
    assert order.isAncestorOf(QApplication.focusWidget())
    home.setFocus()
    press(qtbot, Qt.Key.Key_Tab)
    assert bar.isAncestorOf(QApplication.focusWidget())
    press(qtbot, Qt.Key.Key_Escape)
    assert (bar.isVisible(), home.hasFocus()) == (False, True)
    press(qtbot, Qt.Key.Key_Tab)
    assert not turn.isAncestorOf(QApplication.focusWidget())


def test_a_refusal_is_overridden_by_keys_and_the_focus_is_home_again(running, home, qtbot):
    check_rules(running.document)
    running.document.execute(MoveFeet("mira", 500))
    depth = running.document.source.session.history.depth
    press(qtbot, Qt.Key.Key_Tab)
    press(qtbot, Qt.Key.Key_Tab)
    press(qtbot, Qt.Key.Key_Space)
    assert (running.document.source.session.history.depth, home.hasFocus()) == (depth + 1, True)
