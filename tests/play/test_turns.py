"""A turn: what it may be spent on, what comes back when, and what the others do meanwhile."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from tests.table import Table, a5e
from turnwright.play import inquiries
from turnwright.play.commands import (
    ApplyDamage,
    EndTurn,
    Move,
    Regain,
    SetInitiative,
    SetPlan,
    Spend,
    TakeAction,
)
from turnwright.play.events import Acted, DoneAnyway, Moved, Planned, Regained, TurnEnded, TurnStarted


def left(table: Table, who: str) -> dict[str, int]:
    """How much of each resource somebody has, as the window shows it."""
    return {one.resource.id: one.left for one in inquiries.resources_of(table.encounter, table.rules, who)}


def feet(table: Table, who: str) -> int:
    """How far somebody may still walk."""
    return next(one.left for one in inquiries.movement_of(table.encounter, table.rules, who) if one.mode == "walk")


def refusal(table: Table, who: str, action: str) -> str:
    """The rule by which the window shows an action as out of reach, empty where it is not."""
    offers = inquiries.actions_for(table.encounter, table.rules, who)
    return next(offer.rule for offer in offers if offer.action.id == action)


def three() -> Table:
    """A, B and C in round 1, in that order, with A's turn."""
    table = Table("a", "b", "c")
    table.start(a=15, b=10, c=5)
    return table


# On one's turn --------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.round.on-turn")
def test_only_the_active_one_acts_unless_somebody_insists() -> None:
    table = three()
    table.ends_turn()
    assert [one.id for one in inquiries.active_combatants(table.encounter)] == ["b"]
    for command in (TakeAction("c", "attack"), Spend("c", "action"), Move("c", 5), TakeAction("c", "communicate")):
        refused = table.refuses(command)
        assert (refused.key, refused.rule) == ("refused.not_your_turn", "a5e.round.on-turn")
    assert refusal(table, "c", "attack") == "a5e.round.on-turn"
    assert refusal(table, "b", "attack") == ""
    assert left(table, "c")["action"] == 1
    table.does(TakeAction("b", "attack"))
    assert left(table, "b")["action"] == 0
    table.does(TakeAction("c", "attack"), anyway=True)
    assert left(table, "c")["action"] == 0
    (insisted,) = table.happened(DoneAnyway)
    assert (insisted.reason, insisted.rule) == ("refused.not_your_turn", "a5e.round.on-turn")


@pytest.mark.rule("a5e.turn.speed")
def test_movement_up_to_speed() -> None:
    table = three()
    table.does(Move("a", 25))
    refused = table.refuses(Move("a", 10))
    assert (refused.key, refused.rule, refused.params["left"]) == ("refused.too_far", "a5e.turn.speed", 5)
    assert feet(table, "a") == 5
    assert table.refuses(Move("a", 6)).params["left"] == 5
    table.does(Move("a", 5))
    assert feet(table, "a") == 0
    assert {event.rule for event in table.happened(Moved)} == {"a5e.turn.speed"}
    table.ends_turn(3)
    assert (table.active, feet(table, "a")) == ("a", 30)


@pytest.mark.rule("a5e.turn.any-order")
def test_parts_of_a_turn_in_any_order() -> None:
    table = three()
    table.does(Spend("a", "bonus"))
    table.does(Move("a", 10))
    table.does(Spend("a", "action"))
    table.does(Move("a", 20))
    assert left(table, "a") == {"action": 0, "bonus": 0, "reaction": 1}
    assert feet(table, "a") == 0
    assert [event.cost for event in table.events if isinstance(event, Acted | Moved)] == ["bonus", 10, "action", 20]
    assert {event.rule for event in table.happened(Acted)} == {"a5e.turn.any-order"}


@pytest.mark.rule("a5e.turn.nothing")
def test_a_turn_may_pass_unused() -> None:
    table = three()
    assert left(table, "a") == {"action": 1, "bonus": 1, "reaction": 1}
    assert feet(table, "a") == 30
    table.does(EndTurn())
    assert table.prompts == []
    assert table.active == "b"
    (ended,) = table.happened(TurnEnded)
    assert (ended.who, ended.rule) == (("a",), "a5e.turn.nothing")


@pytest.mark.rule("a5e.turn.one-action")
def test_one_action_a_round() -> None:
    table = three()
    assert left(table, "a")["action"] == 1
    table.does(TakeAction("a", "dash"))
    assert left(table, "a")["action"] == 0
    refused = table.refuses(TakeAction("a", "dodge"))
    assert (refused.key, refused.rule) == ("refused.none_left", "a5e.turn.one-action")
    assert refusal(table, "a", "dodge") == "a5e.turn.one-action"
    table.ends_turn(2)
    assert left(table, "a")["action"] == 0
    table.ends_turn()
    assert (table.clock.round, table.active, left(table, "a")["action"]) == (2, "a", 1)
    table.does(TakeAction("a", "dodge"))
    assert table.refuses(TakeAction("a", "dodge")).rule == "a5e.turn.one-action"


@pytest.mark.rule("a5e.turn.one-bonus-action")
def test_one_bonus_action_a_round() -> None:
    table = three()
    table.does(TakeAction("a", "back-to-back"))
    assert left(table, "a") == {"action": 1, "bonus": 0, "reaction": 1}
    refused = table.refuses(TakeAction("a", "press-the-attack"))
    assert (refused.key, refused.rule) == ("refused.none_left", "a5e.turn.one-bonus-action")
    assert refusal(table, "a", "press-the-attack") == "a5e.turn.one-bonus-action"
    assert refusal(table, "a", "attack") == ""
    table.ends_turn(3)
    assert left(table, "a")["bonus"] == 1
    table.does(TakeAction("a", "press-the-attack"))


@pytest.mark.rule("a5e.turn.free-actions")
def test_free_actions_are_not_counted() -> None:
    table = three()
    for word in ("left", "right", "run"):
        table.does(TakeAction("a", "communicate", word))
    free = table.happened(Acted)
    assert [(event.note, event.cost, event.rule) for event in free] == [
        (word, "", "a5e.turn.free-actions") for word in ("left", "right", "run")
    ]
    assert left(table, "a") == {"action": 1, "bonus": 1, "reaction": 1}
    assert refusal(table, "a", "communicate") == ""
    assert table.refuses(TakeAction("b", "communicate")).rule == "a5e.round.on-turn"


# Reactions ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.round.off-turn")
def test_others_may_react_while_somebody_acts() -> None:
    table = three()
    table.does(TakeAction("a", "attack"))
    assert inquiries.can_react(table.encounter, table.rules, "b")
    assert refusal(table, "b", "fall-back") == ""
    table.does(Spend("b", "reaction", "parry"))
    assert table.active == "a"
    assert left(table, "b")["reaction"] == 0
    assert not inquiries.can_react(table.encounter, table.rules, "b")
    last = table.happened(Acted)[-1]
    assert (last.who, last.cost, last.rule) == ("b", "reaction", "a5e.round.off-turn")


@pytest.mark.rule("a5e.turn.one-reaction")
def test_one_reaction_until_ones_next_turn() -> None:
    table = Table("a", "c", "b")
    table.start(a=15, c=10, b=5)
    table.ends_turn(3)
    assert (table.clock.round, table.active) == (2, "a")
    table.does(Spend("b", "reaction", "opportunity attack on a"))
    table.ends_turn()
    assert (table.clock.round, table.active) == (2, "c")
    refused = table.refuses(Spend("b", "reaction", "opportunity attack on c"))
    assert (refused.key, refused.rule) == ("refused.none_left", "a5e.turn.one-reaction")
    assert not inquiries.can_react(table.encounter, table.rules, "b")
    table.ends_turn()
    table.does(Spend("b", "reaction", "on its own turn"))


@pytest.mark.rule("a5e.turn.reaction-refresh")
def test_the_reaction_returns_at_the_start_of_ones_own_turn() -> None:
    table = Table("a", "b")
    table.start(a=15, b=10)
    table.does(Spend("b", "reaction"))
    assert left(table, "b")["reaction"] == 0
    table.ends_turn()
    assert (table.clock.round, table.active, left(table, "b")["reaction"]) == (1, "b", 1)
    (back,) = table.happened(Regained)
    assert (back.who, back.resource, back.rule) == ("b", "reaction", "a5e.turn.reaction-refresh")

    table = Table("a", "b", "c")
    table.start(a=15, b=10, c=5)
    table.ends_turn(2)
    table.does(Spend("b", "reaction"))
    table.ends_turn()
    assert (table.clock.round, table.active, left(table, "b")["reaction"]) == (2, "a", 0)
    assert not inquiries.can_react(table.encounter, table.rules, "b")
    table.ends_turn()
    assert (table.active, left(table, "b")["reaction"]) == ("b", 1)


def test_what_another_system_refills_by_the_round_comes_back_with_it() -> None:
    resources = tuple(
        msgspec.structs.replace(one, refill="round-start") if one.id == "reaction" else one
        for one in a5e().catalogue.resources
    )
    table = Table(
        "a", "b", rules=replace(a5e(), catalogue=msgspec.structs.replace(a5e().catalogue, resources=resources))
    )
    table.start(a=15, b=10)
    table.does(Spend("b", "reaction"))
    table.ends_turn()
    assert (table.active, left(table, "b")["reaction"]) == ("b", 0)
    table.ends_turn()
    assert (table.active, left(table, "b")["reaction"]) == ("a", 1)


def test_a_resource_given_back_by_hand() -> None:
    table = three()
    table.does(Spend("a", "action"))
    table.does(Regain("a", "action"))
    assert left(table, "a")["action"] == 1
    assert table.refuses(Regain("a", "action")).key == "refused.nothing_spent"


# Off turn -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.offturn.plan")
def test_the_next_one_is_shown_and_notes_a_plan_for_nothing() -> None:
    table = Table("a", "b", "c", "d")
    table.start(a=15, b=10, c=5, d=1)
    following = inquiries.next_up(table.encounter, table.rules)
    assert following is not None
    assert following.members == ("b",)
    before = left(table, "b")
    table.does(SetPlan("b", "cast light"))
    assert left(table, "b") == before == {"action": 1, "bonus": 1, "reaction": 1}
    assert table.active == "a"
    plan = inquiries.plan_of(table.encounter, table.rules, "b")
    assert plan is not None
    assert plan.text == "cast light"
    assert [(event.who, event.rule) for event in table.happened(Planned)] == [("b", "a5e.offturn.plan")]
    table.ends_turn(3)
    wrapped = inquiries.next_up(table.encounter, table.rules)
    assert wrapped is not None
    assert wrapped.members == ("a",)


@pytest.mark.rule("a5e.offturn.attention")
def test_a_plan_is_shown_with_what_became_of_it_and_binds_nobody() -> None:
    table = Table("a", "b", "ogre", foes=("ogre",))
    table.start(a=15, b=10, ogre=5)
    table.does(SetPlan("b", "attack ogre"))
    plan = inquiries.plan_of(table.encounter, table.rules, "b")
    assert plan is not None
    assert plan.down == ()
    table.does(ApplyDamage(("ogre",), "20"))
    table.ends_turn()
    assert table.active == "b"
    plan = inquiries.plan_of(table.encounter, table.rules, "b")
    assert plan is not None
    assert (plan.text, plan.down, plan.rule) == ("attack ogre", ("Ogre",), "a5e.offturn.attention")
    assert inquiries.hit_point_state(table.one("ogre")) == "down"
    offers = inquiries.actions_for(table.encounter, table.rules, "b")
    assert {offer.action.id for offer in offers if not offer.refused} == set(table.rules.actions)
    table.does(TakeAction("b", "dodge"))
    assert inquiries.plan_of(table.encounter, table.rules, "a") is None


def test_turns_start_one_after_another() -> None:
    table = three()
    table.ends_turn(3)
    assert [event.who for event in table.happened(TurnStarted)] == [("a",), ("b",), ("c",), ("a",)]
    assert {event.rule for event in table.happened(TurnStarted)} == {"a5e.round.on-turn"}


def test_a_total_corrected_after_a_turn_gives_no_second_one() -> None:
    table = Table("ann", "bob", "cat")
    table.start(ann=20, bob=10, cat=5)
    table.ends_turn()
    table.does(SetInitiative((("ann", 7),)))
    assert table.order == ["bob", "ann", "cat"]
    table.ends_turn()
    assert table.active == "cat"
    table.ends_turn()
    assert (table.clock.round, table.active) == (2, "bob")
