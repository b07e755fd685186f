"""Connected cubes, and pushes in a straight line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.battlemap.maps import draw, medium
from turnwright.battlemap.grid import TerrainLayers, build
from turnwright.battlemap.paths import contiguous, push_path
from turnwright.battlemap.spaces import Space

ROW = [(column, 0, 0) for column in range(10)]


@pytest.mark.parametrize(
    ("cubes", "whole"),
    [
        (ROW, True),
        (ROW[:5] + [(column, 2, 0) for column in range(5)], False),
        ([(0, 0, 0), (1, 1, 0)], False),
        ([(0, 0, 0), (0, 0, 1), (0, 1, 1)], True),
        ([(0, 0, 0)], True),
        ([], True),
    ],
)
def test_cubes_are_contiguous_by_their_faces(cubes, whole):
    assert contiguous(cubes) is whole


@given(st.sets(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2)), max_size=8))
def test_contiguous_is_what_takes_one_sweep_of_paint(cubes):
    painted = set(sorted(cubes)[:1])
    for _ in cubes:
        painted |= {
            cube for cube in cubes if any(sum(abs(a - b) for a, b in zip(cube, o, strict=True)) == 1 for o in painted)
        }
    assert contiguous(cubes) is (painted == cubes)


def test_a_push_goes_straight_until_something_stops_it():
    grid, named = draw("""
        ......#
        ..T....
        .......
    """)
    target = medium(named["T"])
    assert push_path(grid, target, (0.5, 1.5), 15) == ((2, 1), (3, 1), (4, 1), (5, 1))
    assert push_path(grid, target, (0.5, 1.5), 50) == tuple((column, 1) for column in range(2, 7))
    assert push_path(grid, target, (0.5, 1.5), 15, others=[medium((4, 1))]) == ((2, 1), (3, 1))
    assert push_path(grid, target, (1.5, 2.5), 15) == ((2, 1), (3, 0))
    assert push_path(grid, target, (2.5, 1.5), 15) == ((2, 1),)


def test_a_slanting_push_keeps_its_slant():
    assert push_path(build(9, 9), medium((2, 2)), (0.5, 1.5), 20) == ((2, 2), (3, 3), (4, 3), (5, 4), (6, 4))


def test_an_edge_stops_a_push():
    grid = build(5, 2, TerrainLayers(edges={(2, 0, "east"): "wall"}))
    assert push_path(grid, Space(1, 0), (0.5, 0.5), 15) == ((1, 0), (2, 0))
    assert push_path(grid, Space(0, 0, 10), (-1, 1), 15) == ((0, 0), (1, 0))
