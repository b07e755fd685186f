"""A5E's conditions that its sources only name: what each does to rolls, speeds and actions."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.for_each import for_each
from tests.play.attack_table import Fray, edges, total
from tests.table import a5e, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Feature, Map
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.running import Effect
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.queries import queries
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.position_changes import SetRelation
from turnwright.rules.parts.attacks.attack_rolls import attack_roll, unknown_facts
from turnwright.rules.parts.checks.ability_checks import armor_class, save_roll
from turnwright.rules.parts.conditions.condition_rules import on_actions, on_rolls
from turnwright.rules.system import HookContext, RollGrant, RuleSystem

CLUB = Feature("club", "Club", "action", attack=4, reach=5, damage="1d6+2 bludgeoning")
WALL = Map(columns=8, rows=8, walls=((3, 0, 3, 8),))
NAMED = (
    "frightened", "charmed", "paralyzed", "stunned", "confused", "slowed", "rattled", "deafened", "petrified",
    "encumbered",
)  # fmt: skip


def table(*, field: Map | None = None, rules: RuleSystem | None = None) -> Fray:
    people = [creature(id, features=(CLUB,), ac=12, hp=30) for id in ("ann", "orc", "tom")]
    return Fray(*people, foes=("orc", "tom"), field=field, rules=rules or a5e())


def feet(fray: Fray, who: str = "ann") -> int:
    allowance = fray.rules.allowance(fray.encounter, fray.rules, who, "walk")
    assert allowance is not None
    return allowance.total


def kinds(fray: Fray, target: str = "orc") -> list[str]:
    return [kind for kind, _rule in fray.edges("ann", target, "club")]


def denied(fray: Fray, what: str) -> list[str]:
    """The reasons why ann can't spend a resource."""
    return [one.reason for one in on_actions(fray.encounter, fray.rules, HookContext("ann", what)).vetoes]


def refused(fray: Fray, id: str) -> str:
    offers = {one.action.id: one for one in queries.actions_for(fray.encounter, fray.rules, "ann")}
    return offers[id].refused if id in offers else "no such action"


@pytest.mark.rule("a5e.external.other-sources")
@for_each("name", NAMED)
def test_each_named_condition_has_effects_as_a_suggestion(name: str) -> None:
    condition = a5e().conditions[name]
    assert condition.external
    assert condition.rules
    assert condition.ledger


@pytest.mark.parametrize("rules", [a5e, dnd5e])
def test_fear_hampers_while_its_source_is_in_sight(rules: Callable[[], RuleSystem]) -> None:
    fray = table(field=WALL, rules=rules())
    fray.puts(ann=(1, 1), orc=(2, 1), tom=(2, 2))
    fray.marks("ann", "frightened", by="orc")
    assert kinds(fray) == ["disadvantage"]
    assert edges(fray.trial("ann", "check.str"))[0][0] == "disadvantage"
    fray.puts(orc=(5, 1))
    assert kinds(fray, "tom") == []
    assert edges(fray.trial("ann", "check.str")) == []


def test_fear_without_a_known_source_hampers_all_the_same() -> None:
    fray = table()
    fray.marks("ann", "frightened")
    assert kinds(fray) == ["disadvantage"]
    facts = unknown_facts(fray.encounter, fray.rules, AttackInProgress("ann", CLUB, "orc"))
    assert not [fact for fact in facts if "source" in fact]


def test_a_person_s_word_that_the_source_is_out_of_sight_lifts_fear() -> None:
    fray = table()
    fray.marks("ann", "frightened", by="orc")
    fray.does(SetRelation("ann", "orc", seen=False))
    assert "disadvantage" not in kinds(fray, "tom")


@pytest.mark.parametrize("rules", [a5e, dnd5e])
def test_the_charmed_attack_anybody_but_the_charmer(rules: Callable[[], RuleSystem]) -> None:
    fray = table(rules=rules())
    fray.marks("ann", "charmed", by="orc")
    said = fray.refuses(Attack("ann", "orc", "club"))
    assert said.key == "refused.condition"
    assert fray.strikes("ann", "tom", "club", 15, 3) is not None


def test_the_charmed_strike_the_charmer_where_somebody_insists() -> None:
    fray = table()
    fray.marks("ann", "charmed", by="orc")
    fray.dice(15, 3)
    fray.does(Attack("ann", "orc", "club"), anyway=True)
    assert fray.lost("orc") == 5


@pytest.mark.parametrize("name", ["paralyzed", "stunned", "petrified"])
def test_the_helpless_neither_act_nor_move_nor_dodge(name: str) -> None:
    fray = table()
    fray.marks("ann", name)
    assert refused(fray, "attack") == "refused.condition"
    assert feet(fray) == 0
    rolls = [save_roll(fray.encounter, fray.rules, "ann", ability) for ability in ("str", "dex", "con")]
    assert [bool(one.fails) for one in rolls] == [True, True, False]


@pytest.mark.parametrize(("name", "critical"), [("paralyzed", True), ("stunned", False)])
def test_the_helpless_are_struck_with_advantage(name: str, critical: bool) -> None:
    fray = table(field=Map(columns=8, rows=8)).puts(ann=(1, 1), orc=(2, 1))
    fray.marks("orc", name)
    struck = attack_roll(fray.encounter, fray.rules, AttackInProgress("ann", CLUB, "orc"))
    assert [one.kind for one in struck.spec.edges] == ["advantage"]
    assert (struck.critical is not None) is critical


def test_stone_takes_half_of_any_blow() -> None:
    fray = table()
    fray.marks("orc", "petrified")
    fray.strikes("ann", "orc", "club", 15, 6)
    assert fray.lost("orc") == 4


@pytest.mark.parametrize("name", ["confused", "slowed", "rattled"])
def test_the_dazed_take_no_reactions(name: str) -> None:
    fray = table()
    assert denied(fray, "reaction") == []
    fray.marks("ann", name)
    assert denied(fray, "reaction") == ["refused.condition"]


def test_the_slowed_are_slow_and_easy_to_hit() -> None:
    fray = table()
    fray.marks("ann", "slowed")
    assert feet(fray) == 15
    assert armor_class(fray.encounter, fray.rules, "ann").total == 10
    assert total(save_roll(fray.encounter, fray.rules, "ann", "dex")) == -2


@pytest.mark.parametrize(("spent", "lost"), [("action", "bonus"), ("bonus", "action")])
def test_the_slowed_have_an_action_or_a_bonus_action(spent: str, lost: str) -> None:
    fray = table()
    fray.marks("ann", "slowed")
    assert [denied(fray, what) for what in (spent, lost)] == [[], []]
    fray.does(SpendResource("ann", spent))
    assert [denied(fray, what) for what in (spent, lost)] == [[], ["refused.condition"]]


def test_the_rattled_have_no_expertise_die() -> None:
    fray = table()
    skill = RollGrant("expertise", "skill", "a5e.external.expertise-die")
    assert [one.dice for one in fray.rules.expertise_dice([skill])] == ["1d4"]
    fray.marks("ann", "rattled")
    taken = on_rolls(fray.encounter, fray.rules, HookContext("ann", "check.str:athletics")).grants
    assert fray.rules.expertise_dice([skill, *taken]) == ()


def test_the_encumbered_creep_and_the_held_stay() -> None:
    fray = table()
    fray.marks("ann", "encumbered")
    assert feet(fray) == 5
    fray.has(Effect("held", "ann", "grappled", by="orc"))
    assert feet(fray) == 0


@pytest.mark.parametrize("name", ["deafened", "confused"])
def test_what_only_a_person_can_judge_stands_on_the_card(name: str) -> None:
    assert [rule.text for rule in a5e().conditions[name].rules if rule.kind == "note"]


@for_each(
    "name", ["broken", "friendly", "helpful", "hostile-attitude", "indifferent", "observed", "unfriendly", "unnoticed"]
)
def test_pathfinder_s_states_are_known_by_name(name: str) -> None:
    assert pf2e().conditions[name].external


def test_pathfinder_s_restrained_strike_nobody() -> None:
    fray = table(rules=pf2e())
    fray.marks("ann", "restrained", by="orc")
    assert fray.refuses(Attack("ann", "orc", "club")).key == "refused.condition"
