"""Tumbling through a foe's space: what it costs, the save, who needs none, and what it allows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.play.attack_table import AXE, STRONG, Fray
from tests.table import Table, creature
from turnwright.encounter.running import Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.contest import CheckWaived
from turnwright.play.movement.commanded_move import MovePath
from turnwright.play.queries import queries
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.events import Rolled

RESIST = "resist"


def pair(a: dict[str, Any] | None = None, **t: Any) -> Table:
    """A and foe T with maneuver DC 13; A's turn."""
    table = Table(creature("a", **(a or {})), creature("t", **({"maneuver_dc": 13} | t)), foes=("t",))
    table.start(a=20, t=10)
    return table


def tumbles(table: Table, *faces: int, choice: str = RESIST, cost: str = "action") -> None:
    """Tumble with these faces."""
    table.dice(*faces)
    table.does(TakeAction("a", "tumble", targets=("t",), cost=cost, choice=choice))


def may_pass(table: Table) -> bool:
    """Whether A may pass through T's space."""
    return any((one.target, one.name, one.by) == ("a", "tumbling", "t") for one in table.encounter.all(Effect))


def left(table: Table) -> dict[str, int]:
    """How much of each resource A has."""
    return {one.resource.id: one.left for one in queries.resources_of(table.encounter, table.rules, "a")}


@pytest.mark.rule("a5e.action.tumble.cost")
def test_tumbling_costs_an_action_or_a_bonus_action() -> None:
    table = pair()
    table.does(TakeAction("a", "tumble", targets=("t",), choice=RESIST))
    (asked,) = table.prompt.asks
    assert [option.id for option in asked.options] == ["action", "bonus"]
    table.dice(20)
    table.answers(cost="bonus")
    assert left(table) == {"action": 1, "bonus": 0, "reaction": 1}
    spent = pair()
    spent.does(SpendResource("a", "action"))
    tumbles(spent, 20, cost="")
    assert (spent.prompts, left(spent)) == ([], {"action": 0, "bonus": 0, "reaction": 1})
    refused = spent.refuses(TakeAction("a", "tumble", targets=("t",)))
    assert refused.key == "refused.none_left"
    offers = {one.action.id: one for one in queries.actions_for(spent.encounter, spent.rules, "a")}
    assert offers["tumble"].refused == "refused.none_left"
    friendly = Table("a", "b")
    friendly.start(a=20, b=10)
    refused = friendly.refuses(TakeAction("a", "tumble", targets=("b",), cost="action"))
    assert (refused.key, refused.rule) == ("refused.not_hostile", "a5e.action.tumble.cost")


@pytest.mark.rule("a5e.action.tumble.save")
@pytest.mark.parametrize(("face", "passed"), [(11, True), (10, False)])
def test_the_save_is_held_against_the_maneuver_dc(face: int, passed: bool) -> None:
    table = pair({"saves": (("dex", 2),)})
    tumbles(table, face)
    (rolled,) = table.happened(Rolled)
    assert (rolled.detail, rolled.dc, rolled.passed, rolled.rule) == (
        "<save.dex>",
        13,
        passed,
        "a5e.action.tumble.save",
    )
    assert may_pass(table) is passed
    assert left(table)["action"] == 0


@pytest.mark.rule("a5e.external.combat-maneuver-dc")
def test_a_maneuver_dc_that_nobody_gave_is_asked() -> None:
    table = pair(maneuver_dc=0)
    tumbles(table, 13)
    (asked,) = table.prompt.asks
    assert (asked.kind, asked.who, asked.rule) == ("number", "t", "a5e.external.combat-maneuver-dc")
    table.answers(figure__t=13)
    assert may_pass(table)
    assert table.happened(Rolled)[-1].dc == 13
    table.ends_turn(2)
    tumbles(table, 12)
    assert (table.prompts, may_pass(table)) == ([], False)


@pytest.mark.rule("a5e.action.tumble.once")
def test_the_way_is_open_once_this_turn() -> None:
    table = Fray(creature("a", speeds=(("walk", 60),)), creature("t", maneuver_dc=13), foes=("t",))
    table.puts(a=(1, 1), t=(2, 1))
    refused = table.refuses(MovePath("a", ((2, 1), (3, 1))))
    assert refused.rule
    tumbles(table, 20)
    twice = table.refuses(MovePath("a", ((2, 1), (3, 1), (2, 1), (1, 1))))
    assert (twice.key, twice.rule) == ("refused.passed_already", "a5e.action.tumble.once")
    table.does(MovePath("a", ((2, 1), (3, 1))))
    while table.prompts:
        table.skips()
    assert table.one("a").position == (3, 1)
    assert table.refuses(MovePath("a", ((2, 1), (1, 1)))).rule
    table.ends_turn()
    assert not may_pass(table)
    assert "a5e.action.tumble.once" in table.rules.conditions["tumbling"].ledger


@pytest.mark.rule("a5e.action.tumble.proficiency-die")
@pytest.mark.parametrize(("skills", "dice"), [((("acrobatics", 4),), ["1d4"]), ((), [])])
def test_acrobatics_lends_a_die(skills: tuple[tuple[str, int], ...], dice: list[str]) -> None:
    table = pair({"skills": skills})
    tumbles(table, 9, 3) if dice else tumbles(table, 9)
    roll = table.happened(Rolled)[-1].roll
    assert [f"1d{die.sides}" for die in roll.dice[1:]] == dice
    assert roll.total == (12 if dice else 9)


@pytest.mark.rule("a5e.action.tumble.specialty-die")
def test_the_specialty_makes_it_one_d6() -> None:
    table = pair({"skills": (("acrobatics", 4),), "specialties": ("tumbling",), "saves": (("dex", 2),)})
    tumbles(table, 9, 5)
    roll = table.happened(Rolled)[-1].roll
    assert ([die.sides for die in roll.dice], roll.total) == ([20, 6], 16)
    unskilled = pair({"specialties": ("tumbling",)})
    tumbles(unskilled, 9)
    assert len(unskilled.happened(Rolled)[-1].roll.dice) == 1


@pytest.mark.rule("a5e.action.tumble.let-pass")
def test_the_foe_may_let_the_tumbler_through() -> None:
    table = pair()
    table.does(TakeAction("a", "tumble", targets=("t",), cost="bonus"))
    (asked,) = table.prompt.asks
    assert ([option.id for option in asked.options], asked.who) == (["resist", "let"], "t")
    assert (asked.suggested, asked.rule) == (("resist",), "a5e.action.tumble.let-pass")
    table.answers(let__t="let")
    assert (may_pass(table), table.happened(Rolled)) == (True, [])
    (spared,) = table.happened(CheckWaived)
    assert (spared.by, spared.rule) == ("t", "a5e.action.tumble.let-pass")


@pytest.mark.rule("a5e.action.tumble.smaller")
def test_the_smaller_have_advantage() -> None:
    table = pair({"size": "small"})
    tumbles(table, 4, 15)
    (edge,) = table.happened(Rolled)[-1].roll.edges
    assert (table.happened(Rolled)[-1].roll.natural, edge.rule) == (15, "a5e.action.tumble.smaller")


@pytest.mark.rule("a5e.action.tumble.larger")
def test_the_larger_have_disadvantage() -> None:
    table = pair({"size": "large"})
    tumbles(table, 4, 15)
    (edge,) = table.happened(Rolled)[-1].roll.edges
    assert (table.happened(Rolled)[-1].roll.natural, edge.rule) == (4, "a5e.action.tumble.larger")
    same = pair()
    tumbles(same, 4)
    assert same.happened(Rolled)[-1].roll.edges == ()


@pytest.mark.rule("a5e.action.tumble.two-sizes")
@pytest.mark.parametrize("size", ["huge", "gargantuan"])
def test_those_two_sizes_larger_need_no_save(size: str) -> None:
    table = pair({"size": size})
    table.does(TakeAction("a", "tumble", targets=("t",), cost="action"))
    assert (table.prompts, table.happened(Rolled), may_pass(table)) == ([], [], True)
    (spared,) = table.happened(CheckWaived)
    assert spared.rule == "a5e.action.tumble.two-sizes"


@pytest.mark.rule("a5e.action.tumble.opportunity")
def test_a_tumbler_who_leaves_a_reach_gives_the_chance_of_a_blow() -> None:
    foe = creature("t", maneuver_dc=13, features=(AXE,), abilities=STRONG)
    table = Fray(creature("a", abilities=(("dex", 14),)), foe, foes=("t",)).puts(a=(1, 1), t=(2, 1))
    tumbles(table, 20)
    table.does(MovePath("a", ((2, 1), (3, 1), (4, 1))))
    (asked,) = table.prompt.asks
    assert (asked.who, table.one("a").position) == ("t", (3, 1))
    assert "a5e.action.tumble.opportunity" in table.rules.conditions["tumbling"].ledger
    table.skips()
    assert table.one("a").position == (4, 1)
    turned = Fray(creature("a"), foe, foes=("t",)).puts(a=(1, 1), t=(2, 1))
    tumbles(turned, 20)
    turned.does(MovePath("a", ((0, 1),)))  # not through it after all
    assert (may_pass(turned), [one.who for one in turned.prompt.asks]) == (True, ["t"])
