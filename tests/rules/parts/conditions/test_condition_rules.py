"""Effects of conditions, by their data: edges on rolls, speeds, denials, implications and immunities."""

from __future__ import annotations

import pytest

from tests.for_each import for_each
from tests.play.environment_table import Place
from tests.table import Table, a5e, creature
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.running import Duration
from turnwright.play.actions.action import TakeAction
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.environment.environment_effect import UseEntry
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.queries import queries
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.events import EffectGained, Unaffected
from turnwright.rules.parts.checks.ability_checks import check_roll, save_roll
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.parts.conditions.condition_rules import condition_rule_id, on_rolls
from turnwright.rules.parts.conditions.predicates import is_true_of
from turnwright.rules.system import HookContext
from turnwright.rules.system_data.dying import Condition


def under(*conditions: str, **fields: object) -> Table:
    """Return a table at which Ada, whose turn it is, has some conditions."""
    table = Table(creature("ada", **fields), "brand")
    table.start(ada=12, brand=5)
    for condition in conditions:
        table.does(ApplyCondition(("ada",), condition))
    return table


def edges(table: Table, kind: str, what: str) -> list[str]:
    """Return the edges on Ada's check or save."""
    roll = {"check": check_roll, "save": save_roll}[kind](table.encounter, table.rules, "ada", what)
    return [edge.kind for edge in roll.edges]


def feet(table: Table, mode: str = "walk") -> int:
    """Return how far Ada may move."""
    figure = queries.speed(table.encounter, table.rules, "ada", mode)
    assert figure is not None
    return figure.total


def test_poison_hinders_checks_but_no_saves() -> None:
    table = under("poisoned")
    assert edges(table, "check", "dex:stealth") == ["disadvantage"]
    assert edges(table, "save", "dex") == []
    said = on_rolls(table.encounter, table.rules, HookContext("ada", "attack"))
    assert [(edge.kind, edge.reason) for edge in said.edges] == [("disadvantage", "<condition.poisoned>")]


def test_being_restrained_hinders_dexterity_saves_alone() -> None:
    table = under("restrained")
    assert edges(table, "save", "dex") == ["disadvantage"]
    assert edges(table, "save", "str") == []
    assert edges(table, "check", "dex") == []


@pytest.mark.parametrize("condition", ["restrained", "grappled", "surprised", "unconscious"])
def test_the_held_have_no_speed_even_dashing(condition: str) -> None:
    table = under("dashing", condition, speeds=(("walk", 30), ("swim", 40)))
    assert (feet(table), feet(table, "swim")) == (0, 0)
    assert table.refuses(MoveFeet("ada", 5)).key == "refused.too_far"


def test_dash_doubles_speed_after_everything_else_until_the_turn_is_over() -> None:
    table = under()
    table.does(TakeAction("ada", "dash"))
    assert feet(table) == 60
    table.ends_turn()
    assert feet(table) == 30


@for_each("condition", ["incapacitated", "unconscious", "surprised"])
@for_each("resource", ["action", "bonus", "reaction"])
def test_what_a_condition_denies_is_refused_by_its_rule(condition: str, resource: str) -> None:
    table = under(condition)
    refused = table.refuses(SpendResource("ada", resource))
    assert (refused.key, refused.rule.startswith("a5e.")) == ("refused.condition", True)
    table.does(SpendResource("ada", resource), anyway=True)


def test_unconscious_implies_incapacitated_and_ends_with_it() -> None:
    table = under("unconscious")
    assert condition_names(table.encounter, table.rules, "ada") == {"unconscious", "incapacitated", "prone"}
    effect = next(one for one in queries.effects_of(table.encounter, "ada") if one.name == "unconscious")
    table.does(EndEffect(effect.id))
    assert condition_names(table.encounter, table.rules, "ada") == {"prone"}


@pytest.mark.rule("a5e.immunity.conditions")
def test_who_is_immune_to_poison_does_not_get_sick_from_swamp_gas() -> None:
    mire = Place("swampy", creature("ada", condition_immunities=("poisoned",)), "brand")
    mire.uses("swamp-gas", 6, 6, targets=("ada", "brand"))
    assert (mire.effects("ada"), mire.effects("brand")) == (set(), {"poisoned"})
    (event,) = mire.happened(Unaffected)
    assert (event.who, event.reason, event.rule) == ("ada", "why.condition_immune", "a5e.immunity.conditions")


@pytest.mark.rule("a5e.immunity.conditions")
def test_nor_by_anybodys_word_until_the_immunity_ends() -> None:
    table = under("immune:poisoned")
    table.does(ApplyCondition(("ada", "brand"), "poisoned"))
    assert (table.effects("ada"), table.effects("brand")) == ({"immune:poisoned"}, {"poisoned"})


def test_a_condition_comes_once_and_the_later_one_counts() -> None:
    table = under()
    table.does(ApplyCondition(("ada",), "grappled", value=12, source="Toad"))
    table.does(ApplyCondition(("ada",), "grappled", value=15, source="Crab"))
    (effect,) = queries.effects_of(table.encounter, "ada")
    assert (effect.value, effect.source) == (15, "Crab")
    assert len(table.happened(EffectGained)) == 2


@pytest.mark.parametrize(
    ("ends", "turns"),
    [
        (Duration("turn-end", "ada"), 1),
        (Duration("turn-start", "ada"), 2),
        (Duration("turn-end", "ada", skip=1), 3),
        (Duration("turn"), 1),
    ],
)
def test_effects_end_at_their_moment(ends: Duration, turns: int) -> None:
    table = under()
    table.does(ApplyCondition(("ada",), "prone", ends=ends))
    lasted = 0
    while table.effects("ada"):
        lasted += 1
        table.ends_turn()
    assert lasted == turns


def test_the_rule_cited_is_that_of_the_data_rule_or_else_the_first() -> None:
    surprised = a5e().conditions["surprised"]
    found = {rule.what: condition_rule_id(surprised, rule) for rule in surprised.rules}
    assert found == {
        "speed": "a5e.surprise.no-move",
        "action": "a5e.surprise.no-action",
        "bonus": "a5e.surprise.no-action",
        "reaction": "a5e.surprise.no-reaction",
    }
    several = Condition("dazed", "Dazed", ledger=("a.dazed", "a.no-action"))
    assert condition_rule_id(several, DataRule("deny", "action")) == "a.dazed"
    assert condition_rule_id(Condition("bare", "Bare", rules=(DataRule("modifier", "speed"),))) == ""


# Statements ----------------------------------------------------------------------------------------------------


@for_each(
    ("statement", "true"),
    [
        ("resistant:cold", True),
        ("resistant:fire", False),
        ("vulnerable:fire", True),
        ("immune:poison", True),
        ("immune:prone", True),
        ("skin-covered", True),
        ("cold-weather-gear", False),
        ("incapacitated", True),
        ("not prone", True),
        ("not unconscious", False),
        ("not shield", True),
        ("attacker.within:5", False),
        ("not attacker.within:five", False),
    ],
)
def test_statements_about_a_combatant(statement: str, true: bool) -> None:
    fields = {
        "resistances": ("cold",),
        "vulnerabilities": ("fire",),
        "immunities": ("poison",),
        "condition_immunities": ("prone",),
        "gear": ("skin-covered",),
    }
    table = under("unconscious", **fields)
    assert is_true_of(table.encounter, table.rules, "ada", statement) is true


def test_nothing_is_true_of_an_unknown_id() -> None:
    table = under()
    assert not is_true_of(table.encounter, table.rules, "nobody", "prone")
    assert not is_true_of(table.encounter, table.rules, "nobody", "resistant:cold")
    assert table.refuses(UseEntry("frigid", "cold-chill")).key == "refused.unknown"
