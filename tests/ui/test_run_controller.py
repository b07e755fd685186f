"""The Run menu's controller in the real window: what a click on a roll of a stat block does."""

from __future__ import annotations

from tests.ui.test_window import fight, seen
from turnwright.play.table.commands.roll_dice import DiceRolled


def test_a_d20_of_a_stat_block_is_rolled_and_damage_goes_into_the_box(window, qtbot):
    fight(window)
    window.content.arrange("run")
    qtbot.waitUntil(lambda: "stat-block" in seen(window))
    docks = window.content.docks
    block, turn = docks.dock("stat-block"), docks.dock("turn")
    turn.damage.amount.clear()
    window.bridge.select(("combatants", "captain"))
    attack = next(piece for piece in block.view.rolls() if piece.roll.startswith("1d20"))
    block.view.rollClicked.emit(attack.roll, attack.label)
    step = window.bridge.document.session.history.last
    assert [type(event) for event in step.events] == [DiceRolled]
    assert step.events[0].purpose == "Captain: Strength"
    assert turn.damage.amount.text() == ""
    damage = next(piece for piece in block.view.rolls() if not piece.roll.startswith("1d20"))
    block.view.rollClicked.emit(damage.roll, damage.label)
    assert turn.damage.amount.text() == damage.roll
