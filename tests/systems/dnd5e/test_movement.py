"""Movement by the rules of D&D 5e: ground, speeds, posture, narrow places, others in the way, and falling."""

from __future__ import annotations

import pytest

from tests.systems.dnd5e.fights import SWORD, Fight
from tests.table import creature
from turnwright.encounter.prepared import Area, Creature, Map
from turnwright.play.actions.action import TakeAction
from turnwright.play.damage.manual_hit_points import SetTrack
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.commanded_move import MoveFeet, MovePath, reachable_squares
from turnwright.play.movement.forced_movement import DropProne, ForceMove, StandUp, StoodUp
from turnwright.play.movement.move import Moved
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.turns.turns import EndTurn

PLAIN = Map(columns=12, rows=12)


def walk(*people: str | Creature, field: Map | None = PLAIN, **squares: tuple[int, ...]) -> Fight:
    """Ann's turn, with an orc far away unless squares say otherwise."""
    ann = next((one for one in people if isinstance(one, Creature) and one.id == "ann"), creature("ann"))
    others = [one for one in people if not (isinstance(one, Creature) and one.id in ("ann", "orc"))]
    orc = next((one for one in people if isinstance(one, Creature) and one.id == "orc"), creature("orc"))
    table = Fight(ann, *others, orc, foes=("orc",), field=field)
    return table.puts(**({"ann": (1, 1), "orc": (10, 10)} | squares)) if field else table  # type: ignore[return-value]


def costs(table: Fight) -> list[tuple[int, str]]:
    """What the last move cost, part by part."""
    return [(part.value, part.rule) for part in table.happened(Moved)[-1].why]


# Ground ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("dnd5e.move.cost_plus_one")
def test_a_foot_more_for_each_foot() -> None:
    table = walk(field=Map(columns=12, rows=12, ground="............\n..,,,,,.....\n"))
    table.does(MovePath("ann", ((2, 1), (3, 1))))
    assert (table.track("ann", "moved"), table.feet("ann")) == (20, 10)


@pytest.mark.rule("dnd5e.move.difficult_terrain", "dnd5e.move.idempotent")
def test_ground_is_difficult_once_however_many_reasons_there_are() -> None:
    rubble, mud = (Area(id, feature="difficult", squares=((2, 1, 4, 1),)) for id in ("rubble", "mud"))
    table = walk(field=Map(columns=12, rows=12, ground="............\n..,,,,,.....\n", areas=(rubble, mud)))
    table.does(MovePath("ann", ((2, 1), (3, 1))))
    assert table.track("ann", "moved") == 20
    assert costs(table)[-1] == (10, "dnd5e.move.difficult_terrain")


@pytest.mark.rule("dnd5e.move.costs_stack")
def test_different_reasons_add_up() -> None:
    table = walk(field=Map(columns=12, rows=12, ground="............\n..,,,,,.....\n"))
    table.does(ApplyCondition(("ann",), "prone"))
    table.does(MovePath("ann", ((2, 1),)))
    assert table.track("ann", "moved") == 15
    assert {one.rule for one in table.happened(Moved)[-1].why} >= {"dnd5e.move.crawl", "dnd5e.move.difficult_terrain"}


# Speeds ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("dnd5e.move.switch_speeds")
def test_what_was_moved_comes_off_the_other_speed() -> None:
    flier = creature("ann", speeds=(("walk", 30), ("fly", 60)))
    table = walk(flier, field=None)
    table.does(MoveFeet("ann", 20))
    assert table.feet("ann", "fly") == 40
    other = walk(flier, field=None)
    other.does(MoveFeet("ann", 40, "fly"))
    assert other.feet("ann") == 0
    assert other.refuses(MoveFeet("ann", 5)).rule == "dnd5e.move.switch_speeds"


@pytest.mark.rule("dnd5e.action.dash.effect")
def test_dash_doubles_speed_for_the_turn() -> None:
    table = walk()
    table.does(MoveFeet("ann", 10))
    table.does(TakeAction("ann", "dash"))
    assert table.feet("ann") == 50
    table.ends_turn(2)
    assert table.feet("ann") == 30


# Posture --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("dnd5e.move.drop_prone_free")
def test_dropping_prone_is_free() -> None:
    table = walk()
    table.does(DropProne("ann"))
    assert "prone" in table.effects("ann")
    assert table.track("ann", "moved") == 0


@pytest.mark.rule("dnd5e.move.stand_up_half_speed")
def test_standing_up_takes_half_the_speed() -> None:
    table = walk()
    table.does(DropProne("ann"))
    table.does(StandUp("ann"))
    assert (table.feet("ann"), table.effects("ann")) == (15, set())
    assert [(one.cost, one.rule) for one in table.happened(StoodUp)] == [(15, "dnd5e.move.stand_up_half_speed")]
    tired = walk()
    tired.does(MoveFeet("ann", 20))
    tired.does(DropProne("ann"))
    assert tired.refuses(StandUp("ann")).rule == "dnd5e.move.stand_up_half_speed"


@pytest.mark.rule("dnd5e.move.crawl")
def test_crawling_costs_a_foot_more() -> None:
    table = walk(field=None)
    table.does(ApplyCondition(("ann",), "prone"))
    table.does(MoveFeet("ann", 10))
    assert table.track("ann", "moved") == 20
    assert (10, "dnd5e.move.crawl") in costs(table)


# Others in the way ----------------------------------------------------------------------------------------------


@pytest.mark.rule("dnd5e.move.through_nonhostile")
def test_friends_let_one_through() -> None:
    table = walk(creature("bob", size="large"), bob=(2, 1))
    table.does(MovePath("ann", ((2, 1), (3, 1), (4, 1))))
    assert table.one("ann").position == (4, 1)


@pytest.mark.rule("dnd5e.move.through_hostile")
@pytest.mark.parametrize(
    ("own", "size", "passes"),
    [
        ("small", "large", True),
        ("small", "huge", True),
        ("small", "medium", False),
        ("medium", "medium", False),
        ("medium", "small", False),
        ("medium", "tiny", True),
    ],
)
def test_foes_are_passed_by_those_two_sizes_apart(own: str, size: str, passes: bool) -> None:
    table = walk(creature("ann", size=own, speeds=(("walk", 60),)), creature("orc", size=size, speeds=()), orc=(2, 1))
    table.does(ApplyCondition(("orc",), "incapacitated"))
    way = MovePath("ann", tuple((column, 1) for column in range(2, 6)))
    if passes:
        table.does(way)
        assert table.one("ann").position == (5, 1)
    else:
        refused = table.refuses(way)
        assert (refused.key, refused.rule) == ("refused.occupied", "dnd5e.move.through_hostile")


@pytest.mark.rule("dnd5e.move.occupied_is_difficult")
def test_squares_that_somebody_holds_are_difficult() -> None:
    table = walk("bob", bob=(2, 1))
    table.does(MovePath("ann", ((2, 1), (3, 1))))
    assert table.track("ann", "moved") == 15
    assert (5, "dnd5e.move.occupied_is_difficult") in costs(table)
    rough = walk("bob", bob=(2, 1), field=Map(columns=12, rows=12, ground="............\n..,.........\n"))
    found = dict(reachable_squares(rough.encounter, rough.rules, "ann").squares)
    rough.does(MovePath("ann", ((2, 1), (3, 1))))
    assert rough.track("ann", "moved") == 15
    plain = walk("bob", bob=(2, 1))
    corridor = Map(columns=12, rows=3, ground="############\n............\n############\n")
    through = walk("bob", bob=(2, 1), orc=(11, 1), field=corridor)
    squares = dict(reachable_squares(through.encounter, through.rules, "ann").squares)
    assert (found[3, 1], squares[3, 1], (2, 1) in squares) == (10, 15, False)
    assert dict(reachable_squares(plain.encounter, plain.rules, "ann").squares)[4, 1] == 15


@pytest.mark.rule("dnd5e.move.no_ending_in_occupied_space")
def test_nobody_stays_in_anothers_space_by_choice() -> None:
    table = walk("bob", bob=(2, 1))
    refused = table.refuses(MovePath("ann", ((2, 1),)))
    assert (refused.key, refused.rule) == ("refused.occupied", "dnd5e.move.no_ending_in_occupied_space")
    table.does(MovePath("ann", ((2, 1),)), anyway=True)
    assert table.one("ann").position == (2, 1)


@pytest.mark.rule("dnd5e.move.no_ending_in_occupied_space")
@pytest.mark.parametrize(("left", "ends"), [(5, False), (0, True)])
def test_no_turn_ends_in_anothers_space_while_it_can_still_be_left(left: int, ends: bool) -> None:
    table = walk("bob", bob=(2, 1))
    table.does(ForceMove("ann", (2, 1)))
    table.does(SetTrack("ann", "moved", table.feet("ann") - left))
    assert table.feet("ann") == left
    if not ends:
        refused = table.refuses(EndTurn())
        assert (refused.key, refused.rule) == ("refused.stays_in_space", "dnd5e.move.no_ending_in_occupied_space")
        assert refused.can_be_overridden
    table.does(EndTurn(), anyway=not ends)
    assert (table.active, table.one("ann").position) == ("bob", (2, 1))


def test_whoever_cant_get_off_ends_the_turn_where_they_are() -> None:
    table = walk("bob", bob=(2, 1))
    table.does(ForceMove("ann", (2, 1)))
    table.does(ApplyCondition(("ann",), "restrained"))
    table.does(EndTurn())
    assert table.active == "bob"


# Narrow places --------------------------------------------------------------------------------------------------


def squeezer(size: str) -> Fight:
    """An ogre or a giant before a passage 5 ft wide, on the row between two walls."""
    ground = "..............\n....#####.....\n..............\n....#####.....\n..............\n"
    field = Map(columns=14, rows=5, ground=ground)
    big = creature("ann", size=size, speeds=(("walk", 40),))
    return Fight(big, "orc", foes=("orc",), field=field).puts(ann=(1, 1), orc=(13, 4))  # type: ignore[return-value]


@pytest.mark.rule("dnd5e.squeeze.allowed", "dnd5e.squeeze.move_cost")
def test_one_size_smaller_is_squeezed_through_and_costs_a_foot_more() -> None:
    table = squeezer("large")
    table.does(MovePath("ann", ((2, 1), (3, 2), (4, 2))))
    assert "squeezing" in table.effects("ann")
    table.ends_turn(2)
    table.does(MovePath("ann", ((5, 2), (6, 2))))
    assert (table.track("ann", "moved"), table.feet("ann")) == (20, 20)
    assert {one.rule for one in table.happened(Moved)[-1].why} >= {"dnd5e.squeeze.move_cost"}
    giant = squeezer("huge")
    assert giant.refuses(MovePath("ann", ((2, 1), (3, 2), (4, 2)))).key in ("refused.blocked_square", "refused.step")


@pytest.mark.rule("dnd5e.squeeze.move_cost")
def test_whoever_squeezes_pays_double_without_a_map_too() -> None:
    ogre = creature("ann", size="large", speeds=(("walk", 40),))
    table = walk(ogre, field=None)
    table.does(ApplyCondition(("ann",), "squeezing"))
    assert table.feet("ann") == 40
    table.does(MoveFeet("ann", 15))
    assert table.feet("ann") == 10


# Falling --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("dnd5e.move.flying_fall", "dnd5e.external.hover", "dnd5e.external.falling")
@pytest.mark.parametrize("condition", ["prone", "grappled"])
def test_a_flier_who_cannot_move_falls_unless_it_hovers(condition: str) -> None:
    for hovers in (False, True):
        wyvern = creature("ann", speeds=(("walk", 20), ("fly", 80)), hovers=hovers, hp=60)
        table = walk(wyvern)
        table.does(SetPosition("ann", elevation=40))
        table.does(ApplyCondition(("ann",), condition))
        assert ("falling" in table.effects("ann")) is not hovers
        assert bool(table.prompts) is not hovers
        if not hovers:
            (asked,) = table.prompt.asks
            assert asked.rule == "dnd5e.external.falling"
            assert not [option.id for option in asked.options if option.id == "usual"]
            table.chooses("other")
            table.answers(damage=14)
            assert table.lost("ann") == 14
            assert table.one("ann").elevation == 0


# Leaving a reach ------------------------------------------------------------------------------------------------

ORC = creature("orc", features=(SWORD,), hp=30)


@pytest.mark.rule("dnd5e.move.leaving_reach_provokes", "dnd5e.reaction.opportunity_attack")
def test_leaving_a_reach_provokes_a_blow_before_the_step() -> None:
    table = walk(ORC, orc=(0, 1))
    table.does(MovePath("ann", ((2, 1), (3, 1))))
    assert table.reactors() == {"orc": ["ann longsword", "pass"]}
    assert table.prompt.rule == "dnd5e.reaction.opportunity_attack"
    assert table.one("ann").position == (1, 1)
    table.dice(19, 4)
    table.chooses("ann longsword")
    assert (table.left("orc")["reaction"], table.one("ann").position) == (0, (3, 1))
    assert len(table.happened(Moved)) == 1
    unseen = walk(ORC, orc=(0, 1))
    unseen.does(ApplyCondition(("ann",), "invisible"))
    unseen.does(MovePath("ann", ((2, 1), (3, 1))))
    assert unseen.reactors() == {}


@pytest.mark.rule("dnd5e.external.reach")
def test_only_those_whose_reach_is_left_may_strike() -> None:
    long = creature("ogre", features=(SWORD,), reach=10, hp=30)
    table = Fight("ann", ORC, long, foes=("orc", "ogre")).puts(ann=(5, 5), orc=(4, 5), ogre=(4, 4))
    table.does(MovePath("ann", ((6, 5),)))
    assert list(table.reactors()) == ["orc"]


@pytest.mark.rule("dnd5e.action.disengage.effect", "dnd5e.reaction.no_provoke")
def test_who_disengages_leaves_freely() -> None:
    other = creature("ogre", features=(SWORD,))
    for first, asked in ((True, []), (False, ["ogre", "orc"])):
        table = Fight("ann", ORC, other, foes=("orc", "ogre")).puts(ann=(5, 5), orc=(4, 5), ogre=(4, 4))
        if first:
            table.does(TakeAction("ann", "disengage"))
        table.does(MovePath("ann", tuple((column, 5) for column in range(6, 12))))
        assert sorted(table.reactors()) == asked


@pytest.mark.rule("dnd5e.reaction.no_provoke")
@pytest.mark.parametrize("how", ["teleport", "forced"])
def test_being_moved_otherwise_provokes_nobody(how: str) -> None:
    table = walk(ORC, orc=(0, 1))
    table.does(ForceMove("ann", (7, 1), how))  # type: ignore[arg-type]
    assert table.reactors() == {}
    assert table.one("ann").position == (7, 1)
