"""Saving throws that the game master calls for: each rolls, with a line each, and nothing else follows."""

from __future__ import annotations

import pytest

from tests.table import Table
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.play.asking.answer import Answer
from turnwright.play.asking.checks import CallForSaves
from turnwright.play.kernel.transaction import Refused
from turnwright.play.state.events import Rolled, Skipped
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.surprise import CallForChecks


@pytest.fixture
def table() -> Table:
    table = Table("ann", "bo")
    table.start(ann=10, bo=5)
    table.does(SetDice("ask"))
    return table


def test_each_rolls_and_is_held_against_the_dc(table: Table) -> None:
    table.does(CallForSaves(("ann", "bo", "ann"), "dex", 12))
    prompt = table.prompt
    assert [(ask.who, ask.label, ask.dc) for ask in prompt.asks] == [("ann", "ask.save", 12), ("bo", "ask.save", 12)]
    replies = (Reply("ann", typed="15"), Reply("bo", typed="5"))
    table.does(Answer(prompt.id, replies, prompt.revision))
    assert [(one.who, one.detail, one.passed) for one in table.happened(Rolled)] == [
        ("ann", "<save.dex>", True),
        ("bo", "<save.dex>", False),
    ]
    assert table.session.history.last is not None
    assert len(table.session.history.last.lines) == 2


def test_a_save_without_a_dc_is_a_total_and_a_skipped_one_is_said(table: Table) -> None:
    table.does(CallForSaves(("ann", "bo"), "wis"))
    prompt = table.prompt
    table.does(Answer(prompt.id, (Reply("ann", typed="9"), Reply("bo", skip=True)), prompt.revision))
    assert [(one.who, one.passed) for one in table.happened(Rolled)] == [("ann", None)]
    assert [one.who for one in table.happened(Skipped)] == ["bo"]


def test_all_may_have_advantage_or_disadvantage(table: Table) -> None:
    table.does(CallForSaves(("ann",), "dex", 12, "advantage"))
    assert [edge.kind for edge in table.prompt.asks[0].spec.edges] == ["advantage"]
    table.does(CallForChecks(("bo",), "dex:stealth", dc=12, edge="disadvantage"))
    asked = [ask for prompt in table.prompts for ask in prompt.asks if ask.label == "ask.check"]
    assert [edge.kind for edge in asked[0].spec.edges] == ["disadvantage"]


def test_nobody_saves_where_nobody_is_named(table: Table) -> None:
    with pytest.raises(Refused):
        table.session.do(CallForSaves((), "dex"))
