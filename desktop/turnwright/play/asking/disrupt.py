"""Disruption: a combatant hit by a disrupting attack makes a check, or loses its declared action.

No rule system here sets the check's DC, so the user enters the result.
"""

from __future__ import annotations

from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asking import DISRUPT, DisruptionCheck
from turnwright.encounter.procedure_state.asks import FAILED, MADE, Ask, Option
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.play.asking.declaration import cancel_declared
from turnwright.play.asking.events import ActionKept
from turnwright.play.kernel.scheduler import Answers, ask, begin, choices_of, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.economy.declared import newest_declaration
from turnwright.rules.system import RuleSystem, label_of

KEEPS = "keeps"


def begin_disrupt_check(tx: Transaction, data: AttackInProgress, parent: str) -> None:
    """Begin the check after a disrupting hit, if the target has declared an action."""
    if data.weapon.interrupts and newest_declaration(tx, data.target) is not None:
        check = DisruptionCheck(data.target, data.weapon.interrupts, data.weapon.name)
        begin(tx, DISRUPT.ask_check, check, parent)


def ask_check(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask for the result of the check."""
    data, rule = data_of(procedure, DisruptionCheck), rules.rule_id("reaction.check")
    options = (Option(MADE, "option.made"), Option(FAILED, "option.failed"))
    question = Ask(
        KEEPS, "choice", "ask.keeps_announced", data.who, f"<check.{data.ability}>", options=options, rule=rule
    )
    return ask(
        tx, goto(procedure, DISRUPT.after_check), "prompt.interrupted", [question], subject=label_of(tx, data.who)
    )


def after_check(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Cancel the declared action if the check failed."""
    data = data_of(procedure, DisruptionCheck)
    declaration = newest_declaration(tx, data.who)
    if declaration is None:
        return
    if FAILED in choices_of(answers, KEEPS):
        cancel_declared(tx, rules, declaration, "refused.cancelled", rules.rule_id("reaction.interrupted"))
    else:
        tx.emit(
            ActionKept(who=data.who, action=declaration.name, source=data.source, rule=rules.rule_id("reaction.check"))
        )


STAGES = stages_in(globals(), DISRUPT)
