"""The command that marks combatants as sneaking before the fight."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId, CombatantIds
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="sneaking [not {sneaking=false}] {who}")
class MarkSneaking(Command, frozen=True):
    """Mark combatants as sneaking up on the others, or clear the mark."""

    who: CombatantIds
    sneaking: bool = True

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Mark combatants as sneaking, or clear the mark."""
        for who in self.who:
            combatant = tx.need(Combatant, who)
            if combatant.sneaking != self.sneaking:
                tx.update(combatant, sneaking=self.sneaking)
                tx.emit(SneakingMarked(who=who, sneaking=self.sneaking, rule=rules.rule_id("setup.surprise-step")))


@journal("journal.not_sneaking", when={"sneaking": "journal.sneaking"})
class SneakingMarked(Event, frozen=True):
    """A combatant was marked as sneaking, or the mark was cleared."""

    who: CombatantId
    sneaking: bool
