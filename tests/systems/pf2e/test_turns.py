"""Turns by the rules of Pathfinder 2e: three actions and a reaction, what they pay for, and when a turn is over."""

from __future__ import annotations

import itertools
from dataclasses import replace

import msgspec
import pytest

from tests.systems.pf2e.encounters import Encounter, pair
from tests.table import creature, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature, FeatureStep, Map
from turnwright.encounter.running import Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.manual_hit_points import SetTrack
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.commanded_move import MoveFeet, MovePath
from turnwright.play.movement.forced_movement import DropProne
from turnwright.play.queries import queries
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.events import ActionTaken, TrackSet
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.turns.turns import EndTurn, TurnEnded, TurnStarted
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.dying import Condition


def with_conditions(*conditions: Condition) -> RuleSystem:
    """The game with further conditions."""
    found = pf2e().data
    return replace(pf2e(), data=msgspec.structs.replace(found, conditions=(*found.conditions, *conditions)))


def held(*rules: DataRule, **fields: object) -> RuleSystem:
    """The game with a condition `held` that has these rules."""
    return with_conditions(Condition("held", "Held", rules=rules, **fields))  # type: ignore[arg-type]


BREATH = Feature("breath", "Breath", "action", price=2, save="dex", dc=15, damage="3 fire")
CLUB = Feature("club", "Club", "action", attack=5, reach=5, damage="1d6 bludgeoning")
CANT = (DataRule("deny", "action"), DataRule("deny", "reaction"), DataRule("deny", "free"))


def purse(table: Encounter, who: str) -> tuple[int, int]:
    """How many actions and reactions somebody has."""
    return table.track(who, "action"), table.track(who, "reaction")


# What comes back -------------------------------------------------------------------------------------------------


@pytest.mark.rule("pf2e.turn.start.regain_last")
def test_three_actions_and_a_reaction_come_last() -> None:
    table = Encounter("mira", "ogre", foes=("ogre",))
    table.start(mira=20, ogre=10)
    assert (purse(table, "mira"), purse(table, "ogre")) == ((3, 1), (0, 0))
    table.casts("ogre", "ogre", "Blur", rounds=2)
    table.does(ApplyCondition(("ogre",), "reminder", due="turn-start", note="2 damage"))
    table.ends_turn()
    table.chooses("notes", "rounds")
    assert purse(table, "ogre") == (0, 0)
    table.chooses("applied")
    assert purse(table, "ogre") == (3, 1)


@pytest.mark.rule("pf2e.turn.start.unused_reaction_lost", "pf2e.turn.start.no_saving")
def test_nothing_is_saved_up() -> None:
    table = pair()
    table.takes("mira", "interact")
    table.ends_turn(2)
    assert purse(table, "mira") == (3, 1)


@pytest.mark.rule("pf2e.turn.act.leftover_actions_lost", "pf2e.turn.act.end_early")
def test_what_is_left_of_the_actions_is_lost_with_the_turn() -> None:
    table = pair()
    table.takes("mira", "interact")
    table.ends_turn()
    assert (table.active, purse(table, "mira")) == ("ogre", (0, 1))
    lost = table.happened(TrackSet)[-1]
    assert (lost.before, lost.after, lost.rule) == (2, 0, "pf2e.turn.act.leftover_actions_lost")
    table.does(SpendResource("mira", "reaction", note="Shield Block"))
    table.does(TakeAction("mira", "release"))
    assert purse(table, "mira") == (0, 0)


@pytest.mark.rule("pf2e.turn.start.cannot_act_no_regain", "pf2e.external.cannot_act_conditions")
def test_whoever_cannot_act_regains_nothing_and_loses_the_old_reaction() -> None:
    table = pair(rules=held(*CANT))
    table.does(ApplyCondition(("mira",), "held"))
    assert purse(table, "mira") == (3, 1)
    table.ends_turn(2)
    assert purse(table, "mira") == (0, 0)
    assert {one.rule for one in table.happened(TrackSet)[-2:]} == {"pf2e.turn.start.cannot_act_no_regain"}


@pytest.mark.rule("pf2e.turn.act.cannot_act")
def test_whoever_cannot_act_can_use_nothing() -> None:
    table = pair(rules=held(*CANT))
    table.does(ApplyCondition(("mira",), "held"))
    offers = queries.actions_for(table.encounter, table.rules, "mira")
    assert [one.action.id for one in offers if not one.refused] == []
    for action in ("interact", "aid", "release"):
        assert table.refuses(TakeAction("mira", action)).key == "refused.condition"


@pytest.mark.rule("pf2e.turn.start.modified_regain", "pf2e.external.slowed", "pf2e.external.quickened")
@pytest.mark.parametrize(("value", "left"), [(-1, 2), (-2, 1), (1, 4)])
def test_conditions_change_how_many_come_back(value: int, left: int) -> None:
    table = pair(rules=held(DataRule("resource", "action", add=value)))
    table.does(ApplyCondition(("mira",), "held"))
    table.ends_turn(2)
    assert purse(table, "mira") == (left, 1)
    changed = [one for one in table.happened(TrackSet) if one.rule == "pf2e.turn.start.modified_regain"]
    assert [(one.track, one.after) for one in changed] == [("action", left)]


def test_what_wears_off_has_kept_back_so_many() -> None:
    table = pair(rules=held(DataRule("resource", "action", per_value=-1, wears=True), valued=True))
    table.does(ApplyCondition(("mira",), "held", value=4))
    table.ends_turn(2)
    assert (purse(table, "mira"), table.called("held").value) == ((0, 1), 1)
    table.ends_turn(2)
    assert (purse(table, "mira"), table.lasts("held")) == ((2, 1), False)


@pytest.mark.rule("pf2e.turn.start.choose_lost_actions")
@pytest.mark.parametrize(("lost", "kept"), [("usual.1", 1), ("extra.1", 0)])
def test_whoever_gains_and_loses_actions_says_which_are_lost(lost: str, kept: int) -> None:
    rules = with_conditions(
        Condition("fast", "Fast", rules=(DataRule("resource", "action", add=1),)),
        Condition("slow", "Slow", rules=(DataRule("resource", "action", add=-1),)),
    )
    table = pair(rules=rules)
    for condition in ("fast", "slow"):
        table.does(ApplyCondition(("mira",), condition))
    table.ends_turn(2)
    ask = table.ask()
    assert (ask.rule, ask.max_choices, len(ask.options)) == ("pf2e.turn.start.choose_lost_actions", 1, 4)
    assert purse(table, "mira") == (0, 1)
    table.chooses(lost)
    assert (purse(table, "mira"), table.track("mira", "action-extra")) == ((3, 1), kept)


@pytest.mark.parametrize(
    ("stunned", "slowed", "quickened", "left"),
    [(1, 2, False, 1), (2, 1, False, 1), (2, 1, True, 2), (1, 1, False, 2), (4, 1, False, 0), (1, 0, False, 2)],
)
@pytest.mark.rule("pf2e.external.slowed")
def test_actions_lost_to_stunned_count_towards_slowed(stunned: int, slowed: int, quickened: bool, left: int) -> None:
    table = pair()
    for name, value in (("stunned", stunned), ("slowed", slowed)):
        if value:
            table.does(ApplyCondition(("mira",), name, value=value))
    if quickened:
        table.does(ApplyCondition(("mira",), "quickened"))
    table.ends_turn(2)
    if quickened:
        table.chooses("usual.1", "usual.2")
    assert table.track("mira", "action") == left


def test_stunned_costs_as_many_actions_as_it_says_and_is_over() -> None:
    table = pair()
    table.does(ApplyCondition(("mira",), "stunned", value=4))
    table.ends_turn(2)
    assert (purse(table, "mira"), table.called("stunned").value) == ((0, 0), 1)
    table.ends_turn(2)
    assert (purse(table, "mira"), table.lasts("stunned")) == ((2, 1), False)


# What is paid for -----------------------------------------------------------------------------------------------


@pytest.mark.rule("pf2e.turn.act.any_order")
def test_actions_come_in_any_order() -> None:
    for order in itertools.permutations(("sense-motive", "interact", "take-cover")):
        table = pair()
        table.takes("mira", *order)
        assert table.track("mira", "action") == 0
        assert [one.action for one in table.happened(ActionTaken)] == [table.rules.actions[id].name for id in order]


@pytest.mark.rule("pf2e.turn.act.activity_within_turn", "pf2e.external.high_jump")
def test_an_activity_needs_all_its_actions_on_one_turn() -> None:
    table = pair()
    table.takes("mira", "high-jump")
    refused = table.refuses(TakeAction("mira", "high-jump"))
    assert (refused.key, refused.params["left"], table.track("mira", "action")) == ("refused.too_few_left", 1, 1)
    assert table.rules.actions["high-jump"].ledger[0] == "pf2e.turn.act.activity_within_turn"
    assert table.rules.actions["high-jump"].trial is None


@pytest.mark.rule("pf2e.external.spellcasting_actions")
@pytest.mark.parametrize(("price", "left"), [("1", 2), ("2", 1), ("3", 0)])
def test_a_spell_takes_one_to_three_actions_as_a_person_says(price: str, left: int) -> None:
    table = pair()
    table.does(TakeAction("mira", "cast-spell"))
    assert [one.id for one in table.ask().options] == ["1", "2", "3"]
    assert (table.ask().rule, table.track("mira", "action")) == ("pf2e.external.spellcasting_actions", 3)
    table.chooses(price)
    assert table.track("mira", "action") == left
    assert "302-305" in table.rules.actions["cast-spell"].text


def test_no_spell_is_offered_for_more_actions_than_are_left() -> None:
    table = pair()
    table.takes("mira", "interact")
    table.does(TakeAction("mira", "cast-spell"))
    assert [one.id for one in table.ask().options] == ["1", "2"]
    table.skips()
    table.does(TakeAction("mira", "cast-spell", points=2))
    assert table.refuses(TakeAction("mira", "cast-spell")).key == "refused.none_left"


def test_no_spell_takes_what_no_spell_takes() -> None:
    table = pair()
    table.does(SetTrack("mira", "action", 5), anyway=True)
    assert table.refuses(TakeAction("mira", "cast-spell", points=4)).key == "refused.no_such_price"


@pytest.mark.rule("pf2e.external.magic_item_actions")
def test_an_item_takes_an_action() -> None:
    table = pair()
    table.takes("mira", "activate-item")
    assert table.track("mira", "action") == 2
    assert "531-534" in table.rules.actions["activate-item"].text


@pytest.mark.rule("pf2e.turn.act.finish_before_next")
def test_nothing_is_put_inside_an_activity() -> None:
    table = Encounter(creature("mira", features=(BREATH,)), "ogre", foes=("ogre",))
    table.start(mira=20, ogre=10)
    table.does(UseFeature("mira", "breath", targets=("ogre",)))
    assert table.asked() == [("prompt.save", "ask.save")]
    refused = table.refuses(TakeAction("mira", "interact"))
    assert (refused.key, refused.rule) == ("refused.unfinished", "pf2e.turn.act.finish_before_next")
    for other in (
        MoveFeet("mira", 5),
        Attack("mira", "ogre", given=CLUB),
        UseFeature("mira", "breath", targets=("ogre",)),
    ):
        assert table.refuses(other).key == "refused.unfinished"
    table.skips()
    table.takes("mira", "interact")
    assert table.track("mira", "action") == 0


@pytest.mark.rule("pf2e.turn.act.finish_before_next")
def test_the_steps_of_an_activity_are_finished_before_another_action() -> None:
    steps = (FeatureStep(move="full"), FeatureStep(use="any-melee"))
    charge = Feature("charge", "Sudden Charge", "action", price=2, does=steps)
    field = Map(columns=16, rows=16)
    table = Encounter(creature("mira", features=(charge, CLUB)), "ogre", foes=("ogre",), surroundings=[field])
    table.start(mira=20, ogre=10)
    for who, square in (("mira", (1, 1)), ("ogre", (5, 1))):
        table.does(SetPosition(who, position=square))
    table.does(TakeAction("mira", "charge"))
    assert table.prompt.title == "prompt.feature_move"
    others = (
        TakeAction("mira", "step"),
        TakeAction("mira", "demoralize"),
        DropProne("mira"),
        Attack("mira", "ogre", "club"),
        UseFeature("mira", "charge"),
    )
    for other in others:
        assert table.refuses(other).key == "refused.unfinished"
    table.does(MovePath("mira", ((2, 1), (3, 1), (4, 1))))
    table.chooses("done")
    assert table.one("mira").position == (4, 1)
    for other in others:
        assert table.refuses(other).key == "refused.unfinished"
    while table.prompts:
        table.skips()
    table.takes("mira", "interact")


@pytest.mark.rule("pf2e.turn.act.available_actions")
def test_ones_own_actions_are_listed_beside_the_basic_ones() -> None:
    own = (Feature("spin", "Spin", "action"), Feature("roar", "Roar", "action", price=2))
    table = Encounter(creature("mira", features=own), "ogre", foes=("ogre",))
    table.start(mira=20, ogre=10)
    offers = {one.action.id: one.action for one in queries.actions_for(table.encounter, table.rules, "mira")}
    assert {"spin", "roar", "stride", "step", "strike", "interact"} <= set(offers)
    assert offers["roar"].ledger == ("pf2e.turn.act.available_actions",)
    table.takes("mira", "roar")
    assert table.track("mira", "action") == 1


@pytest.mark.rule("pf2e.specialty.requirements")
def test_a_shield_is_raised_by_whoever_has_one() -> None:
    table = Encounter("mira", creature("tor", gear=("shield",)))
    table.start(mira=20, tor=10)
    refused = table.refuses(TakeAction("mira", "raise-shield"))
    assert (refused.key, refused.rule) == ("refused.no_shield", "pf2e.specialty.requirements")
    table.ends_turn()
    table.takes("tor", "raise-shield")
    assert table.track("tor", "action") == 2


# When it is over ------------------------------------------------------------------------------------------------


@pytest.mark.rule("pf2e.turn.act.three_spent_ends")
def test_the_end_of_the_turn_comes_up_when_all_three_are_spent() -> None:
    table = pair()
    for _ in range(2):
        table.does(TakeAction("mira", "interact"))
    assert table.prompts == []
    table.does(TakeAction("mira", "interact"))
    assert (table.prompt.title, table.prompt.blocks, table.ask().rule) == (
        "prompt.turn_over",
        False,
        "pf2e.turn.act.three_spent_ends",
    )
    table.chooses("turn-over")
    assert (table.active, table.prompts) == ("ogre", [])


@pytest.mark.rule("pf2e.turn.act.three_spent_ends")
def test_put_aside_it_leaves_room_for_a_free_action_and_a_fourth_one() -> None:
    table = pair()
    table.does(TakeAction("mira", "cast-spell", points=3))
    table.chooses("linger")
    assert (table.active, table.prompts) == ("mira", [])
    table.does(TakeAction("mira", "release"))
    table.does(SetTrack("mira", "action", 1))
    table.does(TakeAction("mira", "interact"))
    assert (table.active, table.prompts) == ("mira", [])
    table.ends_turn()
    assert table.active == "ogre"


def test_the_turn_can_be_ended_while_that_card_is_open() -> None:
    table = pair()
    for _ in range(3):
        table.does(TakeAction("mira", "interact"))
    table.does(EndTurn())
    assert (table.active, table.prompts) == ("ogre", [])


@pytest.mark.rule("pf2e.turn.pass_on")
def test_the_next_in_the_order_begins_when_one_ends() -> None:
    table = pair()
    table.ends_turn()
    assert (table.rule_of(TurnEnded), table.active, table.track("mira", "action")) == ("pf2e.turn.pass_on", "ogre", 0)
    assert [one.who for one in table.happened(TurnStarted)] == [("mira",), ("ogre",)]


# Off turn -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("pf2e.mode.actions_and_reactions", "pf2e.round.out_of_turn")
def test_reactions_and_free_actions_are_for_any_time_actions_for_ones_own_turn() -> None:
    table = pair()
    table.ends_turn()
    refused = table.refuses(TakeAction("mira", "interact"))
    assert refused.key == "refused.not_your_turn"
    table.does(TakeAction("mira", "release"))
    table.does(SpendResource("mira", "reaction", note="Reactive Strike"))
    spent = table.happened(ActionTaken)[-1]
    assert (spent.rule, table.track("mira", "reaction"), table.active) == ("pf2e.round.out_of_turn", 0, "ogre")


def test_no_effect_is_left_behind() -> None:
    table = pair()
    table.takes("mira", "interact", "sense-motive", "take-cover")
    assert list(table.encounter.all(Effect)) == []
