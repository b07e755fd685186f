"""Features that name what they do: own attacks and features, moves, actions, checks, conditions and recharges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec
import pytest

from tests.for_each import for_each
from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature, FeatureStep, InflictedCondition, Map, RosterEntry
from turnwright.encounter.running import Combatant, Effect, LastingArea, Relation
from turnwright.encounter.state import find_effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.feature_steps import Teleports
from turnwright.play.actions.use_feature import CommandFollowers, UseFeature
from turnwright.play.attacks.attack_request import Attack, Attacked, FeatureUsed
from turnwright.play.attacks.save_effect import TARGETS
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetDead, SetHitPoints, SetTrack
from turnwright.play.effects.concentration import Concentrate
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.movement.forced_movement import ForceMove, Pushed
from turnwright.play.movement.move import MoveStopped
from turnwright.play.setup.prepared_records import Add
from turnwright.play.state.action_economy import FeatureReady, attacks_made
from turnwright.play.state.events import DamageTaken, Rolled, Skipped
from turnwright.play.state.position_changes import SetPosition, SetRelation
from turnwright.play.table.game_master import SetDice
from turnwright.play.turns.turns import EndTurn
from turnwright.rules.parts.actions.spell_features import Caster, spell_feature
from turnwright.rules.parts.economy.limited_uses import remaining_uses
from turnwright.rules.parts.positions.geometry import is_in_area
from turnwright.rules.system import RuleSystem

CLAW = Feature("claw", "Claw", "action", attack=8, reach=5, damage="1d6+3 slashing")
TAIL = Feature("tail", "Tail", "action", attack=8, reach=15, damage="1d8+3 bludgeoning")
SPIT = Feature("spit", "Spit", "action", attack=6, range="60", damage="1d4 acid")
BREATH = Feature("breath", "Breath", "action", save="dex", dc=15, damage="2d6 fire", half=True, recharge=5)


def feature(*steps: FeatureStep, cost: str = "legendary", **fields: Any) -> Feature:
    """A feature that does these steps."""
    return Feature("deed", "Deed", cost, does=steps, **fields)  # type: ignore[arg-type]


def fight(*features: Feature, rules: RuleSystem | None = None, first: str = "ann", **fields: Any) -> Table:
    """Ann and Bob against a drake; whoever is `first` has the turn."""
    drake = creature("drake", **({"hp": 90, "legendary": 3, "features": features} | fields))
    table = Table("ann", "bob", drake, foes=("drake",), rules=rules or dnd5e())
    counts = {"ann": 20, "bob": 15, "drake": 10} | {first: 30}
    table.start(**counts)
    return table


def legendary(*steps: FeatureStep, others: tuple[Feature, ...] = (CLAW, TAIL), **fields: Any) -> Table:
    """The end of Ann's turn, at which the drake takes a legendary action that does these steps."""
    table = fight(feature(*steps), *others, **fields)
    table.ends_turn()
    table.chooses("deed")
    return table


# Own attacks and features ----------------------------------------------------------------------------------------


def test_a_legendary_action_rolls_the_attack_that_it_names() -> None:
    table = fight(feature(FeatureStep(use="tail")), CLAW, TAIL)
    table.ends_turn()
    table.dice(12, 5)
    table.chooses("deed")
    assert table.prompt.title == "prompt.feature_step"
    before = table.encounter
    table.chooses("ann")
    assert table.one("ann").hp == 20 - 8
    assert (table.track("drake", "legendary"), table.active) == (2, "bob")
    table.session.undo()
    assert table.encounter == before
    table.session.redo()
    assert table.one("ann").hp == 20 - 8


@for_each(("rules", "until", "left"), [(a5e, "turn", False), (dnd5e, "turn", False), (dnd5e, "turn-start", True)])
def test_extra_damage_for_its_own_attack_ends_with_a_miss(
    rules: Callable[[], RuleSystem], until: Any, *, left: bool
) -> None:
    extra = (DataRule("extra", "damage", dice="2d6"),)
    deed = feature(FeatureStep(use="claw"), cost="action", range="self", effect=extra, effect_uses=1, until=until)
    table = fight(deed, CLAW, rules=rules(), first="drake")
    table.dice(1)
    table.does(UseFeature("drake", "deed"))
    table.chooses("ann")
    assert table.happened(Attacked)
    assert bool(find_effect(table.encounter, "drake", "Deed")) is left


@for_each("rules", (dnd5e, a5e, pf2e))
def test_a_move_of_a_feature_can_provoke_nothing(rules: Callable[[], RuleSystem]) -> None:
    swift = DataRule("unprovoking", "move")
    for rule, asked in (((), 1), ((swift,), 0)):
        leap = feature(FeatureStep(move="half"), cost="action", rules=rule)
        opportunist = Feature(
            "strike", "Strike", "reaction", trigger="enemy-acts", when="reaches", does=(FeatureStep(use="claw"),)
        )
        ann = creature("ann", features=(CLAW, opportunist) if rules is pf2e else (CLAW,), speeds=(("walk", 30),))
        table = Table(ann, creature("drake", features=(leap,), speeds=(("walk", 40),)), foes=("drake",), rules=rules())
        table.start(ann=20, drake=10)
        table.does(SetRelation("ann", "drake", distance=5))
        table.ends_turn()
        table.does(UseFeature("drake", "deed"))
        before = len(table.prompts)
        table.does(MoveFeet("drake", 10, leaves=("ann",)))
        assert len(table.prompts) - before == asked


def test_an_attack_costs_the_turns_resources_nothing() -> None:
    table = fight(feature(FeatureStep(use="claw"), FeatureStep(use="claw"), cost="bonus"), CLAW, first="drake")
    table.dice(12, 5, 12, 6)
    table.does(TakeAction("drake", "deed"))
    table.chooses("ann")
    table.chooses("bob")
    assert (table.one("ann").hp, table.one("bob").hp) == (20 - 8, 20 - 9)
    assert (table.track("drake", "action"), table.track("drake", "bonus")) == (1, 0)


def test_an_attack_can_carry_the_effects_of_its_feature_which_asks_for_its_requirement_first() -> None:
    felled = InflictedCondition("prone", degree="critical-success")
    steps = (FeatureStep(use="claw", carries=True),)
    deed = Feature(
        "deed", "Deed", "action", does=steps, damage="1d4 fire", reach=20, afflictions=(felled,), requires="So?"
    )
    for answer, hp, spent in (("pass", 20, 0), ("met", 20 - 2 * (3 + 5 + 1), 1)):
        table = fight(deed, CLAW, rules=pf2e(), first="drake")
        table.does(SetRelation("drake", "ann", distance=20))
        before = table.track("drake", "action")
        table.dice(20, 5, 1, 5, 1)
        table.does(UseFeature("drake", "deed", targets=("ann",)))
        table.chooses(answer)
        assert (table.one("ann").hp, before - table.track("drake", "action")) == (hp, spent)
        assert (find_effect(table.encounter, "ann", "prone") is not None) is (answer == "met")


@pytest.mark.parametrize(("face", "effects"), [(15, {"Tail"}), (1, set())])
def test_an_attack_that_carries_an_effect_leaves_it_with_a_hit(face: int, effects: set[str]) -> None:
    hampered = DataRule("modifier", "attack", add=-2, type="circumstance")
    lash = Feature("lash", "Lash", "action", does=(FeatureStep(use="tail", carries=True),), until="turn")
    table = fight(msgspec.structs.replace(lash, effect=(hampered,)), TAIL, rules=pf2e(), first="drake")
    table.does(SetRelation("drake", "ann", distance=5))
    table.dice(face, 5)
    table.does(UseFeature("drake", "lash", targets=("ann",)))
    assert table.effects("ann") == effects
    assert not any(each.rules for each in table.encounter.of(Effect, "drake"))


@pytest.mark.parametrize(("face", "stopped"), [(15, True), (1, False)])
def test_a_hit_that_disrupts_ends_the_move_that_it_answers_and_costs_it(face: int, stopped: bool) -> None:
    lash = Feature(
        "lash", "Lash", "reaction", trigger="enemy-acts", when="reaches", does=(FeatureStep(use="tail", disrupts=True),)
    )
    table = fight(lash, TAIL, rules=pf2e())
    table.does(SetTrack("drake", "reaction", 1))
    table.does(SetRelation("drake", "ann", distance=5))
    table.does(MoveFeet("ann", 10))
    table.dice(face, 5)
    table.chooses("lash")
    assert (table.track("ann", "action"), bool(table.happened(MoveStopped))) == (2, stopped)


@pytest.mark.parametrize(("chosen", "hp"), [("use claw +2 +", 20 - 5 - 3 - 4), ("use claw", 20 - 5 - 3)])
def test_an_attack_that_carries_more_can_be_chosen_instead_of_the_same_attack(chosen: str, hp: int) -> None:
    steps = (FeatureStep(use="claw", carries=True, bonus=2), FeatureStep(use="claw", alternative=True))
    table = fight(feature(*steps, cost="action", damage="1d6"), CLAW, rules=pf2e(), first="drake")
    table.dice(8, 5, 4)
    table.does(UseFeature("drake", "deed", targets=("ann",)))
    assert [option.label for option in table.prompt.asks[0].options] == ["Claw (+2)", "Claw"]
    table.chooses(chosen)
    assert (table.prompts, table.one("ann").hp) == ([], hp)
    assert [kind for kind, _ in table.happened(DamageTaken)[0].dealt] == ["slashing"]  # damage without a type, too


@pytest.mark.parametrize(("face", "feet"), [(10, 10), (20, 20)])
def test_a_critical_hit_can_push_twice_as_far(face: int, feet: int) -> None:
    steps = (FeatureStep(use="claw", carries=True),)
    deed = feature(*steps, cost="action", push=10, properties=("doubles-push",))
    table = fight(deed, CLAW, rules=pf2e(), first="drake")
    table.dice(face, 1, 1)
    table.does(UseFeature("drake", "deed", targets=("ann",)))
    assert [moved.feet for moved in table.happened(Pushed)] == [feet]


def test_targets_that_are_known_are_not_asked_for() -> None:
    table = fight(feature(FeatureStep(use="claw"), cost="action"), CLAW, first="drake")
    table.dice(12, 5)
    table.does(TakeAction("drake", "deed", targets=("bob",)))
    assert (table.one("bob").hp, table.prompts) == (20 - 8, [])


@pytest.mark.parametrize(("steps", "asked"), [(1, False), (2, True)])
@pytest.mark.parametrize("targets", [("ann",), ("ann", "bob")])
def test_chosen_targets_of_a_save_are_not_asked_for_unless_other_steps_have_some(
    targets: tuple[str, ...], steps: int, asked: bool
) -> None:
    swipe = Feature("swipe", "Swipe", "action", save="dex", dc=15, damage="2d6 bludgeoning", area="15 cone")
    deed = feature(*(FeatureStep(use=id) for id in ("swipe", "claw")[:steps]), cost="action")
    table = fight(deed, swipe, CLAW, first="drake")
    table.does(TakeAction("drake", "deed", targets=targets))
    assert [one.label for one in table.prompt.asks] == (["ask.targets_one"] if asked else ["ask.save"] * len(targets))


@for_each("rules", [a5e, dnd5e, pf2e])
def test_a_step_has_at_most_the_targets_of_its_feature_and_only_those_in_its_range(
    rules: Callable[[], RuleSystem],
) -> None:
    gaze = Feature("gaze", "Gaze", "action", save="wis", dc=15, damage="2d6 psychic", range="30", targets=1)
    table = fight(feature(FeatureStep(use="gaze"), cost="action"), gaze, rules=rules(), first="drake")
    table.does(Add((Map(columns=40, rows=12),)))
    for who, square in (("drake", (1, 1)), ("ann", (4, 1)), ("bob", (30, 1))):
        table.does(SetPosition(who, position=square))
    table.does(UseFeature("drake", "deed"))
    (question,) = table.prompt.asks
    assert ([each.id for each in question.options], question.max_choices) == (["ann"], 1)


@for_each("rules", [a5e, dnd5e, pf2e])
def test_an_attack_used_without_a_target_asks_for_one(rules: Callable[[], RuleSystem]) -> None:
    table = fight(CLAW, rules=rules(), first="drake")
    assert table.refuses(UseFeature("drake", "claw")).key == "refused.no_target"


def test_of_any_attacks_only_those_that_reach_the_known_target_are_left() -> None:
    table = fight(feature(FeatureStep(use="any-melee"), cost="action"), CLAW, TAIL, first="drake")
    table.does(Add((Map(columns=12, rows=12),)))
    table.does(SetPosition("drake", position=(1, 1)))
    table.does(SetPosition("ann", position=(4, 1)))
    table.dice(12, 5)
    table.does(TakeAction("drake", "deed", targets=("ann",)))
    assert (table.one("ann").hp, table.prompts) == (20 - 8, [])  # the tail, 15 feet long
    table.does(SetPosition("ann", position=(8, 1)))
    table.ends_turn(3)
    table.does(TakeAction("drake", "deed", targets=("ann",)))
    assert [one.detail for one in table.happened(Skipped)] == ["Deed"]


def test_of_several_ways_one_is_chosen() -> None:
    table = legendary(FeatureStep(use="claw"), FeatureStep(use="tail", alternative=True))
    assert [one.label for one in table.prompt.asks[0].options] == ["Claw", "Tail"]
    table.dice(12, 5)
    table.chooses("use tail")
    table.chooses("ann")
    assert (table.one("ann").hp, table.prompts) == (20 - 8, [])


@pytest.mark.parametrize(
    ("which", "listed"),
    [
        ("any-melee", ["claw", "tail", "fist", "foot"]),
        ("any-attack", ["claw", "tail", "spit", "fist", "foot"]),
        ("any-unarmed", ["fist", "foot"]),
    ],
)
def test_any_attack_is_one_of_the_stat_blocks(which: str, listed: list[str]) -> None:
    fist, foot = (msgspec.structs.replace(CLAW, id=id, properties=("unarmed",)) for id in ("fist", "foot"))
    table = legendary(FeatureStep(use=which), others=(CLAW, TAIL, SPIT, fist, foot))
    assert [one.id.split()[1] for one in table.prompt.asks[0].options] == listed


def test_a_feature_with_a_save_spends_its_own_recharge() -> None:
    table = legendary(FeatureStep(use="breath"), others=(BREATH,))
    table.dice(3, 4, 5)
    table.chooses("ann")
    assert (table.one("ann").hp, table.track("drake", "recharge.breath")) == (20 - 9, 0)
    table.does(SetDice("roll", seed=1))
    table.ends_turn()
    table.chooses("deed")
    assert [one.detail for one in table.happened(Skipped)][-1:] == ["Deed"]
    assert table.prompts == []


def test_a_feature_that_names_a_multiattack_makes_its_attacks() -> None:
    both = Feature("both", "Both", "action", attacks=2, multiattack=((("claw", 1), ("tail", 1)),))
    table = legendary(FeatureStep(use="both"), others=(both, CLAW, TAIL))
    table.dice(12, 5, 12, 5)
    table.chooses("ann")
    table.chooses("bob")
    assert [one.feature for one in table.happened(FeatureUsed)] == ["Deed", "Both"]
    assert (table.one("ann").hp, table.one("bob").hp) == (20 - 8, 20 - 8)


def test_features_that_name_each_other_come_to_an_end() -> None:
    other = Feature("other", "Other", "action", does=(FeatureStep(use="deed"),))
    table = legendary(FeatureStep(use="other"), others=(other,))
    assert (table.prompts, table.active) == ([], "bob")


def test_nobody_left_to_strike_is_said_and_the_next_step_follows() -> None:
    table = legendary(FeatureStep(use="claw"), FeatureStep(roll="wis:perception"))
    table.dice(11)
    table.skips()
    assert [one.roll.total for one in table.happened(Rolled)] == [11]


def test_figures_of_its_own_come_before_the_steps() -> None:
    table = fight(feature(FeatureStep(use="claw"), save="dex", dc=19, damage="1d6 bludgeoning"), CLAW)
    table.ends_turn()
    table.chooses("deed")
    table.dice(2, 2, 4, 12, 5)
    table.chooses("ann", "bob")
    assert (table.one("ann").hp, table.one("bob").hp, table.prompt.title) == (16, 16, "prompt.feature_step")
    table.chooses("bob")
    assert table.one("bob").hp == 16 - 8


def test_a_legendary_action_of_one_use_a_round_comes_back_with_its_turn() -> None:
    table = fight(feature(FeatureStep(roll="wis:perception"), uses=1, per="round"), others_cost())
    table.dice(10)
    table.ends_turn()
    assert [one.id for one in table.prompt.asks[0].options] == ["deed", "other", "pass"]
    table.chooses("deed")
    table.ends_turn()
    assert [one.id for one in table.prompt.asks[0].options] == ["other", "pass"]
    table.chooses("pass")
    table.ends_turn()  # the drake's own
    table.ends_turn()
    assert [one.id for one in table.prompt.asks[0].options] == ["deed", "other", "pass"]


def test_a_legendary_action_by_command_takes_the_place_of_the_offer_and_not_of_a_turn() -> None:
    table = fight(feature(FeatureStep(use="claw")), CLAW)
    table.ends_turn()
    table.does(UseFeature("drake", "deed"))
    assert (table.prompt.title, table.active, table.track("drake", "legendary")) == ("prompt.feature_step", "ann", 2)
    table.dice(12, 5)
    table.chooses("ann")
    assert (table.active, len(table.prompts)) == ("bob", 0)
    table.ends_turn()
    table.skips()
    assert table.active == "drake"
    assert table.refuses(UseFeature("drake", "deed")).key == "refused.own_turn"


def test_a_free_feature_without_a_text_of_its_own_is_used_on_any_turn() -> None:
    torn = Feature("torn", "Web (Destroyed)", "free", targets=1, ends=("restrained",), ends_all=True)
    table = fight(torn, msgspec.structs.replace(torn, id="ripped", text="It rips its own web."))
    table.does(ApplyCondition(("ann",), "restrained"))
    assert table.refuses(UseFeature("drake", "ripped", targets=("ann",))).key == "refused.not_your_turn"
    table.does(UseFeature("drake", "torn", targets=("ann",)))
    assert "restrained" not in table.effects("ann")


def others_cost() -> Feature:
    return Feature("other", "Other", "legendary", text="It does something else.")


# Moves, actions, checks and the rest ------------------------------------------------------------------------------


def test_a_legendary_move_goes_half_its_speed_before_the_next_turn_begins() -> None:
    table = legendary(FeatureStep(move="half", mode="fly"), speeds=(("walk", 40), ("fly", 80)))
    assert (table.prompt.title, table.prompt.asks[0].detail) == ("prompt.feature_move", "40")
    assert table.refuses(MoveFeet("drake", 45, "fly")).key == "refused.too_far"
    table.does(MoveFeet("drake", 40, "fly"))
    before = table.encounter
    table.chooses("done")
    assert (table.active, table.track("drake", "moved")) == ("bob", 0)
    assert table.refuses(MoveFeet("drake", 5)).key == "refused.not_your_turn"
    table.session.undo()
    assert table.encounter == before


@pytest.mark.parametrize(("share", "feet"), [("half", "15"), ("full", "30"), ("double", "60")])
def test_a_feature_moves_by_a_share_of_the_speed(share: Literal["half", "full", "double"], feet: str) -> None:
    table = fight(feature(FeatureStep(move=share), cost="action"), CLAW, first="drake", rules=pf2e())
    table.does(TakeAction("drake", "deed"))
    assert table.prompt.asks[0].detail == feet


def test_a_move_by_a_feature_is_apart_from_that_of_the_turn() -> None:
    table = fight(feature(FeatureStep(move="full"), cost="bonus"), CLAW, first="drake")
    table.does(MoveFeet("drake", 20))
    table.does(TakeAction("drake", "deed"))
    table.does(MoveFeet("drake", 30))
    table.chooses("done")
    assert table.track("drake", "moved") == 20
    table.does(MoveFeet("drake", 10))
    assert table.refuses(MoveFeet("drake", 5)).key == "refused.too_far"


def test_a_leap_costs_some_of_the_movement_of_the_turn() -> None:
    table = fight(feature(FeatureStep(move="full", feet=30, value=10), cost="bonus"), CLAW, first="drake")
    table.does(TakeAction("drake", "deed"))
    table.does(MoveFeet("drake", 30))
    table.chooses("done")
    assert table.track("drake", "moved") == 10


def test_a_teleport_is_told_with_its_distance_and_ends_what_was_said_of_its_place() -> None:
    table = fight(feature(FeatureStep(teleport=60), cost="bonus"), CLAW, first="drake")
    table.does(SetRelation("drake", "ann", distance=5))
    table.does(TakeAction("drake", "deed"))
    assert [(one.who, one.feet) for one in table.happened(Teleports)] == [("drake", 60)]
    assert (list(table.encounter.all(Relation)), table.prompts, table.track("drake", "moved")) == ([], [], 0)
    table.session.undo()
    assert [pair.distance for pair in table.encounter.all(Relation)] == [5]


def test_a_teleport_on_a_map_waits_until_the_creature_is_placed() -> None:
    table = fight(feature(FeatureStep(teleport=60), FeatureStep(use="claw"), cost="bonus"), CLAW, first="drake")
    table.does(Add((Map(columns=20, rows=20),)))
    for who, square in (("ann", (1, 1)), ("bob", (1, 3)), ("drake", (10, 10))):
        table.does(SetPosition(who, position=square))
    table.does(TakeAction("drake", "deed"))
    assert (table.prompt.title, table.prompt.asks[0].detail) == ("prompt.feature_teleport", "60")
    table.does(ForceMove("drake", (2, 2), "teleport"))
    table.chooses("done")
    assert (table.one("drake").position, table.prompt.title) == ((2, 2), "prompt.feature_step")


@pytest.mark.parametrize(("limit", "gone"), [(0, ["drake"]), (1, ["drake", "ann"])])
def test_only_a_feature_with_targets_teleports_them_too(limit: int, gone: list[str]) -> None:
    blink = feature(FeatureStep(teleport=60), FeatureStep(use="claw"), cost="bonus", targets=limit)
    table = fight(blink, CLAW, first="drake")
    table.does(UseFeature("drake", "deed", targets=("ann",)))
    assert [one.who for one in table.happened(Teleports)] == gone


def test_a_creature_without_that_speed_makes_no_such_move() -> None:
    table = legendary(FeatureStep(move="half", mode="fly"))
    assert [one.detail for one in table.happened(Skipped)] == ["<speed.fly>"]
    assert (table.active, table.prompts) == ("bob", [])


def test_a_standard_action_is_taken_for_the_features_cost() -> None:
    steps = (FeatureStep(action="dash"), FeatureStep(action="disengage", alternative=True))
    table = fight(feature(*steps, cost="bonus"), CLAW, first="drake")
    table.does(TakeAction("drake", "deed"))
    table.chooses("action disengage")
    assert (table.track("drake", "action"), table.track("drake", "bonus")) == (1, 0)
    assert "disengaging" in table.effects("drake")
    table.session.undo()
    table.session.undo()
    assert table.track("drake", "bonus") == 1


def test_a_check_is_rolled_and_told() -> None:
    table = fight(feature(FeatureStep(roll="wis:perception")), skills=(("perception", 11),))
    table.ends_turn()
    table.dice(9)
    table.chooses("deed")
    (made,) = [one for one in table.happened(Rolled) if one.purpose == "ask.check"]
    assert (made.who, made.roll.total, made.detail) == ("drake", 20, "<check.wis:perception>")


def test_a_condition_ends() -> None:
    table = fight(feature(FeatureStep(ends="frightened")))
    table.does(ApplyCondition(("drake",), "frightened"))
    table.ends_turn()
    table.chooses("deed")
    assert "frightened" not in table.effects("drake")
    table.session.undo()
    assert "frightened" in table.effects("drake")


@pytest.mark.parametrize("which", ["breath", "*"])
def test_a_spent_feature_is_ready_again(which: str) -> None:
    table = fight(feature(FeatureStep(recharges=which)), BREATH)
    table.does(SetTrack("drake", "recharge.breath", 0))
    table.ends_turn()
    table.chooses("deed")
    assert table.track("drake", "recharge.breath") == 1
    assert [one.feature for one in table.happened(FeatureReady)] == ["Breath"]
    table.session.undo()
    assert table.track("drake", "recharge.breath") == 0


def test_a_trigger_does_its_steps_to_whoever_set_it_off() -> None:
    answer = feature(FeatureStep(use="any-melee"), cost="reaction", trigger="hit")
    blade = Feature("blade", "Blade", "action", attack=8, reach=5, damage="1d6 slashing")
    ann = creature("ann", features=(blade,))
    drake = creature("drake", hp=90, features=(answer, CLAW))
    table = Table(ann, "bob", drake, foes=("drake",), rules=dnd5e())
    table.start(ann=20, bob=15, drake=10)
    table.dice(15, 3, 12, 5)
    table.does(Attack("ann", "drake", "blade"))
    table.chooses("deed")
    assert table.one("ann").hp == 20 - 8


# Activities of Pathfinder ---------------------------------------------------------------------------------------


def test_an_activity_strides_and_strikes_for_its_own_actions_and_counts_against_later_attacks() -> None:
    pounce = Feature("deed", "Pounce", "action", price=2, does=(FeatureStep(move="full"), FeatureStep(use="any-melee")))
    table = fight(pounce, CLAW, rules=pf2e(), first="drake")
    table.does(TakeAction("drake", "deed"))
    assert table.prompt.title == "prompt.feature_move"
    table.does(MoveFeet("drake", 20))
    table.chooses("done")
    table.dice(8, 5)
    table.chooses("ann")
    assert (table.one("ann").hp, table.track("drake", "action")) == (20 - 8, 1)
    assert attacks_made(table.encounter, pf2e(), "drake") == 1


def test_a_multiattack_of_a_game_with_priced_attacks_makes_them_at_once() -> None:
    frenzy = Feature("deed", "Frenzy", "action", price=2, attacks=2, multiattack=((("claw", 1), ("tail", 1)),))
    table = fight(frenzy, CLAW, TAIL, rules=pf2e(), first="drake")
    table.dice(8, 5, 8, 5)
    table.does(TakeAction("drake", "deed"))
    table.chooses("ann")
    table.chooses("bob")
    assert (table.track("drake", "action"), table.one("ann").hp, table.one("bob").hp) == (1, 12, 12)


def test_what_a_step_adds_is_on_the_attack_roll_with_the_name_of_its_feature() -> None:
    table = fight(feature(FeatureStep(use="claw", bonus=-2), cost="action"), CLAW, first="drake")
    table.dice(12, 5)
    table.does(TakeAction("drake", "deed", targets=("bob",)))
    (struck,) = table.happened(Attacked)
    assert struck.roll is not None
    assert [(one.value, one.reason) for one in struck.roll.modifiers if one.reason == "Deed"] == [(-2, "Deed")]
    assert struck.roll.total == 12 + 8 - 2


def test_a_feature_that_is_used_heals_its_owner() -> None:
    table = fight(Feature("rest", "Rest", "action", heals="1d6+2"), first="drake")
    table.does(ApplyDamage(("drake",), "20 slashing"))
    table.dice(4)
    before = table.encounter
    table.does(UseFeature("drake", "rest"))
    assert table.one("drake").hp == 90 - 20 + 6
    table.session.undo()
    assert table.encounter == before


# One of the conditions on its owner ------------------------------------------------------------------------------


RECOVERY = Feature("recovery", "Elite Recovery", trigger="turn-end", when="bloodied", does=(FeatureStep(ends="any"),))


def ogre_with(*conditions: str, hp: int = 10) -> Table:
    table = Table(creature("ogre", features=(RECOVERY,)), creature("ann"), foes=("ogre",), rules=a5e())
    table.start(ogre=20, ann=10)
    for one in conditions:
        table.does(ApplyCondition(("ogre",), one, by="ann"))
    table.does(SetHitPoints("ogre", hp))
    return table


def test_a_feature_ends_the_one_condition_that_others_have_put_on_its_owner() -> None:
    table = ogre_with("stunned")
    before = table.encounter
    table.ends_turn()
    assert "stunned" not in table.effects("ogre")
    table.session.undo()
    assert table.encounter == before


def test_which_of_several_ends_is_asked() -> None:
    table = ogre_with("frightened", "blinded")
    table.does(EndTurn())
    assert [option.id for option in table.prompt.asks[0].options] == ["ends frightened", "ends blinded"]
    table.chooses("ends blinded")
    assert table.effects("ogre") == {"frightened"}


@pytest.mark.parametrize(("conditions", "hp"), [((), 10), (("blinded",), 11)])
def test_nothing_is_asked_or_told_where_nothing_can_end(conditions: tuple[str, ...], hp: int) -> None:
    table = ogre_with(*conditions, hp=hp)
    told = len(table.happened(Skipped))
    table.ends_turn()
    assert table.effects("ogre") == set(conditions)
    assert len(table.happened(Skipped)) == told


# Conditions on itself ---------------------------------------------------------------------------------------------


def test_a_step_puts_a_condition_on_its_owner_and_the_one_in_its_place_ends_it() -> None:
    steps = (FeatureStep(gains="invisible"), FeatureStep(ends="invisible", alternative=True))
    table = fight(feature(*steps, cost="bonus"), CLAW, first="drake")
    before = table.encounter
    table.does(TakeAction("drake", "deed"))
    held = find_effect(table.encounter, "drake", "invisible")
    assert held is not None
    assert held.source == "Deed"
    table.session.undo()
    assert table.encounter == before
    table.session.redo()
    table.ends_turn(3)
    table.does(TakeAction("drake", "deed"))
    assert "invisible" not in table.effects("drake")


def test_what_a_step_puts_on_its_owner_lasts_as_long_as_it_says() -> None:
    step = FeatureStep(gains="slowed", value=2, until="turn-end")
    table = fight(feature(step, cost="action"), CLAW, rules=pf2e(), first="drake")
    table.does(TakeAction("drake", "deed"))
    held = find_effect(table.encounter, "drake", "slowed")
    assert held is not None
    assert held.value == 2
    table.ends_turn(1)
    assert "slowed" not in table.effects("drake")


# Attacks that count together --------------------------------------------------------------------------------------


def test_attacks_made_together_count_for_the_penalty_once_all_are_made() -> None:
    steps = (FeatureStep(use="claw", together=True), FeatureStep(use="claw", together=True))
    table = fight(feature(*steps, cost="action"), CLAW, rules=pf2e(), first="drake")
    table.dice(12, 5, 12, 5)
    table.does(TakeAction("drake", "deed"))
    table.chooses("ann")
    assert attacks_made(table.encounter, table.rules, "drake") == 0
    table.chooses("bob")
    bonuses = [one.roll.total for one in table.events if isinstance(one, Attacked) and one.roll is not None]
    assert bonuses == [20, 20]
    assert attacks_made(table.encounter, table.rules, "drake") == 2


# Areas on the map ------------------------------------------------------------------------------------------------


def on_map(*features: Feature, rules: RuleSystem | None = None, first: str = "drake", **fields: Any) -> Table:
    """The fight on a map: the drake at the left, Ann and Bob to its right."""
    table = fight(*features, rules=rules, first=first, **fields)
    table.does(Add((Map(columns=40, rows=20),)))
    for who, place in (("drake", (3, 5)), ("ann", (9, 5)), ("bob", (30, 5))):
        table.does(ForceMove(who, place, "teleport"))
    return table


def covers(table: Table) -> list[list[str]]:
    """The combatants in each area on the map."""
    fight = table.encounter
    who = ("drake", "ann", "bob")
    return [
        [one for one in who if is_in_area(fight, table.rules, one, area)]
        for area in table.encounter.all(LastingArea)
        if area.owner
    ]


@for_each("spell", ["fog-cloud", "darkness", "daylight", "silence"])
@for_each("rules", [dnd5e, a5e, pf2e])
def test_a_step_asks_for_the_place_of_its_spells_area(rules: Callable[[], RuleSystem], spell: str) -> None:
    spell = "mist" if rules is pf2e and spell == "fog-cloud" else spell
    listed = next((one for one in rules().data.spells if one.id == spell), None)
    if listed is None or listed.ground is None:
        return
    deed = feature(FeatureStep(spell=spell), cost="action")
    table = on_map(deed, rules=rules())
    before = table.encounter
    table.does(UseFeature("drake", "deed"))
    for _ in listed.choices[:1]:
        table.chooses("a point")
    assert table.prompt.title == "prompt.area_place"
    table.chooses("bob")
    assert (covers(table), table.prompts) == ([["bob"]], [])
    for _ in range(3 if listed.choices else 2):
        table.session.undo()
    assert table.encounter == before
    table.does(UseFeature("drake", "deed", origin=(9, 5)))
    for _ in listed.choices[:1]:
        table.chooses("a point")
    assert ("ann" in covers(table)[0], table.prompts) == (True, [])
    table = on_map(deed, rules=rules())
    table.does(UseFeature("drake", "deed"))
    for _ in listed.choices[:1]:
        table.chooses("a point")
    table.chooses("pass")
    assert (covers(table), table.prompts) == ([], [])


def test_a_legendary_action_asks_for_the_place_of_its_area_and_moves_it_when_used_again() -> None:
    dark = Feature(
        "dark", "Dark", "legendary", range="120", area="10-foot radius", lasts="1 minute", text="It is dark."
    )
    table = on_map(msgspec.structs.replace(dark, properties=("darkness",)), first="ann")
    for who in ("ann", "bob"):
        table.ends_turn()
        table.chooses("dark")
        assert table.prompt.title == "prompt.area_place"
        table.chooses(who)
        assert covers(table) == [[who]]


def test_a_harmful_area_asks_for_its_place_and_then_for_those_inside() -> None:
    quake = Feature(
        "quake", "Quake", "action", range="90", area="10-foot radius", save="con", dc=18, damage="2d6 thunder",
        properties=("difficult-terrain",),
    )  # fmt: skip
    for place, inside in (("ann", ("ann",)), ("pass", ())):
        table = on_map(quake)
        table.does(UseFeature("drake", "quake"))
        table.chooses(place)
        assert [each.suggested for each in table.prompt.asks] == [inside] if inside else not table.prompts
        if inside:
            table.chooses("ann")
            assert [each.who for each in table.prompt.asks] == ["ann"]  # her save


def test_a_spell_cast_by_name_spends_the_use_of_the_feature_that_gives_it() -> None:
    deed = feature(FeatureStep(spell="fog-cloud"), cost="action", uses=1)
    table = on_map(deed)
    table.does(UseFeature("drake", spell="fog-cloud", origin=(9, 5)))
    assert remaining_uses(table.encounter, "drake", "uses.deed") == 0
    assert "no_uses" in str(table.refuses(UseFeature("drake", "deed")))


@pytest.mark.parametrize(
    ("rules", "spell"),
    [(dnd5e, "gust-of-wind"), (a5e, "gust-of-wind"), (a5e, "burning-gust-of-wind"), (pf2e, "gust-of-wind")],
)
def test_a_gust_is_a_line_from_its_caster_that_blows_for_its_time(rules: Callable[[], RuleSystem], spell: str) -> None:
    numbers = {"level": 5, "proficiency": 3, "spellcasting": "wis", "slots": (("1", 1), ("2", 1))}
    table = on_map(rules=rules(), abilities=(("wis", 18),), **numbers)
    table.does(SetDice("roll"))
    table.does(UseFeature("drake", spell=spell, origin=(9, 5)), anyway=True)
    while table.prompts:
        table.skips()
    assert covers(table) == [["ann"]]
    if rules is pf2e:
        return
    table.does(ForceMove("ann", (3, 9), "teleport"))
    table.does(SetDice("roll"))
    saves = len(table.happened(Rolled))
    table.ends_turn()  # to Ann, outside
    assert len(table.happened(Rolled)) == saves
    table.does(ForceMove("ann", (8, 5), "teleport"))
    assert (len(table.happened(Rolled)) > saves) is (rules is a5e)  # the other only blows on those that start a turn


@pytest.mark.parametrize("rules", [dnd5e, a5e, pf2e])
@pytest.mark.parametrize(
    ("origin", "covered"), [((9, 5), {(9, 0), (9, 5), (9, 10)}), ((3, 12), {(0, 12), (3, 12), (8, 12)})]
)
def test_a_wall_stands_across_the_way_from_its_caster(
    rules: Callable[[], RuleSystem], origin: tuple[int, int], covered: set[tuple[int, int]]
) -> None:
    numbers = {"level": 9, "proficiency": 4, "spellcasting": "wis", "slots": (("4", 1), ("5", 1))}
    table = on_map(rules=rules(), abilities=(("wis", 18),), **numbers)
    table.does(UseFeature("drake", spell="wall-of-fire", origin=origin), anyway=True)
    table.chooses("wall" if rules is pf2e else "straight wall, hot on the far side")
    if table.prompts and table.prompt.asks[0].id == TARGETS:
        table.chooses()
    (wall,) = (area for area in table.encounter.all(LastingArea) if not area.outside)
    squares = {
        (column + right, row + down)
        for column, row, wide, high in wall.squares
        for right in range(wide)
        for down in range(high)
    }
    assert covered <= squares
    assert len({column for column, _ in squares}) == 1 or len({row for _, row in squares}) == 1


@pytest.mark.parametrize(
    ("who", "kind", "hp"), [("ann", "humanoid", 18), ("ann", "undead", 2), ("bob", "humanoid", 10)]
)
def test_a_field_of_life_heals_the_living_in_it_and_hurts_the_undead(who: str, kind: str, hp: int) -> None:
    drake = creature("drake", hp=90, level=12)
    table = Table(creature("ann", hp=40, type=kind), creature("bob", hp=40), drake, foes=("drake",), rules=pf2e())
    table.start(drake=30, **{who: 20}, **{"bob" if who == "ann" else "ann": 10})
    table.does(Add((Map(columns=40, rows=20),)))
    for one, place in (("drake", (3, 5)), ("ann", (9, 5)), ("bob", (30, 5))):
        table.does(ForceMove(one, place, "teleport"))
    table.does(SetHitPoints(who, 10))
    table.does(UseFeature("drake", spell="field-of-life", origin=(9, 5)), anyway=True)
    table.dice(*[8] * (who == "ann"))
    table.ends_turn()
    assert (table.one(who).hp, table.prompts) == (hp, [])


@pytest.mark.parametrize("rules", [dnd5e, a5e, pf2e])
@pytest.mark.parametrize("limits", [{"uses": 1}, {"level": 1}])
def test_a_feature_can_cast_a_spell_without_spending_its_use_or_slot(
    rules: Callable[[], RuleSystem], limits: dict[str, int]
) -> None:
    bane = Feature("bane", "Bane", "action", save="cha", dc=15, damage="1d4 psychic", properties=("spell",), **limits)  # type: ignore[arg-type]
    deed = feature(FeatureStep(use="bane"), cost="action", properties=("spares-uses",))
    table = fight(deed, bane, rules=rules(), first="drake", slots=(("1", 1),))
    track = "uses.bane" if "uses" in limits else "slots.1"
    for _ in range(2):
        table.dice(1, 3)
        table.does(UseFeature("drake", "deed", targets=("ann",)), anyway=True)
        while table.prompts:
            table.skips()
    assert remaining_uses(table.encounter, "drake", track) == 1


def conjuring(type_: str, rules: RuleSystem | None = None) -> Table:
    """A mage on the map who can call a wolf, whose stat block no one uses yet."""
    mage, wolf = creature("mage", spellcasting="int", slots=(("3", 1),)), creature("wolf", hp=11, type=type_)
    heroes, waiting = RosterEntry("mage", "mage", side="heroes"), RosterEntry("wolf", "wolf", absent=True)
    table = Table(mage, wolf, "ogre", roster=[heroes, waiting], rules=rules)
    table.does(Add((Map(columns=20, rows=6),)))
    table.start(mage=20, ogre=10)
    table.does(SetPosition("mage", position=(0, 3)))
    table.does(UseFeature("mage", spell="conjure-animals"))
    return table


def test_summoned_creatures_come_beside_their_summoner_until_its_spell_ends() -> None:
    table = conjuring("beast")
    assert table.prompt.title == "prompt.summons"
    table.answers(summons="wolf", many=2)
    came = [one for one in table.encounter.all(Combatant) if one.creature == "wolf"]
    assert [(one.side, one.controller, one.hp) for one in came] == [("heroes", "mage", 11)] * 2
    assert {one.position for one in came} == {(0, 2), (0, 4)}
    table.does(Concentrate("mage", "bless"))
    table.chooses("leave")
    assert sorted(table.encounter.ids(Combatant)) == ["mage", "ogre"]


def test_summoned_creatures_hear_one_command_within_the_distance_of_their_spell() -> None:
    table = conjuring("beast")
    table.answers(summons="wolf", many=2)
    wolves = tuple(one.id for one in table.encounter.all(Combatant) if one.creature == "wolf")
    table.does(SetPosition(wolves[0], position=(11, 0)))
    order = CommandFollowers("mage", wolves, "attack", "ogre")
    table.does(SetPosition(wolves[1], position=(14, 3)))
    assert table.refuses(order).key == "refused.too_far_to_help"
    table.does(SetPosition(wolves[1], position=(11, 5)))
    table.does(order)


def test_summoned_creatures_with_a_turn_of_their_own_roll_initiative_together() -> None:
    table = conjuring("beast", dnd5e())
    table.dice(3)
    table.answers(summons="wolf", many=2)
    came = [one for one in table.encounter.all(Combatant) if one.creature == "wolf"]
    assert [(one.side, one.controller) for one in came] == [("heroes", "")] * 2
    assert len({one.initiative for one in came}) == 1
    table.ends_turn(2)
    assert table.active in {one.id for one in came}


@pytest.mark.parametrize("type_", ["beast", "undead"])
def test_a_spell_that_finds_no_creature_brings_none(type_: str) -> None:
    table = conjuring(type_)
    if type_ == "beast":
        table.answers(summons="", many=1)
    assert table.prompts == []
    assert len(list(table.encounter.all(Combatant))) == 2
    assert len(table.happened(Skipped)) == (type_ == "undead")


# Spells of a list act as when they are cast by themselves ----------------------------------------------------------


def _cast(rules: RuleSystem, name: str, *, listed: bool, bare: bool = False, **fields: Any) -> Table:
    """Let the drake cast a spell on Bob, who is blinded, by itself or as the choice of a list."""
    spell = next(each for each in rules.data.spells if each.name == name)
    own = msgspec.structs.replace(spell_feature(spell, Caster(15, 7, 9, 4)), uses=1, level=None)
    own = Feature(own.id, own.name, "action", uses=1, price=own.price, properties=("spell",)) if bare else own
    steps = (FeatureStep(use=own.id), FeatureStep(use="breath", alternative=True))
    casting = Feature("casting", "Spellcasting", "action", does=steps, price=own.price)
    table = fight(own, BREATH, casting, rules=rules, first="drake", **fields)
    table.does(ApplyCondition(("bob",), "blinded"))
    if spell.when == "target.dead":
        table.does(SetDead("bob", True))
    if not listed:
        table.does(UseFeature("drake", own.id, targets=("bob",)))
        return table
    table.does(UseFeature("drake", "casting"))
    table.chooses(f"use {own.id}")
    if [prompt.title for prompt in table.prompts] == ["prompt.feature_step"]:
        table.chooses("bob")
    return table


def _state(table: Table) -> tuple[Any, ...]:
    effects = sorted((each.target, each.name, each.source, each.rounds_left) for each in table.encounter.all(Effect))
    kept = [each for each in effects if each[1] != "cast"]  # the mark of a turn's spell, not of its effect
    return kept, [prompt.title for prompt in table.prompts]


SPELLS = [
    (a5e, ("Lesser Restoration", "Greater Restoration", "Dispel Magic", "Invisibility", "Revivify", "Enhance Ability")),
    (
        dnd5e,
        (
            "Lesser Restoration",
            "Remove Curse",
            "Dispel Magic",
            "Jump",
            "Sanctuary",
            "Enhance Ability",
        ),
    ),
    (pf2e, ("Restore Senses", "Dispel Magic", "Resist Energy", "Life Boost", "Air Walk", "Sanctuary")),
]


@for_each(("rules", "name"), [(rules, name) for rules, names in SPELLS for name in names])
def test_a_spell_chosen_in_a_list_acts_as_when_it_is_cast(rules: Callable[[], RuleSystem], name: str) -> None:
    for bare in (False, True):
        alone, listed = (_cast(rules(), name, listed=each, bare=bare) for each in (False, True))
        assert _state(listed) == _state(alone), bare


def test_a_spell_of_a_list_ends_the_conditions_of_the_target_that_it_asks_for() -> None:
    for rules in (a5e(), dnd5e()):
        table = _cast(rules, "Lesser Restoration", listed=True)
        assert find_effect(table.encounter, "bob", "blinded") is None


def test_a_spell_of_a_list_is_only_offered_targets_of_its_kind() -> None:
    beast = creature("bear", type="beast")
    spell = next(each for each in dnd5e().data.spells if each.name == "Animal Friendship")
    casting = Feature("casting", "Spellcasting", "action", does=(FeatureStep(use="animal-friendship"),))
    caster = creature("mage", features=(spell_feature(spell, Caster(15)), casting))
    table = Table("ann", beast, caster, foes=("mage",), rules=dnd5e())
    table.start(ann=10, bear=5, mage=20)
    table.does(UseFeature("mage", "casting"))
    assert [option.id for option in table.prompt.asks[0].options] == ["bear"]


@pytest.mark.parametrize(("answer", "hurt"), [("use squeeze", 4), ("", 0)])
@pytest.mark.parametrize("rules", [a5e, dnd5e, pf2e])
def test_a_step_with_a_requirement_asks_for_it(rules: Callable[[], RuleSystem], answer: str, hurt: int) -> None:
    squeeze = Feature("squeeze", "Squeeze", "free", damage="1d6 bludgeoning", requires="The grab succeeded")
    grab = feature(FeatureStep(use="squeeze"), cost="action")
    table = fight(grab, squeeze, rules=rules(), first="drake")
    table.does(UseFeature("drake", "deed", targets=("ann",)))
    assert [ask.detail for ask in table.prompt.asks] == ["The grab succeeded"]
    table.dice(4)
    table.chooses(answer)
    assert table.one("ann").hp == 20 - hurt
    assert not table.prompts


@pytest.mark.parametrize("rules", [a5e, dnd5e, pf2e])
def test_attacks_against_different_targets_ask_for_another_each_time(rules: Callable[[], RuleSystem]) -> None:
    steps = [FeatureStep(use="claw", together=True)] * 3
    table = fight(feature(*steps, cost="action", properties=("different-targets",)), CLAW, rules=rules(), first="drake")
    table.dice(1, 1)
    table.does(UseFeature("drake", "deed", targets=("ann",)))
    assert [option.id for option in table.prompt.asks[0].options] == ["bob"]
    table.chooses("bob")
    assert [event.target for event in table.happened(Attacked)] == ["ann", "bob"]
    assert not table.prompts


def test_a_step_can_deal_the_damage_of_an_attack_without_a_roll() -> None:
    claw = Feature("claw", "Claw", "action", attack=5, reach=5, damage="3 slashing", properties=("weapon",))
    sure = DataRule("hit", "attack", when="with:sure-hit")
    steps = (FeatureStep(use="claw", carries=True),)
    again = Feature(
        "again", "Again", "free", does=steps, rules=(sure,), properties=("sure-hit", "uncounted"), targets=1
    )
    table = Table(creature("ann", hp=90), creature("sphinx", features=(claw, again)), foes=("sphinx",), rules=pf2e())
    table.start(sphinx=20, ann=10)
    table.does(UseFeature("sphinx", "again", targets=("ann",)))
    assert (table.one("ann").hp, "attacks-made" in table.effects("sphinx")) == (87, False)
    table.dice(1)
    table.does(Attack("sphinx", "ann", "claw"))
    assert (table.one("ann").hp, "attacks-made" in table.effects("sphinx")) == (87, True)


@pytest.mark.parametrize("game", [a5e, dnd5e])
def test_a_feature_with_the_name_of_its_spell_takes_the_steps_of_the_spell_once(game: Callable[[], RuleSystem]) -> None:
    step = Feature("misty-step", "Misty Step", "bonus", uses=3, does=(FeatureStep(spell="misty-step"),))
    table = Table(creature("mage", features=(step,)), rules=game())
    table.start(mage=10)
    table.does(UseFeature("mage", "misty-step"))
    assert [one.feet for one in table.happened(Teleports)] == [30]
    assert remaining_uses(table.encounter, "mage", "uses.misty-step") == 2


def test_a_spell_that_a_feature_casts_on_its_owner_asks_for_no_target() -> None:
    vanish = Feature("vanish", "Vanish", "action", range="self", does=(FeatureStep(spell="invisibility"),))
    table = Table(creature("oni", features=(vanish,)), "ann", foes=("oni",), rules=dnd5e())
    table.start(oni=10, ann=5)
    table.does(UseFeature("oni", "vanish"))
    assert (table.prompts, "invisible" in table.effects("oni")) == ([], True)


def test_a_feature_that_a_step_uses_leaves_its_effects_to_the_strike_that_carries_them() -> None:
    gust = Feature("gust", "Gust", "free", damage="9 sonic", does=(FeatureStep(use="claw", carries=True),))
    roar = Feature("roar", "Roar", "action", does=(FeatureStep(use="gust"),))
    claw = Feature("claw", "Claw", "action", attack=5, reach=5, damage="3 slashing")
    for face, hp in ((2, 20), (8, 20 - 3 - 9)):
        table = Table("ann", creature("drake", features=(claw, gust, roar)), foes=["drake"], rules=pf2e())
        table.start(drake=20, ann=10)
        table.does(UseFeature("drake", "roar"))
        table.dice(face)
        table.chooses("ann")
        assert table.one("ann").hp == hp
