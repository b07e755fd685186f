"""Squares in an area, counted as each game counts them, and what a wall cuts off from its origin."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.battlemap.maps import draw
from tests.for_each import for_each
from turnwright.battlemap.grid import build
from turnwright.battlemap.paths import AreaShape, Placement, cut_off, shape_in, squares_in
from turnwright.battlemap.spaces import Space

OPEN = build(30, 30)
CORNER = Placement((15, 15))


def rows_of(squares):
    """Return how many squares an area takes in each column, from the left."""
    return [most for _, most in sorted(Counter(column for column, _ in squares).items())]


@pytest.mark.parametrize(("count", "most"), [("centre", 52), ("half", 52), ("touch", 60)])
def test_a_burst_of_twenty_feet_round_a_corner_by_share_of_square(count, most):
    assert len(squares_in(OPEN, AreaShape("burst", 20), CORNER, count)) == most


# Bursts of 5, 10, 15 and 20 feet by distance with every second diagonal two squares (Pathfinder's figures of bursts).
@pytest.mark.parametrize(
    ("feet", "columns"),
    [(5, [2, 2]), (10, [2, 4, 4, 2]), (15, [2, 4, 6, 6, 4, 2]), (20, [2, 6, 6, 8, 8, 6, 6, 2])],
)
def test_a_burst_by_steps(feet, columns):
    found = squares_in(OPEN, AreaShape("burst", feet), CORNER, "steps", diagonals="alternating")
    assert rows_of(found) == columns


# Cones of 15 and 30 feet: a quarter circle whose first square shares a side, or a corner, with the space they come from.
@pytest.mark.parametrize(
    ("feet", "at", "bearing", "columns"),
    [
        (15, (15, 15.5), 0, [1, 3, 3]),
        (15, (15, 15), 45, [3, 2, 1]),
        (30, (15, 15.5), 0, [1, 3, 5, 7, 7, 3]),
        (30, (15, 15), 45, [6, 5, 5, 4, 3, 1]),
    ],
)
def test_a_cone_by_steps(feet, at, bearing, columns):
    found = squares_in(OPEN, AreaShape("cone", feet), Placement(at, bearing), "steps", diagonals="alternating")
    assert rows_of(found) == columns


@pytest.mark.parametrize("bearing", [0, 90, 180, 270])
def test_a_cone_by_steps_is_as_large_in_each_direction(bearing):
    at = {0: (15, 15.5), 90: (15.5, 15), 180: (15, 15.5), 270: (15.5, 15)}[bearing]
    found = squares_in(OPEN, AreaShape("cone", 30), Placement(at, bearing), "steps", diagonals="alternating")
    assert len(found) == 26


def test_an_emanation_goes_out_from_every_side_of_a_space():
    large = Placement((16, 16), space=Space(15, 15, side=10))
    assert len(squares_in(OPEN, AreaShape("emanation", 10), large, "half", diagonals="equal")) == 36
    assert len(squares_in(OPEN, AreaShape("emanation", 10), large, "steps", diagonals="alternating")) == 32


def test_a_cube_and_a_line_along_the_grid():
    cube = squares_in(OPEN, AreaShape("cube", 15), Placement((15, 15.5)), "half")
    assert cube == {(column, row) for column in (15, 16, 17) for row in (14, 15, 16)}
    line = squares_in(OPEN, AreaShape("line", 30), Placement((15, 15.5)), "half")
    assert line == {(column, 15) for column in range(15, 21)}
    assert len(squares_in(OPEN, AreaShape("line", 30, 10), Placement((15, 15)), "half")) == 12


def test_a_cone_by_centre_takes_fewer_than_by_touch():
    placed = Placement((15, 15.5))
    by = {count: len(squares_in(OPEN, AreaShape("cone", 15), placed, count)) for count in ("centre", "half", "touch")}
    assert by["centre"] == 5
    assert by["centre"] <= by["half"] < by["touch"]


def test_an_area_ends_at_the_edge_of_the_map():
    small = build(4, 4)
    assert squares_in(small, AreaShape("burst", 60), Placement((0, 0)), "half") == {
        (column, row) for column in range(4) for row in range(4)
    }
    assert not squares_in(small, AreaShape("line", 30), Placement((4, 2.5)), "half")


def test_a_wall_cuts_off_the_squares_behind_it():
    grid, at = draw("""
        .......
        ...#...
        .a.#.b.
        ...#...
        .......
    """)
    squares = squares_in(grid, AreaShape("burst", 20), Placement((2, 2)), "half")
    behind = cut_off(grid, squares, (2, 2))
    assert at["b"] in squares
    assert at["b"] in behind
    assert behind[at["b"]].square[0] == 3
    assert at["a"] not in behind


def test_a_step_cuts_nothing_off_and_a_ridge_does():
    grid, _ = draw("......", ground={(0, 0): 5, (1, 0): 5})
    assert not cut_off(grid, [(column, 0) for column in range(6)], (0.5, 0.5))
    ridge, _ = draw("......", ground={(2, 0): 20})
    assert {(3, 0), (4, 0)} <= cut_off(ridge, [(3, 0), (4, 0)], (0.5, 0.5)).keys()


@for_each(
    ("text", "shape"),
    [
        ("20-foot radius", AreaShape("burst", 20)),
        ("60-foot line, 5 feet wide", AreaShape("line", 60, 5)),
        ("15-foot cone", AreaShape("cone", 15)),
        ("30-foot emanation", AreaShape("emanation", 30)),
        ("line of 12 m", AreaShape("line", 12)),
        ("4 m around", AreaShape("emanation", 4)),
        ("20-foot square", AreaShape("cube", 20)),
        ("10-foot radius, 40 feet high", AreaShape("burst", 10)),
        ("the whole ship", None),
        ("", None),
    ],
)
def test_a_stat_block_s_words_name_a_shape(text, shape):
    assert shape_in(text) == shape
