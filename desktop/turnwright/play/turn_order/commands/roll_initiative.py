"""The command that asks for initiative rolls."""

from __future__ import annotations

from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.turn_order import Initiative
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.turn_order.initiative import ask_initiative
from turnwright.play.turn_order.surprise import require_surprise_settled
from turnwright.rules.system import RuleSystem


@command(script="roll initiative")
class RollInitiative(Command, frozen=True):
    """Ask everyone without a total to roll initiative."""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Ask for the initiative of all combatants without a total, unless they are already being asked."""
        require_surprise_settled(tx, rules)
        if not any(isinstance(procedure.data, Initiative) for procedure in tx.all(Procedure)):
            ask_initiative(tx, tuple(combatant.id for combatant in tx.all(Combatant)))
