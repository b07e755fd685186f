"""Duration of a countdown: the number in the game's table, and the exact odds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.dice.errors import DiceError
from turnwright.encounter.prepared import Countdown
from turnwright.rules.system import RuleSystem

if TYPE_CHECKING:
    from turnwright.dice.distributions import CountdownOdds


def exact_odds(countdown: Countdown, rules: RuleSystem) -> CountdownOdds | None:
    """Return the exact odds of a prepared countdown, None where the system has no such speed."""
    face = rules.countdown_faces.get(countdown.speed)
    if face is None:
        return None
    from turnwright.forecast.odds import countdown_odds

    try:
        return countdown_odds(countdown.dice, face)
    except DiceError:
        return None


def estimated_rolls(countdown: Countdown, rules: RuleSystem) -> int | None:
    """Return the estimated rolls of a countdown: from the game's table, beyond it the rounded mean."""
    for row in rules.data.countdown_table:
        if row.dice == countdown.dice:
            return {"slow": row.slow, "medium": row.medium, "fast": row.fast}[countdown.speed]
    odds = exact_odds(countdown, rules)
    return None if odds is None else round(odds.mean)
