"""The line of a check or save: for those selected or whoever acts."""

import pytest
from PySide6.QtCore import Qt

from tests.ui.docks.running_fight import settle
from turnwright.play.queries.queries import open_prompts
from turnwright.play.state.events import DamageTaken, Rolled
from turnwright.play.table.game_master import SetDice
from turnwright.ui.docks.turn.dock import TurnDock


@pytest.fixture
def dock(show, fight):
    settle(fight)
    return show(TurnDock)


def typed(dock, qtbot, text):
    dock.open_checks()
    qtbot.keyClicks(dock.checks.line, text)


def asked(document):
    return [(ask.who, ask.detail, ask.dc) for prompt in open_prompts(document.encounter) for ask in prompt.asks]


def test_whoever_acts_makes_a_check_where_nobody_is_selected(fight, dock, qtbot):
    typed(dock, qtbot, "dex 15 adv")
    assert (dock.checks.caption.text(), dock.damage.isVisible()) == ("Mira", False)
    assert dock.checks.chips.texts == ["Dexterity check", "DC 15", "with advantage"]
    qtbot.keyClick(dock.checks.line, Qt.Key.Key_Return)
    assert asked(fight) == [("mira", "<check.dex>", 15)]
    assert (dock.damage.isVisible(), dock.prompts.has_focus()) == (True, True)


def test_several_save_and_nothing_else_happens(fight, dock, qtbot):
    fight.execute(SetDice("roll"))
    fight.select_combatants(("raiders-1", "raiders-2"))
    typed(dock, qtbot, "wis 14")
    assert (dock.checks.caption.text(), dock.checks.line.text()) == ("2 selected", "save wis 14")
    before = fight.source.session.history.depth
    qtbot.keyClick(dock.checks.line, Qt.Key.Key_Return)
    history = fight.source.session.history
    assert history.depth == before + 1
    assert [(one.who, one.detail, one.dc) for one in history.last.events if isinstance(one, Rolled)] == [
        ("raiders-1", "<save.wis>", 14),
        ("raiders-2", "<save.wis>", 14),
    ]
    assert len(history.last.lines) == 2
    assert not [one for one in history.last.events if isinstance(one, DamageTaken)]
    told = [one.passed for one in history.last.events if isinstance(one, Rolled)]
    kind = "fails" if False in told else "saves"
    assert dock.results.result.kind == kind


def test_checks_of_several_are_told_as_checks(fight, dock, qtbot):
    fight.execute(SetDice("roll"))
    fight.select_combatants(("raiders-1", "raiders-2"))
    typed(dock, qtbot, "perception 10")
    qtbot.keyClick(dock.checks.line, Qt.Key.Key_Return)
    last = fight.source.session.history.last
    told = {one.passed for one in last.events if isinstance(one, Rolled)}
    assert dock.results.result.kind == ("fails" if False in told else "succeeds")
    assert len(last.lines) == 2


def test_a_word_that_is_not_understood_is_named_and_escape_keeps_the_text(fight, dock, qtbot):
    typed(dock, qtbot, "dxe 15")
    qtbot.keyClick(dock.checks.line, Qt.Key.Key_Return)
    assert "dxe" in dock.checks.error()
    assert asked(fight) == []
    qtbot.keyClick(dock.checks.line, Qt.Key.Key_Escape)
    assert (dock.checks.isVisible(), dock.checks.line.text()) == (False, "dxe 15")


def test_up_brings_back_what_was_called_for_before(fight, dock, qtbot):
    fight.execute(SetDice("roll"))
    typed(dock, qtbot, "dex 15")
    qtbot.keyClick(dock.checks.line, Qt.Key.Key_Return)
    dock.open_checks()
    qtbot.keyClick(dock.checks.line, Qt.Key.Key_Up)
    assert dock.checks.line.text() == "dex 15"
