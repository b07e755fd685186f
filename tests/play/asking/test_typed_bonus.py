"""A bonus for one roll, typed in place of its result."""

from __future__ import annotations

import pytest

from tests.table import Table
from turnwright.dice.expression import Roll
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.play.asking.answer import Answer
from turnwright.play.state.events import Rolled
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.surprise import CallForChecks


def asked() -> Table:
    """Ann is asked for a check, the dice at hand."""
    table = Table("ann")
    table.start(ann=10)
    table.does(SetDice("ask"))
    table.does(CallForChecks(("ann",), "dex", dc=14))
    return table


def typed(table: Table, text: str) -> Roll:
    prompt = table.prompt
    table.does(Answer(prompt.id, (Reply("ann", typed=text),), prompt.revision))
    return table.happened(Rolled)[-1].roll


def test_a_number_is_added_to_what_the_machine_rolls_and_says_why() -> None:
    rolled = typed(asked(), "+2")
    assert rolled.natural is not None
    assert rolled.total == rolled.natural + 2
    assert (rolled.modifiers[-1].value, rolled.modifiers[-1].reason) == (2, "why.narrator")


def test_dice_are_rolled_with_it() -> None:
    rolled = typed(asked(), "+ 1d4")
    assert [die.sides for die in rolled.dice] == [20, 4]
    assert rolled.total == sum(die.face for die in rolled.dice)


@pytest.mark.parametrize(("text", "total"), [("17", 17), ("-1", -1)])
def test_a_total_stays_a_total(text: str, total: int) -> None:
    assert typed(asked(), text).total == total


def test_what_is_no_bonus_is_refused() -> None:
    table = asked()
    prompt = table.prompt
    refused = table.refuses(Answer(prompt.id, (Reply("ann", typed="+luck"),), prompt.revision))
    assert refused.key == "refused.dice_expression"
