"""The command `Delay`: delay the active turn."""

from __future__ import annotations

from turnwright.encounter.lookups import active_slot
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.requirements import require_no_open_prompt
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.turn_order.delay import put_off_turn
from turnwright.rules.system import RuleSystem


@command(script="delay")
class Delay(Command, frozen=True):
    """Delay the active turn before the combatant does anything."""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Delay the active turn, and begin the next one in the order."""
        slot = active_slot(tx)
        if slot is None:
            raise Refused("refused.nobody_active")
        require_no_open_prompt(tx)
        put_off_turn(tx, rules, slot)
