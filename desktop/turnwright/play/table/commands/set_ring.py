"""The command that sets the ring colour of miniatures."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantIds
from turnwright.encounter.member_labels import ringed_label, unringed_label
from turnwright.encounter.prepared import TokenRing
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.requirements import require_targets
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="ring {ring} {targets} | unring {targets}")
class SetRing(Command, frozen=True):
    """Set the ring colour of combatants' miniatures, or remove their rings. The colour becomes part of their names."""

    targets: CombatantIds
    ring: TokenRing = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Set the ring colour of combatants and add it to their labels."""
        for who in require_targets(self.targets):
            combatant = tx.need(Combatant, who)
            if combatant.ring != self.ring:
                other_labels = {other.label for other in tx.all(Combatant) if other.id != who}
                bare = unringed_label(combatant.label, combatant.ring, other_labels)
                tx.update(combatant, ring=self.ring, label=ringed_label(bare, self.ring, other_labels))
