"""Initiative by command: rolling it, entering totals, its check, and who acts first."""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.field_specs import CheckId, CombatantId, CombatantIds
from turnwright.encounter.lookups import clock_of
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import AskResult
from turnwright.encounter.procedure_state.turn_order import INITIATIVE, Initiative
from turnwright.encounter.running import Combatant, Slot
from turnwright.play.kernel.commands import Command, command, require_check
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.scheduler import prompt_of
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.play.turn_order.initiative import ask_initiative, set_initiative
from turnwright.play.turn_order.surprise import require_surprise_settled
from turnwright.rules.system import RuleSystem


@command(script="roll initiative")
class RollInitiative(Command, frozen=True):
    """Ask everyone without a total to roll initiative."""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Ask for the initiative of all combatants without a total, unless they are already being asked."""
        require_surprise_settled(tx, rules)
        if not any(isinstance(procedure.data, Initiative) for procedure in tx.all(Procedure)):
            ask_initiative(tx, tuple(combatant.id for combatant in tx.all(Combatant)))


@command(script="initiative {totals}")
class SetInitiative(Command, frozen=True):
    """Set initiative totals by hand, as pairs of combatant and total."""

    totals: tuple[tuple[str, int], ...]

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Set initiative totals by hand, and use them to answer an open initiative prompt."""
        require_surprise_settled(tx, rules)
        typed = dict(self.totals)
        answered = _answer_totals(tx, typed)
        for who, total in typed.items():
            combatant = tx.need(Combatant, who)
            if who not in answered:
                set_initiative(tx, rules, combatant, total, "entered")
        if clock_of(tx).phase == "rounds" and not any(
            isinstance(procedure.data, Initiative) for procedure in tx.all(Procedure)
        ):
            ask_initiative(tx, tuple(typed))


def _answer_totals(tx: Transaction, typed: dict[str, int]) -> set[str]:
    """Answer the open initiative prompt with these totals. Return the combatants that it asked for."""
    answered: set[str] = set()
    for procedure in list(tx.all(Procedure)):
        prompt = prompt_of(tx, procedure.id)
        if procedure.at == INITIATIVE.apply_totals and prompt is not None:
            new_answers = tuple(AskResult(ask.id, number=typed[ask.id]) for ask in prompt.asks if ask.id in typed)
            earlier_answers = tuple(answer for answer in prompt.answers if answer.ask not in typed)
            tx.update(prompt, answers=(*earlier_answers, *new_answers))
            answered.update(answer.ask for answer in new_answers)
    return answered


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
class FirstActorSet(Event, frozen=True):
    """The combatant who started the fight was marked. `who` is empty if no one did."""

    who: CombatantId = ""
