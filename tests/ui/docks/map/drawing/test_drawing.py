from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.battlemap.segments import merged_segments, rectangles_of, square_edges, square_name
from turnwright.encounter.prepared import Map, Obstacle
from turnwright.rules.parts.positions.geometry import drawing_lines, height_steps
from turnwright.ui.docks.map.drawing.drawing import (
    feet_at,
    height_mark,
    layer_rows,
    line_between,
    mark_at,
    new_obstacle,
    obstacle_at,
    squares_of,
    with_area,
    with_edges,
    with_height_change,
    with_mark,
    with_nothing_on,
    with_obstacle,
    without,
    without_areas,
)

SQUARES = st.sets(st.tuples(st.integers(0, 9), st.integers(0, 7)), max_size=40)
UNITS = st.sets(st.tuples(st.integers(0, 9), st.integers(0, 7), st.booleans()), max_size=40)
FIELD = Map(columns=10, rows=8)


@given(SQUARES)
def test_what_is_painted_is_there_and_nothing_else(squares):
    drawn = with_mark(FIELD, "ground", squares, "~")
    found = {(x, y) for y, line in enumerate(layer_rows(drawn, "ground")) for x, sign in enumerate(line) if sign == "~"}
    assert found == squares
    assert with_mark(drawn, "ground", squares, ".").ground == ""


@given(SQUARES)
def test_the_engine_reads_what_is_drawn(squares):
    drawn = with_mark(FIELD, "ground", squares, ",")
    read = drawing_lines(drawn.ground, 10, 8)
    assert {(x, y) for y, line in enumerate(read) for x, sign in enumerate(line) if sign == ","} == squares


def test_what_lies_off_the_map_is_not_painted():
    assert with_mark(FIELD, "light", [(-1, 0), (10, 0), (0, 8)], ":") == FIELD


@pytest.mark.parametrize("steps", [-26, -1, 0, 1, 9, 10, 35])
def test_every_height_has_a_sign(steps):
    assert height_steps(height_mark(steps)) == steps


def test_ground_is_raised_by_a_squares_side_and_not_beyond_what_can_be_drawn():
    drawn = with_height_change(with_height_change(FIELD, [(2, 1)], 1), [(2, 1)], 1)
    assert feet_at(drawn, (2, 1)) == 10
    assert feet_at(with_height_change(drawn, [(2, 1)], -3), (2, 1)) == -5
    assert feet_at(with_height_change(drawn, [(2, 1)], 99), (2, 1)) == 35 * 5


@given(UNITS)
def test_edges_become_segments_and_come_back(units):
    segments = merged_segments(units)
    assert square_edges(segments) == units
    assert len(segments) <= len(units)


def test_edges_in_line_are_one_segment():
    assert merged_segments({(1, 2, True), (2, 2, True), (3, 2, True), (5, 2, True), (1, 2, False)}) == (
        (1, 2, 4, 2),
        (5, 2, 6, 2),
        (1, 2, 1, 3),
    )


def test_a_window_takes_the_place_of_a_wall():
    drawn = with_edges(FIELD, "walls", {(1, 1, True), (2, 1, True)})
    drawn = with_edges(drawn, "windows", {(2, 1, True)})
    assert (drawn.walls, drawn.windows) == (((1, 1, 2, 1),), ((2, 1, 3, 1),))
    assert with_edges(drawn, None, {(1, 1, True), (2, 1, True)}) == FIELD


@given(SQUARES)
def test_an_area_is_told_in_rectangles_that_do_not_overlap(squares):
    drawn = with_area(FIELD, "ice", "thin", squares)
    if not squares:
        assert drawn == FIELD
        return
    (area,) = drawn.areas
    assert squares_of(area) == squares
    assert sum(width * height for _, _, width, height in area.squares) == len(squares)
    assert without_areas(drawn, squares).areas == ()


def test_a_block_is_one_rectangle():
    block = {(column, row) for column in range(2, 7) for row in range(1, 4)}
    assert rectangles_of(block) == ((2, 1, 5, 3),)


def test_areas_of_two_features_stand_side_by_side_and_keep_their_ids():
    drawn = with_area(with_area(FIELD, "ice", "", [(1, 1)]), "ice", "thin", [(1, 1), (2, 1)])
    assert [one.id for one in drawn.areas] == ["ice", "ice-thin"]
    smaller = with_area(drawn, "ice", "thin", [(1, 1)], included=False)
    assert [(one.id, one.squares) for one in smaller.areas] == [("ice", ((1, 1, 1, 1),)), ("ice-thin", ((2, 1, 1, 1),))]


def test_an_obstacle_is_found_on_all_its_squares():
    drawn = with_obstacle(FIELD, Obstacle("boat", at=(2, 1), size=(2, 3)))
    assert [obstacle_at(drawn, at) is not None for at in ((2, 1), (3, 3), (4, 1), (2, 4))] == [True, True, False, False]
    assert new_obstacle(with_obstacle(drawn, new_obstacle(drawn, (0, 0), "")), (1, 0), "").id == "obstacle-2"
    assert without(drawn, "obstacles", "boat") == FIELD


def test_the_eraser_leaves_nothing_on_a_square():
    drawn = with_mark(with_height_change(FIELD, [(3, 3)], 2), "ground", [(3, 3)], "#")
    drawn = with_area(with_obstacle(drawn, new_obstacle(drawn, (3, 3), "Cart")), "ice", "", [(3, 3)])
    drawn = with_edges(with_mark(drawn, "light", [(3, 3)], "%"), "curtains", {(3, 3, True), (4, 3, False)})
    assert with_nothing_on(drawn, [(3, 3)]) == FIELD
    assert mark_at(drawn, "ground", (3, 3)) == "#"


@pytest.mark.parametrize(("square", "name"), [((0, 0), "A1"), ((2, 6), "C7"), ((25, 0), "Z1"), ((26, 18), "AA19")])
def test_squares_are_named_as_people_name_them(square, name):
    assert square_name(square) == name


def test_a_fast_stroke_leaves_no_gaps():
    assert line_between((0, 0), (3, 0)) == ((0, 0), (1, 0), (2, 0), (3, 0))
    way = line_between((0, 0), (5, 2))
    assert all(max(abs(b[0] - a[0]), abs(b[1] - a[1])) == 1 for a, b in pairwise(way))
