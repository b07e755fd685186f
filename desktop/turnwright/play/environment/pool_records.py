"""What becomes of a pool when its countdown is prepared, edited or removed; preparing loads nothing that rolls it."""

from __future__ import annotations

from turnwright.encounter.prepared import Countdown
from turnwright.encounter.running import CountdownPool
from turnwright.play.kernel.scheduler import withdraw_asks
from turnwright.play.kernel.transaction import Transaction


def waiting_pool(countdown: Countdown) -> CountdownPool:
    """Return a countdown's pool before its round has come."""
    return CountdownPool(countdown.id, countdown.id, countdown.dice, "waiting", unstoppable=countdown.unstoppable)


def withdraw_pool_asks(tx: Transaction, id: str) -> None:
    """Withdraw the asks about a pool that rolls no more."""
    withdraw_asks(tx, lambda ask: ask.label in ("ask.countdown", "ask.dice_left_pool") and ask.id == id)
