"""The command that rules out surprise and gives some combatants advantage on initiative."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantIds
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.play.turn_order.surprise import mark_surprised
from turnwright.rules.system import RuleSystem


@command(script="sudden [{advantage}]")
class ActBeforeInitiative(Command, frozen=True):
    """Rule out surprise. `advantage` lists combatants with advantage on initiative."""

    advantage: CombatantIds = ()

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Rule out surprise, and give some combatants advantage on initiative."""
        require_running(tx)
        mark_surprised(tx, rules, (), rule=rules.rule_id("sudden.no-surprise"))
        for who in self.advantage:
            tx.update(tx.need(Combatant, who), edge="advantage")
