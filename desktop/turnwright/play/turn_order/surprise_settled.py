"""Commands that move the encounter along: set-up and its steps, rounds, turns, the end, and back to the start."""

from __future__ import annotations

from turnwright.play.kernel.clock import clock_of
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


def require_surprise_settled(tx: Transaction, rules: RuleSystem) -> None:
    clock = clock_of(tx)
    if clock.phase not in ("set-up", "rounds"):
        raise Refused("refused.not_running")
    if clock.phase == "set-up" and not clock.surprise_settled:
        tx.forbid("refused.surprise_first", rules.rule_id("setup.order"))
