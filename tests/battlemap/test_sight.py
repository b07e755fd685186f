"""Lines of sight and effect, held to a definition in exact fractions, and by drawings."""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.battlemap.maps import draw, grids, medium
from tests.effort import examples
from turnwright.battlemap.grid import TerrainLayers, build
from turnwright.battlemap.sight import MapPoint, between, between_points, field, reaches
from turnwright.battlemap.spaces import Space, footprint


def meets(start, end, box):
    """Return whether a segment meets a closed box (left, top, right, bottom)."""
    low, high = Fraction(0), Fraction(1)
    for axis in (0, 1):
        along = Fraction(end[axis]) - Fraction(start[axis])
        sides = [Fraction(box[axis]) - Fraction(start[axis]), Fraction(box[axis + 2]) - Fraction(start[axis])]
        if along == 0:
            if not sides[0] <= 0 <= sides[1]:
                return False
        else:
            first, last = sorted(side / along for side in sides)
            low, high = max(low, first), min(high, last)
    return low <= high


def thin_path(grid, barrier, start, end, begin_in, end_in, open_squares=frozenset()):
    """Return whether squares and edges that a segment touches join its ends, the meaning of "clear" on level ground."""

    def free(square):
        return square in grid and (square in open_squares or not barrier.squares[square[1], square[0]])

    touched = {
        (column, row)
        for column in range(grid.columns)
        for row in range(grid.rows)
        if free((column, row)) and meets(start, end, (column, row, column + 1, row + 1))
    }
    fringe = [square for square in touched if square in begin_in]
    seen = set(fringe)
    while fringe:
        column, row = fringe.pop()
        if (column, row) in end_in:
            return True
        for (to_column, to_row), edge, walls, at in (
            ((column + 1, row), (column + 1, row, column + 1, row + 1), barrier.east, (row, column)),
            ((column - 1, row), (column, row, column, row + 1), barrier.east, (row, column - 1)),
            ((column, row + 1), (column, row + 1, column + 1, row + 1), barrier.south, (row, column)),
            ((column, row - 1), (column, row, column + 1, row), barrier.south, (row - 1, column)),
        ):
            there = (to_column, to_row)
            if there in touched and there not in seen and not walls[at] and meets(start, end, edge):
                seen.add(there)
                fringe.append(there)
    return False


def squares_at(grid, point):
    """Return the squares whose closed box holds a point."""
    return {
        (column, row)
        for column in range(grid.columns)
        for row in range(grid.rows)
        if column <= point[0] <= column + 1 and row <= point[1] <= row + 1
    }


@st.composite
def segments(draw_one):
    grid = draw_one(grids())
    ends = [
        MapPoint(draw_one(st.integers(0, 2 * grid.columns)) / 2, draw_one(st.integers(0, 2 * grid.rows)) / 2)
        for _ in range(2)
    ]
    assume(ends[0] != ends[1])
    return grid, ends


@given(segments())
@settings(max_examples=examples(60))
def test_a_line_is_clear_if_something_thin_can_follow_it(segment):
    grid, (start, end) = segment
    for barrier in (grid.sight, grid.effect):
        expected = thin_path(grid, barrier, start, end, squares_at(grid, start), squares_at(grid, end))
        assert between_points(grid, barrier, start, end).clear is expected
        assert between_points(grid, barrier, end, start).clear is expected


def places(grid):
    sides = st.sampled_from([5, 5, 10, 15]).filter(lambda side: side // 5 <= min(grid.columns, grid.rows))
    return sides.flatmap(
        lambda side: st.builds(
            Space, st.integers(0, grid.columns - side // 5), st.integers(0, grid.rows - side // 5), st.just(side)
        )
    )


def points(space, which):
    wide = int(space.side // 5)
    corners = [(space.column + right, space.row + down) for down in (0, wide) for right in (0, wide)]
    centre = [(space.column + wide / 2, space.row + wide / 2)]
    return {"corners": corners, "centre": centre, "both": corners + centre}[which]


@given(st.data(), st.sampled_from(["both", "corners", "centre"]), st.sampled_from(["both", "corners", "centre"]))
@settings(max_examples=examples(40))
def test_spaces_see_each_other_if_a_line_from_inside_one_reaches_the_other(data, starts, goals):
    grid = data.draw(grids(size=5))
    one, other = data.draw(places(grid)), data.draw(places(grid))
    own, theirs = set(footprint(one)), set(footprint(other))
    expected = any(
        thin_path(grid, grid.sight, start, end, own, theirs, own | theirs)
        for start in points(one, starts)
        for end in points(other, goals)
    )
    found = between(grid, grid.sight, one, other, starts=starts, goals=goals)
    assert found.clear is expected
    assert found.start[:2] in points(one, starts)
    assert found.end[:2] in points(other, goals)


def seen(picture, edges=None, **figures):
    grid, named = draw(picture, edges, **figures)
    one, other = medium(named["A"]), medium(named["T"])
    return between(grid, grid.sight, one, other).clear, between(grid, grid.effect, one, other).clear


def test_a_wall_stops_both_a_pane_only_effects_a_curtain_only_sight():
    assert seen("A.#.T") == (False, False)
    assert seen("A.%.T") == (True, False)
    assert seen("A.:.T") == (False, True)
    assert seen("A.o.T") == (True, True)


def test_the_same_on_edges():
    for kind, clear in [("wall", (False, False)), ("pane", (True, False)), ("curtain", (False, True))]:
        assert seen("A..T", {(1, 0, "east"): kind}) == clear
        assert seen("AT", {(0, 0, "east"): kind}) == clear


def test_one_leans_out_past_the_end_of_a_wall():
    assert seen("A.\n.T", {(0, 0, "east"): "wall"}) == (True, True)
    assert seen("AT\n..", {(0, 0, "east"): "wall"}) == (True, True)
    assert seen("AT\n..", {(0, 0, "east"): "wall", (0, 1, "east"): "wall"}) == (False, False)


def test_what_stops_a_line_is_named():
    grid, _ = draw("..#..")
    found = between_points(grid, grid.sight, MapPoint(0.5, 0.5), MapPoint(4.5, 0.5))
    assert found.obstacle[:2] == ((2, 0), "square")
    grid = build(3, 1, TerrainLayers(edges={(1, 0, "east"): "wall"}))
    assert between_points(grid, grid.sight, MapPoint(0.5, 0.5), MapPoint(2.5, 0.5)).obstacle[:2] == ((1, 0), "east")
    grid = build(1, 3, TerrainLayers(edges={(0, 0, "south"): "wall"}))
    assert between_points(grid, grid.sight, MapPoint(0.5, 2.5), MapPoint(0.5, 0.5)).obstacle[:2] == ((0, 0), "south")


@pytest.mark.parametrize(("height", "z0", "z1", "clear"), [
    (4, 5, 5, True),
    (5, 5, 5, True),
    (6, 5, 5, False),
    (0, 999, 999, False),
    (6, 10, 5, True),
    (8, 10, 5, False),
])  # fmt: skip
def test_a_line_passes_over_what_is_lower(height, z0, z1, clear):
    # The wall stands from 2 to 3 of 5 squares, so a line from 10 ft down to 5 is at 7 ft where it leaves it.
    grid, _ = draw("..#..", height=height)
    found = between_points(grid, grid.sight, MapPoint(0, 0.5, z0), MapPoint(5, 0.5, z1))
    assert found.clear is clear


def test_a_line_between_two_obstacles_passes_over_both_or_neither():
    grid, _ = draw("#\n#", height=5)
    assert between_points(grid, grid.sight, MapPoint(0, 1, 8), MapPoint(0.5, 1, 5)).clear
    assert not between_points(grid, grid.sight, MapPoint(0, 1, 8), MapPoint(0.5, 1, 4)).clear
    beside, _ = draw("#\n.", height=5)
    assert between_points(beside, beside.sight, MapPoint(0, 1, 8), MapPoint(0.5, 1, 4)).clear


def test_a_hill_hides_what_is_behind_it():
    grid = build(5, 1, TerrainLayers(ground={(2, 0): 10}))
    assert not between(grid, grid.sight, Space(0, 0), Space(4, 0)).clear
    assert between(grid, grid.sight, Space(0, 0, elevation=20), Space(4, 0, elevation=10)).clear
    assert between(grid, grid.sight, Space(0, 0), Space(2, 0, elevation=10)).clear


def test_below_the_ground_one_sees_only_who_is_beside():
    grid = build(3, 1)
    pit = Space(0, 0, elevation=-10)
    assert between(grid, grid.sight, pit, Space(1, 0, elevation=-10)).clear
    assert not between(grid, grid.sight, pit, Space(2, 0, elevation=-10)).clear


def test_creatures_in_the_way_stop_lines_only_when_asked():
    grid = build(5, 1)
    one, other, between_them = Space(0, 0), Space(4, 0), Space(2, 0)
    assert between(grid, grid.sight, one, other).clear
    found = between(grid, grid.sight, one, other, occupied=[between_them])
    assert found.obstacle[:2] == ((2, 0), "square")
    above = Space(4, 0, elevation=40)
    assert between(grid, grid.sight, Space(0, 0, elevation=40), above, occupied=[between_them]).clear


@pytest.mark.parametrize("point", [MapPoint(0.25, 0), MapPoint(-1, 0), MapPoint(0, 9)])
def test_points_are_half_squares_on_the_map(point):
    grid = build(3, 3)
    with pytest.raises(ValueError, match=r"half squares|not on the map"):
        between_points(grid, grid.sight, point, MapPoint(1, 1))


@pytest.mark.parametrize(("column", "row"), [(-1, 0), (0, -1), (4, 0), (0, 4)])
def test_there_is_no_sight_from_beyond_the_map(column, row):
    grid = build(5, 5)
    with pytest.raises(ValueError, match="not on the map"):
        between(grid, grid.sight, Space(column, row, side=10), medium((2, 2)))
    with pytest.raises(ValueError, match="not on the map"):
        between(grid, grid.sight, medium((2, 2)), Space(column, row, side=10))


@given(grids(heights=True, barriers=True), st.data())
@settings(max_examples=examples(60), deadline=None)
def test_one_square_is_reached_as_the_whole_field_has_it(grid, data):
    start = data.draw(st.tuples(st.integers(0, grid.columns - 1), st.integers(0, grid.rows - 1)))
    feet = data.draw(st.sampled_from([0, 5, 12, 20, 60]))
    whole = field(grid, grid.sight, start, feet)
    everywhere = [(column, row) for row in range(grid.rows) for column in range(grid.columns)]
    assert [reaches(grid, grid.sight, start, at, feet) for at in everywhere] == whole.ravel().tolist()
    assert not reaches(grid, grid.sight, start, (grid.columns, 0), feet)
    assert not reaches(grid, grid.sight, (-1, 0), (0, 0), feet)
