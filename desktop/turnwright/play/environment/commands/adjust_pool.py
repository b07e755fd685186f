"""The command `AdjustPool`: add dice to a countdown, or remove dice from it."""

from __future__ import annotations

from typing import Annotated

from turnwright.encounter.field_specs import CountdownId, FieldSpec, PoolId
from turnwright.encounter.running import CountdownPool
from turnwright.play.environment.countdown_outcomes import begin_outcomes
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem
from turnwright.rules.word_keys import signed_text


@command(
    script="add (die | dice) {pool} {by=1} [{by}] [{reason}] | take (die | dice) {pool} {by=-1} [{by:negative}] [{reason}]"
)
class AdjustPool(Command, frozen=True):
    """Add dice to a countdown, or remove dice from it, with a reason."""

    pool: PoolId
    by: Annotated[int, FieldSpec(least=-100, most=100, label="adjust-pool.dice")]
    reason: Annotated[str, FieldSpec(label="adjust-pool.cause")] = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Add or remove dice. When none remain, the countdown expires."""
        pool = tx.need(CountdownPool, self.pool)
        if pool.status in ("expired", "stopped"):
            raise Refused("refused.pool_over")
        left = max(0, pool.dice + self.by)
        tx.update(pool, dice=left, last_faces=())
        by, rule = left - pool.dice, rules.rule_id("countdown.adjust")
        tx.emit(PoolAdjusted(countdown=pool.countdown, by=by, left=left, reason=self.reason, rule=rule))
        if left == 0:
            begin_outcomes(tx, rules, pool.id)


@journal(
    "journal.pool_adjusted", kind="world", when={"reason": "journal.pool_adjusted_for"}, what="countdown", by="signed"
)
class PoolAdjusted(Event, frozen=True):
    """Dice were added to a countdown or removed from it."""

    countdown: CountdownId
    by: int
    left: int
    reason: str = ""

    @property
    def signed(self) -> str:
        """The change with its sign."""
        return signed_text(self.by)
