"""How far two counts of the same thing lie apart, by Fisher's exact test."""

from __future__ import annotations

from functools import lru_cache
from statistics import NormalDist

import numpy as np


def errors_apart(count: int, of: int, other: int, of_other: int) -> float:
    """The standard errors between `count` in `of` tries and `other` in `of_other`, above 0 where the first is more.

    Of all that happened, as much is in the first tries as chance would have it. Where this is little, as with deaths in
    one fight of a thousand, a normal curve by the variance is too narrow; so the errors are those beyond which a normal
    curve has just what chance leaves beyond the count, half of the chance of the count itself with it ("mid-p").
    """
    both = count + other
    fewest, chances = _chances(both, of, of_other)
    at = count - fewest
    fewer, more = float(chances[:at].sum() + chances[at] / 2), float(chances[at + 1 :].sum() + chances[at] / 2)
    errors = NormalDist().inv_cdf(min(max(min(fewer, more), 1e-300), 0.5))
    return errors if fewer < more else -errors


@lru_cache
def _chances(both: int, of: int, of_other: int) -> tuple[int, np.ndarray]:
    """The fewest of all that happened that can be in the first tries, and the chance of so many, one more and so on."""
    fewest, most = max(0, both - of_other), min(both, of)
    one = np.arange(fewest, most)
    times = (of - one) * (both - one) / ((one + 1) * (of_other - both + one + 1))  # as likely is one more
    logarithms = np.concatenate(([0.0], np.cumsum(np.log(times))))
    chances = np.exp(logarithms - logarithms.max())
    return fewest, chances / chances.sum()
