"""Countdowns as dice to cross off, with exact odds by round and the game's table of pool durations."""

from typing import Any, Final

from turnwright.dice.distributions import CountdownOdds, countdown_odds
from turnwright.dice.expression import DiceError
from turnwright.encounter.prepared import Countdown
from turnwright.handouts.environment_data import countdown_data, visible_countdowns
from turnwright.handouts.page_input import PageContent, PageInput, PageKind, Section
from turnwright.rules.parts.stat_block.features import faces_text

ID: Final = "countdown-tracks"
SPEEDS: Final = ("slow", "medium", "fast")
MAX_ROUNDS: Final = 10  # maximum number of rounds listed on a track


def make(source: PageInput) -> PageContent:
    """Return the tracks, or no pages if there are no countdowns. Players get only the dice of countdowns they know."""
    tracks = [
        {"number": number} | countdown_data(source, pool) | _odds_of(source, pool)
        for number, pool in enumerate(visible_countdowns(source))
        if source.is_chosen(pool)
    ]
    if not tracks:
        return PageContent()
    return PageContent((Section(ID, {"tracks": tracks, "table": _table(source) if source.shows_secrets else None}),))


def _odds_of(source: PageInput, pool: Countdown) -> dict[str, Any]:
    """Return a countdown's odds: the mean, and the chance that it has run out by each round."""
    lowest = source.rules.countdown_faces.get(pool.speed)
    if not source.shows_secrets or lowest is None:
        return {}
    try:
        odds = countdown_odds(pool.dice, lowest)
    except DiceError:
        return {}
    say = source.text
    even = odds.quantiles[50]
    first = pool.starts - 1 if pool.starts else 0  # count encounter rounds, or rolls if its start is unknown
    return {
        "odds": {
            "mean": say("handout.countdown-tracks.mean", mean=f"{odds.mean:.1f}"),
            "even": say("ui.chart.even-round" if pool.starts else "ui.chart.even-roll", n=first + even),
            "head": say("ui.chart.axis-round" if pool.starts else "ui.chart.axis-roll"),
            "by_hand": not pool.starts,
            "rows": [{"at": first + at, "chance": odds.cdf[min(at, len(odds.cdf)) - 1]} for at in _listed(odds)],
        }
    }


def _listed(odds: CountdownOdds) -> list[int]:
    """Return the rolls listed on a track: the first ten, or ten evenly spaced ones for a large pool.

    By the last roll listed, even a large pool has almost certainly run out.
    """
    if odds.quantiles[50] <= MAX_ROUNDS:
        return list(range(1, MAX_ROUNDS + 1))
    last = min(odds.quantiles[95], len(odds.cdf))
    step = -(-last // MAX_ROUNDS)
    rolls = list(range(step, last + 1, step))
    return rolls if rolls and rolls[-1] == last else [*rolls[: MAX_ROUNDS - 1], last]


def _table(source: PageInput) -> dict[str, Any] | None:
    """Return the game's table of typical pool durations by dice and speed, or None if it doesn't have one."""
    rows = source.rules.data.countdown_table
    if not rows:
        return None
    faces = source.rules.countdown_faces
    speeds = [
        {"name": source.text(f"ui.countdown.speed-{speed}").capitalize(), "faces": faces_text(faces.get(speed, 0))}
        for speed in SPEEDS
    ]
    return {"speeds": speeds, "rows": [[row.dice, row.slow, row.medium, row.fast] for row in rows]}


KIND = PageKind(ID, make, for_players=True)
