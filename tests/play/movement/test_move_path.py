"""Moves on the map, square by square: what stands in the way, what ground, height and narrow places cost."""

from __future__ import annotations

import pytest

from tests.play.map_table import Field
from tests.table import creature
from turnwright.encounter.prepared import Area, Map
from turnwright.play.kernel.events import RuleOverridden
from turnwright.play.movement.commanded_move import MoveFeet, MovePath
from turnwright.play.movement.events import Moved
from turnwright.play.movement.preview import cheapest_route, reachable_squares

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
    assert ("squeezing" in table.effects("ada"), table.track("ada", "moved")) == (True, 25)
    table.ends_turn(2)
    table.does(steps((3, 1), (2, 1)))
    assert ("squeezing" in table.effects("ada"), table.track("ada", "moved")) == (False, 10)


def test_feet_without_squares_still_count() -> None:
    table = table_on(PLAIN)
    table.does(steps((2, 1)))
    table.does(MoveFeet("ada", 10))
    assert (table.track("ada", "moved"), table.one("ada").position) == (15, (2, 1))
