"""The command `GrantTempHp`: grant temporary hit points."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantIds
from turnwright.encounter.procedure_state.damage import TEMP_HP, TempHpChoice
from turnwright.encounter.running import Combatant
from turnwright.play.damage.damage_roll import set_temp_hp
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.requirements import require_amount, require_targets
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="temp {targets} {amount} [from {source}]")
class GrantTempHp(Command, frozen=True):
    """Grant temporary hit points."""

    targets: CombatantIds
    amount: int
    source: str = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Grant temporary hit points. Ask a target that already has some which to keep."""
        targets = require_targets(self.targets)
        require_amount(self.amount)
        for who in targets:
            combatant = tx.need(Combatant, who)
            if combatant.temp_hp and not rules.data.health.temporary_adds:
                begin(tx, TEMP_HP.ask_temp_hp, TempHpChoice(who, self.amount, self.source))
            else:
                set_temp_hp(tx, rules, combatant, self.amount, self.source, is_taken=True)
