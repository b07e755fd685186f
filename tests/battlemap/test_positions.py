"""Opposite sides of a target, for all sizes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.for_each import for_each
from turnwright.battlemap.spaces import Space, opposite_sides

SPACES = st.builds(Space, st.integers(0, 12), st.integers(0, 12), st.sampled_from([2.5, 5, 10, 15]))


@for_each(
    ("one", "other", "opposite"),
    [
        ((4, 5), (6, 5), True),
        ((5, 4), (5, 6), True),
        ((4, 4), (6, 6), True),
        ((6, 4), (4, 6), True),
        ((4, 5), (5, 6), False),
        ((4, 5), (6, 4), False),
        ((4, 4), (6, 5), False),
        ((4, 4), (5, 4), False),
        ((3, 5), (7, 5), True),
        ((4, 5), (4, 5), False),
        ((7, 5), (9, 5), False),
    ],
)
def test_around_a_medium_target(one, other, opposite):
    assert opposite_sides(Space(*one), Space(*other), Space(5, 5)) is opposite


@pytest.mark.parametrize(
    ("one", "other", "opposite"),
    [
        (Space(4, 5), Space(7, 6), True),
        (Space(4, 5), Space(7, 5), True),
        (Space(4, 4), Space(7, 7), True),
        (Space(4, 4), Space(7, 6), False),
        (Space(4, 4), Space(7, 5), False),
        (Space(3, 4, 10), Space(7, 5, 10), True),
        (Space(4, 5), Space(5, 7), False),
    ],
)
def test_around_a_large_target(one, other, opposite):
    assert opposite_sides(one, other, Space(5, 5, 10)) is opposite


@given(SPACES, SPACES, SPACES)
def test_it_matters_neither_who_is_first_nor_which_way_the_map_lies(one, other, target):
    def turned(space):
        return Space(space.row, space.column, space.side)

    expected = opposite_sides(one, other, target)
    assert opposite_sides(other, one, target) is expected
    assert opposite_sides(turned(one), turned(other), turned(target)) is expected


@given(SPACES, SPACES)
def test_who_mirrors_another_through_the_target_is_opposite(one, target):
    wide, across = max(1, int(target.side // 5)), max(1, int(one.side // 5))
    mirrored = Space(2 * target.column + wide - one.column - across, 2 * target.row + wide - one.row - across, one.side)
    inside = -across < one.column - target.column < wide and -across < one.row - target.row < wide
    if not inside:
        assert opposite_sides(one, mirrored, target)
