"""The odds shown to people, held to the rules' own table of countdown lengths."""

from __future__ import annotations

import pytest

from turnwright.dice.distributions import countdown_odds
from turnwright.dice.expression import DiceError

SLOW, MEDIUM, FAST = 6, 5, 4
TABLE = [
    (1, 6, 3, 2), (2, 9, 4, 3), (3, 11, 5, 3), (4, 12, 6, 4), (5, 13, 6, 4),
    (6, 14, 7, 4), (7, 15, 7, 4), (8, 15, 7, 4), (9, 16, 7, 5), (10, 17, 8, 5),
]  # fmt: skip


@pytest.mark.parametrize(
    ("dice", "slow", "medium", "fast"),
    [pytest.param(*row, marks=pytest.mark.rule(f"a5e.countdown.table.{row[0]}d6"), id=f"{row[0]}d6") for row in TABLE],
)
def test_the_mean_rounds_to_the_table(dice, slow, medium, fast):
    means = [round(countdown_odds(dice, face).mean) for face in (SLOW, MEDIUM, FAST)]
    assert means == [slow, medium, fast]


@pytest.mark.rule("a5e.countdown.average-only")
def test_the_mean_is_no_limit():
    odds = countdown_odds(10, SLOW)
    assert odds.pmf[0] == pytest.approx(6.0**-10)
    assert 0.09 < 1 - odds.cdf[24] < 0.11


def test_chances_by_round():
    odds = countdown_odds(1, FAST)
    assert odds.cdf[:3] == pytest.approx((0.5, 0.75, 0.875))
    assert odds.quantiles == {5: 1, 25: 1, 50: 1, 75: 2, 95: 5}


def test_an_empty_pool_has_no_odds():
    with pytest.raises(DiceError, match="from 1 to 1,000 dice"):
        countdown_odds(0, SLOW)
