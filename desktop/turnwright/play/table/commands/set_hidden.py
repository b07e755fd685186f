"""The command that hides combatants from the players' view, or shows them."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantIds
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.requirements import require_targets
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="hide {who} {hidden=true} | reveal {who}")
class SetHidden(Command, frozen=True):
    """Hide combatants from the players, or show them."""

    who: CombatantIds
    hidden: bool = False

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Hide combatants from the players' view, or show them."""
        for who in require_targets(self.who):
            tx.update(tx.need(Combatant, who), hidden=self.hidden)
