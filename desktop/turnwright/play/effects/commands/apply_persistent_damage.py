"""The command `ApplyPersistentDamage`: apply persistent damage to combatants."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantIds, DiceText
from turnwright.play.effects.persistent_damage import put_persistent_damage
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.requirements import require_dice_expression, require_targets
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="ongoing {targets} {damage} [until {until}] [from {source}]", manual="ongoing")
class ApplyPersistentDamage(Command, frozen=True):
    """Apply persistent damage, dealt at the end of each of a combatant's turns. `until` describes when it ends."""

    targets: CombatantIds
    damage: DiceText
    until: str = ""
    source: str = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Apply the persistent damage to each target."""
        targets = require_targets(self.targets)
        require_dice_expression(self.damage)
        for who in targets:
            put_persistent_damage(tx, rules, who, self.damage, until=self.until, source=self.source)
