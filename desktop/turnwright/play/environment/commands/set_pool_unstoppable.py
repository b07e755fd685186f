"""The command `SetPoolUnstoppable`: whether a countdown can be stopped."""

from __future__ import annotations

from turnwright.encounter.field_specs import CountdownId, PoolId
from turnwright.encounter.running import CountdownPool
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="unstoppable {pool} [yes | no {unstoppable=false}]")
class SetPoolUnstoppable(Command, frozen=True):
    """Set whether a countdown is unstoppable."""

    pool: PoolId
    unstoppable: bool = True

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Set whether a countdown can be stopped."""
        pool = tx.need(CountdownPool, self.pool)
        tx.update(pool, unstoppable=self.unstoppable)
        rule = rules.rule_id("countdown.unstoppable")
        tx.emit(PoolUnstoppableSet(countdown=pool.countdown, unstoppable=self.unstoppable, rule=rule))


@journal("journal.pool_stoppable", kind="world", when={"unstoppable": "journal.pool_unstoppable"}, what="countdown")
class PoolUnstoppableSet(Event, frozen=True, tag="PoolUnstoppable"):
    """A countdown was made unstoppable, or stoppable again."""

    countdown: CountdownId
    unstoppable: bool
