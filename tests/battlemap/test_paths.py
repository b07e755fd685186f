"""Paths and reach, held to another search: a heap over sets of squares."""

from heapq import heappop, heappush
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.battlemap.maps import draw, grids, medium
from tests.effort import examples
from turnwright.battlemap.grid import TerrainLayers, build
from turnwright.battlemap.paths import open_ground, path, path_cost, places_near, reachable
from turnwright.battlemap.spaces import Space, footprint

STEPS = [(right, down) for right in (-1, 0, 1) for down in (-1, 0, 1) if right or down]


def walled(grid, space, step):
    """Return whether a wall stops a straight step: on a square entered, or on an edge crossed or stood astride."""
    moved = Space(space.column + step[0], space.row + step[1], space.side)
    before, after = set(footprint(space)), set(footprint(moved))
    if any(square not in grid or grid.move.squares[square[1], square[0]] for square in after - before):
        return True
    for column, row in before | after:
        for right, down, edges in ((1, 0, grid.move.east), (0, 1, grid.move.south)):
            pair = {(column, row), (column + right, row + down)}
            if edges[row, column] and pair <= before | after and pair & (after - before):
                return True
    return False


def steps_from(grid, space, entry, cut_corners):
    """Yield the steps of a space: the square, the feet at least, and whether diagonally."""
    for right, down in STEPS:
        moved = Space(space.column + right, space.row + down, space.side)
        if any(square not in grid for square in footprint(moved)):
            continue
        orders = [((right, 0), (0, down)), ((0, down), (right, 0))] if right and down else [((right, down),)]
        ways = []
        for order in orders:
            at, free = space, True
            for step in order:
                free = free and not walled(grid, at, step)
                at = Space(at.column + step[0], at.row + step[1], at.side)
            ways.append(free)
        entered = [int(entry[row, column]) for column, row in set(footprint(moved)) - set(footprint(space))]
        if (any(ways) if cut_corners else all(ways)) and min(entered) > 0:
            yield moved, max(entered), bool(right and down)


def cheapest(grid, space, entry, budget, *, alternating=False, odd=False, cut_corners=False):
    """Return the feet to every position within the budget."""
    best, found, tie = {(space, odd): 0}, {}, 0
    heap = [(0, tie, space, odd)]
    while heap:
        feet, _, at, second = heappop(heap)
        if feet > best[at, second]:
            continue
        found.setdefault(at.square, feet)
        for moved, step, diagonal in steps_from(grid, at, entry, cut_corners):
            cost = feet + step + (5 if alternating and diagonal and second else 0)
            state = (moved, second != (alternating and diagonal))
            if cost <= budget and cost < best.get(state, budget + 1):
                best[state] = cost
                tie += 1
                heappush(heap, (cost, tie, *state))
    return found


@st.composite
def journeys(draw_one):
    grid = draw_one(grids())
    feet = st.sampled_from([5, 5, 5, 10, 15, 7, 0])
    entry = np.array(
        draw_one(st.lists(feet, min_size=grid.rows * grid.columns, max_size=grid.rows * grid.columns)), dtype=np.int16
    ).reshape(grid.rows, grid.columns)
    side = draw_one(st.sampled_from([5, 5, 10, 15]).filter(lambda side: side // 5 <= min(grid.columns, grid.rows)))
    column = draw_one(st.integers(0, grid.columns - side // 5))
    row = draw_one(st.integers(0, grid.rows - side // 5))
    how = {
        "diagonals": draw_one(st.sampled_from(["equal", "alternating"])),
        "odd": draw_one(st.booleans()),
        "cut_corners": draw_one(st.booleans()),
    }
    return grid, Space(column, row, side), entry, draw_one(st.integers(0, 60)), how


@given(journeys())
@settings(max_examples=examples(40))
def test_reach_is_the_oracle_s_and_every_path_costs_what_it_says(journey):
    grid, space, entry, budget, how = journey
    alternating = how["diagonals"] == "alternating"
    expected = cheapest(
        grid, space, entry, budget, alternating=alternating, odd=how["odd"], cut_corners=how["cut_corners"]
    )
    reach = reachable(grid, space, entry, budget, **how)
    assert {square: reach.cost_to(square) for square in reach.squares()} == expected
    for square, feet in expected.items():
        way = reach.path_to(square)
        assert (way[0], way[-1]) == (space.square, square)
        walk = path_cost(grid, space, entry, way, **how)
        assert walk.complete
        assert walk.costs[-1] == feet


@given(journeys())
@settings(max_examples=examples(25))
def test_a_path_is_found_wherever_there_is_one(journey):
    grid, space, entry, _, how = journey
    alternating = how["diagonals"] == "alternating"
    everywhere = cheapest(
        grid, space, entry, 10_000, alternating=alternating, odd=how["odd"], cut_corners=how["cut_corners"]
    )
    for goal in [(0, 0), (grid.columns - 1, grid.rows - 1), (grid.columns // 2, 0)]:
        way = path(grid, space, entry, goal, **how)
        assert (way is not None) == (goal in everywhere)
        if way is not None:
            assert path_cost(grid, space, entry, way, **how).costs[-1] == everywhere[goal]


def test_diagonals_alternate_with_those_taken_before():
    grid = build(6, 6)
    entry = open_ground(grid)

    def costs(**how):
        reach = reachable(grid, Space(0, 0), entry, 60, **how)
        return [reach.cost_to((at, at)) for at in range(5)]

    assert costs() == [0, 5, 10, 15, 20]
    assert costs(diagonals="alternating") == [0, 5, 15, 20, 30]
    assert costs(diagonals="alternating", odd=True) == [0, 10, 15, 25, 30]


def test_walls_block_corners_unless_one_may_cut_them():
    grid, named = draw("""
        S#.
        ..G
    """)
    start, entry = medium(named["S"]), open_ground(grid)
    assert reachable(grid, start, entry, 20).cost_to((1, 1)) == 10
    assert reachable(grid, start, entry, 20, cut_corners=True).cost_to((1, 1)) == 5


def test_a_space_does_not_slip_between_two_walls_that_touch():
    grid, named = draw("""
        S#
        #G
    """)
    assert path(grid, medium(named["S"]), open_ground(grid), named["G"], cut_corners=True) is None
    edged = build(2, 2, TerrainLayers(edges={(0, 0, "east"): "wall", (0, 1, "east"): "wall"}))
    assert path(edged, Space(0, 0), open_ground(edged), (1, 1), cut_corners=True) is None


def test_a_diagonal_past_a_creature_is_not_past_a_wall():
    grid = build(2, 2)
    entry = open_ground(grid)
    entry[0, 1] = 0
    assert reachable(grid, Space(0, 0), entry, 5).cost_to((1, 1)) == 5


def test_edges_stop_movement_and_curtains_do_not():
    edges = {(0, 0, "east"): "pane", (1, 0, "east"): "curtain"}
    grid = build(3, 1, TerrainLayers(edges=edges))
    assert reachable(grid, Space(0, 0), open_ground(grid), 30).squares() == ((0, 0),)
    assert reachable(grid, Space(1, 0), open_ground(grid), 30).squares() == ((1, 0), (2, 0))


def test_a_large_creature_pays_for_the_worst_square_it_enters_and_only_for_those():
    grid = build(4, 2)
    entry = open_ground(grid)
    entry[1, 2] = 15
    reach = reachable(grid, Space(0, 0, 10), entry, 60)
    assert [reach.cost_to((column, 0)) for column in range(4)] == [0, 15, 20, None]


def test_a_large_creature_does_not_pass_a_gap_of_one_square():
    grid, named = draw("""
        ..#..
        L...G
        ..#..
    """)
    entry = open_ground(grid)
    assert path(grid, Space(0, 0, 10), entry, (3, 0)) is None
    assert path(grid, Space(*named["L"]), entry, named["G"]) == ((0, 1), (1, 1), (2, 1), (3, 1), (4, 1))


@pytest.mark.parametrize(
    ("edge", "goal"),
    [((0, 2, "east"), (0, 1)), ((1, 1, "south"), (0, 1)), ((2, 0, "south"), (1, 0)), ((1, 0, "east"), (1, 0))],
)
def test_a_large_creature_steps_neither_past_an_edge_nor_astride_one(edge, goal):
    grid = build(3, 3, TerrainLayers(edges={edge: "wall"}))
    reach = reachable(grid, Space(0, 0, 10), open_ground(grid), 5, cut_corners=True)
    assert goal not in reach.squares()
    free = build(3, 3)
    assert goal in reachable(free, Space(0, 0, 10), open_ground(free), 5).squares()


def test_some_squares_may_be_passed_but_not_stayed_in():
    grid = build(3, 1)
    may_end = np.array([[True, False, True]])
    reach = reachable(grid, Space(0, 0), open_ground(grid), 10, may_end=may_end)
    assert reach.squares() == ((0, 0), (2, 0))
    assert reach.cost_to((1, 0)) == 5
    large = reachable(
        build(4, 2), Space(0, 0, 10), open_ground(build(4, 2)), 10, may_end=np.array([[True] * 3 + [False]] * 2)
    )
    assert large.squares() == ((0, 0), (1, 0))


def test_a_straight_way_has_no_zigzag():
    grid = build(12, 5)
    way = path(grid, Space(0, 2), open_ground(grid), (11, 2))
    assert way == tuple((column, 2) for column in range(12))
    slanted = path(grid, Space(0, 0), open_ground(grid), (9, 2))
    assert sum(here[1] != there[1] for here, there in pairwise(slanted)) == 2


def test_cheap_squares_widen_the_window():
    grid = build(30, 1)
    entry = np.full((1, 30), 1, dtype=np.int16)
    assert reachable(grid, Space(0, 0), entry, 25).cost_to((25, 0)) == 25


def test_a_drawn_way_ends_where_a_step_is_impossible():
    grid, named = draw("""
        S.#
        ...
    """)
    start, entry = medium(named["S"]), open_ground(grid)
    assert path_cost(grid, start, entry, [(0, 0), (1, 0), (2, 0)]).costs == (0, 5)
    assert path_cost(grid, start, entry, [(0, 0), (1, 0), (2, 1)]).complete is False
    assert path_cost(grid, start, entry, [(0, 0), (0, 1), (2, 1)]).costs == (0, 5)
    assert path_cost(grid, start, entry, [(0, 0), (1, 1), (2, 1)]).costs == (0, 5, 10)


def test_nonsense_is_refused():
    grid = build(3, 2)
    entry = open_ground(grid)
    with pytest.raises(ValueError, match="shape"):
        reachable(grid, Space(0, 0), entry.T, 30)
    with pytest.raises(ValueError, match="not on the map"):
        reachable(grid, Space(2, 0, 10), entry, 30)
    with pytest.raises(ValueError, match="must begin at"):
        path_cost(grid, Space(0, 0), entry, [(1, 0)])
    with pytest.raises(ValueError, match="leaves the map"):
        path_cost(grid, Space(0, 0), entry, [(0, 0), (-1, 0)])
    assert path(grid, Space(0, 0), entry, (3, 0)) is None


def test_places_near_a_square_are_free_near_on_foot_and_large_enough() -> None:
    grid, named = draw(
        """
        .a#.....
        ..#.....
        ..#.....
        ......b.
        """
    )
    spots = places_near(grid, named["a"], [1, 1, 2, 1], {(0, 0)})
    assert spots == [(1, 0), (1, 3), (0, 1), (0, 3)]  # none behind the wall, and the large one chooses first
    assert places_near(grid, (2, 0), [1], ()) in ([(1, 0)], [(3, 0)])
    assert places_near(grid, named["b"], [5, 1], ()) == [None, named["b"]]
    assert places_near(grid, (90, 90), [1], ()) == [None]
