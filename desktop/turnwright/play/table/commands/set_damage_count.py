"""The command that switches between showing a combatant's damage taken and its remaining hit points."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantIds
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.requirements import require_targets
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="count damage {targets} (up | down {counts_damage=false})", manual="damage-count")
class SetDamageCount(Command, frozen=True):
    """Show the damage taken (`up`) or the remaining hit points (`down`) of combatants."""

    targets: CombatantIds
    counts_damage: bool = True

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Set whether the damage taken or the remaining hit points of combatants are shown."""
        for who in require_targets(self.targets):
            tx.update(tx.need(Combatant, who), counts_damage=self.counts_damage)
