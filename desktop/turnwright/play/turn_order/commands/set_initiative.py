"""The command that sets initiative totals by hand."""

from __future__ import annotations

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import AskResult
from turnwright.encounter.procedure_state.turn_order import INITIATIVE, Initiative
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.scheduler import prompt_of
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.turn_order.initiative import ask_initiative, set_initiative
from turnwright.play.turn_order.surprise import require_surprise_settled
from turnwright.rules.system import RuleSystem


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
