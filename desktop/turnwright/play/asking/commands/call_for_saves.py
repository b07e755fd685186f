"""The command `CallForSaves`: call for saving throws."""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.field_specs import AbilityId, CombatantIds, PositiveOrNone
from turnwright.encounter.procedure_state.asking import CALLED_SAVES, CalledSaves
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.requirements import require_targets
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="saves {save} {who} [against {dc}] [{edge}]")
class CallForSaves(Command, frozen=True):
    """Ask each combatant for a saving throw without further effects.

    `dc` is the difficulty class (0: none). `edge` is advantage or disadvantage for all of them.
    """

    who: CombatantIds
    save: AbilityId
    dc: PositiveOrNone = 0
    edge: Literal["", "advantage", "disadvantage"] = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Begin the saves of the named combatants."""
        begin(tx, CALLED_SAVES.ask_saves, CalledSaves(require_targets(self.who), self.save, self.dc, self.edge))
