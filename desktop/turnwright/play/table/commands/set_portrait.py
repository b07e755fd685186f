"""The command that gives a combatant its own portrait."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="portrait {who} [{portrait:rest}]")
class SetPortrait(Command, frozen=True):
    """Give a combatant its own portrait (a file next to the encounter), or use its creature's portrait again."""

    who: CombatantId
    portrait: str = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Give a combatant its own portrait, or use its creature's portrait again."""
        tx.update(tx.need(Combatant, self.who), portrait=self.portrait.strip())
