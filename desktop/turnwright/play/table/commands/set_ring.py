"""The command that notes the colour of the rings on miniatures."""

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
    """Note the colour of the rings of combatants' miniatures, by which they are called, or that they have none."""

    targets: CombatantIds
    ring: TokenRing = ""


def handle(command: SetRing, tx: Transaction, rules: RuleSystem) -> None:
    """Note the colour of rings, and put it into the labels."""
    for who in require_targets(command.targets):
        one = tx.need(Combatant, who)
        if one.ring != command.ring:
            others = {other.label for other in tx.all(Combatant) if other.id != who}
            bare = unringed_label(one.label, one.ring, others)
            tx.update(one, ring=command.ring, label=ringed_label(bare, command.ring, others))
