"""Odds of a countdown: an estimate from the rule system's table, and the exact distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.dice.errors import DiceError
from turnwright.encounter.prepared import Countdown
from turnwright.forecast.odds import countdown_odds
from turnwright.rules.system import RuleSystem

if TYPE_CHECKING:
    from turnwright.dice.distributions import CountdownOdds


def exact_odds(countdown: Countdown, rules: RuleSystem) -> CountdownOdds | None:
    """Return the exact odds of a prepared countdown, or None if the rule system doesn't support its dice or speed."""
    face = rules.countdown_faces.get(countdown.speed)
    if face is None:
        return None
    try:
        return countdown_odds(countdown.dice, face)
    except DiceError:
        return None


def estimated_rolls(countdown: Countdown, rules: RuleSystem) -> int | None:
    """Return the expected number of rolls of a countdown.

    This is taken from the system's table if possible. Otherwise it is the rounded mean of the exact odds.
    """
    for row in rules.data.countdown_table:
        if row.dice == countdown.dice:
            return {"slow": row.slow, "medium": row.medium, "fast": row.fast}[countdown.speed]
    odds = exact_odds(countdown, rules)
    return None if odds is None else round(odds.mean)
