"""Faces: random ones that never change for a seed and counter, and prepared ones."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.dice.expression import DiceError, OutOfDice
from turnwright.dice.rolling import RandomFaces, ScriptedFaces

# Fights that were saved hang on these: a change here is a change of every journal to be replayed.
TWENTIES = [9, 20, 5, 3, 2, 2, 4, 14, 13, 5, 5, 1, 2, 3, 20, 5, 11, 1, 12, 16, 7, 16, 9, 5, 8, 12, 12, 4, 5, 8, 15, 7, 14, 5, 11, 9, 11, 20, 5, 8]  # fmt: skip


def take(faces, sides, times):
    return [faces.face(sides) for _ in range(times)]


def test_the_faces_of_a_seed_are_pinned():
    assert take(RandomFaces(20), 20, 40) == TWENTIES


def test_the_faces_drawn_again_are_pinned_too():
    """Of 3,000 faces of a d1000 about 25 fall among the highest words and are drawn again."""
    assert sum(take(RandomFaces(20), 1000, 3000)) == 1_504_384


@given(st.integers(), st.integers(0, 10**12), st.integers(1, 1000))
def test_a_face_hangs_on_seed_and_counter_alone(seed, counter, sides):
    whole = RandomFaces(seed, counter)
    faces = take(whole, sides, 40)
    assert whole.counter == counter + 40
    assert [RandomFaces(seed, counter + at).face(sides) for at in range(40)] == faces
    assert all(1 <= face <= sides for face in faces)


def test_setting_the_counter_back_gives_the_same_again():
    faces = RandomFaces(20)
    take(faces, 6, 100)
    faces.counter = 0
    assert take(faces, 20, 40) == TWENTIES


def test_other_seeds_give_other_faces():
    assert len({tuple(take(RandomFaces(seed), 20, 12)) for seed in range(-500, 500)}) == 1000


@pytest.mark.parametrize(("sides", "limit"), [(6, 20.5), (20, 43.8)])
def test_faces_are_uniform(sides, limit):
    """Chi-square over 60,000 faces; the limit is passed by chance once in a thousand seeds."""
    shown = Counter(take(RandomFaces(2024), sides, 60_000))
    expected = 60_000 / sides
    assert sum((shown[face] - expected) ** 2 / expected for face in range(1, sides + 1)) < limit


def test_low_faces_are_not_favoured():
    """Without rejection faces to 536 would show 0.38 points more often than 53.6 %, nearly five standard errors."""
    low = sum(face <= 536 for face in take(RandomFaces(7), 1000, 400_000)) / 400_000
    assert low == pytest.approx(0.536, abs=0.0016)


def test_neighbouring_faces_do_not_hang_together():
    faces = take(RandomFaces(3), 6, 72_001)
    pairs = Counter(pairwise(faces))
    assert sum((pairs[a, b] - 2000) ** 2 / 2000 for a in range(1, 7) for b in range(1, 7)) < 66.6


def test_prepared_faces_come_in_order_from_where_they_were():
    faces = ScriptedFaces((3, 20, 1), used=1)
    assert [faces.face(20), faces.face(4)] == [20, 1]
    assert faces.used == 3
    with pytest.raises(OutOfDice):
        faces.face(6)


@pytest.mark.parametrize("face", [0, -1, 7])
def test_a_prepared_face_must_fit_its_die(face):
    faces = ScriptedFaces((2, face))
    faces.face(6)
    with pytest.raises(DiceError, match="d6") as caught:
        faces.face(6)
    assert (caught.value.text[caught.value.position :], faces.used) == (str(face), 1)
