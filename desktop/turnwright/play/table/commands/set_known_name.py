"""The command that tells players a creature's name, or gives it another name for them."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantIds
from turnwright.encounter.running import Combatant, KnownName, kind_id
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.requirements import require_targets
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="meet {who} [alone {alone=true}] [as {shown_as:rest}] | unmeet {who} {forget=true}")
class SetKnownName(Command, frozen=True):
    """Tell players the names of combatants and all others of their kind, or give them another name."""

    who: CombatantIds
    shown_as: str = ""
    alone: bool = False
    forget: bool = False

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Record the names by which players know combatants. `alone`: others of their kind aren't included."""
        for who in require_targets(self.who):
            combatant = tx.need(Combatant, who)
            id = combatant.id if self.alone or not combatant.creature else kind_id(combatant.creature)
            if not self.forget:
                tx.put(KnownName(id, self.shown_as.strip()))
                continue
            tx.discard(KnownName, combatant.id)
            tx.discard(KnownName, id)
