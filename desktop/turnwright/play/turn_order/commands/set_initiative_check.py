"""The command that sets the check used for initiative."""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.field_specs import CheckId, CombatantIds
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.requirements import require_check
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="initiative check {who} (usual | {check}) [{edge}]", manual="initiative-check")
class SetInitiativeCheck(Command, frozen=True):
    """Set the check that combatants roll for initiative, such as `str:athletics`, with advantage or disadvantage.

    An empty check is the usual one.
    """

    who: CombatantIds
    check: CheckId = ""
    edge: Literal["", "advantage", "disadvantage"] = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Set the initiative check of some combatants, and their advantage or disadvantage."""
        if self.check:
            require_check(rules, self.check)
        for who in self.who:
            tx.update(tx.need(Combatant, who), check=self.check, edge=self.edge)
