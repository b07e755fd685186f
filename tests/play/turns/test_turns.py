"""A turn: what it may be spent on, what comes back when, and what the others do meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import msgspec
import pytest

from tests.table import Table, a5e, environment
from turnwright.encounter.prepared import RosterEntry
from turnwright.encounter.running import Duration, Slot
from turnwright.encounter.state import Change, Record, key_of
from turnwright.play.actions.action import TakeAction
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.environment.environment_effect import EntryUsed
from turnwright.play.kernel.events import RuleOverridden
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.movement.move import Moved
from turnwright.play.queries import queries
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.spawning.spawning import AddCombatants
from turnwright.play.state.action_economy import RestoreResource, SpendResource
from turnwright.play.state.events import ActionTaken, EffectEnded, ResourceRestored, Rolled
from turnwright.play.table.game_master import Planned, SetDice, SetPlan
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.play.turns.turns import EndTurn, GoToTurn, RemoveCombatant, TurnEnded, TurnStarted


def left(table: Table, who: str) -> dict[str, int]:
    """How much of each resource somebody has, as the window shows it."""
    return {one.resource.id: one.left for one in queries.resources_of(table.encounter, table.rules, who)}


def feet(table: Table, who: str) -> int:
    """How far somebody may still walk."""
    return next(one.left for one in queries.movement_of(table.encounter, table.rules, who) if one.mode == "walk")


def refusal(table: Table, who: str, action: str) -> str:
    """The rule by which the window shows an action as out of reach, empty where it is not."""
    offers = queries.actions_for(table.encounter, table.rules, who)
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
    assert [one.id for one in queries.active_combatants(table.encounter)] == ["b"]
    for command in (
        TakeAction("c", "attack"),
        SpendResource("c", "action"),
        MoveFeet("c", 5),
        TakeAction("c", "communicate"),
    ):
        refused = table.refuses(command)
        assert (refused.key, refused.rule) == ("refused.not_your_turn", "a5e.round.on-turn")
    assert refusal(table, "c", "attack") == "a5e.round.on-turn"
    assert refusal(table, "b", "attack") == ""
    assert left(table, "c")["action"] == 1
    table.does(TakeAction("b", "attack"))
    assert left(table, "b")["action"] == 0
    table.does(TakeAction("c", "attack"), anyway=True)
    assert left(table, "c")["action"] == 0
    (insisted,) = table.happened(RuleOverridden)
    assert (insisted.reason, insisted.rule) == ("refused.not_your_turn", "a5e.round.on-turn")


@pytest.mark.rule("a5e.turn.speed")
def test_movement_up_to_speed() -> None:
    table = three()
    table.does(MoveFeet("a", 25))
    refused = table.refuses(MoveFeet("a", 10))
    assert (refused.key, refused.rule, refused.params["left"]) == ("refused.too_far", "a5e.turn.speed", 5)
    assert feet(table, "a") == 5
    assert table.refuses(MoveFeet("a", 6)).params["left"] == 5
    table.does(MoveFeet("a", 5))
    assert feet(table, "a") == 0
    assert {event.rule for event in table.happened(Moved)} == {"a5e.turn.speed"}
    table.ends_turn(3)
    assert (table.active, feet(table, "a")) == ("a", 30)


@pytest.mark.rule("a5e.turn.any-order")
def test_parts_of_a_turn_in_any_order() -> None:
    table = three()
    table.does(SpendResource("a", "bonus"))
    table.does(MoveFeet("a", 10))
    table.does(SpendResource("a", "action"))
    table.does(MoveFeet("a", 20))
    assert left(table, "a") == {"action": 0, "bonus": 0, "reaction": 1}
    assert feet(table, "a") == 0
    assert [event.cost for event in table.events if isinstance(event, ActionTaken | Moved)] == [
        "bonus",
        10,
        "action",
        20,
    ]
    assert {event.rule for event in table.happened(ActionTaken)} == {"a5e.turn.any-order"}


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
    table.does(TakeAction("a", "back-to-back", targets=("b",)))
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
    free = table.happened(ActionTaken)
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
    assert queries.can_react(table.encounter, table.rules, "b")
    assert refusal(table, "b", "fall-back") == "a5e.action.fallback.trigger"  # nobody presses them; it isn't the turn
    table.does(SpendResource("b", "reaction", "parry"))
    assert table.active == "a"
    assert left(table, "b")["reaction"] == 0
    assert not queries.can_react(table.encounter, table.rules, "b")
    last = table.happened(ActionTaken)[-1]
    assert (last.who, last.cost, last.rule) == ("b", "reaction", "a5e.round.off-turn")


@pytest.mark.rule("a5e.turn.one-reaction")
def test_one_reaction_until_ones_next_turn() -> None:
    table = Table("a", "c", "b")
    table.start(a=15, c=10, b=5)
    table.ends_turn(3)
    assert (table.clock.round, table.active) == (2, "a")
    table.does(SpendResource("b", "reaction", "opportunity attack on a"))
    table.ends_turn()
    assert (table.clock.round, table.active) == (2, "c")
    refused = table.refuses(SpendResource("b", "reaction", "opportunity attack on c"))
    assert (refused.key, refused.rule) == ("refused.none_left", "a5e.turn.one-reaction")
    assert not queries.can_react(table.encounter, table.rules, "b")
    table.ends_turn()
    table.does(SpendResource("b", "reaction", "on its own turn"))


@pytest.mark.rule("a5e.turn.reaction-refresh")
def test_the_reaction_returns_at_the_start_of_ones_own_turn() -> None:
    table = Table("a", "b")
    table.start(a=15, b=10)
    table.does(SpendResource("b", "reaction"))
    assert left(table, "b")["reaction"] == 0
    table.ends_turn()
    assert (table.clock.round, table.active, left(table, "b")["reaction"]) == (1, "b", 1)
    (back,) = table.happened(ResourceRestored)
    assert (back.who, back.resource, back.rule) == ("b", "reaction", "a5e.turn.reaction-refresh")

    table = Table("a", "b", "c")
    table.start(a=15, b=10, c=5)
    table.ends_turn(2)
    table.does(SpendResource("b", "reaction"))
    table.ends_turn()
    assert (table.clock.round, table.active, left(table, "b")["reaction"]) == (2, "a", 0)
    assert not queries.can_react(table.encounter, table.rules, "b")
    table.ends_turn()
    assert (table.active, left(table, "b")["reaction"]) == ("b", 1)


def test_what_another_system_refills_by_the_round_comes_back_with_it() -> None:
    resources = tuple(
        msgspec.structs.replace(one, refill="round-start") if one.id == "reaction" else one
        for one in a5e().data.resources
    )
    table = Table("a", "b", rules=replace(a5e(), data=msgspec.structs.replace(a5e().data, resources=resources)))
    table.start(a=15, b=10)
    table.does(SpendResource("b", "reaction"))
    table.ends_turn()
    assert (table.active, left(table, "b")["reaction"]) == ("b", 0)
    table.ends_turn()
    assert (table.active, left(table, "b")["reaction"]) == ("a", 1)


def test_a_resource_given_back_by_hand() -> None:
    table = three()
    table.does(SpendResource("a", "action"))
    table.does(RestoreResource("a", "action"))
    assert left(table, "a")["action"] == 1
    assert table.refuses(RestoreResource("a", "action")).key == "refused.nothing_spent"


# Off turn -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.offturn.plan")
def test_the_next_one_is_shown_and_notes_a_plan_for_nothing() -> None:
    table = Table("a", "b", "c", "d")
    table.start(a=15, b=10, c=5, d=1)
    following = queries.next_up(table.encounter, table.rules)
    assert following is not None
    assert following.members == ("b",)
    before = left(table, "b")
    table.does(SetPlan("b", "cast light"))
    assert left(table, "b") == before == {"action": 1, "bonus": 1, "reaction": 1}
    assert table.active == "a"
    assert table.one("b").plan == "cast light"
    assert [(event.who, event.rule) for event in table.happened(Planned)] == [("b", "a5e.offturn.plan")]
    table.ends_turn(3)
    wrapped = queries.next_up(table.encounter, table.rules)
    assert wrapped is not None
    assert wrapped.members == ("a",)


@pytest.mark.rule("a5e.offturn.attention")
def test_a_plan_is_shown_with_what_became_of_it_and_binds_nobody() -> None:
    table = Table("a", "b", "ogre", foes=("ogre",))
    table.start(a=15, b=10, ogre=5)
    table.does(SetPlan("b", "attack ogre"))
    assert queries.fallen_in_plan(table.encounter, "b") == ()
    table.does(ApplyDamage(("ogre",), "20"))
    table.ends_turn()
    assert table.active == "b"
    assert table.one("b").plan == "attack ogre"
    assert queries.fallen_in_plan(table.encounter, "b") == ("Ogre",)
    assert queries.hit_point_state(table.one("ogre")) == "dead"
    offers = queries.actions_for(table.encounter, table.rules, "b")
    assert {offer.action.id for offer in offers if not offer.refused} == set(table.rules.actions) - {
        "fall-back",
        "release-readied",
    }
    table.does(TakeAction("b", "dodge"))
    assert queries.fallen_in_plan(table.encounter, "a") == ()


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


# Each one turn a round, whatever is corrected -------------------------------------------------------------------


def turns_taken(table: Table, times: int) -> list[str]:
    """Who acts next, so many times: whoever is active at first is not named."""
    taken = []
    for _ in range(times):
        table.ends_turn()
        taken.append(table.active)
    return taken


def next_one(table: Table) -> tuple[str, ...]:
    """Who the window says is next."""
    slot = queries.next_up(table.encounter, table.rules)
    return slot.members if slot else ()


def test_a_total_lowered_during_ones_own_turn_skips_nobody() -> None:
    table = three()
    table.does(SetInitiative((("a", 7),)))
    assert (table.order, table.active, next_one(table)) == (["b", "a", "c"], "a", ("b",))
    assert turns_taken(table, 3) == ["b", "c", "b"]
    assert table.clock.round == 2


def test_a_total_raised_over_the_active_one_skips_nobody() -> None:
    table = three()
    table.ends_turn()
    table.does(SetInitiative((("c", 18),)))
    assert (table.order, table.active, next_one(table)) == (["c", "a", "b"], "b", ("c",))
    assert turns_taken(table, 2) == ["c", "c"]
    assert table.clock.round == 2


@pytest.mark.parametrize(("total", "taken"), [(12, ["late", "b", "c", "a"]), (20, ["b", "c", "late", "a"])])
def test_a_newcomer_acts_in_this_round_only_where_the_count_is_still_to_come(total: int, taken: list[str]) -> None:
    table = Table("a", "b", "c", "late", roster=[RosterEntry("late", "late", wave="w")])
    table.start(a=15, b=10, c=5)
    table.does(AddCombatants("late", initiative=total))
    assert turns_taken(table, 4) == taken


def test_a_newcomer_takes_its_count_among_those_passed_over_by_hand() -> None:
    table = Table("a", "b", "c", "late", roster=[RosterEntry("late", "late", wave="w")])
    table.start(a=15, b=10, c=5)
    table.does(GoToTurn("c"))
    table.does(AddCombatants("late", initiative=8))
    assert turns_taken(table, 3) == ["b", "late", "a"]


def test_whoever_is_back_to_life_after_their_count_waits_for_the_next_round() -> None:
    table = three()
    table.does(SetDead("b"))
    table.ends_turn()
    table.does(SetDead("b", dead=False))
    assert (table.active, next_one(table)) == ("c", ("a",))
    assert turns_taken(table, 2) == ["a", "b"]


# Going to a turn by hand ----------------------------------------------------------------------------------------


def test_going_to_a_turn_ends_the_one_under_way() -> None:
    table = three()
    table.does(ApplyCondition(("b",), "blinded", ends=Duration("turn-end", "a")))
    table.does(SpendResource("c", "reaction"))
    table.does(GoToTurn("c"))
    assert (table.active, table.clock.round, table.effects("b")) == ("c", 1, set())
    assert [event.who for event in table.happened(TurnEnded)] == [("a",)]
    assert (table.one("a").turns_ended, left(table, "c")["reaction"], next_one(table)) == (1, 1, ("b",))
    assert turns_taken(table, 3) == ["b", "a", "b"]
    assert table.clock.round == 2


def test_going_to_a_turn_waits_for_what_the_surroundings_ask_at_the_end_of_the_one_left() -> None:
    gas = environment("swampy", actions=())
    (row,) = [row for row in gas.features if row.trigger == "turn-end"]
    table = Table("a", "b", "c", surroundings=[msgspec.structs.replace(gas, features=(row,))])
    table.start(a=15, b=10, c=5)
    before = table.encounter
    table.does(GoToTurn("c"))
    assert (table.active, [ask.who for ask in table.prompt.asks]) == ("a", ["a"])
    assert table.refuses(GoToTurn("b")).key == "refused.prompt_open"
    table.answers(a=20)
    assert table.active == "c"
    for _ in range(2):
        table.session.undo()
    assert table.encounter == before


def test_where_the_one_gone_to_leaves_meanwhile_the_next_in_the_order_acts() -> None:
    gas = environment("swampy", actions=())
    for gone in (RemoveCombatant("c"), SetDead("c")):
        table = Table("a", "b", "c", surroundings=[gas])
        table.start(a=15, b=10, c=5)
        table.does(GoToTurn("c"))
        table.does(gone)
        table.answers(a=20)
        assert table.active == "b"


def test_going_to_the_turn_under_way_changes_nothing_and_the_dead_take_none() -> None:
    table = three()
    table.does(SpendResource("a", "action"))
    assert table.does(GoToTurn("a")) is None
    assert left(table, "a")["action"] == 0
    table.does(SetDead("b"))
    assert table.refuses(GoToTurn("b")).key == "refused.nobody_there"
    for who in ("a", "c"):
        table.does(SetDead(who))
    table.ends_turn()
    table.does(SetDead("b", dead=False))
    assert table.refuses(GoToTurn("b")).key == "refused.nobody_active"


# Several in one slot ----------------------------------------------------------------------------------------------


def sharing(table: Table, host: str, *guests: str) -> Table:
    """The table with some moved into another's slot."""
    slot = table.encounter.need(Slot, host)
    own = [each for guest in guests if (each := table.encounter.get(Slot, guest)) is not None]
    shared = msgspec.structs.replace(slot, members=(*slot.members, *guests))
    changes = [Change(key_of(slot), slot, shared), *(Change(key_of(each), each, None) for each in own)]
    table.session = Session(table.encounter.with_changes(changes), table.rules)
    return table


def with_imps() -> Table:
    """A with two imps on 15, B on 10; B has the turn of round 1, and the next is A's and the imps'."""
    table = Table("a", "b", "imp", "pet")
    table.start(a=15, b=10, imp=3, pet=2)
    sharing(table, "a", "imp", "pet")
    table.ends_turn()
    return table


def test_each_member_gets_resources_back_and_acts_on_the_shared_turn() -> None:
    table = with_imps()
    for who in ("a", "imp", "pet"):
        table.does(SpendResource(who, "reaction"))
    table.ends_turn()
    assert table.happened(TurnStarted)[-1].who == ("a", "imp", "pet")
    for who in ("a", "imp", "pet"):
        assert left(table, who) == {"action": 1, "bonus": 1, "reaction": 1}
        table.does(TakeAction(who, "attack"))
        table.does(MoveFeet(who, 30))
    assert table.refuses(TakeAction("b", "attack")).key == "refused.not_your_turn"
    table.ends_turn()
    assert [table.one(who).turns_ended for who in ("a", "b", "imp", "pet")] == [2, 1, 2, 2]
    assert (table.clock.round, table.active) == (2, "b")


@pytest.mark.parametrize(("moment", "at_start"), [("turn-start", set()), ("turn-end", {"a", "b"})])
def test_what_lasts_until_a_members_turn_ends_with_the_shared_one(moment: str, at_start: set[str]) -> None:
    table = with_imps()
    for target, whose in (("a", "imp"), ("b", "a")):
        table.does(ApplyCondition((target,), "blinded", ends=Duration(moment, whose)))  # type: ignore[arg-type]
    table.ends_turn()
    assert {who for who in ("a", "b") if table.effects(who)} == at_start
    table.ends_turn()
    assert [event.target for event in table.happened(EffectEnded)] == ["b", "a"]


def test_the_dead_of_a_shared_slot_get_nothing_and_what_hangs_on_their_turn_ends() -> None:
    gas = environment("swampy", actions=())
    table = Table("a", "b", "imp", surroundings=[gas])
    table.start(a=15, b=10, imp=3)
    sharing(table, "a", "imp")
    table.does(SpendResource("imp", "reaction"))
    table.does(SetDead("imp"))
    table.does(ApplyCondition(("b",), "blinded", ends=Duration("turn-end", "imp")))
    table.ends_turn()
    assert [ask.who for ask in table.prompt.asks] == ["a"]
    assert [event.targets for event in table.happened(EntryUsed)] == [("a",)]
    table.answers(a=20)
    assert (table.active, table.effects("b")) == ("b", set())
    table.ends_turn()
    table.answers(b=20)
    assert table.happened(TurnStarted)[-1].who == ("a",)
    assert left(table, "imp")["reaction"] == 0


def test_a_shared_slot_is_passed_over_only_when_all_in_it_are_out() -> None:
    table = with_imps()
    table.does(SetDead("a"))
    table.does(RemoveCombatant("pet"))
    assert next_one(table) == ("a", "imp")
    table.ends_turn()
    assert (table.clock.round, table.happened(TurnStarted)[-1].who) == (2, ("imp",))
    table.does(SetDead("imp"))
    assert turns_taken(table, 2) == ["b", "b"]
    assert table.refuses(GoToTurn("a")).key == "refused.nobody_there"


def test_a_shared_turn_goes_on_when_one_of_them_leaves_in_the_middle() -> None:
    table = with_imps()
    table.ends_turn()
    table.does(RemoveCombatant("a"))
    assert [one.id for one in queries.active_combatants(table.encounter)] == ["imp", "pet"]
    table.does(TakeAction("imp", "attack"))
    table.does(RemoveCombatant("imp"))
    table.does(RemoveCombatant("pet"))
    assert (table.active, table.order) == ("b", ["b"])


def test_a_new_total_for_one_member_moves_the_whole_slot() -> None:
    table = with_imps()
    table.does(SetInitiative((("pet", 4),)))
    assert table.order == ["b", "a", "imp", "pet"]
    assert [table.one(who).initiative for who in ("a", "imp", "pet")] == [4, 4, 4]
    table.does(RemoveCombatant("a"))
    table.does(SetInitiative((("imp", 12),)))
    assert table.order == ["imp", "pet", "b"]
    assert turns_taken(table, 3) == ["imp", "b", "imp"]


def test_a_newcomer_named_like_one_who_left_a_shared_slot_gets_a_place_of_its_own() -> None:
    table = Table("a", "b", "imp", roster=[RosterEntry("a", "a")])
    table.start(a=15, b=10, imp=3)
    sharing(table, "a", "imp")
    table.does(RemoveCombatant("a"))
    table.does(AddCombatants("a", initiative=12))
    assert table.order == ["imp", "a", "b"]
    assert turns_taken(table, 3) == ["a", "b", "imp"]


def test_those_who_share_a_slot_roll_once_for_a_tie() -> None:
    table = with_imps()
    table.does(SetDead("a"))
    table.does(SetInitiative((("b", 15),)))
    assert [ask.who for ask in table.prompt.asks] == ["imp", "b"]
    table.does(RemoveCombatant("imp"))
    assert [ask.who for ask in table.prompt.asks] == ["pet", "b"]
    table.answers(a=4, b=9)
    assert [(event.who, event.roll.total) for event in table.happened(Rolled)] == [("pet", 4), ("b", 9)]
    assert table.order == ["b", "a", "pet"]


def test_those_who_share_a_slot_are_not_asked_for_totals_of_their_own() -> None:
    table = Table("a", "b", "imp")
    table.does(StartEncounter())
    table.does(AdvanceSetup())
    table.does(AdvanceSetup())
    table.does(SetInitiative((("a", 15),)))
    sharing(table, "a", "imp")
    table.does(AdvanceSetup())
    assert [ask.who for ask in table.prompt.asks] == ["b"]
    table.answers(b=10)
    assert (table.clock.round, table.order) == (1, ["a", "imp", "b"])


# How much there is to look at ------------------------------------------------------------------------------------


def records_read(monkeypatch: pytest.MonkeyPatch, count: int) -> int:
    """How many records the end of a turn reads in a fight of so many."""
    table = Table("raider", roster=[RosterEntry("raider", "raider", count=count)])
    for command in (SetDice("roll", seed=1), StartEncounter(), AdvanceSetup(), AdvanceSetup(), AdvanceSetup()):
        table.does(command)
    table.ends_turn()
    read = 0

    def counted(reading: Callable[..., Iterable[Record]]) -> Callable[..., Iterable[Record]]:
        def found(*arguments: object) -> Iterable[Record]:
            nonlocal read
            listed = [*reading(*arguments)]
            read += len(listed)
            return listed

        return found

    with monkeypatch.context() as patched:
        for name in ("all", "of"):
            patched.setattr(Transaction, name, counted(getattr(Transaction, name)))
        table.ends_turn()
    return read


def test_the_end_of_a_turn_reads_everybody_a_few_times_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = (records_read(monkeypatch, count) for count in (10, 40))
    assert 0 < many < 5 * few
