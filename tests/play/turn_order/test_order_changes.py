"""Delayed turns, and places in the order by hand."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec
import pytest

from tests.for_each import for_each
from tests.table import Table, a5e, action_points, dnd5e, pf2e
from turnwright.encounter.prepared import Scene
from turnwright.encounter.running import Clock, Combatant, Effect, Slot, Track, track_id
from turnwright.encounter.state import Change, Encounter, slots_in_order
from turnwright.play.actions.action import TakeAction
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.session import Session
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.turn_order.surprise import MoveInOrder
from turnwright.play.turns.turns import ComeIn, Delay, EndTurn
from turnwright.rules.system import RuleSystem

FOUR = {"ann": 20, "bob": 15, "cid": 10, "orc": 5}


class Order(Table):
    """Ann, Bob and Cid against an orc, in this order; Ann's turn."""

    def __init__(self, rules: RuleSystem, *options: str) -> None:
        super().__init__(*FOUR, foes=("orc",), rules=rules, scene=Scene(strictness="enforce", options=options))
        slots = [Slot(who, count, (who,)) for who, count in FOUR.items()]
        people = [
            Combatant(who, who, who.capitalize(), side="enemies" if who == "orc" else "party", hp=20, hp_max=20)
            for who in FOUR
        ]
        limits = [one for one in rules.data.resources if one.amount]
        tracks = [
            Track(track_id(who, one.id), who, one.id, one.amount or 1, one.amount or 1)
            for who in FOUR
            for one in limits
        ]
        clock = Clock(phase="rounds", round=1, active="ann")
        self.session = Session(Encounter((*self.encounter, *people, *slots, *tracks, clock)), rules)

    @property
    def counts(self) -> list[tuple[str, int]]:
        return [(slot.id, slot.count) for slot in slots_in_order(self.encounter)]


def frightened(table: Order) -> int:
    """The value of Ann's fright."""
    return next(one.value for one in table.encounter.all(Effect) if one.name == "frightened")


def test_a_delayed_turn_is_taken_after_another_and_stays_there() -> None:
    table = Order(pf2e())
    table.does(TakeAction("ann", "delay"))
    assert table.active == "bob"
    table.does(ComeIn("ann"))
    assert (table.active, table.track("ann", "action")) == ("ann", 3)
    assert table.counts == [("bob", 15), ("ann", 15), ("cid", 10), ("orc", 5)]
    table.does(SpendResource("ann", "action"))
    table.ends_turn()
    assert table.active == "cid"
    table.ends_turn(times=2)
    assert (table.clock.round, table.active) == (2, "bob")
    table.ends_turn()
    assert (table.active, table.track("ann", "action")) == ("ann", 3)


def test_nobody_delays_the_turn_of_another() -> None:
    table = Order(pf2e())
    refused = table.refuses(TakeAction("bob", "delay"))
    assert (refused.key, refused.params, refused.can_be_overridden) == ("refused.not_your_turn", {"who": "Bob"}, False)
    assert table.active == "ann"
    assert table.encounter.need(Slot, "ann").delay == ""


def test_a_delay_is_lost_when_its_place_comes_again() -> None:
    table = Order(pf2e())
    table.does(Delay())
    table.ends_turn(times=3)
    assert (table.clock.round, table.active) == (2, "ann")
    assert table.counts[0] == ("ann", 20)
    assert table.encounter.need(Slot, "ann").delay == ""
    table.refuses(ComeIn("ann"))


def test_a_delayed_turn_may_be_taken_in_the_next_round_before_its_place() -> None:
    table = Order(pf2e())
    table.ends_turn(times=2)
    table.does(Delay())
    table.ends_turn()
    assert (table.clock.round, table.active) == (2, "ann")
    table.does(ComeIn("cid"))
    assert (table.active, table.counts[:2]) == ("cid", [("ann", 20), ("cid", 20)])
    table.ends_turn()
    assert table.active == "bob"
    table.ends_turn(times=2)
    assert (table.clock.round, table.active) == (3, "ann")


def test_what_a_turn_s_end_brings_comes_once_with_the_delay() -> None:
    table = Order(pf2e())
    table.does(ApplyCondition(("ann",), "frightened", value=3))
    table.does(Delay())
    assert frightened(table) == 2
    table.does(ComeIn("ann"))
    table.ends_turn()
    assert frightened(table) == 2


def test_no_delay_once_something_is_done_and_no_reaction_meanwhile() -> None:
    table = Order(pf2e())
    table.does(SpendResource("ann", "action"))
    assert table.refuses(Delay()).key == "refused.delay_acted"
    table.ends_turn()
    table.does(Delay())
    assert table.refuses(SpendResource("bob", "reaction")).key == "refused.delaying"


@pytest.mark.parametrize("rules", [a5e, dnd5e, action_points])
def test_elsewhere_delaying_is_a_table_rule_that_is_off_at_first(rules: Callable[[], RuleSystem]) -> None:
    assert Order(rules()).refuses(Delay()).key == "refused.no_delay"
    table = Order(rules(), "delaying")
    table.does(Delay())
    table.does(ComeIn("ann"))
    assert table.active == "ann"


@pytest.mark.parametrize(
    ("after", "order"), [(False, ["ann", "orc", "bob", "cid"]), (True, ["ann", "bob", "orc", "cid"])]
)
def test_a_place_by_hand_takes_the_neighbour_s_count(after: bool, order: list[str]) -> None:
    table = Order(a5e())
    table.does(MoveInOrder("orc", "bob", after=after))
    assert ([slot for slot, _ in table.counts], dict(table.counts)["orc"]) == (order, 15)
    assert (table.active, table.prompts) == ("ann", [])
    for who in order[1:]:
        table.ends_turn()
        assert table.active == who
    table.ends_turn()
    assert (table.clock.round, table.active) == (2, "ann")


@for_each("rules", [a5e, pf2e, dnd5e, action_points])
@for_each("ties", [(), (1,)])
@for_each(
    ("moved", "after", "order"),
    [
        (("orc", "cid"), False, ["ann", "bob", "orc", "cid"]),
        (("orc", "bob"), False, ["ann", "orc", "bob", "cid"]),
        (("ann", "bob"), True, ["bob", "ann", "cid", "orc"]),
        (("cid", "bob"), False, ["ann", "cid", "bob", "orc"]),
    ],
)
def test_only_the_one_moved_changes_places_among_tied_ones(
    rules: Callable[[], RuleSystem], ties: tuple[int, ...], moved: tuple[str, str], after: bool, order: list[str]
) -> None:
    table = Order(rules())
    slots = {slot.id: slot for slot in table.encounter.all(Slot)}
    tied = [msgspec.structs.replace(slots[who], count=15, tie_rolls=ties) for who in ("bob", "cid")]
    table.session = Session(
        table.encounter.with_changes([Change((each.table, each.id), slots[each.id], each) for each in tied]),
        table.rules,
    )
    table.does(MoveInOrder(*moved, after=after))
    assert [slot for slot, _ in table.counts] == order


@for_each("rules", [a5e, pf2e, dnd5e, action_points])
@for_each("seed", range(3))
def test_only_the_one_moved_changes_places_however_three_or_four_ties_were_settled(
    rules: Callable[[], RuleSystem], seed: int
) -> None:
    chance, table = Random(seed), Order(rules())
    for slot in table.encounter.all(Slot):
        rolls = tuple(chance.randint(0, 2) for _ in range(chance.choice((0, 1, 1, 2))))
        tied = msgspec.structs.replace(slot, count=15 if slot.id != "ann" or seed else 20, tie_rolls=rolls)
        table.session = Session(table.encounter.with_changes([Change((slot.table, slot.id), slot, tied)]), table.rules)
    for _ in range(6):
        order = [slot for slot, _ in table.counts]
        (moved, neighbour), after = chance.sample(order, 2), chance.random() < 0.5
        table.does(MoveInOrder(moved, neighbour, after=after))
        order.remove(moved)
        order.insert(order.index(neighbour) + after, moved)
        assert [slot for slot, _ in table.counts] == order


def test_moved_past_the_active_one_nobody_has_a_second_turn() -> None:
    table = Order(a5e())
    table.ends_turn()
    table.does(MoveInOrder("ann", "orc", after=True))
    table.does(MoveInOrder("cid", "bob"))
    assert table.active == "bob"
    table.does(EndTurn())
    assert table.active == "cid"
    table.ends_turn(times=2)
    assert (table.clock.round, table.active) == (2, "cid")
