"""Cover by corners, case by case as drawn: A attacks T."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.battlemap.maps import draw, grids, medium
from tests.effort import examples
from tests.for_each import for_each
from turnwright.battlemap.grid import TerrainLayers, build
from turnwright.battlemap.sight import LineBlocker, between, cover, cover_many
from turnwright.battlemap.spaces import Space

NONE, HALF, THREE_QUARTERS, TOTAL = range(4)


def graded(picture, creatures="", **figures):
    grid, named = draw(picture, **figures)
    others = [medium(named[sign]) for sign in creatures]
    return cover(grid, medium(named["A"]), medium(named["T"]), creatures=others)


@for_each(
    ("picture", "grade"),
    [
        ("A...T", NONE),
        (
            """
            ......
            A.#..T
            ......
            """,
            HALF,
        ),
        (
            """
            .....#
            A....T
            .....#
            """,
            NONE,
        ),
        (
            """
            ..#...
            A.#..T
            ......
            """,
            HALF,
        ),
        (
            """
            ..#...
            ..#...
            A.#..T
            ......
            ......
            """,
            HALF,
        ),
        (
            """
            T#.....
            ..#....
            .......
            .......
            ......A
            """,
            THREE_QUARTERS,
        ),
        (
            """
            ..#...
            ..#...
            A.#..T
            ..#...
            ..#...
            """,
            TOTAL,
        ),
        ("A.#.T", TOTAL),
        ("A.%.T", TOTAL),
        ("A.:.T", NONE),
        ("A.o.T", NONE),
    ],
)
def test_walls_give_cover_by_the_lines_they_stop(picture, grade):
    assert graded(picture).grade == grade


def test_the_obstacles_are_named():
    found = graded("""
        ......
        A.#..T
        ......
    """)
    assert found.stopped == 2
    assert found.obstacles == (LineBlocker((2, 1), "square"),)
    assert found.creatures == ()
    assert found.square == (5, 1)


@pytest.mark.parametrize("grade", [1, 2, 3])
def test_a_declared_grade_counts_wherever_a_line_crosses_it(grade):
    found = graded(f"A.{grade}T")
    assert found.grade == grade
    assert found.creatures == ((2, 0),)
    assert found.obstacles == ()


def test_only_the_best_of_several_counts():
    assert graded("A1.2T").grade == 2
    assert graded("A2.1T").grade == 2


def test_cover_protects_only_against_what_comes_from_its_other_side():
    east, west = graded("..T1A"), graded("A.T1.")
    assert (east.grade, west.grade) == (HALF, NONE)


def test_obstacles_in_a_creature_s_own_square_give_it_no_cover():
    grid = build(4, 1, TerrainLayers(cover={(0, 0): 2, (3, 0): 2}, obstacles={(3, 0): "wall"}))
    assert cover(grid, Space(0, 0), Space(3, 0)).grade == NONE


def test_an_attacker_s_own_squares_leave_him_the_corner_behind():
    own = dict.fromkeys([(0, 3), (1, 3), (0, 4), (1, 4)], 3)
    grid = build(6, 5, TerrainLayers(obstacles={(2, 2): "wall"}, cover={**own, (3, 4): 2}))
    assert cover(grid, Space(0, 3, 10), Space(5, 2)).grade == NONE


def test_the_attacker_chooses_his_best_corner_and_the_target_s_nearest_way():
    assert (
        graded("""
        .....
        A.1.T
        .....
        """).grade
        == HALF
    )
    assert (
        graded("""
        A....
        ..1..
        ....T
        """).grade
        == HALF
    )
    assert (
        graded("""
        A....
        .....
        .1..T
        """).grade
        == NONE
    )


def test_a_large_target_is_as_exposed_as_its_most_exposed_square():
    grid, named = draw("""
        A.#..
        .....
    """)
    target = Space(3, 0, 10)
    assert cover(grid, medium(named["A"]), Space(3, 0)).grade == HALF
    assert cover(grid, medium(named["A"]), target).grade == NONE


def test_a_low_wall_covers_from_across_and_not_from_above():
    grid, named = draw("A.....1T", height=3)
    attacker, target = medium(named["A"]), medium(named["T"])
    assert cover(grid, attacker, target).grade == HALF
    assert cover(grid, medium(named["A"], elevation=5), target).grade == HALF
    assert cover(grid, medium(named["A"], elevation=40), target).grade == NONE
    assert cover(grid, attacker, medium(named["T"], elevation=10)).grade == NONE
    low, named = draw("A.....1T", height=2)
    assert cover(low, medium(named["A"]), medium(named["T"])).grade == NONE


def test_an_obstacle_on_a_ledge_covers_at_its_height():
    figures = {"height": 3, "ground": {(2, 0): 20}}
    grid, named = draw("A.1.T", **figures)
    assert cover(grid, medium(named["A"], elevation=20), medium(named["T"], elevation=20)).grade == HALF
    assert cover(grid, medium(named["A"], elevation=25), medium(named["T"], elevation=25)).grade == NONE


def test_creatures_in_the_way_give_half_cover_when_they_count():
    assert graded("A.C.T").grade == NONE
    found = graded("A.C.T", creatures="C")
    assert (found.grade, found.creatures) == (HALF, ((2, 0),))
    assert graded("A.T.C", creatures="CAT").grade == NONE
    assert graded("A2C.T", creatures="C").grade == THREE_QUARTERS


def test_a_creature_above_the_line_gives_no_cover():
    grid = build(5, 1)
    attacker, target = Space(0, 0), Space(4, 0)
    assert cover(grid, attacker, target, creatures=[Space(2, 0, elevation=5)]).grade == NONE
    assert cover(grid, attacker, target, creatures=[Space(2, 0, elevation=5), Space(2, 0)]).grade == HALF


def test_an_edge_gives_cover_too():
    edges = {(2, 1, "east"): "wall"}
    assert graded("......\nA....T\n......", edges=edges).grade == HALF
    assert graded("......\nA....T\n......", edges=edges).obstacles == (LineBlocker((2, 1), "east"),)
    assert graded("AT", edges={(0, 0, "east"): "wall"}).grade == TOTAL


@st.composite
def skirmishes(draw_one):
    grid = draw_one(grids(heights=True, covers=True))
    spaces = st.builds(
        Space,
        st.integers(0, grid.columns - 2),
        st.integers(0, grid.rows - 2),
        st.sampled_from([5, 10]),
        st.sampled_from([0, 5, 20]),
    )
    return grid, draw_one(spaces), draw_one(st.lists(spaces, min_size=1, max_size=4)), draw_one(st.lists(spaces))


@given(skirmishes())
@settings(max_examples=examples(25))
def test_many_targets_are_covered_as_each_is(skirmish):
    grid, attacker, targets, creatures = skirmish
    each = tuple(cover(grid, attacker, target, creatures=creatures) for target in targets)
    assert cover_many(grid, attacker, targets, creatures=creatures) == each


@given(skirmishes())
@settings(max_examples=examples(25))
def test_grade_and_stopped_lines_agree(skirmish):
    grid, attacker, targets, _ = skirmish
    for target, found in zip(targets, cover_many(grid, attacker, targets), strict=True):
        at_least = (NONE, HALF, HALF, THREE_QUARTERS, THREE_QUARTERS)[found.stopped]
        assert found.grade >= at_least
        if not between(grid, grid.effect, attacker, target, starts="corners").clear:
            assert found.stopped == 4
        if found.grade > at_least:
            assert found.creatures or found.stopped == 4


def test_spaces_are_on_the_map():
    with pytest.raises(ValueError, match="not on the map"):
        cover(build(3, 3), Space(0, 0), Space(2, 2, 10))
