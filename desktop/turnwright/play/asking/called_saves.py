"""Saving throws that the game master calls for."""

from __future__ import annotations

from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asking import CALLED_SAVES, CalledSaves
from turnwright.encounter.procedure_state.asks import roll_ask
from turnwright.encounter.running import Combatant
from turnwright.play.asking.check_result import result_of
from turnwright.play.kernel.scheduler import Answers, ask, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import Rolled, Skipped
from turnwright.rules.parts.checks.ability_checks import roll_with_edge, save_roll
from turnwright.rules.system import RuleSystem

PURPOSE = "ask.save"


def ask_saves(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask each named combatant for its save."""
    data = data_of(procedure, CalledSaves)
    detail = f"<save.{data.save}>"
    asks = [
        roll_ask(who, PURPOSE, detail, roll_with_edge(save_roll(tx, rules, who, data.save), data.edge), data.dc)
        for who in data.who
        if tx.get(Combatant, who) is not None
    ]
    return ask(tx, goto(procedure, CALLED_SAVES.finish_saves), "prompt.save", asks, subject=detail)


def finish_saves(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Report the results of the saves."""
    data = data_of(procedure, CalledSaves)
    detail = f"<save.{data.save}>"
    for who, answer in answers.items():
        if tx.get(Combatant, who) is None:
            continue
        if data.dc and not answer.skipped:
            result_of(tx, rules, answer, PURPOSE, who, detail, data.dc, "")
        elif answer.roll is not None:
            tx.emit(Rolled(who=who, purpose=PURPOSE, roll=answer.roll, detail=detail))
        else:
            tx.emit(Skipped(who=who, purpose=PURPOSE, detail=detail))


STAGES = stages_in(globals(), CALLED_SAVES)
