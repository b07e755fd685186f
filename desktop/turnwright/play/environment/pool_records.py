"""The pool of a countdown that is prepared, edited or removed. Preparing needs no code that rolls pools."""

from turnwright.encounter.prepared import Countdown
from turnwright.encounter.running import CountdownPool
from turnwright.play.kernel.scheduler import withdraw_asks
from turnwright.play.kernel.transaction import Transaction


def waiting_pool(countdown: Countdown) -> CountdownPool:
    """Return a countdown's pool in its state before the countdown starts."""
    return CountdownPool(countdown.id, countdown.id, countdown.dice, "waiting", unstoppable=countdown.unstoppable)


def withdraw_pool_asks(tx: Transaction, id: str) -> None:
    """Withdraw the asks about a pool that no longer rolls."""
    withdraw_asks(tx, lambda ask: ask.label in ("ask.countdown", "ask.dice_left_pool") and ask.id == id)
