"""Exact odds, held to another library's and to brute force."""

from __future__ import annotations

from fractions import Fraction

import icepool
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from tests.for_each import for_each
from turnwright.dice.distributions import countdown_odds, of_expression
from turnwright.dice.expression import DiceError, parse

D20 = icepool.d(20)
FACES = {6: "slow", 5: "medium", 4: "fast"}


def agree(text, oracle):
    found = of_expression(parse(text))
    expected = dict(zip(oracle.keys(), oracle.probabilities(), strict=True))
    assert (found.low, found.high) == (min(expected), max(expected))
    for total, chance in enumerate(found.chances, found.low):
        assert chance == pytest.approx(float(expected.get(total, 0)), rel=1e-10, abs=0), total


@for_each(
    ("text", "oracle"),
    [
        ("7", lambda: icepool.Die([7])),
        ("2d6+3", lambda: 2 @ icepool.d6 + 3),
        ("13d8", lambda: 13 @ icepool.d8),
        ("2d6 fire + 1d10 cold - 1d4", lambda: 2 @ icepool.d6 + icepool.d10 - icepool.d4),
        ("1-2d4", lambda: 1 - 2 @ icepool.d4),
        ("4d6kh3", lambda: icepool.d6.highest(4, 3)),
        ("4d6kl3", lambda: icepool.d6.lowest(4, 3)),
        ("7d10kh1", lambda: icepool.d10.highest(7, 1)),
        ("7d10kl1", lambda: icepool.d10.lowest(7, 1)),
        ("6d8kh2-5d4kl3", lambda: icepool.d8.highest(6, 2) - icepool.d4.lowest(5, 3)),
        ("1d20+5", lambda: D20 + 5),
        ("1d20+5 adv", lambda: D20.highest(2, 1) + 5),
        ("1d20+1d4 dis", lambda: D20.lowest(2, 1) + icepool.d4),
        ("1d20 adv dis", lambda: D20),
    ],
)
def test_odds_are_the_oracle_s(text, oracle):
    agree(text, oracle())


@given(st.integers(1, 6), st.integers(1, 12), st.integers(1, 6), st.booleans())
@settings(max_examples=examples(40))
def test_any_pool_is_the_oracle_s(count, sides, kept, highest):
    kept = min(kept, count)
    keep = icepool.d(sides).highest if highest else icepool.d(sides).lowest
    agree(f"{count}d{sides}k{'h' if highest else 'l'}{kept}", keep(count, kept))


@given(st.sampled_from(["9d6kh4", "3d8-2d4", "1d20 adv", "20d4kl7", "100d6"]))
def test_the_mean_of_an_expression_is_its_odds_mean(text):
    odds = of_expression(parse(text))
    assert odds.mean == pytest.approx(parse(text).mean, rel=1e-12)
    assert sum(odds.chances) == pytest.approx(1, rel=1e-12)


def test_questions_of_a_distribution():
    odds = of_expression(parse("2d6"))
    assert odds.at(7) == pytest.approx(1 / 6)
    assert (odds.at(1), odds.at(13)) == (0, 0)


@pytest.mark.parametrize("text", ["1000d1000", "d1000+200d101", "999d20kh500"])
def test_what_would_take_too_long_is_refused(text):
    with pytest.raises(DiceError, match="exact odds"):
        of_expression(parse(text))


def test_the_rarest_totals_keep_their_accuracy():
    odds = of_expression(parse("100d6"))
    assert odds.at(100) == pytest.approx(float(Fraction(1, 6**100)), rel=1e-12)
    assert odds.at(599) == pytest.approx(float(Fraction(100, 6**100)), rel=1e-12)


def exactly(dice: int, face: int, rounds: int) -> Fraction:
    return (1 - Fraction(face - 1, 6) ** rounds) ** dice


@for_each("face", FACES)
@for_each("dice", [1, 2, 5, 10, 20])
def test_a_countdown_is_exact_in_every_round(dice, face):
    odds = countdown_odds(dice, face)
    last = Fraction(0)
    for rounds, (chance, so_far) in enumerate(zip(odds.pmf, odds.cdf, strict=True), 1):
        now = exactly(dice, face, rounds)
        assert so_far == pytest.approx(float(now), rel=1e-12)
        assert chance == pytest.approx(float(now - last), rel=1e-10, abs=0)

        last = now
    assert 1 - last < Fraction(1, 10**12) <= 1 - exactly(dice, face, len(odds.cdf) - 1)


@for_each("face", FACES)
@for_each("dice", [1, 3, 10])
def test_a_countdown_is_the_oracle_s(dice, face):
    odds = countdown_odds(dice, face)
    rounds = len(odds.pmf) + 60
    wait = icepool.Die({at: (face - 1) ** (at - 1) * 6 ** (rounds - at) for at in range(1, rounds + 1)})
    last = wait.highest(dice, 1)
    assert odds.mean == pytest.approx(float(last.mean()), abs=2e-13)
    assert odds.quantiles == {percent: last.quantile(percent, 100) for percent in (5, 25, 50, 75, 95)}
    for chance, expected in zip(odds.pmf, last.probabilities(), strict=False):
        assert chance == pytest.approx(float(expected), rel=1e-6, abs=1e-15)


def test_a_chance_reached_exactly_counts_as_reached():
    assert (
        countdown_odds(1, 4).quantiles[50],
        countdown_odds(1, 4).quantiles[75],
        countdown_odds(2, 4).quantiles[25],
    ) == (1, 2, 1)


def simulated(dice: int, face: int, pools: int, seed: int) -> np.ndarray:
    """Roll whole pools until each is empty; return the round in which each was."""
    rng = np.random.default_rng(seed)
    left = np.full(pools, dice)
    expired = np.zeros(pools, dtype=np.int64)
    rounds = 0
    running = np.arange(pools)
    while running.size:
        rounds += 1
        left[running] -= rng.binomial(left[running], (7 - face) / 6)
        expired[running[left[running] == 0]] = rounds
        running = running[left[running] > 0]
    return expired


@pytest.mark.parametrize(("dice", "face"), [(5, 5), (10, 6), (1, 4)])
def test_many_pools_agree_within_three_standard_errors(dice, face):
    pools = 200_000
    rounds = simulated(dice, face, pools, seed=11)
    odds = countdown_odds(dice, face)
    assert abs(rounds.mean() - odds.mean) < 3 * rounds.std() / pools**0.5
    for percent, at in odds.quantiles.items():
        chance = odds.cdf[at - 1]
        assert abs((rounds <= at).mean() - chance) < 3 * (chance * (1 - chance) / pools) ** 0.5, percent


def test_a_pool_whose_every_face_leaves_is_gone_at_once():
    odds = countdown_odds(4, 1)
    assert (odds.mean, odds.pmf, odds.cdf, odds.quantiles[95]) == (1, (1,), (1,), 1)


@pytest.mark.parametrize(("dice", "face"), [(0, 6), (-1, 6), (1001, 6), (3, 0), (3, 7)])
def test_what_is_no_countdown_is_refused(dice, face):
    with pytest.raises(DiceError, match="countdown"):
        countdown_odds(dice, face)


def test_the_largest_pool_has_odds():
    odds = countdown_odds(1000, 6)
    assert odds.mean == pytest.approx(41.556422, abs=1e-5)
    assert sum(odds.pmf) == pytest.approx(1, abs=2e-12)
