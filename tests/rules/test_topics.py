"""The topics of rule citations: those of actions, spells, conditions and entries, and those of the engines."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.play.map_table import Field
from tests.syntax import modules_with, nodes
from tests.table import Table, a5e, dnd5e, environment
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.action_effects import ACTION_EFFECTS
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.session import Session
from turnwright.rules.parts.environment.entries import entry_rule
from turnwright.rules.system import ExplainedNumber, RuleSystem
from turnwright.rules.system_data.known_ids import known_ids
from turnwright.rules.system_data.numbers import ActionOption, Spell
from turnwright.rules.system_data.references import is_known


@pytest.mark.parametrize("kind", [ActionOption, Spell])
def test_an_action_or_a_spell_names_the_rule_of_each_topic(kind: type[ActionOption | Spell]) -> None:
    one = kind("one", "One", ledger=("a.first", "a.held"), ledgers=(("missing", "a.held"),))
    assert [one.rule(topic) for topic in ("", "missing", "held", "first")] == [
        "a.first",
        "a.held",
        "a.first",
        "a.first",
    ]
    assert kind("one", "One").rule("missing") == ""


def test_a_row_cites_a_rule_of_its_own_alone() -> None:
    row = next(one for one in environment("fiery").features if one.id == "burning-surface")
    assert entry_rule(row, "a5e.env.rule.first-touch") == "a5e.env.rule.first-touch"
    assert entry_rule(row, "a5e.env.rule.frost-exempt") == entry_rule(row) == row.rules[0]


@pytest.mark.parametrize("rules", [a5e(), dnd5e()], ids=lambda one: one.id)
def test_the_topics_of_actions_and_spells_lead_to_rules_that_these_list(rules: RuleSystem) -> None:
    listed = [*rules.data.actions, *rules.data.spells]
    assert any(one.ledgers for one in listed)
    for one in listed:
        assert {rule for _, rule in one.ledgers} <= {*one.ledger}, one.id


@pytest.mark.parametrize(("action", "targets"), [("dodge", ()), ("press-the-attack", ("orc",))])
def test_the_veto_on_the_surprised_cites_the_part_of_the_rule(action: str, targets: tuple[str, ...]) -> None:
    table = Table("ann", "orc", foes=("orc",))
    table.start(ann=20, orc=10)
    table.does(ApplyCondition(("ann",), "surprised"))
    assert table.refuses(TakeAction("ann", action, targets=targets)).rule == "a5e.surprise.no-action"
    assert table.refuses(MoveFeet("ann", 5)).rule == "a5e.surprise.no-move"


def test_what_forbids_a_move_goes_by_the_allowance_of_the_game() -> None:
    """A game in which all move 10 ft, whatever their speed."""
    table = Field("ann", "orc", foes=("orc",), field=None)
    table.session = Session(table.encounter, _with_allowance(table.rules, 10))
    assert table.refuses(MoveFeet("ann", 15)).key == "refused.too_far"
    table.session = Session(table.encounter, _with_allowance(table.rules, 40))
    table.does(MoveFeet("ann", 35))


def _with_allowance(rules: RuleSystem, feet: int) -> RuleSystem:
    return replace(rules, allowance=lambda *_: ExplainedNumber(feet, ()))


def test_the_table_of_topics_holds_those_that_the_parts_ask_for() -> None:
    asked, spoken = set[str](), set[str]()
    topics = known_ids(a5e().data)["topic"]
    for _, tree in modules_with(("rule_id", *(f'"{topic}"' for topic in topics))):
        spoken |= {one.value for one in nodes(tree) if isinstance(one, ast.Constant) and isinstance(one.value, str)}
        for call in (one for one in nodes(tree) if isinstance(one, ast.Call) and one.args):
            if isinstance(call.func, ast.Attribute) and call.func.attr == "rule_id":
                asked |= {*topics_in(call.args[0])}
    assert sorted(asked - topics) == []
    assert sorted(topics - asked - spoken) == []
    assert is_known("move.swim-cost", topics)
    assert not any(is_known(one, topics) for one in ("move.swim.cost", "hp.damagd"))


def topics_in(argument: ast.expr) -> Iterator[str]:
    """Yield the topics that an argument may stand for, with `*` for an f-string's values; none for a variable."""
    if isinstance(argument, ast.IfExp):
        yield from (*topics_in(argument.body), *topics_in(argument.orelse))
    elif isinstance(argument, ast.Constant):
        yield str(argument.value)
    elif isinstance(argument, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in argument.values)


def test_the_effects_that_an_action_may_name_are_those_there_are() -> None:
    assert known_ids(a5e().data)["effect of an action"] == set(ACTION_EFFECTS)
