"""Dice rolled for nothing in particular."""

from __future__ import annotations

from tests.table import Table
from turnwright.play.table.game_master import DiceRolled, RollDice


def test_dice_are_rolled_and_told_and_nothing_else_happens() -> None:
    table = Table("ada")
    table.start(ada=10)
    table.dice(13)
    before = table.one("ada")
    table.does(RollDice("1d20+5", "Ada: Longsword"))
    (rolled,) = table.happened(DiceRolled)
    assert (rolled.roll.total, rolled.purpose, table.one("ada")) == (18, "Ada: Longsword", before)
    line = [*table.session.journal()][-1]
    assert (line.phrase.key, dict(line.phrase.params)["total"]) == ("journal.dice_rolled_for", "18")


def test_dice_given_beforehand_and_used_up_are_refused() -> None:
    table = Table("ada")
    assert table.refuses(RollDice("1d20")).key == "refused.no_faces"
    assert table.refuses(RollDice("1d")).key == "refused.dice_expression"
