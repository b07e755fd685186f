"""Movement bought with points: how far a Move goes, by which mode, and what difficult ground adds."""

from __future__ import annotations

import pytest

from tests.systems.action_points.fights import FLOOR, Fight, person
from turnwright.encounter.prepared import Environment, EnvironmentEntry, Map, Scene
from turnwright.play.actions.action import TakeAction
from turnwright.play.movement import commanded_move
from turnwright.play.movement.commanded_move import MoveFeet, MovePath
from turnwright.play.movement.forced_movement import ForceMove
from turnwright.play.movement.move import Moved
from turnwright.play.queries import queries
from turnwright.play.setup.prepared_records import Add
from turnwright.play.state.position_changes import SetPosition

HARD = (2, 1), (3, 1), (4, 1), (5, 1)


def alone(field: Map | None = None, scene: Scene | None = None, ap: int = 6, **fields: object) -> Fight:
    """Bob's turn, an orc far away."""
    return Fight(person("bob", ap=ap, **fields), "orc", foes=("orc",), field=field, scene=scene)


def rubble(*columns: int) -> Map:
    """A map on whose second row some columns are difficult."""
    return Map(columns=16, rows=16, cell=2, ground=f"\n{''.join(',' if at in columns else '.' for at in range(16))}\n")


@pytest.mark.rule("ap.action.move.distance", "ap.external.movement_speeds")
def test_each_move_goes_up_to_the_speed_and_another_is_bought_after_it() -> None:
    table = alone(ap=3)
    table.does(MoveFeet("bob", 4))
    assert table.points("bob")[0] == 2
    table.does(MoveFeet("bob", 4))
    assert table.points("bob")[0] == 1
    refused = table.refuses(MoveFeet("bob", 5))
    assert (refused.key, refused.rule) == ("refused.too_far", "ap.action.move.distance")
    table.does(MoveFeet("bob", 3))
    table.does(MoveFeet("bob", 1))  # what was left of that Move
    assert table.points("bob")[0] == 0
    assert table.refuses(MoveFeet("bob", 1)).key == "refused.none_left"


@pytest.mark.rule("ap.action.move.row")
def test_a_way_of_two_moves_takes_two_points() -> None:
    table = alone(FLOOR).puts(bob=(1, 1), orc=(12, 12))
    route = commanded_move.cheapest_route(table.encounter, table.rules, "bob", (5, 1))
    assert route is not None
    assert route.points == 2
    table.does(MovePath("bob", route.path))
    assert (table.one("bob").position, table.points("bob")[0]) == ((5, 1), 4)
    assert [(one.feet, one.cost) for one in table.happened(Moved)] == [(8, 8)]


def test_what_is_left_of_a_move_is_lost_when_something_else_is_done() -> None:
    table = alone()
    table.does(MoveFeet("bob", 1))
    assert queries.movement_of(table.encounter, table.rules, "bob")[0].left == 23
    table.does(TakeAction("bob", "brace"))
    assert queries.movement_of(table.encounter, table.rules, "bob")[0].left == 12
    table.does(MoveFeet("bob", 3))
    assert table.points("bob")[0] == 2


def test_a_move_can_be_paid_for_before_it_is_gone() -> None:
    table = alone(ap=1)
    table.does(TakeAction("bob", "move"))
    assert table.points("bob")[0] == 0
    table.answers(over="linger")
    table.does(MoveFeet("bob", 4))
    assert table.refuses(MoveFeet("bob", 1)).key == "refused.none_left"


def test_a_move_on_anothers_turn_takes_reaction_points() -> None:
    table = alone()
    table.ends_turn()
    table.does(MoveFeet("bob", 4))
    assert table.points("bob") == (6, 2)


@pytest.mark.rule("ap.action.move.swimming")
def test_swimming_goes_half_as_far() -> None:
    table = alone(ap=1, speeds=(("walk", 6),))
    refused = table.refuses(MoveFeet("bob", 4, "swim"))
    assert refused.key == "refused.too_far"
    table.does(MoveFeet("bob", 3, "swim"))
    assert table.points("bob")[0] == 0
    assert table.happened(Moved)[0].rule == "ap.action.move.swimming"
    everybody = alone(ap=1, speeds=(("walk", 6),), scene=Scene(strictness="enforce", suspended=("water",)))
    assert everybody.refuses(MoveFeet("bob", 4)).key == "refused.too_far"
    everybody.does(MoveFeet("bob", 3))


@pytest.mark.rule("ap.action.move.special_speeds")
@pytest.mark.parametrize(("mode", "most"), [("swim", 8), ("fly", 10), ("walk", 6)])
def test_a_speed_for_it_serves_instead(mode: str, most: int) -> None:
    table = alone(ap=1, speeds=(("walk", 6), ("swim", 8), ("fly", 10)))
    assert table.refuses(MoveFeet("bob", most + 1, mode)).key == "refused.too_far"
    table.does(MoveFeet("bob", most, mode))
    assert (table.points("bob")[0], table.happened(Moved)[0].cost) == (0, most)
    if mode != "walk":
        assert table.happened(Moved)[0].rule == "ap.action.move.special_speeds"


@pytest.mark.rule("ap.action.climb.distance", "ap.action.climb.row")
def test_a_climb_goes_half_as_far_up() -> None:
    table = alone(ap=2, speeds=(("walk", 6),))
    table.does(MoveFeet("bob", 3, "climb", up=3))
    assert (table.points("bob")[0], table.one("bob").elevation) == (1, 3)
    assert table.refuses(MoveFeet("bob", 4, "climb")).rule == "ap.action.climb.distance"
    table.does(MoveFeet("bob", 3, "climb", up=3))
    assert (table.points("bob")[0], table.one("bob").elevation) == (0, 6)


def test_a_climb_is_no_move() -> None:
    table = alone(speeds=(("walk", 6),))
    table.does(MoveFeet("bob", 3))
    table.does(MoveFeet("bob", 1, "climb"))
    assert table.points("bob")[0] == 4
    table.does(MoveFeet("bob", 3))
    assert table.points("bob")[0] == 3


@pytest.mark.rule("ap.action.climb.surface")
def test_the_dm_says_whether_a_surface_can_be_climbed() -> None:
    table = alone(speeds=(("walk", 6),))
    table.does(TakeAction("bob", "climb"))
    table.answers(choice="refused")
    assert table.points("bob")[0] == 6
    table.does(TakeAction("bob", "climb"))
    table.answers(choice="allowed")
    table.does(MoveFeet("bob", 3, "climb", up=3))
    assert table.points("bob")[0] == 5


@pytest.mark.rule("ap.action.jump.distance", "ap.action.jump.row")
@pytest.mark.parametrize(("strength", "agility", "most"), [(6, 4, 3), (0, 4, 2), (7, 0, 3)])
def test_a_jump_covers_half_of_strength_or_agility(strength: int, agility: int, most: int) -> None:
    table = alone(ap=1, abilities=(("str", strength), ("agi", agility)))
    refused = table.refuses(MoveFeet("bob", most + 1, "jump"))
    assert (refused.key, refused.rule) == ("refused.too_far", "ap.action.jump.distance")
    table.does(MoveFeet("bob", most, "jump"))
    assert table.points("bob")[0] == 0


@pytest.mark.rule("ap.action.jump.height")
def test_a_jump_goes_half_as_high() -> None:
    table = alone(abilities=(("str", 8),))
    refused = table.refuses(MoveFeet("bob", 4, "jump", up=3))
    assert (refused.key, refused.rule) == ("refused.too_high", "ap.action.jump.height")
    table.does(MoveFeet("bob", 4, "jump", up=2))
    assert table.points("bob")[0] == 5


@pytest.mark.rule("ap.terrain.difficult_cost", "ap.terrain.dm_announces")
def test_difficult_ground_costs_a_point_more_a_move() -> None:
    table = alone(rubble(1, 2, 3, 4), ap=4).puts(bob=(1, 1), orc=(12, 12))
    route = commanded_move.preview_route(table.encounter, table.rules, MovePath("bob", ((2, 1), (3, 1))))
    assert route.points == 2
    table.does(MovePath("bob", ((2, 1), (3, 1))))
    assert table.points("bob")[0] == 2
    plain = alone(rubble(8), ap=4).puts(bob=(1, 1), orc=(12, 12))
    plain.does(MovePath("bob", ((2, 1), (3, 1))))
    assert plain.points("bob")[0] == 3
    entering = alone(rubble(3), ap=4).puts(bob=(1, 1), orc=(12, 12))
    entering.does(MovePath("bob", ((2, 1),)))
    assert entering.points("bob")[0] == 3
    entering.does(MovePath("bob", ((3, 1),)))  # the rest of the same Move comes onto it
    assert entering.points("bob")[0] == 2
    leaving = alone(rubble(1), ap=4).puts(bob=(1, 1), orc=(12, 12))
    leaving.does(MovePath("bob", ((2, 1),)))
    assert leaving.points("bob")[0] == 2


@pytest.mark.rule("ap.hazard.other")
def test_a_hazard_of_the_dms_own_makes_a_jump_dearer() -> None:
    ice = Environment("ledge", "Ledge", features=(EnvironmentEntry("ice", "Slick ice", extra_costs=(("jump", 1),)),))
    leap = MovePath("bob", ((2, 1),), mode="jump")
    for places, left in (((), 3), ((ice,), 2)):
        table = alone(FLOOR, ap=4, abilities=(("str", 8), ("agi", 8))).puts(bob=(1, 1), orc=(12, 12))
        table.does(Add(places))
        table.does(leap)
        assert table.points("bob")[0] == left
        table.does(TakeAction("bob", "jump"))
        assert table.points("bob")[0] == left - (2 if places else 1)
    table.does(SetPosition("bob", outside=("ledge",)))
    assert table.offers("bob")["jump"].action.price == 1
    poor = alone(FLOOR, ap=1, abilities=(("str", 8), ("agi", 8))).puts(bob=(1, 1), orc=(12, 12))
    poor.does(Add((ice,)))
    assert poor.refuses(leap).key == "refused.too_few_left"
    assert poor.offers("bob")["jump"].refused
    poor.does(MovePath("bob", ((2, 1),)))
    assert poor.points("bob")[0] == 0


def test_difficult_ground_costs_reaction_points_too_and_has_to_be_affordable() -> None:
    table = alone(rubble(1, 2, 3), ap=1).puts(bob=(1, 1), orc=(12, 12))
    refused = table.refuses(MovePath("bob", ((2, 1),)))
    assert (refused.key, refused.params["need"]) == ("refused.too_few_left", 2)
    table.ends_turn()
    table.does(MovePath("bob", ((2, 1), (3, 1))))
    assert table.points("bob") == (1, 1)


@pytest.mark.rule("ap.terrain.difficult_examples")
def test_three_sorts_of_difficult_ground_are_listed() -> None:
    terrains = Fight("bob").rules.data.terrains
    listed = [one.name for one in terrains if "ap.terrain.difficult_examples" in one.ledger]
    assert listed == ["Rubble", "Dense vegetation", "Tar"]


def test_being_put_elsewhere_takes_no_points() -> None:
    table = alone(FLOOR).puts(bob=(1, 1), orc=(12, 12))
    table.does(ForceMove("bob", (5, 5)))
    table.does(SetPosition("bob", position=(6, 6)))
    assert table.points("bob")[0] == 6


def test_the_map_shows_as_far_as_all_points_lead() -> None:
    table = alone(FLOOR, ap=2).puts(bob=(1, 1), orc=(12, 12))
    found = commanded_move.reachable_squares(table.encounter, table.rules, "bob")
    assert (found.left, max(feet for _, feet in found.squares)) == (8, 8)


@pytest.mark.rule("ap.terrain.difficult_cost")
def test_difficult_ground_makes_nothing_dearer_but_a_move() -> None:
    agile = {"abilities": (("str", 8), ("agi", 8)), "speeds": (("walk", 8),)}
    for mode in ("jump", "climb"):
        table = alone(rubble(1, 2), ap=4, **agile).puts(bob=(1, 1), orc=(12, 12))
        table.does(MovePath("bob", ((2, 1), (3, 1)), mode=mode))
        assert table.points("bob")[0] == 3
    table = alone(rubble(2), ap=4, **agile).puts(bob=(1, 1), orc=(12, 12))
    table.does(MovePath("bob", ((2, 1),), mode="jump"))
    assert table.points("bob")[0] == 3
    table.does(MovePath("bob", ((3, 1),)))  # what it jumped onto is where the Move starts
    assert table.points("bob")[0] == 1
