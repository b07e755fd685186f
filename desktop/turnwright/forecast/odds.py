"""Exact odds, shared by the window's plots and the command line. Results are cached."""

from __future__ import annotations

from functools import lru_cache

from turnwright.dice.distributions import CountdownOdds, countdown


@lru_cache(maxsize=128)
def countdown_odds(dice: int, lowest_face: int) -> CountdownOdds:
    """Return when a pool of `dice` d6 runs out if each die showing `lowest_face` or more is removed.

    Rounds are counted from the first roll, which is round 1. Raise DiceError if the pool can't be computed.
    """
    return countdown(dice, lowest_face)
