"""Moves in feet and along a path."""

from __future__ import annotations

from contextlib import suppress

import pytest

from tests.for_each import for_each
from tests.play.map_table import Field
from tests.table import Table, a5e, creature, dnd5e, environment
from turnwright.encounter.prepared import Area, Map, Scene
from turnwright.encounter.running import Duration, Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.kernel.events import RuleOverridden
from turnwright.play.kernel.transaction import Refused
from turnwright.play.movement.commanded_move import MoveFeet, MovePath, cheapest_route, preview_move, reachable_squares
from turnwright.play.movement.move import Dragged, Moved
from turnwright.play.queries import queries
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.position_changes import SetPosition
from turnwright.rules.system import RuleSystem


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


PLAIN = Map(columns=10, rows=10)


def table_on(field: Map, *more: object, ada: object = "ada", **squares: tuple[int, ...]) -> Field:
    """Ada's turn on a map, with an orc somewhere."""
    table = Field(ada, "orc", *more, foes=("orc",), field=field)  # type: ignore[arg-type]
    return table.puts(**({"ada": (1, 1), "orc": (9, 9)} | squares))


def steps(*squares: tuple[int, int], who: str = "ada", mode: str = "walk", **more: object) -> MovePath:
    """A move through squares."""
    return MovePath(who, squares, mode, **more)  # type: ignore[arg-type]


def test_a_way_is_paid_square_by_square() -> None:
    table = table_on(PLAIN)
    table.does(steps((2, 1), (3, 2), (3, 3)))
    assert (table.one("ada").position, table.track("ada", "moved")) == ((3, 3), 15)
    (moved,) = table.happened(Moved)
    assert (moved.feet, moved.cost, moved.rule) == (15, 15, "a5e.turn.speed")


def test_a_way_too_long_is_refused_with_what_is_left() -> None:
    table = table_on(PLAIN)
    refused = table.refuses(steps(*((column, 1) for column in range(2, 10))))
    assert (refused.key, refused.params["left"], refused.params["cost"]) == ("refused.too_far", 30, 40)
    table.does(steps(*((column, 1) for column in range(2, 10))), anyway=True)
    assert (table.one("ada").position, len(table.happened(RuleOverridden))) == ((9, 1), 1)


@pytest.mark.parametrize(
    ("way", "key"),
    [
        (((3, 1),), "refused.step"),
        (((2, 1), (3, 1)), "refused.blocked_square"),
        (((1, 2), (2, 3)), "refused.blocked_square"),
        (((0, 1), (-1, 1)), "refused.blocked_square"),
        ((), "refused.no_path"),
    ],
)
def test_walls_edges_corners_and_leaps_stop_a_way(way: tuple[tuple[int, int], ...], key: str) -> None:
    field = Map(columns=10, rows=10, ground="...#\n...#\n..##\n", walls=((2, 2, 2, 3),))
    assert table_on(field).refuses(steps(*way)).key == key


def test_nobody_passes_a_foe_or_stays_with_a_friend() -> None:
    table = table_on(PLAIN, "bo", orc=(2, 1), bo=(1, 2))
    assert table.refuses(steps((2, 1), (3, 1))).key == "refused.occupied"
    assert table.refuses(steps((1, 2))).key == "refused.occupied"
    table.does(steps((1, 2), (1, 3)))
    table.chooses("pass")
    assert table.one("ada").position == (1, 3)


def test_without_a_map_or_a_square_nobody_travels() -> None:
    bare = Field("ada", "orc", field=None)
    assert bare.refuses(steps((1, 1))).key == "refused.no_grid"
    unplaced = Field("ada", "orc", field=PLAIN)
    assert unplaced.refuses(steps((1, 1))).key == "refused.no_position"


def test_ground_that_is_drawn_costs_what_it_costs() -> None:
    field = Map(columns=10, rows=10, ground="..,~^\n")
    table = table_on(field, ada=creature("ada", speeds=(("walk", 60),))).puts(ada=(1, 0))
    table.does(steps((2, 0), (3, 0), (4, 0)))
    (moved,) = table.happened(Moved)
    assert (moved.cost, table.track("ada", "moved")) == (30, 30)
    assert {part.rule for part in moved.why} >= {"a5e.move.swim-cost", "a5e.move.climb-cost"}


@pytest.mark.rule("a5e.terrain.cost")
def test_brambles_cost_a_foot_more_for_each() -> None:
    field = Map(columns=10, rows=10, areas=(Area("thorns", feature="thick-bramble", squares=((2, 0, 2, 3),)),))
    table = table_on(field)
    table.does(steps((2, 1), (3, 1)))
    assert table.track("ada", "moved") == 20
    found = cheapest_route(table.encounter, table.rules, "ada", (4, 1))
    assert found is not None
    assert (found.cost.total, found.left_after) == (5, 5)


def test_second_diagonals_cost_double_where_the_table_counts_so() -> None:
    table = table_on(Map(columns=10, rows=10, diagonals="alternating"))
    table.does(steps((2, 2), (3, 3), (4, 4)))
    assert table.track("ada", "moved") == 20
    assert dict(reachable_squares(table.encounter, table.rules, "ada").squares)[5, 5] == 5


def test_flyers_rise_and_sink_and_walkers_stay_on_the_ground() -> None:
    field = Map(columns=10, rows=10, heights="\n...2\n...2\n")
    table = table_on(field, ada=creature("ada", speeds=(("walk", 30), ("fly", 60))))
    table.does(steps((2, 1), (2, 1), mode="fly", heights=(5, 25)))
    assert (table.one("ada").elevation, table.track("ada", "moved")) == (25, 25)
    table.does(steps((3, 1), mode="fly"))
    assert (table.one("ada").elevation, table.track("ada", "moved")) == (25, 30)
    walker = table_on(field).puts(ada=(2, 1))
    walker.does(steps((3, 1), (2, 0)))
    assert (walker.one("ada").elevation, walker.track("ada", "moved")) == (0, 10)
    walker.does(steps((3, 1)))
    assert walker.one("ada").elevation == 10


def test_the_big_squeeze_through_narrow_places() -> None:
    field = Map(columns=10, rows=10, ground="....####\n........\n....####\n")
    ogre = creature("ada", size="large", speeds=(("walk", 40),))
    table = table_on(field, ada=ogre).puts(ada=(1, 0))
    table.does(steps((2, 1), (3, 1), (4, 1)))
    assert ("squeezing" in table.effects("ada"), table.track("ada", "moved")) == (True, 15)
    table.ends_turn(2)
    table.does(steps((3, 1), (2, 1)))
    assert ("squeezing" in table.effects("ada"), table.track("ada", "moved")) == (False, 10)


TUNNEL = "....########\n............\n....########\n"


def squeezes(rules: RuleSystem, speed: int, *, dashes: bool = False, together: bool = False) -> int:
    """The squares that a Large creature comes along a tunnel, one by one or in one move."""
    ogre = creature("ada", size="large", speeds=(("walk", speed),))
    field, scene = Map(columns=14, rows=10, ground=TUNNEL), Scene(system=rules.id, strictness="enforce")
    table = Field(ogre, "orc", foes=("orc",), field=field, rules=rules, scene=scene).puts(ada=(3, 1), orc=(9, 9))
    if dashes:
        table.does(TakeAction("ada", "dash"))
    squares = [(column, 1) for column in range(4, 12)]
    ways = [steps(*squares[:most]) for most in range(8, 0, -1)] if together else [steps(square) for square in squares]
    for way in ways:
        with suppress(Refused):
            table.does(way)
            if together:
                break
    position = table.one("ada").position
    return position[0] - 3 if position is not None else 0


@pytest.mark.rule("a5e.squeeze.speed")
@for_each("together", [True, False])
@for_each(("speed", "dashes", "squares"), [(30, False, 3), (30, True, 6), (35, True, 6), (25, True, 4), (20, False, 2)])
def test_squeezing_halves_the_speed_and_costs_nothing_more(
    speed: int, dashes: bool, squares: int, together: bool
) -> None:
    assert squeezes(a5e(), speed, dashes=dashes, together=together) == squares


@for_each("together", [True, False])
@for_each(("speed", "dashes", "squares"), [(30, False, 3), (30, True, 6), (35, True, 7), (25, True, 5)])
def test_each_foot_of_squeezing_costs_another_in_5e(speed: int, dashes: bool, squares: int, together: bool) -> None:
    assert squeezes(dnd5e(), speed, dashes=dashes, together=together) == squares


def test_a_squeeze_without_a_map_is_limited_too() -> None:
    ogre = creature("ada", size="large", speeds=(("walk", 30),))
    table = Field(ogre, "orc", foes=("orc",), field=None)
    refused = table.refuses(MoveFeet("ada", 20, squeezing=True))
    assert (refused.key, refused.params["left"], refused.params["cost"]) == ("refused.too_far", 15, 20)
    table.does(MoveFeet("ada", 15, squeezing=True))
    assert table.track("ada", "moved") == 15


def test_feet_without_squares_still_count() -> None:
    table = table_on(PLAIN)
    table.does(steps((2, 1)))
    table.does(MoveFeet("ada", 10))
    assert (table.track("ada", "moved"), table.one("ada").position) == (15, (2, 1))
