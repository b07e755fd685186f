"""The command `StopPool`: stop a countdown."""

from __future__ import annotations

from turnwright.encounter.field_specs import CountdownId, PoolId
from turnwright.encounter.running import CountdownPool
from turnwright.play.environment.pool_records import withdraw_pool_asks
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="stop {pool}")
class StopPool(Command, frozen=True):
    """Stop a countdown before it runs out."""

    pool: PoolId

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Stop a countdown. Refuse an unstoppable one."""
        pool = tx.need(CountdownPool, self.pool)
        if pool.status in ("expired", "stopped"):
            raise Refused("refused.pool_over")
        if pool.unstoppable:
            tx.forbid("refused.unstoppable", rules.rule_id("countdown.unstoppable"))
        tx.update(pool, status="stopped")
        withdraw_pool_asks(tx, pool.id)
        tx.emit(PoolStopped(countdown=pool.countdown, rule=rules.rule_id("countdown.stop")))


@journal("journal.pool_stopped", kind="world", what="countdown")
class PoolStopped(Event, frozen=True):
    """A countdown was stopped."""

    countdown: CountdownId
