"""Feet between spaces, sideways and up, by both rules of counting diagonals."""

from hypothesis import given
from hypothesis import strategies as st

from tests.for_each import for_each
from turnwright.battlemap.spaces import Space, adjacent, distance, footprint

SPACES = st.builds(
    Space,
    st.integers(-20, 20),
    st.integers(-20, 20),
    st.sampled_from([2.5, 5, 10, 15, 40]),
    st.integers(-30, 60),
    st.none() | st.sampled_from([2.0, 5.0, 30.0]),
)


@for_each(
    ("other", "equal", "alternating"),
    [
        (Space(0, 0), 0, 0),
        (Space(1, 0), 5, 5),
        (Space(1, 1), 5, 5),
        (Space(2, 2), 10, 15),
        (Space(3, 3), 15, 20),
        (Space(4, 4), 20, 30),
        (Space(6, 3), 30, 35),
        (Space(-3, 0, 10), 10, 10),
        (Space(0, 0, elevation=5), 5, 5),
        (Space(0, 0, elevation=9), 5, 5),
        (Space(0, 0, elevation=10), 10, 10),
        (Space(0, 0, elevation=-5), 5, 5),
        (Space(2, 0, elevation=10), 10, 15),
        (Space(4, 4, elevation=20), 20, 30),
        (Space(0, 0, elevation=4), 0, 0),
    ],
)
def test_distance_from_a_medium_creature(other, equal, alternating):
    assert distance(Space(0, 0), other) == equal
    assert distance(Space(0, 0), other, diagonals="alternating") == alternating


def test_a_low_space_leaves_more_air_above_it():
    flyer = Space(0, 0, elevation=10)
    assert distance(Space(0, 0, 10), flyer) == 5
    assert distance(Space(0, 0, 10, height=5), flyer) == 10


@given(SPACES, SPACES)
def test_distance_is_the_same_both_ways_and_that_of_the_nearest_squares(one, other):
    assert distance(one, other) == distance(other, one)
    flat = distance(Space(one.column, one.row, one.side), Space(other.column, other.row, other.side))
    pairs = ((here, there) for here in footprint(one) for there in footprint(other))
    assert flat == 5 * min(max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a, b in pairs)


def test_squares_of_another_width_have_their_own_feet():
    assert distance(Space(0, 0, 10), Space(2, 0, 10), cell=10) == 20


def test_next_to_each_other():
    assert adjacent(Space(0, 0), Space(1, 1))
    assert adjacent(Space(0, 0), Space(0, 0, elevation=5))
    assert not adjacent(Space(0, 0), Space(2, 0))
    assert not adjacent(Space(0, 0), Space(1, 0, elevation=10))
