"""Exact chances of damage by type, and alias tables for drawing an amount with one random number."""

from functools import lru_cache
from typing import Final

import msgspec

from turnwright.dice.distributions import Distribution, convolve, of_dice
from turnwright.dice.expression import DiceTerm, RollSpec
from turnwright.dice.rolling import RollPlan, Throw, plan_roll

WHOLE: Final = 1 << 32  # a threshold above every 32-bit number


class TypedAmount(msgspec.Struct, frozen=True):
    """The distribution of a roll's damage of one type, and how many of its dice count."""

    kind: str
    chances: Distribution
    dice: int = 0


def typed_amounts(spec: RollSpec | str, *, doubled: bool = False) -> tuple[TypedAmount, ...]:
    """Return the exact distribution of each typed part of a roll, in roll order. Raise DiceError if it is invalid."""
    return _amounts_of(plan_roll(spec, doubled=doubled))


def at_least(chances: Distribution, least: int) -> Distribution:
    """Return the distribution of a total, with values below the minimum raised to it."""
    if chances.low >= least:
        return chances
    below = sum(chances.at(total) for total in range(chances.low, least + 1))
    return Distribution(least, (below, *(chances.at(total) for total in range(least + 1, chances.high + 1))))


def multiplied(chances: Distribution, times: int) -> Distribution:
    """Return the distribution of a multiplied total."""
    if times == 1:
        return chances
    spread = [0.0] * ((len(chances.chances) - 1) * times + 1)
    spread[::times] = chances.chances
    return Distribution(chances.low * times, tuple(spread))


@lru_cache(maxsize=1024)
def alias_columns(chances: tuple[float, ...]) -> tuple[tuple[int, int], ...]:
    """Return an alias table: for each index, a threshold out of 2³² and another index.

    All columns are equally likely. A draw below the threshold keeps the index, otherwise the other index is used. The
    resulting chances are accurate to 2⁻³².
    """
    count, total = len(chances), sum(chances)
    shares = [chance * count / total for chance in chances]
    columns = [(WHOLE, index) for index in range(count)]
    small = [index for index in range(count) if shares[index] < 1]
    large = [index for index in range(count) if shares[index] >= 1]
    while small and large:
        low, high = small.pop(), large.pop()
        columns[low] = (round(shares[low] * WHOLE), high)
        shares[high] -= 1 - shares[low]
        (small if shares[high] < 1 else large).append(high)
    return tuple(columns)


@lru_cache(maxsize=1024)
def _amounts(throws: tuple[tuple[DiceTerm, int], ...], flats: tuple[int, ...]) -> tuple[Distribution, ...]:
    distributions = [Distribution(flat, (1.0,)) for flat in flats]
    for term, part in throws:
        distributions[part] = convolve(distributions[part], of_dice(term))
    return tuple(distributions)


def _amounts_of(plan: RollPlan) -> tuple[TypedAmount, ...]:
    chances = _amounts(tuple((_term(throw), throw.part) for throw in plan.throws), plan.flats)
    return tuple(map(TypedAmount, plan.kinds, chances, plan.counts))


def _term(throw: Throw) -> DiceTerm:
    return DiceTerm(len(throw.dice), throw.dice[0], throw.kept, throw.highest, throw.sign)
