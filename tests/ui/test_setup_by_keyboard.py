"""Set-up by keys alone, counted: from F9 to round 1, with and without the players' own dice, and who sneaks."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit

from turnwright.encounter.running import Clock, Combatant
from turnwright.play.queries.queries import open_prompts
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.surprise import MarkSneaking
from turnwright.storage.resources import sample_encounters
from turnwright.ui.models.turn_order import TurnOrderColumn

ARRANGEMENT = "run"

ENTER = Qt.Key.Key_Return


class Keys:
    """Presses keys where the focus is, and counts them."""

    def __init__(self, qtbot, window):
        self.qtbot, self.window, self.count = qtbot, window, 0

    def press(self, *keys, modifier=Qt.KeyboardModifier.NoModifier):
        for key in keys:
            self.qtbot.keyClick(QApplication.focusWidget() or self.window, key, modifier)
            self.count += 1


@pytest.fixture
def keys(qtbot, window):
    window.resize(1280, 800)
    window.content.services.layout.arrange("run")
    qtbot.waitUntil(lambda: window.content.docks.dock("turn").isVisible())
    return Keys(qtbot, window)


def clock(window):
    return window.document.encounter.need(Clock, "clock")


def page(window):
    return window.content.docks.dock("turn").setup_page


def is_home(window):
    return window.content.docks.dock("order").view.hasFocus()


def test_two_keys_start_a_fight_where_nobody_sneaks(keys, window):
    window.document.execute(SetDice("roll"))
    keys.press(Qt.Key.Key_F9)
    assert is_home(window)
    assert page(window).isVisible()
    keys.press(ENTER)
    assert (clock(window).phase, keys.count) == ("rounds", 2)
    assert is_home(window)
    window.document.undo()
    assert clock(window).phase == "set-up"


def test_thirteen_keys_type_four_players_and_roll_the_monsters(keys, window):
    window.document.execute(SetDice("roll"))
    keys.press(Qt.Key.Key_F9)
    keys.count = 0
    keys.press(Qt.Key.Key_I, modifier=Qt.KeyboardModifier.ControlModifier)
    keys.qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), QLineEdit))
    for total in ("17", "12", "21", "14"):
        keys.press(*total, ENTER)
    assert (clock(window).phase, keys.count) == ("rounds", 13)
    players = [one.initiative for one in window.document.encounter.all(Combatant) if one.player]
    assert players == [17, 12, 21, 14]
    assert all(one.initiative is not None for one in window.document.encounter.all(Combatant))
    assert is_home(window)


def test_by_hand_only_those_without_a_total_are_asked(keys, window, qtbot):
    window.document.execute(SetDice("ask"))
    keys.press(Qt.Key.Key_F9)
    keys.press(Qt.Key.Key_I, modifier=Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), QLineEdit))
    keys.press("1", "7", ENTER)
    qtbot.waitUntil(lambda: window.document.encounter.need(Combatant, "mira").initiative == 17)
    keys.press(Qt.Key.Key_F10)
    (prompt,) = open_prompts(window.document.encounter)
    assert prompt.title == "prompt.initiative"
    assert "mira" not in [ask.who for ask in prompt.asks]
    assert window.content.docks.dock("turn").prompts.isAncestorOf(QApplication.focusWidget())
    assert not page(window).isVisible()


def test_who_sneaks_is_settled_first_and_then_round_one_begins(keys, window):
    window.document.execute(SetDice("roll"))
    keys.press(Qt.Key.Key_F9)
    assert "No one is sneaking" in page(window).ambush.text()
    window.document.execute(MarkSneaking(("raiders-1",)))
    assert "Raider 1" in page(window).ambush.text()
    button = window.content.tool_bar.button
    assert button.text() == page(window).button.text() == "Settle surprise"
    keys.press(ENTER)
    assert clock(window).setup_step == "surprise"
    for _ in range(5):
        if open_prompts(window.document.encounter):
            keys.press(Qt.Key.Key_W, modifier=Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert clock(window).surprise_settled
    assert button.text() == "Roll the rest and begin"
    keys.press(Qt.Key.Key_F10)
    assert clock(window).phase == "rounds"


def test_a_total_given_while_others_are_asked_is_shown_at_once(keys, window):
    from turnwright.play.turn_order.surprise import SetInitiative

    window.document.execute(SetDice("ask"))
    keys.press(Qt.Key.Key_F9, Qt.Key.Key_F10)
    window.document.execute(SetInitiative((("mira", 19),)))
    model = window.content.docks.dock("order").model
    count = model.index(model.row_of("mira"), TurnOrderColumn.COUNT)
    assert count.data() == "19"


def test_before_the_start_the_stage_says_who_will_fight(keys, window):
    start = window.content.docks.dock("turn").empty
    assert start.isVisible()
    texts = [label.text() for label in start.findChildren(QLabel)]
    foes, party = (text for text in texts if "Raider" in text or "Mira" in text)
    assert foes.startswith("4 × Raider, Captain")
    assert "Mira" in party
    assert (start.button.text(), start.button.keys) == ("Start fight", "F9")
    assert start.difficulty.label.text().startswith("Medium")


def test_a_game_without_surprise_says_nothing_of_it(keys, window):
    lamp = next(path for path in sample_encounters() if path.stem == "last-light")
    assert window.content.file_controller.open(lamp, as_copy=True)
    window.document.execute(SetDice("roll"))
    keys.press(Qt.Key.Key_F9)
    order = window.content.docks.dock("order").view
    assert page(window).isVisible()
    assert not page(window).ambush.isVisible()
    assert order.isColumnHidden(TurnOrderColumn.SNEAKING)
    assert order.isColumnHidden(TurnOrderColumn.SURPRISED)
    assert not window.content.window_actions.action("sudden-action").isEnabled()
    keys.press(ENTER)
    assert clock(window).phase == "rounds"
