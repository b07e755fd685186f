"""The Run menu's controller in the real window: what a click on a roll of a stat block does."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.ui.docks.running_fight import settle
from tests.ui.shell.test_window import fight, seen
from turnwright.encounter.prepared import RosterEntry
from turnwright.encounter.running import Combatant
from turnwright.play.queries.queries import active_combatants
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.table.game_master import DiceRolled
from turnwright.ui.widgets.text import PushButton

ARRANGEMENT = "run"


def block_of(window, qtbot):
    """The stat block in the run arrangement, and the active turn."""
    fight(window)
    window.content.services.layout.arrange("run")
    qtbot.waitUntil(lambda: "stat-block" in seen(window))
    docks = window.content.docks
    docks.dock("turn").damage.amount.clear()
    return docks.dock("stat-block"), docks.dock("turn")


def click(block, piece):
    block.view.rollClicked.emit(piece.roll, piece.label, piece.about)


def test_a_check_in_a_stat_block_is_rolled(window, qtbot):
    block, turn = block_of(window, qtbot)
    window.document.select(("combatants", "captain"))
    click(block, next(piece for piece in block.view.rolls() if piece.roll.startswith("1d20")))
    step = window.document.source.session.history.last
    assert [type(event) for event in step.events] == [DiceRolled]
    assert step.events[0].purpose == "Captain: Strength"
    assert turn.damage.amount.text() == ""


def test_damage_without_a_target_goes_into_the_box(window, qtbot):
    block, turn = block_of(window, qtbot)
    window.document.select_combatants(())
    piece = next(piece for piece in block.view.rolls() if piece.about.startswith("feature") and "d20" not in piece.roll)
    click(block, piece)
    assert turn.damage.amount.text() == piece.roll
    assert turn.damage.amount.line.hasFocus()


def test_damage_with_one_target_is_rolled_and_applied_by_enter(window, qtbot):
    block, turn = block_of(window, qtbot)
    piece = next(piece for piece in block.view.rolls() if piece.about.startswith("feature") and "d20" not in piece.roll)
    window.document.select_combatants(("tam",))
    before = window.document.encounter.need(Combatant, "tam").hp
    click(block, piece)
    total = window.document.source.session.history.last.events[0].roll.total
    assert window.document.encounter.need(Combatant, "tam").hp == before
    assert (turn.results.result.kind, turn.results.result.outcome) == ("rolled", str(total))
    assert (turn.results.offer_button.text(), turn.results.offer_button.isVisible()) == ("Apply to Tam", True)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    settle(window.document)
    assert window.document.encounter.need(Combatant, "tam").hp == before - total
    assert not turn.results.offer_button.isVisible()
    assert window.content.docks.dock("order").view.hasFocus()


def test_the_to_hit_of_who_acts_opens_its_attack_card(window, qtbot):
    block, turn = block_of(window, qtbot)
    window.document.select_combatants(())
    who = active_combatants(window.document.encounter)[0].id
    piece = next(one for one in block.view.rolls() if one.about.startswith("feature") and one.roll.startswith("1d20"))
    click(block, piece)
    assert turn.form_host.attack_card.isVisible()
    assert turn.form_host.attack_card.who == who
    turn.form_host.close_card()
    window.document.select_combatants(("captain",))
    piece = next(one for one in block.view.rolls() if one.about.startswith("feature") and one.roll.startswith("1d20"))
    click(block, piece)
    assert not turn.form_host.is_open
    assert isinstance(window.document.source.session.history.last.events[0], DiceRolled)


def test_edits_since_the_fight_began_are_listed_and_taken_over(window):
    document, layout = window.document, window.content.services.layout
    fight(window)
    layout.arrange("prepare")
    layout.arrange("run")
    assert "preparation" not in window.messages().text()
    layout.arrange("prepare")
    entry = document.encounter.need(RosterEntry, "mira")
    document.execute(Edit(msgspec.structs.replace(entry, ac=21)))
    layout.arrange("run")
    assert window.messages().text() == "Changed in preparation since the fight began: Mira (AC)."
    next(each for each in window.messages().findChildren(PushButton) if each.text() == "Apply to the fight").click()
    assert document.encounter.need(Combatant, "mira").ac == 21
    layout.arrange("prepare")
    layout.arrange("run")
    assert not window.messages().text()
