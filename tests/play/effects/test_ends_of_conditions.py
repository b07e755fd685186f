"""How shipped creatures' conditions end: a save again, a time, damage, a check, a hold, a size, a miss by five."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tests.play.map_table import Field
from tests.play.test_shipped_creatures import shipped
from tests.table import a5e, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Feature, InflictedCondition, RosterEntry
from turnwright.encounter.running import Duration, Effect
from turnwright.play.actions.contest import BreakFree
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Heal, Rest, SetDead
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.state.events import EffectGained, Unaffected
from turnwright.rules.system import RuleSystem


def fight(id: str, **ada: Any) -> Field:
    means = (replace(one, trigger="", recharge=0) for one in shipped(id).features if one.afflictions or one.stages)
    block = replace(shipped(id), features=tuple(means), pools=())
    table = Field(block, creature("ada", hp=300, **ada), "ben", foes=(id,), rules=dnd5e())
    return table.puts(**{id: (2, 2), "ada": (9, 2), "ben": (9, 9)})


def uses(table: Field, id: str, feature: str, *faces: int) -> None:
    """The creature uses a feature on Ada, with these faces for whatever is rolled."""
    means = next(one for one in shipped(id).features if one.id == feature)
    table.dice(*faces)
    hits = means.attack is not None
    table.does(Attack(id, "ada", feature) if hits else UseFeature(id, feature, targets=("ada",)), anyway=True)


def on_ada(table: Field) -> dict[str, Effect]:
    """What she has, apart from lying prone after a sleep."""
    return {one.name: one for one in table.encounter.of(Effect, "ada") if one.shown and one.source[:1] not in ("", "<")}


def to_the_end_of_adas_turn(table: Field) -> None:
    while table.active != "ada":
        table.ends_turn()
        while table.prompts and table.prompt.title == "prompt.legendary":
            table.skips()
    table.ends_turn()
    while table.prompts and table.prompt.title == "prompt.legendary":
        table.skips()


def test_a_dragons_fear_asks_for_a_save_each_turn_for_a_minute() -> None:
    table = fight("adult-red-dragon")
    uses(table, "adult-red-dragon", "frightful-presence", 1)
    fear = on_ada(table)["frightened"]
    assert (fear.by, fear.save, fear.dc, fear.rounds_left) == ("adult-red-dragon", "wis", 19, 10)
    assert [one.lasts for one in table.happened(EffectGained)] == ["1 minute"]
    table.dice(18, 20)
    to_the_end_of_adas_turn(table)
    assert "frightened" in on_ada(table)
    to_the_end_of_adas_turn(table)
    assert "frightened" not in on_ada(table)


def test_a_minute_is_over_after_ten_rounds() -> None:
    table = fight("adult-red-dragon")
    uses(table, "adult-red-dragon", "frightful-presence", 1)
    table.dice(*[1] * 20)
    while table.clock.round < 11:
        assert "frightened" in on_ada(table)
        table.ends_turn()
        while table.prompts:
            table.skips()
    assert "frightened" not in on_ada(table)


@pytest.mark.parametrize(("face", "left"), [(6, ["poisoned", "unconscious"]), (7, ["poisoned"]), (11, [])])
def test_failing_by_five_adds_sleep_which_damage_ends(face: int, left: list[str]) -> None:
    table = fight("pseudodragon")
    uses(table, "pseudodragon", "sting", 19, 1, face)
    assert sorted(on_ada(table)) == left
    table.does(ApplyDamage(("ada",), "1"))
    assert sorted(on_ada(table)) == left[:1]


def test_sleep_ends_with_its_poison() -> None:
    table = fight("couatl")
    uses(table, "couatl", "bite", 19, 1, 1)
    assert sorted(on_ada(table)) == ["poisoned", "unconscious"]
    table.does(ApplyDamage(("ada",), "1"))
    assert "unconscious" in on_ada(table)
    poison = on_ada(table)["poisoned"]
    table.has(replace(poison, rounds_left=1))
    while table.active != "ada":
        table.ends_turn()
    while table.active != "couatl":
        table.ends_turn()
    assert on_ada(table) == {}


@pytest.mark.parametrize(("face", "caught"), [(11, True), (12, False)])
def test_a_web_is_broken_by_a_check(face: int, caught: bool) -> None:
    table = fight("giant-spider")
    uses(table, "giant-spider", "web", 19)
    web = on_ada(table)["restrained"]
    table.ends_turn()
    table.does(BreakFree(web.id))
    table.dice(face)
    table.chooses("str")
    assert ("restrained" in on_ada(table)) is caught


@pytest.mark.parametrize(("size", "falls"), [("medium", True), ("large", False)])
def test_the_mouther_knocks_down_up_to_medium(size: str, falls: bool) -> None:
    table = fight("gibbering-mouther", size=size)
    uses(table, "gibbering-mouther", "bites", 19, *[1] * 5, 1)
    assert ("prone" in on_ada(table)) is falls
    assert bool(table.happened(Unaffected)) is not falls


@pytest.mark.parametrize(("kind", "moved"), [("humanoid", True), ("undead", False)])
def test_a_ghoul_does_not_paralyze_the_undead(kind: str, moved: bool) -> None:
    table = fight("ghoul", type=kind)
    uses(table, "ghoul", "claws", 19, 1, 1, 1)
    assert ("paralyzed" in on_ada(table)) is moved


def test_a_mummys_glare_ends_with_its_next_turn() -> None:
    table = fight("mummy")
    uses(table, "mummy", "dreadful-glare", 1)
    assert sorted(on_ada(table)) == ["frightened", "paralyzed"]
    table.ends_turn(3)
    assert sorted(on_ada(table)) == ["frightened", "paralyzed"]
    table.ends_turn()
    assert on_ada(table) == {}


@pytest.mark.parametrize(("face", "left"), [(20, []), (1, ["petrified"])])
def test_a_second_save_frees_or_petrifies(face: int, left: list[str]) -> None:
    table = fight("gorgon")
    uses(table, "gorgon", "petrifying-breath", 1)
    assert "restrained" in on_ada(table)
    table.dice(face)
    to_the_end_of_adas_turn(table)
    assert sorted(on_ada(table)) == left
    to_the_end_of_adas_turn(table)
    assert table.prompts == []
    assert sorted(on_ada(table)) == left


def test_a_medusas_gaze_petrifies_at_once_by_five() -> None:
    table = fight("medusa")
    uses(table, "medusa", "petrifying-gaze", 2)
    assert "petrified" in on_ada(table)


def test_the_swallowed_are_free_when_the_swallower_dies() -> None:
    table = fight("giant-toad")
    uses(table, "giant-toad", "swallow", 19, 1, 1)
    assert "blinded" not in on_ada(table)
    table.does(ApplyCondition(("ada",), "grappled", by="giant-toad"))
    uses(table, "giant-toad", "swallow", 19, 1, 1)
    table.does(ApplyCondition(("giant-toad",), "stunned"))
    assert sorted(on_ada(table)) == ["blinded", "ongoing", "restrained", "swallowed"]
    table.does(SetDead("giant-toad"))
    assert on_ada(table) == {}


@pytest.mark.parametrize(("face", "charmed"), [(1, True), (20, False)])
def test_the_charmed_save_again_when_hurt(face: int, charmed: bool) -> None:
    table = fight("vampire")
    uses(table, "vampire", "charm", 1)
    to_the_end_of_adas_turn(table)
    assert (table.prompts, "charmed" in on_ada(table)) == ([], True)
    table.dice(face)
    table.does(ApplyDamage(("ada",), "3"))
    assert ("charmed" in on_ada(table)) is charmed


@pytest.mark.parametrize(("length", "left"), [("short", ["blinded"]), ("long", [])])
def test_some_conditions_last_until_a_rest(length: Any, left: list[str]) -> None:
    table = Field("ada", rules=dnd5e())
    for name, moment in (("poisoned", "rest"), ("blinded", "long-rest")):
        table.marks("ada", name, source="Curse", ends=Duration(moment, "ada"))
    table.does(Rest(length))
    assert sorted(on_ada(table)) == left


def test_one_save_ends_all_that_a_feature_inflicted() -> None:
    roar = Feature(
        "roar", "Roar", "action", save="wis", dc=15,
        afflictions=(InflictedCondition("frightened", "saved"), InflictedCondition("stunned", "saved")),
    )  # fmt: skip
    table = Field(creature("sphinx", features=(roar,)), creature("ada", hp=90), foes=("sphinx",), rules=dnd5e())
    table.dice(1)
    table.does(UseFeature("sphinx", "roar", targets=("ada",)))
    assert sorted(on_ada(table)) == ["frightened", "stunned"]
    table.dice(15)
    to_the_end_of_adas_turn(table)
    assert (on_ada(table), table.prompts) == ({}, [])


@pytest.mark.parametrize("rules", [a5e(), dnd5e(), pf2e()], ids=lambda rules: rules.id)
def test_a_bound_condition_comes_and_goes_with_the_other(rules: RuleSystem) -> None:
    grab = rules.role("grappled")
    held = (InflictedCondition(grab, escape_dc=13, when="up-to:medium"), InflictedCondition("blinded", bound_to=grab))
    bite = Feature("bite", "Bite", "action", afflictions=held)
    for size, left in (("large", []), ("medium", ["blinded", grab])):
        table = Field(creature("toad", features=(bite,)), creature("ada", size=size), foes=("toad",), rules=rules)
        table.does(UseFeature("toad", "bite", targets=("ada",)))
        assert sorted(on_ada(table)) == sorted(left)
        for one in [one for one in on_ada(table).values() if one.name == grab]:
            table.does(EndEffect(one.id))
        assert on_ada(table) == {}


def test_healing_ends_the_faint_at_zero_and_no_other_sleep() -> None:
    poison = (InflictedCondition("poisoned"), InflictedCondition("unconscious", bound_to="poisoned"))
    bite = Feature("bite", "Bite", "action", afflictions=poison)
    table = Field(creature("couatl", features=(bite,)), creature("ada"), foes=("couatl",), rules=dnd5e(),
                  roster=(RosterEntry("ada", "ada", dying="saves"),))  # fmt: skip
    table.does(UseFeature("couatl", "bite", targets=("ada",)))
    table.does(ApplyDamage(("ada",), "20"))
    table.does(Heal(("ada",), 5))
    assert "unconscious" in table.effects("ada")
    table.does(EndEffect(on_ada(table)["poisoned"].id))
    assert "unconscious" not in table.effects("ada")
