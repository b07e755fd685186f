"""Commands that move the encounter along: set-up and its steps, rounds, turns, the end, and back to the start."""

from __future__ import annotations

from turnwright.encounter.running import Clock
from turnwright.play.kernel.transaction import Transaction


def clock_of(tx: Transaction) -> Clock:
    """Return the clock, still standing before the start where nothing runs."""
    return tx.get(Clock, "clock") or Clock()
