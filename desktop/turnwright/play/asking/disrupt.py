"""Interrupting: somebody hit by what interrupts makes a check, or loses what they have announced.

No game here says what the check is held against, so a person says how it went.
"""

from __future__ import annotations

from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asking import DISRUPT, DisruptionCheck
from turnwright.encounter.procedure_state.asks import FAILED, MADE, Ask, Option
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.procedure_state.kinds import Stage
from turnwright.play.asking.declaration import cancel_declared
from turnwright.play.asking.events import ActionKept
from turnwright.play.kernel.scheduler import Answers, StageFunction, ask, begin, data_of, goto
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.economy.declared import newest_declaration
from turnwright.rules.system import RuleSystem, label_of

KEEPS = "keeps"


def begin_disrupt_check(tx: Transaction, data: AttackInProgress, parent: str) -> None:
    """Let a hit interrupt whoever it struck, where it does and they have announced something."""
    if data.weapon.interrupts and newest_declaration(tx, data.target) is not None:
        check = DisruptionCheck(data.target, data.weapon.interrupts, data.weapon.name)
        begin(tx, DISRUPT.ask_check, check, parent)


def ask_check(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask how the check went."""
    data, rule = data_of(procedure, DisruptionCheck), rules.rule_id("reaction.check")
    options = (Option(MADE, "option.made"), Option(FAILED, "option.failed"))
    asked = Ask(KEEPS, "choice", "ask.keeps_announced", data.who, f"<check.{data.ability}>", options=options, rule=rule)
    ask(tx, procedure, "prompt.interrupted", [asked], subject=label_of(tx, data.who), rule=rule)
    return goto(procedure, DISRUPT.after_check)


def after_check(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Cancel what was announced, where the check failed."""
    data = data_of(procedure, DisruptionCheck)
    one = newest_declaration(tx, data.who)
    if one is None:
        return
    if KEEPS in answers and FAILED in answers[KEEPS].chosen:
        cancel_declared(tx, rules, one, "refused.cancelled", rules.rule_id("reaction.interrupted"))
    else:
        tx.emit(ActionKept(who=data.who, action=one.name, source=data.source, rule=rules.rule_id("reaction.check")))


STAGES: dict[Stage, StageFunction] = {DISRUPT.ask_check: ask_check, DISRUPT.after_check: after_check}
