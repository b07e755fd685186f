"""The command `StartPool`: start a countdown."""

from __future__ import annotations

from turnwright.encounter.field_specs import CountdownId
from turnwright.encounter.prepared import Countdown
from turnwright.encounter.running import CountdownPool
from turnwright.play.environment.countdown_pools import start_pool
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.rules.system import RuleSystem


@command(script="countdown {countdown}")
class StartPool(Command, frozen=True):
    """Start a prepared countdown. Its first roll is at the top of the next round."""

    countdown: CountdownId

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Start a prepared countdown, or restart it."""
        require_running(tx)
        pool = tx.get(CountdownPool, self.countdown)
        if pool is not None and pool.status == "running":
            raise Refused("refused.pool_running")
        start_pool(tx, rules, tx.need(Countdown, self.countdown))
