"""`turnwright odds`: the exact odds of countdowns and rolls, as text or JSON."""

from __future__ import annotations

import sys

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.dice.distributions import of_expression
from turnwright.dice.errors import DiceError
from turnwright.dice.expression import parse
from turnwright.forecast.odds import countdown_odds

_BAR = 40


def countdown(dice: int, speed: str, face: int | None, system: str, *, as_json: bool, systems: RuleSystems) -> int:
    """Print the probability that a pool runs out, by round.

    The lists start with round 1, and end when the remaining probability is below 1e-12.
    """
    if system not in systems.ids:
        return _usage(f"unknown rule system '{system}'; expected one of {', '.join(systems.ids)}")
    faces = systems.get(system).countdown_faces
    if face is None and speed not in faces:
        return _usage(f"unknown speed '{speed}'; expected one of {', '.join(faces)}")
    lowest = faces[speed] if face is None else face
    try:
        odds = countdown_odds(dice, lowest)
    except DiceError as error:
        return _usage(error.message)
    if as_json:
        values = {
            "dice": dice,
            "face": lowest,
            "mean": odds.mean,
            "quantiles": {str(percent): number for percent, number in odds.quantiles.items()},
            "pmf": odds.pmf,
            "cdf": odds.cdf,
        }
        print(msgspec.json.encode(values).decode())
        return 0
    print(f"{dice}d6, dice showing {lowest} or more are removed: {odds.mean:.2f} rolls on average")
    print(", ".join(f"{percent} % by round {number}" for percent, number in odds.quantiles.items()))
    for number, (chance, by) in enumerate(zip(odds.pmf, odds.cdf, strict=True), 1):
        print(f"{number:4} {100 * chance:7.3f} % {100 * by:8.3f} %  {'#' * round(_BAR * by)}".rstrip())
        if by > 0.9995:
            break
    return 0


def roll(expression: str, *, as_json: bool, systems: RuleSystems) -> int:
    """Print the statistics of a roll: mean, minimum, maximum, and the probability of each total."""
    try:
        parsed = parse(expression)
        odds = of_expression(parsed)
    except DiceError as error:
        return _usage(error.message)
    if as_json:
        values = {
            "expression": str(parsed),
            "mean": odds.mean,
            "min": odds.low,
            "max": odds.high,
            "distribution": {str(total): chance for total, chance in enumerate(odds.chances, odds.low)},
        }
        print(msgspec.json.encode(values).decode())
        return 0
    print(f"{parsed}: {odds.mean:.2f} on average, from {odds.low} to {odds.high}")
    most = max(odds.chances)
    for total, chance in enumerate(odds.chances, odds.low):
        print(f"{total:5} {100 * chance:8.4f} %  {'#' * round(_BAR * chance / most)}".rstrip())
    return 0


def _usage(message: str) -> int:
    print(f"turnwright odds: {message}", file=sys.stderr)
    return 2
