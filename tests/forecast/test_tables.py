"""Exact chances of typed damage, and the alias tables drawn from."""

from __future__ import annotations

import pytest

from turnwright.dice.distributions import Distribution
from turnwright.dice.expression import ExtraDice, Modifier, RollSpec
from turnwright.forecast.tables import WHOLE, alias_columns, at_least, multiplied, typed_amounts


def test_each_type_has_its_own_chances_and_a_bonus_joins_the_first():
    spec = RollSpec("1d6 fire + 1d4 cold", (Modifier(2, "why"),), extra=(ExtraDice("1d4", "why"),))
    fire, cold = typed_amounts(spec)
    assert (fire.kind, fire.chances.low, fire.chances.high, fire.dice) == ("fire", 4, 12, 2)
    assert (cold.kind, cold.chances.low, cold.chances.high, cold.dice) == ("cold", 1, 4, 1)
    assert fire.chances.mean == pytest.approx(8)


def test_dice_rolled_twice_have_the_chances_of_twice_as_many():
    (twice,) = typed_amounts(RollSpec("1d8+3 slashing", doubled=True))
    (two,) = typed_amounts("2d8+3 slashing")
    assert twice.chances == two.chances


def test_kept_dice_have_the_chances_of_what_is_kept():
    (kept,) = typed_amounts("4d6kh3")
    assert kept.chances.mean == pytest.approx(12.2445988)


def test_nothing_falls_below_the_least():
    (weak,) = typed_amounts("1d4-2")
    assert at_least(weak.chances, 1) == Distribution(1, (0.75, 0.25))
    assert at_least(weak.chances, -5) is weak.chances
    assert at_least(Distribution(-3, (1.0,)), 2) == Distribution(2, (1.0,))


def test_a_multiple_leaves_gaps():
    assert multiplied(Distribution(1, (0.5, 0.5)), 2) == Distribution(2, (0.5, 0.0, 0.5))


@pytest.mark.parametrize("text", ["1", "1d6", "3d6+2", "8d6", "2d10+1d4", "4d6kh3", "40d6"])
def test_alias_columns_give_each_amount_its_chance(text: str):
    (part,) = typed_amounts(text)
    columns = alias_columns(part.chances.chances)
    drawn = [0.0] * len(columns)
    for index, (threshold, other) in enumerate(columns):
        assert 0 <= threshold <= WHOLE
        drawn[index] += threshold / WHOLE / len(columns)
        drawn[other] += (WHOLE - threshold) / WHOLE / len(columns)
    assert drawn == pytest.approx(part.chances.chances, abs=1e-9)
