"""Exact odds of a roll's total, and of the round in which a countdown pool loses its last die.

All steps only add and multiply probabilities, so even the rarest totals are accurate. Nothing is rolled.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from itertools import accumulate, repeat
from math import ceil, comb, exp, expm1, fsum, log, log1p
from operator import mul, sub
from typing import TYPE_CHECKING, Final

import msgspec

from turnwright.dice.expression import MAX_DICE, DiceError, DiceTerm, Expression, cancel_edges, with_edge

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Chances = NDArray[np.float64]

MAX_SPAN: Final = 20_000
MAX_STEPS: Final = 200_000_000
REMAINDER: Final = 1e-12
PERCENTS: Final = (5, 25, 50, 75, 95)
POOL_SIDES: Final = 6


class Distribution(msgspec.Struct, frozen=True):
    """The probability of each total: `chances[0]` is that of `low`, the next that of `low + 1`, and so on."""

    low: int
    chances: tuple[float, ...]

    @property
    def high(self) -> int:
        """The highest total."""
        return self.low + len(self.chances) - 1

    @property
    def mean(self) -> float:
        """The average total."""
        return fsum(total * chance for total, chance in enumerate(self.chances, self.low))

    def at(self, total: int) -> float:
        """Return the probability of exactly `total`."""
        return self.chances[total - self.low] if self.low <= total <= self.high else 0.0


class CountdownOdds(msgspec.Struct, frozen=True):
    """The odds of the round in which a countdown expires.

    `mean` is a number of rolls. `quantiles` contains the first round that reaches each percentage. `pmf[0]` and
    `cdf[0]` are for round 1. Both end at the first round after which the remaining probability is less than 1e-12.
    """

    mean: float
    quantiles: dict[int, int]
    pmf: tuple[float, ...]
    cdf: tuple[float, ...]


def of_expression(expression: Expression) -> Distribution:
    """Return the exact odds of an expression's total, including its edges.

    Raise DiceError if the computation would take too long.
    """
    if expression.maximum - expression.minimum > MAX_SPAN:
        raise _too_large(expression.text)
    result = Distribution(0, (1.0,))
    for term in with_edge(expression, cancel_edges(expression.edges)):
        result = convolve(result, of_dice(term) if isinstance(term, DiceTerm) else Distribution(term.value, (1.0,)))
    return result


def of_dice(term: DiceTerm) -> Distribution:
    """Return the exact odds of a single dice term. Raise DiceError if the computation would take too long."""
    if term.kept == term.count:
        odds = _sum(term.count, term.sides)
    elif term.kept == 1:
        odds = _highest(term.count, term.sides)
    else:
        if term.sides * term.count**2 * term.kept * term.sides > 2 * MAX_STEPS:
            raise _too_large(str(term))
        odds = _highest_sum(term.count, term.sides, term.kept)
    if not term.highest and term.kept < term.count:
        odds = Distribution(odds.low, odds.chances[::-1])
    return odds if term.sign > 0 else Distribution(-odds.high, odds.chances[::-1])


def convolve(left: Distribution, right: Distribution) -> Distribution:
    """Return the odds of the sum of two independent totals."""
    low = left.low + right.low
    if len(left.chances) == 1:
        return Distribution(low, tuple(left.chances[0] * chance for chance in right.chances))
    if len(right.chances) == 1:
        return convolve(right, left)
    import numpy as np

    return Distribution(low, tuple(np.convolve(left.chances, right.chances).tolist()))


@lru_cache(maxsize=128)
def countdown_odds(dice: int, lowest_face: int) -> CountdownOdds:
    """Return when a pool of 1 to 1,000 d6 runs out if each die showing `lowest_face` or more is removed.

    Rounds are counted from the first roll, which is round 1. Raise DiceError for other pools or faces.
    """
    leave = _leaving(dice, lowest_face)
    if leave == 1:
        return CountdownOdds(1.0, dict.fromkeys(PERCENTS, 1), (1.0,), (1.0,))
    stay = 1 - leave
    longest = ceil(log(REMAINDER / dice) / log1p(-leave)) + 1
    # Entry n is the logarithm of the probability that all dice are gone after n rolls.
    logs = list(map(mul, repeat(dice), map(log1p, accumulate(repeat(stay, longest - 1), mul, initial=-stay))))
    negated = list(map(expm1, logs))  # the probabilities that dice remain, negated
    while len(negated) > 1 and -negated[-2] < REMAINDER:
        negated.pop()
    cdf = list(map(exp, logs[: len(negated)]))
    # For accurate differences, early rounds use the probability so far, and late rounds the remaining probability.
    middle = bisect_left(cdf, 0.5)
    pmf = (*map(sub, cdf[:middle], [0.0, *cdf]), *map(sub, negated[middle:], [-1.0, *negated][middle:]))
    # After the cut, the remaining probability is multiplied by `stay` each round.
    mean = 1 - fsum(negated) - negated[-1] * stay / leave
    # Rounding can make a probability of exactly one half slightly lower.
    quantiles = {percent: bisect_left(cdf, percent / 100 * (1 - 1e-12)) + 1 for percent in PERCENTS}
    return CountdownOdds(mean, quantiles, pmf, tuple(cdf))


def _leaving(dice: int, lowest_face: int) -> float:
    if not 1 <= dice <= MAX_DICE:
        message = f"A countdown has from 1 to {MAX_DICE:,} dice."
        raise DiceError(message, str(dice), 0)
    if not 1 <= lowest_face <= POOL_SIDES:
        message = f"The lowest face of a countdown must be from 1 to {POOL_SIDES}."
        raise DiceError(message, str(lowest_face), 0)
    return (POOL_SIDES + 1 - lowest_face) / POOL_SIDES


def _sum(count: int, sides: int) -> Distribution:
    single = Distribution(1, (1 / sides,) * sides)
    if count == 1:
        return single
    half = _sum(count // 2, sides)
    whole = convolve(half, half)
    return convolve(whole, single) if count % 2 else whole


def _highest(count: int, sides: int) -> Distribution:
    """Return the odds of the highest die: the probability that all are at most a face, minus that all are lower."""
    reach = [-expm1(count * log1p(-1 / face)) if face > 1 else 1.0 for face in range(1, sides + 1)]
    return Distribution(1, tuple((face / sides) ** count * share for face, share in enumerate(reach, 1)))


def _highest_sum(count: int, sides: int, kept: int) -> Distribution:
    """Return the odds of the sum of the kept highest dice, computed from the highest face down."""
    import numpy as np

    width = kept * sides + 1
    open_dice: list[Chances] = [np.zeros(width) for _ in range(count + 1)]
    open_dice[count][0] = 1.0
    for face in range(sides, 0, -1):
        below: list[Chances] = [np.zeros(width) for _ in range(count + 1)]
        for waiting, chances in enumerate(open_dice):
            needed = max(0, kept - (count - waiting))
            for showing in range(waiting + 1):
                weight = comb(waiting, showing) * (1 / face) ** showing * (1 - 1 / face) ** (waiting - showing)
                shift = face * min(showing, needed)
                below[waiting - showing][shift:] += weight * chances[: width - shift]
        open_dice = below
    return Distribution(kept, tuple(open_dice[0][kept:].tolist()))


def _too_large(text: str) -> DiceError:
    return DiceError("Too many dice for exact odds.", text, 0)
