"""Reading the encounter's clock within a transaction."""

from __future__ import annotations

from turnwright.encounter.running import Clock
from turnwright.play.kernel.transaction import Transaction


def clock_of(tx: Transaction) -> Clock:
    """Return the clock; a new one, before the start, where no encounter runs."""
    return tx.get(Clock, "clock") or Clock()
