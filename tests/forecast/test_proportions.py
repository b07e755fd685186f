"""Fisher's exact test of two counts holds its level: where little happens, and as a normal curve where much does."""

import numpy as np
import pytest

from tests.forecast.proportions import errors_apart

TRIES, OTHER_TRIES = 2000, 100_000


def by_a_normal_curve(count: int, other: int) -> float:
    pooled = (count + other) / (TRIES + OTHER_TRIES)
    error = (pooled * (1 - pooled) * (1 / TRIES + 1 / OTHER_TRIES)) ** 0.5
    return (count / TRIES - other / OTHER_TRIES) / error


@pytest.mark.sampled(2)
@pytest.mark.parametrize("chance", [0.0005, 0.001, 0.002, 0.005, 0.02, 0.1])
def test_one_of_twenty_counts_of_the_same_chance_lies_outside(chance: float):
    dice = np.random.default_rng(5)
    pairs = 3000
    counts = dice.binomial(TRIES, chance, pairs), dice.binomial(OTHER_TRIES, chance, pairs)
    apart = [errors_apart(int(one), TRIES, int(other), OTHER_TRIES) for one, other in zip(*counts, strict=True)]
    outside = sum(abs(one) > 1.96 for one in apart) / pairs
    assert 0.015 < outside < 0.062
    assert abs(sum(apart)) / pairs < 0.1


@pytest.mark.parametrize(("count", "other"), [(600, 31_000), (1000, 48_000), (1900, 95_500), (20, 1300)])
def test_ample_counts_are_as_far_apart_as_by_a_normal_curve(count: int, other: int):
    assert errors_apart(count, TRIES, other, OTHER_TRIES) == pytest.approx(by_a_normal_curve(count, other), abs=0.12)


def test_nine_deaths_beside_two_of_a_thousand_are_nearer_than_a_normal_curve_says():
    assert by_a_normal_curve(9, 191) > 2.5
    assert errors_apart(9, TRIES, 191, OTHER_TRIES) == pytest.approx(2.25, abs=0.01)


def test_nothing_and_everything_are_no_distance_from_themselves():
    assert errors_apart(0, TRIES, 0, OTHER_TRIES) == 0
    assert errors_apart(TRIES, TRIES, OTHER_TRIES, OTHER_TRIES) == 0
    assert errors_apart(TRIES, TRIES, 0, OTHER_TRIES) > 30
