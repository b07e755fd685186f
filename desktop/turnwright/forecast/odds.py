"""The exact odds shared by the window's plots and the command line, cached so that each is computed once."""

from __future__ import annotations

from functools import lru_cache

from turnwright.dice.distributions import CountdownOdds, countdown


@lru_cache(maxsize=128)
def countdown_odds(dice: int, lowest_face: int) -> CountdownOdds:
    """Return when a pool of `dice` d6 that loses each die showing `lowest_face` or more expires. DiceError.

    Rounds are counted from the first roll, which is round 1.
    """
    return countdown(dice, lowest_face)
