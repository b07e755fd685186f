"""Movement in feet: modes and their speeds, what is left when one changes over, what rough ground and burdens cost."""

from __future__ import annotations

import pytest

from tests.table import Table, creature, environment
from turnwright.encounter.prepared import Scene
from turnwright.encounter.running import Duration, Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.movement.events import Dragged, Moved
from turnwright.play.movement.preview import preview_move
from turnwright.play.queries import queries
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.position_changes import SetPosition


def table_of(*people: object, foes: tuple[str, ...] = (), **more: object) -> Table:
    """Everybody in round 1, in the order in which they are named."""
    table = Table(*people, foes=foes, **more)  # type: ignore[arg-type]
    ids = [one if isinstance(one, str) else one.id for one in people]  # type: ignore[attr-defined]
    table.start(**{id: 30 - place for place, id in enumerate(ids)})
    return table


def mover(**speeds: int) -> Table:
    """Ada alone, with these speeds."""
    return table_of(creature("ada", speeds=tuple(speeds.items())))


def left(table: Table, who: str = "ada", mode: str = "walk") -> int | None:
    """The feet somebody may still move by a mode, None where they can't."""
    found = queries.movement_of(table.encounter, table.rules, who)
    return next((one.left for one in found if one.mode == mode), None)


# Modes ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.move.ground-speed")
def test_the_basic_speed_covers_any_gait_over_ground() -> None:
    table = table_of(creature("snake", speeds=(("walk", 30),)))
    table.does(MoveFeet("snake", 30))
    (moved,) = table.happened(Moved)
    assert (moved.cost, [part.value for part in moved.why], moved.rule) == (30, [30], "a5e.turn.speed")
    assert left(table, "snake") == 0


@pytest.mark.rule("a5e.move.climb-cost", "a5e.move.swim-cost")
@pytest.mark.parametrize(("mode", "feet", "rest"), [("climb", 15, 0), ("swim", 10, 10)])
def test_climbing_and_swimming_on_foot_cost_a_foot_more(mode: str, feet: int, rest: int) -> None:
    table = mover(walk=30)
    table.does(MoveFeet("ada", feet, mode))
    (moved,) = table.happened(Moved)
    assert (moved.cost, moved.rule, left(table)) == (2 * feet, f"a5e.move.{mode}-cost", rest)


@pytest.mark.rule("a5e.move.climb-speed", "a5e.move.swim-speed")
@pytest.mark.parametrize(("mode", "speed"), [("climb", 20), ("swim", 40)])
def test_a_speed_of_its_own_costs_nothing_more(mode: str, speed: int) -> None:
    table = mover(**{"walk": 30, mode: speed})
    table.does(MoveFeet("ada", speed, mode))
    (moved,) = table.happened(Moved)
    assert (moved.cost, moved.rule, left(table, mode=mode)) == (speed, f"a5e.move.{mode}-speed", 0)
    assert table.refuses(MoveFeet("ada", 1, mode)).key == "refused.too_far"


@pytest.mark.rule(
    "a5e.move.glide-requires", "a5e.move.hover-requires", "a5e.move.burrow-requires", "a5e.move.fly-requires"
)
@pytest.mark.parametrize("mode", ["glide", "hover", "burrow", "fly"])
def test_some_ways_need_a_speed_for_them(mode: str) -> None:
    table = mover(walk=30)
    refused = table.refuses(MoveFeet("ada", 10, mode, up=10))
    assert (refused.key, refused.rule) == ("refused.no_such_speed", f"a5e.move.{mode}-requires")
    assert left(table, mode=mode) is None
    able = mover(**{"walk": 30, mode: 10})
    able.does(MoveFeet("ada", 10, mode))
    assert (left(able, mode=mode), able.happened(Moved)[0].cost) == (0, 10)


def test_what_can_hover_hovers_by_its_fly_speed() -> None:
    table = table_of(creature("wisp", speeds=(("fly", 50),), hovers=True))
    table.does(MoveFeet("wisp", 20, "hover"))
    assert (left(table, "wisp", "hover"), left(table, "wisp", "fly"), left(table, "wisp")) == (30, 30, None)


@pytest.mark.rule("a5e.move.additional-speeds")
def test_a_lent_speed_stands_beside_the_others_while_it_lasts() -> None:
    table = mover(walk=30)
    table.does(ApplyCondition(("ada",), "speed:fly", value=60, ends=Duration("encounter"), source="a spell"))
    assert (left(table), left(table, mode="fly")) == (30, 60)
    fly = queries.speed(table.encounter, table.rules, "ada", "fly")
    assert fly is not None
    assert [(part.value, part.reason, part.rule) for part in fly.parts] == [
        (60, "a spell", "a5e.move.additional-speeds")
    ]
    (lent,) = table.encounter.ids(Effect)
    table.does(EndEffect(lent))
    assert (left(table), left(table, mode="fly")) == (30, None)


# Changing over -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.move.switch-subtract")
def test_what_was_moved_is_taken_off_another_speed() -> None:
    table = mover(walk=30, fly=60)
    table.does(MoveFeet("ada", 20))
    assert left(table, mode="fly") == 40
    refused = table.refuses(MoveFeet("ada", 11))
    assert (refused.key, refused.rule, refused.params["left"]) == ("refused.too_far", "a5e.move.switch-subtract", 10)
    table.does(MoveFeet("ada", 40, "fly"))
    assert left(table, mode="fly") == 0


@pytest.mark.rule("a5e.move.switch-blocked")
@pytest.mark.parametrize("flown", [30, 45])
def test_a_speed_that_is_used_up_by_another_is_of_no_use(flown: int) -> None:
    table = mover(walk=30, fly=60)
    table.does(MoveFeet("ada", flown, "fly"))
    assert left(table) == 0
    refused = table.refuses(MoveFeet("ada", 1))
    assert (refused.key, refused.rule, refused.params["left"]) == ("refused.too_far", "a5e.move.switch-blocked", 0)


@pytest.mark.rule("a5e.move.switch-free-split")
def test_going_back_and_forth_between_speeds() -> None:
    table = mover(walk=30, swim=30)
    for mode in ("walk", "swim", "walk"):
        table.does(MoveFeet("ada", 10, mode))
    assert (left(table), left(table, mode="swim")) == (0, 0)
    assert [moved.cost for moved in table.happened(Moved)] == [10, 10, 10]
    for mode in ("walk", "swim"):
        assert table.refuses(MoveFeet("ada", 5, mode)).params["left"] == 0
    other = mover(walk=30, swim=30)
    other.does(MoveFeet("ada", 10))
    other.does(MoveFeet("ada", 20, "swim"))  # all of the rest, by another speed
    assert (left(other), left(other, mode="swim")) == (0, 0)


# Ground and burdens --------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.terrain.cost", "a5e.variant.area-hazard-label")
@pytest.mark.parametrize("place", ["rocky", "swampy", "stormy"])
def test_each_foot_of_rough_ground_costs_one_more(place: str) -> None:
    table = table_of("ada", surroundings=[environment(place, actions=())])
    table.does(MoveFeet("ada", 10, through=place))
    (moved,) = table.happened(Moved)
    assert (moved.feet, moved.cost) == (10, 20)


@pytest.mark.rule("a5e.terrain.stacks-with-others", "a5e.prone.crawl-cost")
def test_crawling_adds_to_rough_ground() -> None:
    table = table_of("ada", surroundings=[environment("rocky", actions=())])
    table.does(ApplyCondition(("ada",), "prone"))
    table.does(MoveFeet("ada", 5, through="rocky"))
    (moved,) = table.happened(Moved)
    assert (moved.cost, [part.value for part in moved.why]) == (15, [5, 5, 5])
    assert "a5e.prone.crawl-cost" in [part.rule for part in moved.why]


@pytest.mark.rule("a5e.variant.icy-patch")
def test_turning_on_ice_costs_twice() -> None:
    table = table_of("ada", surroundings=[environment("frigid", actions=())])
    table.does(MoveFeet("ada", 10, through="frigid"))
    table.does(MoveFeet("ada", 5, through="frigid", turned=True))
    assert [moved.cost for moved in table.happened(Moved)] == [10, 10]
    assert left(table) == 10


# Dragging -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.tactic.drag.cost", "a5e.tactic.drag.start")
def test_dragging_an_ally_costs_two_more_a_foot_and_the_reaction() -> None:
    table = table_of("ada", "bo", "orc", foes=("orc",))
    table.does(MoveFeet("ada", 10, drags="bo"))
    (moved,) = table.happened(Moved)
    assert (moved.cost, moved.rule, left(table)) == (30, "a5e.tactic.drag.cost", 0)
    assert table.track("ada", "reaction") == 0
    (dragged,) = table.happened(Dragged)
    assert (dragged.ally, dragged.rule) == ("bo", "a5e.tactic.drag.start")


@pytest.mark.rule("a5e.tactic.drag.start")
def test_dragging_needs_a_reaction_and_a_willing_ally() -> None:
    table = table_of("ada", "bo", "orc", foes=("orc",))
    unwilling = table.refuses(MoveFeet("ada", 5, drags="orc"))
    assert (unwilling.key, unwilling.rule) == ("refused.drag_unwilling", "a5e.tactic.drag.start")
    table.does(SpendResource("ada", "reaction"))
    spent = table.refuses(MoveFeet("ada", 5, drags="bo"))
    assert (spent.key, spent.rule) == ("refused.drag_reaction", "a5e.tactic.drag.start")


def test_one_hold_lasts_for_the_turn() -> None:
    table = table_of(creature("ada", speeds=(("walk", 60),)), "bo")
    table.does(MoveFeet("ada", 5, drags="bo"))
    table.does(MoveFeet("ada", 5, drags="bo"))
    assert (left(table), len(table.happened(Dragged))) == (30, 1)
    table.ends_turn(2)
    assert table.track("ada", "reaction") == 1


@pytest.mark.rule("a5e.tactic.drag.ally-spent")
def test_being_dragged_costs_the_ally_nothing() -> None:
    table = table_of("bo", "ada", "cy")
    table.does(MoveFeet("bo", 10))
    table.ends_turn()
    table.does(MoveFeet("ada", 5, drags="bo"))
    assert left(table, "bo") == 20
    table = table_of("bo", "ada")
    table.does(MoveFeet("bo", 30))
    table.ends_turn()
    table.does(MoveFeet("ada", 10, drags="bo"))
    assert (left(table, "bo"), left(table, "ada")) == (0, 0)


# Chases -------------------------------------------------------------------------------------------------------------


def chase() -> Table:
    """A chase: all move along together."""
    return table_of("ada", "bo", scene=Scene(strictness="enforce", rolling=True))


@pytest.mark.rule("a5e.rolling.no-forward")
def test_nobody_gets_ahead_by_walking() -> None:
    table = chase()
    refused = table.refuses(MoveFeet("ada", 10, heading="forward"))
    assert (refused.key, refused.rule) == ("refused.no_forward", "a5e.rolling.no-forward")
    table.does(TakeAction("ada", "dash"))
    table.does(MoveFeet("ada", 10, heading="forward"))
    assert left(table) == 50
    still = table_of("ada", "bo")
    still.does(MoveFeet("ada", 10, heading="forward"))
    assert left(still) == 20


@pytest.mark.rule("a5e.rolling.sideways")
def test_sideways_and_back_need_no_dash() -> None:
    table = chase()
    table.does(MoveFeet("ada", 10, heading="sideways"))
    table.does(MoveFeet("ada", 10, heading="back"))
    assert left(table) == 10


# Before it is done ---------------------------------------------------------------------------------------------------


def test_a_price_is_known_before_the_move() -> None:
    table = table_of("ada", "orc", foes=("orc",), surroundings=[environment("rocky", actions=())])
    asked = preview_move(table.encounter, table.rules, MoveFeet("ada", 10, through="rocky", leaves=("orc",)))
    assert (asked.cost.total, asked.left, asked.left_after, asked.vetoes, asked.provokes) == (20, 30, 10, (), ("orc",))
    dear = preview_move(table.encounter, table.rules, MoveFeet("ada", 20, through="rocky"))
    assert [veto.reason for veto in dear.vetoes] == ["refused.too_far"]
    assert table.happened(Moved) == []


def test_place_keeps_what_it_is_not_told() -> None:
    table = table_of("ada")
    table.does(SetPosition("ada", elevation=10))
    assert table.one("ada").elevation == 10
