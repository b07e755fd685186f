"""The command `Concentrate`: begin concentration."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.play.effects.concentration import concentrate
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.parts.conditions.condition_rules import condition_veto
from turnwright.rules.system import RuleSystem


@command(script="concentrate {who} [{on:rest}]", manual="concentrate")
class Concentrate(Command, frozen=True):
    """Start to concentrate, and end the combatant's earlier concentration."""

    who: CombatantId
    on: str = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Begin a combatant's concentration. Refuse an incapacitated combatant."""
        if rules.role("incapacitated") in condition_names(tx, rules, self.who):
            rule = rules.rule_id("external.concentration")
            tx.forbid_by((condition_veto(tx, self.who, f"<condition.{rules.role('incapacitated')}>", rule),))
        concentrate(tx, rules, self.who, self.on)
