"""The command that notes what a combatant plans for the next turn."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="plan {who} {text:rest}")
class SetPlan(Command, frozen=True):
    """Note what a combatant plans to do on its next turn. The plan isn't binding."""

    who: CombatantId
    text: str

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Note a plan, which costs nothing."""
        tx.update(tx.need(Combatant, self.who), plan=self.text)
        tx.emit(Planned(who=self.who, text=self.text, rule=rules.rule_id("offturn.plan")))


@journal("journal.planned")
class Planned(Event, frozen=True):
    """A combatant's plan was noted."""

    who: CombatantId
    text: str
