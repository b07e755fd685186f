"""Conditions and damage by keyboard in the real window: every key is counted."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.ui.docks.running_fight import settle
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.queries.queries import open_prompts
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.surprise import SetInitiative

ARRANGEMENT = "run"

ENTER = Qt.Key.Key_Return
RAIDERS = ("raiders-1", "raiders-2", "raiders-3")


@pytest.fixture
def keys(window, qtbot):
    """Press keys in the run arrangement, at Mira's turn in round 1, and return how many they are."""
    document = window.document
    document.execute(SetDice("roll"))
    for command in (StartEncounter(), AdvanceSetup(), AdvanceSetup()):
        document.execute(command)
    ids = document.encounter.ids(Combatant)
    document.execute(SetInitiative(tuple((who, 30 - place) for place, who in enumerate(ids))))
    document.execute(AdvanceSetup())
    settle(document)
    document.execute(SetDice("ask"))
    window.content.services.layout.arrange("run")
    qtbot.waitUntil(window.content.docks.dock("turn").isVisible)
    window.content.docks.dock("order").view.setFocus()

    def pressed(*pressed_keys):
        for each in pressed_keys:
            key, modifier = each if isinstance(each, tuple) else (each, Qt.KeyboardModifier.NoModifier)
            qtbot.keyClick(QApplication.focusWidget(), key, modifier)
        return len(pressed_keys)

    return pressed


def hp(window):
    return [window.document.encounter.need(Combatant, who).hp for who in RAIDERS]


def test_a_condition_for_three_rounds_is_seven_keys(window, keys):
    window.document.select_combatants(RAIDERS[:1])
    assert keys("c", *"poi 3", ENTER) == 7
    (effect,) = [one for one in window.document.encounter.all(Effect) if one.name == "poisoned"]
    assert (effect.target, effect.rounds_left) == ("raiders-1", 3)
    assert window.content.docks.dock("order").view.hasFocus()


def test_the_bar_for_several_opens_the_same_card(window, keys):
    window.document.select_combatants(RAIDERS)
    window.content.docks.dock("order").bulk.buttons["condition"].click()
    keys(*"pro", ENTER)
    prone = {one.target for one in window.document.encounter.all(Effect) if one.name == "prone"}
    assert prone == set(RAIDERS)


def test_three_at_half_are_four_keys_once_they_are_selected(window, keys):
    before = hp(window)
    window.document.select_combatants(RAIDERS)
    assert keys("d", "1", "2", (ENTER, Qt.KeyboardModifier.ControlModifier)) == 4
    assert hp(window) == [each - 6 for each in before]
    assert not open_prompts(window.document.encounter)


def test_damage_with_saves_for_three_is_the_line_and_four_keys(window, keys):
    before = hp(window)
    window.document.select_combatants(RAIDERS)
    line = "20 fire, Dex 15 half"
    assert keys("d", *line, ENTER) == 2 + len(line)
    keys("1", "9", ENTER)  # of the first; the others are rolled
    lost = [was - now for was, now in zip(before, hp(window), strict=True)]
    assert lost == [0, 0, 0]
    keys(ENTER)
    lost = [was - now for was, now in zip(before, hp(window), strict=True)]
    assert lost[0] == 10
    assert set(lost[1:]) <= {10, 20}
    assert not open_prompts(window.document.encounter)
    assert window.content.docks.dock("order").view.hasFocus()
