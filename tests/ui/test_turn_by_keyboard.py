"""A turn of the real window by keyboard alone: A attacks, Enter answers, letters aim, . finds an action, Esc goes back."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.ui.conftest import unseen
from tests.ui.docks.running_fight import settle
from turnwright.encounter.running import Combatant, Effect, Track
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.movement.commanded_move import MovePath
from turnwright.play.queries.queries import active_combatants, open_prompts
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.play.turns.turns import EndTurn

ARRANGEMENT = "run"


def press(qtbot, key, modifier=Qt.KeyboardModifier.NoModifier):
    focused = QApplication.focusWidget()
    if isinstance(key, str):
        qtbot.keyClicks(focused, key, modifier)
    else:
        qtbot.keyClick(focused, key, modifier)


@pytest.fixture
def running(window, qtbot):
    """Round 1 in the run arrangement: Mira's turn, a raider beside her, nothing waiting."""
    document = window.document
    with unseen(document):
        document.execute(SetDice("roll"))
        document.execute(StartEncounter())
        document.execute(AdvanceSetup())
        document.execute(AdvanceSetup())
        ids = document.encounter.ids(Combatant)
        document.execute(SetInitiative(tuple((who, 30 - place) for place, who in enumerate(ids))))
        document.execute(AdvanceSetup())
        settle(document)
        document.execute(SetPosition("raiders-1", position=(11, 9)))
        document.execute(SetDice("ask"))
    window.content.services.layout.arrange("run")
    dock = window.content.docks.dock("turn")
    qtbot.waitUntil(dock.isVisible)
    dock.live.setFocus()
    return window


def dock_of(window):
    return window.content.docks.dock("turn")


def test_a_attacks_where_nothing_waits_and_answers_where_something_does(running, qtbot):
    dock = dock_of(running)
    press(qtbot, Qt.Key.Key_A)
    assert dock.form_host.attack_card.isVisible()
    assert dock.form_host.attack_card.command().target == "raiders-1"
    press(qtbot, "25")
    press(qtbot, Qt.Key.Key_Return)
    assert open_prompts(running.document.encounter)
    running.content.docks.dock("order").view.setFocus()
    press(qtbot, Qt.Key.Key_A)
    assert dock.form_host.attack_card.damage.line.hasFocus()


def test_the_button_over_the_fight_goes_to_what_waits(running, qtbot):
    button = running.content.tool_bar.button
    assert (button.text(), button.keys) == ("End turn", "N")
    running.document.execute(ApplyDamage(("tam",), "2d6 fire"))
    assert (button.text(), button.keys) == ("Roll damage", "A")
    running.content.docks.focus_dock("map")
    qtbot.waitUntil(lambda: running.content.docks.is_raised("map"))
    button.click()
    assert dock_of(running).prompts.isAncestorOf(QApplication.focusWidget())
    press(qtbot, Qt.Key.Key_Return)
    assert (button.text(), button.keys) == ("End turn", "N")


def test_a_critical_is_told_before_its_damage_is_typed(running, qtbot):
    dock = dock_of(running)
    for key in (Qt.Key.Key_1, "20!", Qt.Key.Key_Return):
        press(qtbot, key)
    assert open_prompts(running.document.encounter)[0].title == "prompt.reaction"
    press(qtbot, Qt.Key.Key_Return)
    card = dock.form_host.attack_card
    assert (card.to_hit.note.text(), card.damage.note.text()) == ("Critical hit", "before the critical hit")
    assert card.damage.line.hasFocus()


def test_letters_aim_although_they_are_keys_of_the_window(running, qtbot):
    dock = dock_of(running)
    press(qtbot, Qt.Key.Key_A)
    press(qtbot, Qt.Key.Key_D)
    assert dock.form_host.attack_card.command().target == "raiders-4"
    assert not dock.damage.amount.line.hasFocus()
    press(qtbot, Qt.Key.Key_A)
    assert dock.form_host.attack_card.command().target == "raiders-1"


def test_a_round_by_keys(running, qtbot):
    """Attack and damage, an opportunity attack, somebody falls and makes a death save, one readies, one helps."""
    document, dock = running.document, dock_of(running)
    document.execute(ApplyDamage(("raiders-1",), "14"))
    for key in (Qt.Key.Key_1, "25", Qt.Key.Key_Return, "12", Qt.Key.Key_Return):
        press(qtbot, key)
    (card,) = dock.prompts.cards.values()
    assert card.view.title == "Raider 1 at 0 HP"
    press(qtbot, Qt.Key.Key_Return)
    assert document.encounter.need(Combatant, "raiders-1").hp == 0
    assert running.content.docks.dock("order").view.hasFocus()
    press(qtbot, Qt.Key.Key_N)
    assert active_combatants(document.encounter)[0].id == "tam"
    press(qtbot, ".")
    press(qtbot, "ready")
    press(qtbot, Qt.Key.Key_Return)
    press(qtbot, "a raider comes up")
    press(qtbot, Qt.Key.Key_Return)
    assert [one.end_condition for one in document.encounter.all(Effect) if one.name == "readied"] == [
        "a raider comes up"
    ]
    press(qtbot, Qt.Key.Key_N)
    settle(document)
    assert "tam/release-readied" in dock.strip.buttons
    document.execute(SetPosition("raiders-2", position=(11, 9)))
    while active_combatants(document.encounter)[0].id != "raiders-2":
        document.execute(EndTurn())
        settle(document)
    document.execute(MovePath("raiders-2", ((12, 9), (13, 9))))
    (card,) = dock.prompts.cards.values()
    assert card.view.title == "Raider 2 leaves reach: who attacks?"
    press(qtbot, Qt.Key.Key_A)
    press(qtbot, Qt.Key.Key_Tab)
    press(qtbot, Qt.Key.Key_Return)
    assert open_prompts(document.encounter)[0].title == "prompt.attack"
    assert document.encounter.need(Track, "mira.reaction").value == 0
