"""Who is surprised, what that takes from them and until when, and acting suddenly among the aware."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.table import Table, a5e, action_points, creature, dnd5e, dnd5e_2024
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature, RosterEntry
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.queries import queries
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.events import Rolled, Unaffected
from turnwright.play.turn_order.surprise import (
    ActBeforeInitiative,
    CallForChecks,
    MarkSneaking,
    NoSurprise,
    SetInitiative,
    SetSurprised,
    SneakingMarked,
    Surprised,
)
from turnwright.play.turns.turns import RemoveCombatant
from turnwright.rules.system import RuleSystem


def surprised(table: Table) -> set[str]:
    """Who carries the surprised flag."""
    return {effect.target for effect in table.encounter.all(Effect) if effect.name == "surprised"}


def at_surprise_step(*people: str, sneaking: tuple[str, ...] = ()) -> Table:
    """A table in the surprise step, at which some mean to act unseen."""
    table = Table(*people)
    table.does(StartEncounter())
    if sneaking:
        table.does(MarkSneaking(sneaking))
    table.does(AdvanceSetup())
    return table


def in_rounds_with_surprised(who: str, **totals: int) -> Table:
    """A table in round 1 at which one is surprised."""
    table = Table(*totals)
    table.does(StartEncounter())
    table.does(AdvanceSetup())
    table.does(SetSurprised((who,)))
    table.does(AdvanceSetup())
    table.does(SetInitiative(tuple(totals.items())))
    table.does(AdvanceSetup())
    return table


def feet_left(table: Table, who: str) -> int:
    """How far somebody may still walk."""
    return next(one.left for one in queries.movement_of(table.encounter, table.rules, who) if one.mode == "walk")


def refused_actions(table: Table, who: str) -> set[str]:
    """Which actions the window shows as out of reach for somebody, by rule."""
    return {
        offer.rule for offer in queries.actions_for(table.encounter, table.rules, who) if offer.action.id == "attack"
    }


# Who is surprised -----------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.setup.surprise-step")
def test_checks_are_called_for_only_where_somebody_sneaks() -> None:
    table = at_surprise_step("ann", "bob", "cat", "dan", sneaking=("ann",))
    assert [(event.who, event.sneaking, event.rule) for event in table.happened(SneakingMarked)] == [
        ("ann", True, "a5e.setup.surprise-step")
    ]
    assert (table.prompt.title, table.prompt.rule) == ("prompt.surprise_checks", "a5e.setup.surprise-step")
    table.answers(sneaking="dex:stealth", others="wis:perception")
    assert [ask.who for ask in table.prompt.asks] == ["ann", "bob", "cat", "dan"]
    assert table.refuses(AdvanceSetup()).key == "refused.prompt_open"

    plain = at_surprise_step("ann", "bob", "cat", "dan")
    assert plain.prompts == []
    plain.does(AdvanceSetup())
    assert plain.clock.setup_step == "initiative"
    assert surprised(plain) == set()
    assert plain.happened(Rolled) == []


@pytest.mark.rule("a5e.surprise.cause")
def test_each_is_surprised_or_not_by_whether_they_noticed() -> None:
    table = at_surprise_step("rogue", "g1", "g2", sneaking=("rogue",))
    table.answers(sneaking="dex:stealth", others="wis:perception")
    table.answers(rogue="15", g1="14", g2="16")
    assert table.prompt.asks[0].suggested == ("g1",)
    assert table.prompt.rule == "a5e.surprise.cause"
    table.chooses(*table.prompt.asks[0].suggested)
    table.does(AdvanceSetup())
    table.does(AdvanceSetup())
    assert table.clock.phase == "rounds"
    assert table.effects("g1") == {"surprised"}
    assert table.effects("g2") == set()
    assert [(event.who, event.rule) for event in table.happened(Surprised)] == [("g1", "a5e.surprise.cause")]


def test_who_notices_one_of_several_is_not_likely_surprised() -> None:
    table = at_surprise_step("rogue", "brute", "g1", "g2", sneaking=("rogue", "brute"))
    table.answers(sneaking="dex:stealth", others="wis:perception")
    table.answers(rogue="22", brute="9", g1="8", g2="9")
    assert table.prompt.asks[0].suggested == ("g1",)


@pytest.mark.rule("a5e.surprise.checks")
def test_any_check_may_decide_and_exactly_those_confirmed_are_surprised() -> None:
    table = at_surprise_step("ann", "bob", "cat", "dan", sneaking=("ann", "bob"))
    offered = {ask.id: {option.id for option in ask.options} for ask in table.prompt.asks}
    for side in ("sneaking", "others"):
        assert {"dex:stealth", "wis:perception", "int:arcana", "cha", "str", "none"} <= offered[side]
        assert {skill.id for skill in table.rules.data.skills} <= {each.partition(":")[2] for each in offered[side]}
    table.dice(10)
    table.answers(sneaking="dex:stealth", others="wis:perception")
    assert [ask.who for ask in queries.waiting_asks(table.prompt)] == ["bob", "cat", "dan"]
    assert {ask.rule for ask in table.prompt.asks} == {"a5e.surprise.checks"}
    table.answers(bob="12", cat="11", dan="4")
    assert set(table.prompt.asks[0].suggested) == {"dan"}
    table.chooses("cat")
    assert surprised(table) == {"cat"}
    assert {event.rule for event in table.happened(Rolled)} == {"a5e.surprise.checks"}


def test_another_check_is_rolled_where_the_game_master_names_one() -> None:
    people = (creature("ann", abilities=(("cha", 16),)), creature("bob", skills=(("insight", 5),)))
    table = Table(*people, roster=[RosterEntry("ann", "ann", sneaking=True), RosterEntry("bob", "bob")])
    table.does(StartEncounter())
    table.does(AdvanceSetup())
    table.dice(10, 10)
    table.answers(sneaking="cha", others="wis:insight")
    assert [(event.who, event.roll.total) for event in table.happened(Rolled)] == [("ann", 13), ("bob", 15)]


@pytest.mark.rule("a5e.surprise.checks")
def test_each_may_be_given_a_check_of_their_own() -> None:
    scout = creature("scout", skills=(("deception", 6),))
    table = Table(scout, "rogue", "g1", "g2", "g3")
    table.does(StartEncounter())
    table.does(MarkSneaking(("scout", "rogue")))
    table.does(AdvanceSetup())
    assert [ask.suggested for ask in table.prompt.asks] == [("dex:stealth",), ("wis:perception",)]
    table.answers(sneaking="each", others="wis:insight")
    waiting = queries.waiting_asks(table.prompt)
    assert [(ask.who, ask.suggested, ask.rule) for ask in waiting] == [
        ("scout", ("dex:stealth",), "a5e.surprise.checks"),
        ("rogue", ("dex:stealth",), "a5e.surprise.checks"),
    ]
    assert {option.id for option in waiting[0].options} >= {"cha:deception", "dex", "none"}
    table.answers(scout="cha:deception", rogue="none")
    asked = {ask.who: ask.detail for ask in table.prompt.asks}
    assert asked == {"scout": "<check.cha:deception>"} | dict.fromkeys(("g1", "g2", "g3"), "<check.wis:insight>")
    table.dice(8, 13, 14, 15)
    first = table.happened(Rolled)[0]
    assert (first.who, first.roll.total) == ("scout", 14)
    assert table.prompt.asks[0].suggested == ("g1",)


def test_a_check_named_for_somebody_beforehand_is_suggested_for_them() -> None:
    roster = [RosterEntry("ann", "ann", sneaking=True), RosterEntry("bob", "bob", check="int:arcana")]
    table = Table("ann", "bob", "cat", roster=roster)
    table.does(StartEncounter())
    table.does(AdvanceSetup())
    assert [ask.suggested for ask in table.prompt.asks] == [("dex:stealth",), ("each",)]
    table.answers(sneaking="none", others="each")
    waiting = queries.waiting_asks(table.prompt)
    assert [(ask.who, ask.suggested) for ask in waiting] == [("cat", ("wis:perception",)), ("bob", ("int:arcana",))]
    table.does(RemoveCombatant("bob"))
    table.answers(cat="wis")
    assert [ask.who for ask in table.prompt.asks] == ["cat"]


def test_who_has_made_a_check_for_it_already_is_not_asked_again_but_counts() -> None:
    table = at_surprise_step("rogue", "g1", "g2", "g3", sneaking=("rogue",))
    table.does(CallForChecks(("rogue",), "cha:deception", "surprise"))
    table.answers(rogue="13")
    table.does(CallForChecks(("g1",), "int", "surprise"))
    table.answers(g1="12")
    table.does(SetDead("g3"))
    table.answers(sneaking="each", others="wis:perception")
    assert [ask.who for ask in table.prompt.asks] == ["g2"]
    table.answers(g2="14")
    assert table.prompt.asks[0].suggested == ("g1",)


def test_without_a_check_the_game_master_simply_says() -> None:
    table = at_surprise_step("ann", "bob", sneaking=("ann",))
    table.answers(sneaking="none", others="none")
    assert table.prompt.asks[0].suggested == ()
    table.chooses("bob")
    assert surprised(table) == {"bob"}
    assert table.one("bob").initiative is None


def test_checks_called_for_by_hand_count_for_surprise_only_if_asked_for_it() -> None:
    table = at_surprise_step("ann", "bob")
    table.does(CallForChecks(("ann",), "dex:stealth", "surprise"))
    table.answers(ann="17")
    table.does(CallForChecks(("bob",), "wis:perception"))
    table.answers(bob="12")
    assert (table.one("ann").initiative, table.one("bob").initiative) == (17, None)


@pytest.mark.rule("a5e.surprise.none")
def test_where_nobody_sneaks_nobody_is_surprised_and_all_roll() -> None:
    table = at_surprise_step("ann", "bob", "cat", "dan", "eve", "fay")
    table.does(AdvanceSetup())
    (nobody,) = table.happened(NoSurprise)
    assert nobody.rule == "a5e.surprise.none"
    table.dice(20, 18, 16, 14, 12, 10)
    table.does(AdvanceSetup())
    assert surprised(table) == set()
    assert [event.who for event in table.happened(Rolled)] == ["ann", "bob", "cat", "dan", "eve", "fay"]
    assert all(one.initiative for one in table.encounter.all(Combatant))
    assert table.clock.round == 1


# What surprise takes --------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.surprise.no-move")
def test_the_surprised_do_not_move_on_their_first_turn() -> None:
    table = in_rounds_with_surprised("guard", guard=12, ann=5)
    assert table.active == "guard"
    assert feet_left(table, "guard") == 0
    speed = queries.speed(table.encounter, table.rules, "guard")
    assert speed is not None
    assert speed.parts[-1].rule == "a5e.surprise.no-move"
    assert table.refuses(MoveFeet("guard", 5)).rule == "a5e.surprise.no-move"
    table.ends_turn(2)
    assert (table.clock.round, table.active) == (2, "guard")
    assert feet_left(table, "guard") == 30
    table.does(MoveFeet("guard", 30))


@pytest.mark.rule("a5e.surprise.no-action")
def test_the_surprised_take_no_action_on_their_first_turn() -> None:
    table = in_rounds_with_surprised("guard", guard=12, ann=5)
    for action in ("attack", "dash"):
        assert table.refuses(TakeAction("guard", action)).rule == "a5e.surprise.no-action"
    assert refused_actions(table, "guard") == {"a5e.surprise.no-action"}
    table.ends_turn(2)
    assert (table.clock.round, table.active) == (2, "guard")
    assert refused_actions(table, "guard") == {""}
    table.does(TakeAction("guard", "attack"))
    assert table.track("guard", "action") == 0


@pytest.mark.rule("a5e.surprise.no-reaction")
def test_the_surprised_react_once_their_first_turn_is_over() -> None:
    table = in_rounds_with_surprised("guard", ann=20, guard=12, bob=8)
    assert table.active == "ann"
    assert not queries.can_react(table.encounter, table.rules, "guard")
    assert queries.can_react(table.encounter, table.rules, "bob")
    assert table.refuses(SpendResource("guard", "reaction")).rule == "a5e.surprise.no-reaction"
    table.ends_turn()
    assert table.refuses(SpendResource("guard", "reaction")).rule == "a5e.surprise.no-reaction"
    table.ends_turn()
    assert (table.clock.round, table.active) == (1, "bob")
    assert surprised(table) == set()
    assert queries.can_react(table.encounter, table.rules, "guard")
    table.does(SpendResource("guard", "reaction"))
    assert table.track("guard", "reaction") == 0


# Sudden actions -------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.sudden.no-surprise")
def test_a_sudden_act_among_the_aware_surprises_nobody() -> None:
    table = Table("ann", "bob", "orc", "imp", foes=("orc", "imp"))
    table.does(StartEncounter())
    table.does(MarkSneaking(("ann",)))
    table.does(SetSurprised(("orc", "imp")))
    assert surprised(table) == {"orc", "imp"}
    table.does(ActBeforeInitiative())
    assert surprised(table) == set()
    (nobody,) = table.happened(NoSurprise)
    assert nobody.rule == "a5e.sudden.no-surprise"
    table.does(AdvanceSetup())
    assert table.prompts == []
    table.does(AdvanceSetup())
    assert table.clock.setup_step == "initiative"
    assert surprised(table) == set()


@pytest.mark.rule("a5e.sudden.advantage")
@pytest.mark.parametrize(
    ("ticked", "faces", "totals", "dice"),
    [
        (("ann",), (4, 15, 9, 1), {"ann": 17, "bob": 11, "orc": 1}, {"ann": 2, "bob": 1, "orc": 1}),
        ((), (4, 15, 9), {"ann": 6, "bob": 17, "orc": 9}, {"ann": 1, "bob": 1, "orc": 1}),
        (("ann", "bob"), (4, 15, 9, 3, 1), {"ann": 17, "bob": 11, "orc": 1}, {"ann": 2, "bob": 2, "orc": 1}),
    ],
    ids=["one", "nobody", "party"],
)
def test_those_ticked_roll_initiative_with_advantage(
    ticked: tuple[str, ...], faces: tuple[int, ...], totals: dict[str, int], dice: dict[str, int]
) -> None:
    quick = (("dex", 14),)
    table = Table(creature("ann", abilities=quick), creature("bob", abilities=quick), "orc", foes=("orc",))
    table.does(StartEncounter())
    table.does(ActBeforeInitiative(ticked))
    table.does(AdvanceSetup())
    table.does(AdvanceSetup())
    table.dice(*faces)
    table.does(AdvanceSetup())
    assert {who: table.one(who).initiative for who in totals} == totals
    rolled = {event.who: event.roll for event in table.happened(Rolled)}
    assert {who: len(roll.dice) for who, roll in rolled.items()} == dice
    assert {who for who, roll in rolled.items() if roll.edges} == set(ticked)
    assert all(edge.rule == "a5e.sudden.advantage" for roll in rolled.values() for edge in roll.edges)


@pytest.mark.parametrize("system", [a5e, dnd5e, dnd5e_2024])
def test_creatures_that_cannot_be_surprised_stay_alert(system: Callable[[], RuleSystem]) -> None:
    alert = Feature("alert", "Alert", "trait", rules=(DataRule("deny", "surprised"),))
    table = Table(creature("ann", features=(alert,)), "bob", "cat", foes=("cat",), rules=system())
    table.does(StartEncounter())
    table.does(MarkSneaking(("cat",)))
    table.does(AdvanceSetup())
    while table.prompt.asks[0].label != "ask.surprised":
        table.answers(
            **{ask.id.replace(".", "__"): ask.suggested[0] if ask.options else "12" for ask in table.prompt.asks}
        )
    assert [option.id for option in table.prompt.asks[0].options] == ["bob"]
    table.chooses("bob")
    table.does(SetSurprised(("ann", "bob")))
    assert surprised(table) == {"bob"}
    assert [(event.who, event.what) for event in table.happened(Unaffected)] == [("ann", "<condition.surprised>")]


def test_an_ambush_surprises_only_those_that_can_be() -> None:
    alert = Feature("alert", "Alert", "trait", rules=(DataRule("deny", "surprised"),))
    table = Table(creature("ann", features=(alert,)), "bob", "cat", foes=("cat",), rules=action_points())
    table.does(StartEncounter())
    table.does(AdvanceSetup())
    table.chooses("enemies > party")
    assert surprised(table) == {"bob"}
