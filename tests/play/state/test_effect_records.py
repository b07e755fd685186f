"""Who caused a condition, what holds it, and like conditions from two sources."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from msgspec.structs import replace

from tests.for_each import for_each
from tests.play.map_table import SWORD, Field
from tests.play.test_shipped_creatures import everybody, shipped
from tests.systems.action_points.fights import Fight, person
from tests.table import a5e, action_points, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Feature, InflictedCondition
from turnwright.encounter.running import Duration, Effect
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.kernel.transaction import Command
from turnwright.play.movement.forced_movement import ForceMove
from turnwright.play.state.position_changes import SetRelation
from turnwright.play.turns.turns import RemoveCombatant
from turnwright.rules.parts.conditions.condition_rules import is_about_creator
from turnwright.rules.system import RuleSystem

HELD = (InflictedCondition("grappled", escape_dc=13), InflictedCondition("restrained", bound_to="grappled"))
BITE = Feature("bite", "Bite", "action", attack=4, reach=5, afflictions=HELD)
GRABS = {"a5e": "grappled", "dnd5e": "grappled", "pf2e": "grabbed", "action_points": "grappled"}
GAMES = [a5e, dnd5e, pf2e, action_points]
LETS_GO = {
    "dies": SetDead("toad"),
    "removed": RemoveCombatant("toad"),
    "unconscious": ApplyCondition(("toad",), "unconscious"),
    "teleported": ForceMove("toad", (12, 5), "teleport"),
    "pushed off": ForceMove("toad", (4, 5)),
    "taken away": ForceMove("ada", (3, 5), "teleport"),
}


def pond(game: Callable[[], RuleSystem], *, reach: int = 5) -> Field:
    """A toad that holds Ada beside it, with what its bite leaves."""
    rules = game()
    grab = rules.role("grappled")
    held = tuple(
        replace(one, condition=grab if one.condition == "grappled" else one.condition, bound_to=one.bound_to and grab)
        for one in HELD
        if one.condition != "restrained" or "restrained" in rules.conditions
    )
    in_points = game is action_points
    bite = replace(BITE, reach=2 if in_points else reach, afflictions=held)
    make, table_of = (person, Fight) if in_points else (creature, partial(Field, rules=rules))
    blocks = make("toad", features=(bite,), hp=40), make("ada", hp=40), make("ben")
    table = table_of(*blocks, foes=("toad",))
    table.puts(toad=(6, 5), ada=(7, 5) if reach == 5 else (8, 5), ben=(6, 8))
    for name in (one.condition for one in held):
        table.marks("ada", name, source="Bite", by="toad", value=13, bound_to="" if name == grab else grab)
    return table


def conditions(table: Field, who: str = "ada") -> list[str]:
    return sorted(one.name for one in table.encounter.of(Effect, who) if one.shown)


@for_each("game", GAMES)
@for_each("how", LETS_GO)
def test_a_hold_of_a_stat_block_ends_with_its_holder(game: Callable[[], RuleSystem], how: str) -> None:
    table = pond(game)
    assert table.rules.role("grappled") in conditions(table)
    table.does(LETS_GO[how], anyway=True)
    assert conditions(table) == []
    table.session.undo()
    assert table.rules.role("grappled") in conditions(table)


@pytest.mark.parametrize(
    ("game", "state"),
    [(a5e, "stunned"), (dnd5e, "stunned"), (dnd5e, "paralyzed"), (pf2e, "stunned"), (pf2e, "paralyzed")],
)
def test_who_can_not_act_holds_nobody(game: Callable[[], RuleSystem], state: str) -> None:
    table = pond(game)
    table.does(ApplyCondition(("toad",), state))
    assert conditions(table) == []


def test_a_hold_reaches_as_far_as_the_attack_that_took_it() -> None:
    table = pond(dnd5e, reach=15)
    table.does(ForceMove("ada", (9, 5)))
    assert conditions(table) == ["grappled", "restrained"]
    table.does(ForceMove("ada", (10, 5)))
    assert conditions(table) == []


def test_off_the_map_a_hold_ends_at_a_distance_out_of_reach() -> None:
    table = Field(creature("toad", features=(BITE,)), creature("ada", hp=40), foes=("toad",), field=None, rules=dnd5e())
    table.dice(18)
    table.does(Attack("toad", "ada", "bite"))
    assert [(one.name, one.by) for one in table.encounter.of(Effect, "ada")] == [
        ("grappled", "toad"), ("restrained", "toad"),
    ]  # fmt: skip
    table.does(SetRelation("toad", "ada", distance=30))
    assert conditions(table) == []


@pytest.mark.parametrize("moved", [True, False])
def test_in_pathfinder_a_hold_ends_when_its_holder_moves(moved: bool) -> None:
    table = pond(pf2e)
    table.does(ForceMove("toad", (7, 6)) if moved else ForceMove("ada", (7, 6)))
    assert bool(conditions(table)) is not moved


def test_a_web_thrown_from_afar_holds_by_itself() -> None:
    web = Feature("web", "Web", "action", attack=4, range="30/60", afflictions=(InflictedCondition("restrained"),))
    for rules in (dnd5e(), pf2e()):
        table = Field(creature("spider", features=(web,)), creature("ada", hp=40), foes=("spider",), rules=rules)
        table.puts(spider=(2, 2), ada=(6, 2))
        table.dice(18)
        table.does(Attack("spider", "ada", "web"))
        table.does(SetDead("spider"))
        assert conditions(table) == ["restrained"]


@pytest.mark.parametrize("game", [a5e, dnd5e])
def test_who_is_charmed_knows_the_charmer(game: Callable[[], RuleSystem]) -> None:
    charm = Feature("charm", "Charm", "action", save="wis", dc=15, afflictions=(InflictedCondition("charmed"),))
    table = Field(creature("fey", features=(charm,)), creature("ada", features=(SWORD,)), foes=("fey",), rules=game())
    table.puts(fey=(5, 5), ada=(6, 5))
    table.dice(1)
    table.does(UseFeature("fey", "charm", targets=("ada",)))
    table.ends_turn()
    table.refuses(Attack("ada", "fey", "sword"))


@pytest.mark.parametrize("game", [a5e, dnd5e])
def test_fear_is_of_who_is_in_sight(game: Callable[[], RuleSystem]) -> None:
    fear = Feature("fear", "Fear", "action", save="wis", dc=15, afflictions=(InflictedCondition("frightened"),))
    table = Field(creature("wyrm", features=(fear,)), creature("ada", features=(SWORD,)), "orc", foes=("wyrm", "orc"),
                  rules=game())  # fmt: skip
    table.puts(wyrm=(1, 1), ada=(6, 5), orc=(7, 5))
    table.dice(1)
    table.does(UseFeature("wyrm", "fear", targets=("ada",)))
    assert [one.kind for one in table.attack_roll("ada", "orc").edges] == ["disadvantage"]
    table.does(SetRelation("ada", "wyrm", seen=False))
    assert table.attack_roll("ada", "orc").edges == ()


def about_their_creators() -> list[tuple[str, str]]:
    """Shipped features that inflict a condition with rules about its creator."""
    conditions = dnd5e().conditions
    names = {name for name, one in conditions.items() if any(map(is_about_creator, one.rules))}
    return [
        (block.id, feature.id)
        for block in everybody()
        for feature in block.features
        if any(one.condition in names and not one.bound_to for one in feature.afflictions)
    ]


@for_each(("id", "feature"), about_their_creators())
def test_a_shipped_condition_with_rules_about_its_creator_has_one(id: str, feature: str) -> None:
    means = next(one for one in shipped(id).features if one.id == feature)
    means = replace(means, recharge=0, uses=0, cost="free", trigger="", when="", immune_after="", within=0, spends=())
    ada = creature("ada", hp=900, ac=1, size="tiny")
    table = Field(replace(shipped(id), features=(means,), pools=()), ada, foes=(id,), rules=dnd5e())
    table.puts(**{id: (8, 8), "ada": (7, 8)})
    table.dice(*([15] if means.attack is not None else []), *[1] * 30)
    other = next((one.name for one in means.other_damage if one.name == "grapples"), "")
    use: Command = (
        Attack(id, "ada", feature, other_damage=other)
        if means.attack is not None
        else UseFeature(id, feature, targets=("ada",))
    )
    table.does(use, anyway=True)
    left = [one for one in table.encounter.of(Effect, "ada") if one.source == means.name]
    assert left
    assert {one.by for one in left} == {id}


# Two like conditions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [a5e, dnd5e, pf2e])
def test_two_like_conditions_from_two_sources_end_by_themselves(game: Callable[[], RuleSystem]) -> None:
    table = Field("ada", "mage", "trap", rules=game())
    name = "restrained"
    table.does(ApplyCondition(("ada",), name, source="Web", by="mage"))
    table.does(ApplyCondition(("ada",), name, source="Mud", ends=Duration("turn-end", "ada")))
    assert [one.source for one in table.encounter.of(Effect, "ada")] == ["Web", "Mud"]
    table.ends_turn()
    assert [one.source for one in table.encounter.of(Effect, "ada")] == ["Web"]


@pytest.mark.parametrize("game", GAMES)
def test_like_conditions_that_end_alike_are_one(game: Callable[[], RuleSystem]) -> None:
    name = "prone" if "prone" in game().conditions else "unconscious"
    table = Field("ada", "ben", rules=game())
    table.does(ApplyCondition(("ada",), name, source="Shove", by="ben"))
    table.does(ApplyCondition(("ada",), name))
    assert len([one for one in table.encounter.of(Effect, "ada") if one.name == name]) == 1


def test_two_holders_hold_and_each_lets_go_of_its_own() -> None:
    table = pond(dnd5e)
    table.does(ApplyCondition(("ada",), "grappled", by="ben", value=11))
    table.puts(ben=(7, 6))
    assert conditions(table) == ["grappled", "grappled", "restrained"]
    table.does(SetDead("toad"))
    assert [(one.name, one.by) for one in table.encounter.of(Effect, "ada")] == [("grappled", "ben")]


def test_like_conditions_count_once_for_a_roll() -> None:
    table = Field(creature("ada", features=(SWORD,)), "orc", foes=("orc",), rules=dnd5e())
    table.puts(ada=(5, 5), orc=(6, 5))
    table.does(ApplyCondition(("ada",), "poisoned", source="Bite"))
    table.does(ApplyCondition(("ada",), "poisoned", source="Trap", ends=Duration("turn-end", "ada")))
    assert [one.kind for one in table.attack_roll("ada", "orc").edges] == ["disadvantage"]


def test_of_two_values_the_greater_counts_while_it_lasts() -> None:
    table = Field("ada", "orc", rules=pf2e())
    table.does(ApplyCondition(("ada",), "clumsy", 1, source="Poison"))
    table.does(ApplyCondition(("ada",), "clumsy", 3, source="Grease", ends=Duration("turn-end", "ada")))
    ac = table.armor_class("orc", "ada")
    table.ends_turn()
    assert table.armor_class("orc", "ada") == ac + 2
    table.does(ApplyCondition(("ada",), "clumsy", 1, source="Mist"))
    assert [one.value for one in table.encounter.of(Effect, "ada")] == [1]
