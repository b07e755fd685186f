"""The command that sets which combatants are surprised."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantIds
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.play.turn_order.surprise import mark_surprised
from turnwright.rules.system import RuleSystem


@command(script="surprised {who} | nobody surprised {who:nobody}")
class SetSurprised(Command, frozen=True):
    """Set exactly which combatants are surprised."""

    who: CombatantIds

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Set which combatants are surprised, and end the surprise of all others."""
        require_running(tx)
        mark_surprised(tx, rules, self.who)
