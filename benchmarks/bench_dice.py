"""Dice against their peers, in one run: rolls against the d20 package, exact odds of countdowns against icepool.

Batches alternate, so that a slow spell of the machine falls on both; the medians are compared. Run it from anywhere:
`python benchmarks/bench_dice.py`. It exits 1 where a ratio is below its target.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

import d20
import icepool

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "desktop"))

from turnwright.dice.distributions import countdown_odds
from turnwright.dice.rolling import RandomFaces, roll

if TYPE_CHECKING:
    from collections.abc import Callable

BATCHES = 31
ROUNDS = 165


def seconds(work: Callable[[], object], times: int) -> float:
    """Return how long one call takes, in seconds, on average over `times`."""
    began = perf_counter()
    for _ in range(times):
        work()
    return (perf_counter() - began) / times


def compare(name: str, ours: Callable[[], object], times: int, peer: Callable[[], object], peer_times: int) -> float:
    """Return how many times as fast as the peer we are, and print it."""
    seconds(ours, times), seconds(peer, peer_times)
    pairs = [(seconds(ours, times), seconds(peer, peer_times)) for _ in range(BATCHES)]
    our, their = (median(column) * 1e6 for column in zip(*pairs, strict=True))
    print(f"{name:<34}{our:>10.2f} µs{their:>12.2f} µs{their / our:>9.1f} ×")
    return their / our


def icepool_countdown() -> tuple[object, ...]:
    """Answer the same about 10 slow dice in icepool's fastest way: the highest of ten waits, weights held to 60 bits."""
    wait = icepool.Die({rounds: max(1, int(2**60 * (5 / 6) ** rounds)) for rounds in range(1, ROUNDS + 1)})
    last = wait.highest(10, 1)
    quantiles = [last.quantile(percent, 100) for percent in (5, 25, 50, 75, 95)]
    return last.mean(), quantiles, last.probabilities(), last.probabilities("<=")


def main() -> int:
    """Print each ratio and return 1 where one misses its target."""
    faces = RandomFaces(20)
    print(f"{'':<34}{'Turnwright':>13}{'peer':>15}{'ratio':>11}")
    met = True
    for text in ("2d6+3", "4d6kh3"):
        met &= compare(f"roll {text} (d20)", lambda: roll(text, faces), 3000, lambda: d20.roll(text), 600) >= 5  # noqa: B023
    met &= compare("countdown 10d6 slow (icepool)", lambda: countdown_odds(10, 6), 200, icepool_countdown, 10) >= 50
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
