"""Room for spaces on the map, and numbers around a target."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.battlemap.maps import draw, medium
from tests.effort import examples
from tests.for_each import for_each
from turnwright.battlemap.grid import TerrainLayers, build
from turnwright.battlemap.paths import fits, narrower, room_around, sharing, surround
from turnwright.battlemap.spaces import Space, distance, footprint, share_a_square, squares_across

TINY, MEDIUM, LARGE, HUGE, GARGANTUAN, TITANIC = 2.5, 5, 10, 15, 20, 25


@pytest.mark.parametrize(
    ("side", "across"), [(TINY, 1), (MEDIUM, 1), (LARGE, 2), (HUGE, 3), (GARGANTUAN, 4), (TITANIC, 5), (40, 8)]
)
def test_a_side_takes_so_many_squares(side, across):
    assert squares_across(side) == across
    assert len(footprint(Space(2, 3, side))) == across**2


def test_a_position_is_the_upper_left_square():
    assert footprint(Space(2, 3, LARGE)) == ((2, 3), (3, 3), (2, 4), (3, 4))


@pytest.mark.parametrize(
    ("target", "side", "count"),
    [
        (TINY, MEDIUM, 8),
        (MEDIUM, MEDIUM, 8),
        (LARGE, MEDIUM, 12),
        (HUGE, MEDIUM, 16),
        (GARGANTUAN, MEDIUM, 20),
        (TITANIC, MEDIUM, 24),
        (MEDIUM, LARGE, 4),
    ],
)
def test_so_many_stand_around_a_target(target, side, count):
    assert room_around(Space(9, 9, target), side) == count


@given(st.integers(1, 4), st.integers(1, 3), st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=6))
@settings(max_examples=examples(25))
def test_no_packing_fits_more_around_a_target(wide, across, taken):
    target = Space(4, 4, 5 * wide)
    standing = [medium(square) for square in taken]
    packed = surround(target, 5 * across, standing=standing)
    assert all(distance(space, target) == 5 for space in packed)
    assert not any(share_a_square(one, other) for one, other in combinations([*packed, target], 2))
    assert not any(share_a_square(one, other) for one in packed for other in standing)
    assert len(packed) == most_around(target, 5 * across, standing)


def most_around(target, side, standing):
    """Search all subsets of positions, dropping those that can't beat the best."""
    reach = range(-5, 12)
    places = [Space(4 + right, 4 + down, side) for down in reach for right in reach]
    places = [place for place in places if distance(place, target) == 5]
    places = [place for place in places if not any(share_a_square(place, other) for other in standing)]

    def most(left, best_before=0):
        if not left:
            return 0
        # One of a place and those that overlap it is in some best choice.
        first, *rest = min_degree_first(left)
        best = 0
        for choice in [first, *(place for place in rest if share_a_square(place, first))]:
            best = max(best, 1 + most([place for place in left if not share_a_square(place, choice)]))
            if choice is first and len([p for p in left if share_a_square(p, first)]) <= 2:
                break  # something with at most one rival is as good as the rival
        return best

    def min_degree_first(left):
        return sorted(left, key=lambda place: sum(share_a_square(place, other) for other in left))

    return most(places)


def test_who_stands_there_leaves_less_room():
    target = Space(4, 4, LARGE)
    around = [(3, 3), (4, 3), (5, 3), (6, 3), (3, 4), (6, 4), (3, 5), (6, 5), (3, 6), (4, 6), (5, 6), (6, 6)]
    standing = [medium(square) for square in around]
    assert room_around(target, MEDIUM, standing=standing[:11]) == 1
    assert room_around(target, MEDIUM, standing=standing) == 0


def test_the_first_place_is_not_always_a_good_one():
    assert room_around(Space(4, 4), HUGE, standing=[medium((2, 1))]) == 4
    assert room_around(Space(4, 4, LARGE), LARGE, standing=[medium((3, 7)), medium((2, 2))]) == 7


def test_who_flies_above_leaves_room_below():
    target = medium((4, 4))
    assert room_around(target, MEDIUM, standing=[medium((4, 3), elevation=10)]) == 8


def test_a_space_fits_where_the_map_and_others_leave_room():
    grid, _ = draw("""
        ....
        ..#.
        ....
    """)
    assert fits(grid, Space(0, 0, LARGE))
    assert not fits(grid, Space(1, 0, LARGE))
    assert not fits(grid, Space(3, 0, LARGE))
    assert not fits(grid, Space(-1, 0))
    assert not fits(grid, Space(0, 0, LARGE), [Space(1, 1)])
    assert fits(grid, Space(0, 0, LARGE), [Space(1, 1, elevation=10)])


def test_no_space_stands_astride_an_edge():
    grid = build(2, 2, TerrainLayers(edges={(0, 0, "east"): "rail"}))
    assert not fits(grid, Space(0, 0, LARGE))
    assert not fits(build(2, 2, TerrainLayers(edges={(1, 0, "south"): "wall"})), Space(0, 0, LARGE))
    assert fits(grid, Space(0, 0))
    assert fits(build(2, 2, TerrainLayers(edges={(1, 0, "east"): "wall", (0, 1, "south"): "wall"})), Space(0, 0, LARGE))


def test_four_tiny_creatures_share_a_square():
    grid = build(1, 1)
    tiny = Space(0, 0, TINY)
    assert sharing(TINY) == 4
    assert fits(grid, tiny, [tiny] * 3)
    assert not fits(grid, tiny, [tiny] * 4)
    assert not fits(grid, tiny, [Space(0, 0)])
    assert not fits(grid, Space(0, 0), [tiny])


@for_each(("side", "smaller"), [(40, 20), (25, 20), (20, 15), (15, 10), (10, 5), (5, 2.5), (30, 20), (12, 5)])
def test_a_squeezing_space_is_one_size_smaller(side, smaller):
    assert narrower(Space(1, 2, side, 7)) == Space(1, 2, smaller, 7)


def test_the_smallest_space_can_t_squeeze():
    assert narrower(Space(0, 0, TINY)) is None


@pytest.mark.parametrize("figures", [{"side": 0}, {"height": 0}])
def test_a_space_has_a_size(figures):
    with pytest.raises(ValueError, match="above 0"):
        Space(0, 0, **figures)
