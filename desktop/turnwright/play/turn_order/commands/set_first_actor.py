"""The command that marks the combatant who started the fight."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.running import Combatant, Slot
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.rules.system import RuleSystem


@command(script="opener {who} | opener nobody")
class SetFirstActor(Command, frozen=True):
    """Mark the combatant who started the fight and therefore acts first, or mark that nobody did."""

    who: CombatantId = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Mark the first actor, and clear all other marks. Refuse it in a system without the rule."""
        require_running(tx)
        rule = rules.rule_id("initiative.opener")
        if not rules.data.initiative.opener:
            raise Refused("refused.no_opener")
        for combatant in list(tx.all(Combatant)):
            if combatant.first_actor != (combatant.id == self.who):
                tx.update(combatant, first_actor=combatant.id == self.who)
        for slot in list(tx.all(Slot)):
            tx.update(slot, first_actor=self.who in slot.members)
        tx.emit(FirstActorSet(who=self.who, rule=rule))


@journal("journal.no_opener", when={"who": "journal.opener"})
class FirstActorSet(Event, frozen=True, tag="OpenerMarked"):
    """The combatant who started the fight was marked. `who` is empty if no one did."""

    who: CombatantId = ""
