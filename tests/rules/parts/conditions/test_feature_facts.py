"""What rules of features ask for: what a save is against, senses, allies, hurts, light, runs and rounds."""

from __future__ import annotations

import msgspec
import pytest

from tests.for_each import for_each
from tests.play.attack_table import Fray
from tests.table import Table, creature, dnd5e, pf2e
from turnwright.dice.expression import Roll
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature, InflictedCondition, Scene
from turnwright.encounter.running import Effect
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetHitPoints
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.commanded_move import MovePath
from turnwright.play.state.events import Rolled, Unaffected
from turnwright.play.state.position_changes import SetRelation
from turnwright.play.turns.turns import EndTurn
from turnwright.rules.parts.attacks.attack_targeting import feature_save_tags
from turnwright.rules.parts.conditions.predicates import is_true_of

AXE = Feature("axe", "Axe", "action", attack=4, reach=5, damage="1d8 slashing", properties=("weapon",))
TERROR = InflictedCondition("frightened")


def trait(name: str, *rules: DataRule, **fields: object) -> Feature:
    """A trait with rules."""
    return Feature(name.lower().replace(" ", "-"), name, rules=rules, **fields)  # type: ignore[arg-type]


def advantage(what: str, when: str, name: str = "Trait") -> Feature:
    """A trait that gives advantage."""
    return trait(name, DataRule("advantage", what, when=when))


def saved(guard: Feature, threat: Feature) -> Roll:
    """The save of somebody with a trait against a feature."""
    whole = msgspec.structs.replace(threat, cost="action", save="wis", dc=12)
    table = Table(creature("ogre", features=(whole,)), creature("ann", features=(guard,)), foes=("ogre",))
    table.start(ogre=15, ann=5)
    before = table.encounter
    table.dice(4, 5, 1, 1, 1, 1)
    table.does(UseFeature("ogre", threat.id, targets=("ann",)))
    roll = next(one.roll for one in table.happened(Rolled) if one.who == "ann" and one.purpose == "ask.save")
    for _ in range(2):
        table.session.undo()
    assert table.encounter == before
    return roll


@for_each(
    ("when", "threat", "holds"),
    [
        ("magic", Feature("hex", "Hex", properties=("spell",)), True),
        ("magic", Feature("ray", "Ray", level=2), True),
        ("magic", Feature("gaze", "Gaze", properties=("magical",)), True),
        ("magic", Feature("breath", "Breath", damage="2d6 fire"), False),
        ("spell", Feature("gaze", "Gaze", properties=("magical",)), False),
        ("against:frightened", Feature("roar", "Roar", afflictions=(TERROR,)), True),
        ("against:frightened", Feature("breath", "Breath", damage="2d6 fire"), False),
        ("against:charmed", Feature("roar", "Roar", afflictions=(TERROR,)), False),
        ("against:fire", Feature("breath", "Breath", damage="2d6 fire"), True),
        ("against:cold", Feature("breath", "Breath", damage="2d6 fire"), False),
        ("against:damage", Feature("breath", "Breath", damage="2d6 fire"), True),
        ("against:push", Feature("gust", "Gust", push=10), True),
        ("not against:damage", Feature("gust", "Gust", push=10), True),
        ("with:fear", Feature("roar", "Roar", properties=("fear",)), True),
        # Nothing says what it is against.
        ("against:frightened", Feature("roar", "Roar", text="It roars."), False),
        ("not against:frightened", Feature("roar", "Roar", text="It roars."), False),
        # What the words of the feature leave open is not guessed at.
        ("magic", Feature("gaze", "Gaze", text="A magical gaze.", damage="1d6 psychic"), False),
        ("not magic", Feature("gaze", "Gaze", text="A magical gaze.", damage="1d6 psychic"), False),
        ("against:frightened", Feature("roar", "Roar", text="It may be frightened.", damage="1d6 psychic"), False),
        ("not against:frightened", Feature("roar", "Roar", text="It may be frightened.", damage="1d6 psychic"), False),
    ],
)
def test_a_save_carries_what_it_is_against(when: str, threat: Feature, holds: bool) -> None:
    roll = saved(advantage("save", when, "Guarded"), threat)
    assert [edge.reason for edge in roll.edges] == ["Guarded"] * holds
    assert roll.natural == (5 if holds else 4)


@pytest.mark.parametrize(("traits", "tag"), [(("primal", "fire"), "magic"), (("fire",), "not magic")])
def test_a_tradition_makes_an_activity_magical_where_the_game_says_so(traits: tuple[str, ...], tag: str) -> None:
    breath = Feature("breath", "Breath", "action", save="dex", dc=20, damage="4d6 fire", properties=traits)
    assert tag in feature_save_tags(pf2e(), breath)
    assert "not magic" in feature_save_tags(dnd5e(), breath)


def test_a_trait_that_names_a_kind_of_damage_is_what_a_save_is_against() -> None:
    dread = Feature("dread", "Dread", "action", save="wis", dc=20, afflictions=(TERROR,), properties=("mental", "fear"))
    assert {"against:mental", "against:frightened", "with:fear"} <= set(feature_save_tags(pf2e(), dread))
    assert "against:fear" not in feature_save_tags(pf2e(), dread)


def fray(when: str, what: str = "attack", **given: object) -> Fray:
    """Ann with a trait, a wolf at her side, and an orc."""
    ann = creature("ann", features=(AXE, advantage(what, when)), speeds=(("walk", 60),))
    return Fray(ann, "wolf", creature("orc", features=(AXE,)), foes=("orc",), **given)  # type: ignore[arg-type]


def has_edge(field: Fray, who: str = "ann", target: str = "orc", **more: object) -> bool:
    """Whether the trait is on an attack."""
    return "Trait" in [edge.reason for edge in field.preview(who, target, "axe", **more).roll.edges]


def asked(field: Fray) -> list[str]:
    """The facts that Ann's attack is asked about; height is asked of anybody."""
    return [one.fact for one in field.preview("ann", "orc", "axe").unknown_facts if one.fact != "higher:5"]


def test_an_ally_beside_the_target_counts_only_while_it_can_act() -> None:
    field = fray("ally-at-target:5")
    field.puts(ann=(1, 1), wolf=(3, 1), orc=(2, 1))
    assert has_edge(field)
    assert not has_edge(field, "orc", "ann")
    field.puts(wolf=(8, 8))
    assert not has_edge(field)
    field.puts(wolf=(3, 2))
    assert has_edge(field)
    field.does(ApplyCondition(("wolf",), "incapacitated"))
    assert not has_edge(field)
    field.session.undo()
    assert has_edge(field)
    field.does(SetHitPoints("wolf", 0))
    assert not has_edge(field)


def test_without_a_map_an_ally_beside_the_target_is_asked() -> None:
    field = fray("ally-at-target:5", field=None)
    assert asked(field) == ["ally-at-target:5"]
    assert not has_edge(field)
    assert has_edge(field, facts=("ally-at-target:5",))
    assert not has_edge(field, facts=("not ally-at-target:5",))
    field.does(SetRelation("wolf", "orc", distance=5))
    assert has_edge(field)
    alone = Fray(
        creature("ann", features=(AXE, advantage("attack", "ally-at-target:5"))), "orc", field=None, foes=("orc",)
    )
    assert asked(alone) == []


def test_so_many_allies_have_the_target_in_reach() -> None:
    pack = [creature(id) for id in ("wolf", "lynx")]
    ann = creature("ann", features=(AXE, advantage("attack", "allies-reaching:2")))
    field = Fray(ann, *pack, creature("orc"), foes=("orc",))
    field.puts(ann=(1, 1), wolf=(3, 1), lynx=(6, 6), orc=(2, 1))
    assert not has_edge(field)
    field.puts(lynx=(3, 2))
    assert has_edge(field)


@pytest.mark.parametrize(
    ("when", "lost", "holds"),
    [
        ("target.hurt", 0, False),
        ("target.hurt", 1, True),
        ("target.bloodied", 9, False),
        ("target.bloodied", 10, True),
        ("target.below-half", 10, False),
        ("target.below-half", 11, True),
        ("hurt", 10, False),
    ],
)
def test_what_somebody_has_lost(when: str, lost: int, holds: bool) -> None:
    field = fray(when)
    if lost:
        field.does(ApplyDamage(("orc",), str(lost)))
    assert has_edge(field) is holds


@for_each(
    ("light", "place", "answer"),
    [
        ("sunlight", "sunlight", True),
        ("sunlight", "bright", True),
        ("dim", "sunlight", False),
        ("dim", "dim", True),
        ("dark", "dark", True),
        ("dark", "dim", False),
        ("bright", "bright", True),
        ("bright", "sunlight", None),
    ],
)
def test_the_light_of_the_scene(light: str, place: str, answer: bool | None) -> None:
    field = fray(f"in:{place}", scene=Scene(light=light, strictness="enforce"))  # type: ignore[arg-type]
    assert has_edge(field) is (answer is True)
    assert (f"in:{place}" in asked(field)) is (answer is None)


def test_a_straight_run_counts_towards_its_target_alone() -> None:
    field = fray("moved-straight:20")
    field.puts(ann=(1, 1), orc=(6, 1), wolf=(10, 10))
    assert not has_edge(field)
    field.does(MovePath("ann", ((2, 1), (3, 1), (4, 1), (5, 1))))
    assert has_edge(field)
    assert not has_edge(field, "ann", "wolf")
    field.session.undo()
    assert not has_edge(field)
    field.does(MovePath("ann", ((2, 2), (3, 1), (4, 2), (5, 1))))
    assert not has_edge(field)
    field.session.undo()
    field.does(MovePath("ann", ((2, 1), (3, 1))))
    assert not has_edge(field)
    field.does(MovePath("ann", ((4, 1), (5, 1))))
    assert has_edge(field)
    field.ends_turn()
    assert not has_edge(field)


def test_nobody_s_runs_are_kept_unless_a_feature_asks() -> None:
    field = fray("not prone")
    field.puts(ann=(1, 1))
    field.does(MovePath("ann", ((2, 1), (3, 1))))
    assert [one.name for one in field.encounter.all(Effect)] == []


def test_a_straight_run_counts_for_the_conditions_of_an_attack() -> None:
    prone = (InflictedCondition("prone", when="other.moved-straight:20"),)
    ann = creature("ann", features=(msgspec.structs.replace(AXE, afflictions=prone),), speeds=(("walk", 60),))
    field = Fray(ann, creature("orc"), foes=("orc",))
    field.puts(ann=(1, 1), orc=(6, 1))
    field.does(MovePath("ann", ((2, 1), (3, 1), (4, 1), (5, 1))))
    assert [one.value for one in field.encounter.all(Effect)] == [20]


@pytest.mark.parametrize(("when", "told"), [("other.moved-straight:20", False), ("up-to:tiny", True)])
def test_only_a_target_that_is_not_affected_is_in_the_journal(when: str, told: bool) -> None:
    prone = (InflictedCondition("prone", when=when),)
    ann = creature("ann", features=(msgspec.structs.replace(AXE, afflictions=prone),))
    field = Fray(ann, creature("orc"), foes=("orc",))
    field.puts(ann=(5, 1), orc=(6, 1))
    field.dice(18, 3)
    field.does(Attack("ann", "orc", "axe"))
    assert bool(field.happened(Unaffected)) is told
    assert "prone" not in field.effects("orc")


def test_without_a_map_a_run_is_asked_only_after_enough_movement() -> None:
    field = fray("moved-straight:20", field=None)
    assert asked(field) == []


def test_the_first_round_and_who_has_had_a_turn() -> None:
    field = fray("first-round, not target.acted")
    assert has_edge(field)
    assert is_true_of(field.encounter, field.rules, "ann", "acted")
    assert not is_true_of(field.encounter, field.rules, "orc", "acted")
    field.ends_turn(2)
    assert field.active == "orc"
    assert not has_edge(field)
    field.session.undo()
    assert has_edge(field)
    while field.clock.round < 2:
        field.does(EndTurn())
    assert not has_edge(field)
