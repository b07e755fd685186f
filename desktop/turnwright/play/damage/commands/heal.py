"""The command `Heal`: restore hit points."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantIds
from turnwright.encounter.running import Combatant
from turnwright.play.damage.manual_hit_points import restore_to_life
from turnwright.play.effects.lift_doom import begin_lift_doom
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.requirements import require_amount, require_targets
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.hit_points import restore_hit_points
from turnwright.rules.system import RuleSystem, label_of


@command(script="heal {targets} {amount} [from {source}]")
class Heal(Command, frozen=True):
    """Restore hit points."""

    targets: CombatantIds
    amount: int
    source: str = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Restore hit points, up to the maximum. Refuse dead targets unless the rule is overridden."""
        targets = require_targets(self.targets)
        require_amount(self.amount)
        for who in targets:
            combatant = tx.need(Combatant, who)
            if combatant.dead:
                tx.forbid("refused.dead", rules.rule_id("heal.dead"), who=label_of(tx, who))
                restore_to_life(tx, rules, combatant, 0)  # the game master overrides the rule
            topic = "heal.excess" if combatant.hp + self.amount > combatant.hp_max else "hp.heal"
            restore_hit_points(tx, rules, who, self.amount, source=self.source, rule=rules.rule_id(topic))
            begin_lift_doom(tx, rules, who, self.source)
