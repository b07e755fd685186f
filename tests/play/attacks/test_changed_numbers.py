"""Ability scores, proficiency, reach and temporary hit points as effects change them, with reasons, and their end."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from tests.systems.dnd5e.fights import Fight
from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature, InflictedCondition
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.running import Effect, Relation
from turnwright.encounter.state import Change
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.damage_roll import GrantTempHp
from turnwright.play.damage.manual_hit_points import Rest, SetHitPoints
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.movement.forced_movement import Pushed
from turnwright.play.session import Session
from turnwright.rules.parts.attacks.attack_rolls import attack_bonus, damage_roll
from turnwright.rules.parts.checks.ability_checks import check_roll, save_roll
from turnwright.rules.parts.conditions.numbers import changed_reach
from turnwright.rules.parts.positions.geometry import in_reach
from turnwright.rules.system import RuleSystem
from turnwright.storage.library.entries import read_library_file
from turnwright.storage.resources import resource_path

AXE = Feature("axe", "Axe", "action", attack=4, reach=5, damage="1d8+2 slashing", properties=("weapon",))
BOW = Feature("bow", "Bow", "action", attack=3, range="80/320", damage="1d6+1 piercing", properties=("weapon",))
SCORES = (("str", 14), ("dex", 12), ("con", 10))


def fighter(**fields: object) -> Creature:
    numbers = {"abilities": SCORES, "ac": 10, "proficiency": 2, "saves": (("str", 4),), "skills": (("athletics", 4),)}
    return creature("ada", **(numbers | {"features": (AXE, BOW)} | fields))


def shadow() -> Creature:
    block, _ = read_library_file(resource_path("library/dnd5e/srd/shadow.toml"))
    assert isinstance(block, Creature)
    return msgspec.structs.replace(block, features=tuple(one for one in block.features if one.attack is not None))


def puts(table: Table, *records: Effect | Relation) -> None:
    """Put records into the encounter, as an older fight has them."""
    changes = [Change((record.table, record.id), None, record) for record in records]
    table.session = Session(table.encounter.with_changes(changes), table.rules)


def table_of(rules: RuleSystem, *rules_of_effect: DataRule) -> Table:
    table = Table(fighter(), "orc", foes=("orc",), rules=rules)
    table.start(ada=20, orc=10)
    if rules_of_effect:
        effect = Effect("e", "ada", "Hex", rules=rules_of_effect)
        puts(table, effect)
    return table


def bonus(table: Table, weapon: Feature) -> list[tuple[int, str]]:
    attack = AttackInProgress("ada", target="orc", weapon=weapon)
    return [(part.value, part.reason) for part in attack_bonus(table.encounter, table.rules, attack)]


def damage(table: Table, weapon: Feature) -> list[tuple[int, str]]:
    spec = damage_roll(table.encounter, table.rules, AttackInProgress("ada", target="orc", weapon=weapon))
    assert spec is not None
    return [(part.value, part.reason) for part in spec.modifiers]


REASON = "<ability.str> 14 → 8"


@pytest.mark.parametrize("rules", [a5e, dnd5e])
def test_a_drained_strength_is_one_reason_on_attacks_damage_checks_and_saves(rules: Callable[[], RuleSystem]) -> None:
    table = table_of(rules())
    table.does(ApplyCondition(("ada",), "drained-strength", 6))
    assert bonus(table, AXE) == [(4, "why.stat_block"), (-3, REASON)]
    assert damage(table, AXE) == [(-3, REASON)]
    assert (len(bonus(table, BOW)), damage(table, BOW)) == (1, [])
    for spec in (
        check_roll(table.encounter, table.rules, "ada", "str:athletics"),
        check_roll(table.encounter, table.rules, "ada", "str"),
        save_roll(table.encounter, table.rules, "ada", "str"),
    ):
        assert [(part.value, part.reason) for part in spec.modifiers if part.reason == REASON] == [(-3, REASON)]
    assert all(part.reason != REASON for part in save_roll(table.encounter, table.rules, "ada", "dex").modifiers)


def test_a_shadow_drains_strength_until_a_rest_and_kills_at_nothing() -> None:
    table = Fight(shadow(), fighter(hp=90), foes=("shadow",))
    table.puts(shadow=(1, 1), ada=(2, 1))
    before = table.encounter
    table.strikes("shadow", "ada", "strength-drain", 15, 1, 1, 3)
    (effect,) = (one for one in table.encounter.all(Effect) if one.name == "drained-strength")
    assert (effect.value, effect.ends.moment, table.one("ada").hp) == (3, "rest", 86)
    table.ends_turn(2)
    table.strikes("shadow", "ada", "strength-drain", 15, 1, 1, 4)
    (effect,) = (one for one in table.encounter.all(Effect) if one.name == "drained-strength")
    assert effect.value == 7
    drained = table.encounter
    table.does(Rest("short"))
    assert "drained-strength" not in table.effects("ada")
    assert table.session.undo() is not None
    assert table.encounter == drained
    table.does(ApplyCondition(("ada",), "drained-strength", 13))
    assert not table.one("ada").dead
    table.does(ApplyCondition(("ada",), "drained-strength"))
    assert table.one("ada").dead
    while table.encounter != before:
        assert table.session.undo() is not None


def test_the_rolled_value_waits_for_the_person_with_the_dice_and_may_be_skipped() -> None:
    table = Fight(shadow(), fighter(hp=90), foes=("shadow",))
    table.puts(shadow=(1, 1), ada=(2, 1))
    table.strikes("shadow", "ada", "strength-drain", 15, 1, 1)
    assert [ask.label for ask in table.prompt.asks] == ["ask.condition_value"]
    table.skips()
    assert "drained-strength" not in table.effects("ada")


@pytest.mark.parametrize(("face", "feet"), [(1, 20), (8, 10), (19, 0)])
def test_a_critical_failure_can_push_twice_as_far(face: int, feet: int) -> None:
    jet = Feature("jet", "Jet", "action", save="dex", dc=15, push=10, properties=("doubles-push",))
    table = Table("ada", creature("whale", features=(jet,)), foes=("whale",), rules=pf2e())
    table.start(whale=20, ada=10)
    table.dice(face)
    table.does(UseFeature("whale", "jet", targets=("ada",)))
    assert [event.feet for event in table.events if isinstance(event, Pushed)] == [feet] * bool(feet)


@pytest.mark.parametrize("rules", [a5e, dnd5e, pf2e])
def test_the_time_of_a_condition_is_rolled_and_its_value_stays(rules: Callable[[], RuleSystem]) -> None:
    blinded = InflictedCondition("blinded", lasts="1d4 rounds")
    glare = Feature("glare", "Glare", "action", save="wis", dc=20, afflictions=(blinded,))
    table = Table("ada", creature("eye", features=(glare,)), foes=("eye",), rules=rules())
    table.start(eye=20, ada=10)
    table.dice(2, 3)
    table.does(UseFeature("eye", "glare", targets=("ada",)))
    (effect,) = (one for one in table.encounter.all(Effect) if one.name == "blinded")
    assert (effect.rounds_left, effect.value) == (3, 0)
    table.ends_turn(5)
    assert "blinded" in table.effects("ada")
    table.ends_turn()
    assert "blinded" not in table.effects("ada")


@pytest.mark.parametrize("rules", [a5e, dnd5e, pf2e])
def test_the_time_of_an_effect_is_rolled(rules: Callable[[], RuleSystem]) -> None:
    weaker = DataRule("modifier", "attack", add=-1)
    glare = Feature("glare", "Glare", "action", save="wis", dc=20, effect=(weaker,), lasts="1d4 rounds")
    table = Table("ada", creature("eye", features=(glare,)), foes=("eye",), rules=rules())
    table.start(eye=20, ada=10)
    table.dice(2, 3)
    table.does(UseFeature("eye", "glare", targets=("ada",)))
    assert [(one.name, one.rounds_left) for one in table.encounter.all(Effect) if one.target == "ada"] == [("Glare", 3)]


def test_a_change_of_proficiency_counts_where_it_is_used() -> None:
    table = table_of(dnd5e(), DataRule("modifier", "proficiency", add=-2))
    assert bonus(table, AXE) == [(4, "why.stat_block"), (-2, "Hex")]
    for what, changed in (("str:athletics", True), ("dex", False)):
        spec = check_roll(table.encounter, table.rules, "ada", what)
        assert any(part.reason == "Hex" for part in spec.modifiers) is changed
    assert any(part.reason == "Hex" for part in save_roll(table.encounter, table.rules, "ada", "str").modifiers)


@pytest.mark.parametrize("rules", [a5e, dnd5e, pf2e])
def test_reach_grows_by_an_effect(rules: Callable[[], RuleSystem]) -> None:
    table = table_of(rules(), DataRule("modifier", "reach", add=5))
    assert changed_reach(table.encounter, table.rules, "ada", 5) == 10
    at = [Relation("ada>orc", "ada", "orc", distance=10), Relation("orc>ada", "orc", "ada", distance=10)]
    puts(table, *at)
    assert in_reach(table.encounter, table.rules, "ada", "orc") is True
    assert in_reach(table.encounter, table.rules, "orc", "ada") is False
    table.dice(15, 4)
    table.does(Attack("ada", "orc", "axe"))
    assert table.one("orc").hp < 20


def test_temporary_hit_points_stay_if_only_rules_end_at_a_moment() -> None:
    eager = (DataRule("advantage", "attack"),)
    cry = Feature("cry", "Cry", "bonus", targets=1, temp="5", effect=eager, until="owner-start")
    table = Table(creature("mira", features=(cry,)), "orc", rules=dnd5e())
    table.start(mira=20, orc=10)
    table.does(UseFeature("mira", "cry", targets=("orc",)))
    assert "Cry" in table.effects("orc")
    table.ends_turn(2)
    assert ("Cry" in table.effects("orc"), table.one("orc").temp_hp) == (False, 5)


def test_temporary_hit_points_end_with_the_effect_that_gave_them() -> None:
    table = Table(creature("mira", slots=(("1", 2),), spellcasting="int"), "orc", foes=("orc",), rules=dnd5e())
    table.start(mira=20, orc=10)
    table.dice(3)
    table.does(UseFeature("mira", spell="false-life"))
    assert (table.one("mira").temp_hp, table.one("mira").temp_from) == (7, "False Life")
    effect = next(one for one in table.encounter.all(Effect) if one.name == "False Life")
    table.does(EndEffect(effect.id))
    assert (table.one("mira").temp_hp, table.one("mira").temp_from) == (0, "")
    assert table.session.undo() is not None
    assert table.one("mira").temp_hp == 7
    table.does(GrantTempHp(("mira",), 12, "a banner"))
    table.chooses("new")
    table.does(EndEffect(effect.id))
    assert table.one("mira").temp_hp == 12


def test_temporary_hit_points_set_by_hand_stay() -> None:
    table = Table("mira", "orc", foes=("orc",), rules=dnd5e())
    table.start(mira=20, orc=10)
    table.does(GrantTempHp(("mira",), 5, "Heroism"))
    table.does(SetHitPoints("mira", temp_hp=9))
    table.does(ApplyCondition(("mira",), "Heroism", rounds=10))
    table.does(EndEffect(next(one.id for one in table.encounter.all(Effect) if one.name == "Heroism")))
    assert table.one("mira").temp_hp == 9
