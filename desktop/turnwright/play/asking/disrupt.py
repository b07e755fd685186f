"""Interrupting: somebody hit by what interrupts makes a check, or loses what they have announced.

No game here says what the check is held against, so a person says how it went.
"""

from __future__ import annotations

from turnwright.encounter.pending import Watch
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import FAILED, MADE, Ask, Option
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.play.asking.declaration import cancel_declared
from turnwright.play.asking.events import ActionKept
from turnwright.play.kernel.scheduler import Answers, Stage, ask, begin, goto, subject_of
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.economy.declared import newest_declaration
from turnwright.rules.system import RuleSystem, label_of

KEEPS = "keeps"


def begin_disrupt_check(tx: Transaction, data: AttackInProgress, parent: str) -> None:
    """Let a hit interrupt whoever it struck, where it does and they have announced something."""
    if data.weapon.interrupts and newest_declaration(tx, data.target) is not None:
        what = Watch(data.target, what=data.weapon.interrupts, source=data.weapon.name, by=data.attacker)
        begin(tx, "interrupt", "check", what, parent)


def ask_check(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask how the check went."""
    data, rule = subject_of(procedure), rules.rule_id("reaction.check")
    options = (Option(MADE, "option.made"), Option(FAILED, "option.failed"))
    asked = Ask(KEEPS, "choice", "ask.keeps_announced", data.who, f"<check.{data.what}>", options=options, rule=rule)
    ask(tx, procedure, "prompt.interrupted", [asked], subject=label_of(tx, data.who), rule=rule)
    return goto(procedure, "checked")


def after_check(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Cancel what was announced, where the check failed."""
    data = subject_of(procedure)
    one = newest_declaration(tx, data.who)
    if one is None:
        return
    if KEEPS in answers and FAILED in answers[KEEPS].chosen:
        cancel_declared(tx, rules, one, "refused.cancelled", rules.rule_id("reaction.interrupted"))
    else:
        tx.emit(ActionKept(who=data.who, action=one.name, source=data.source, rule=rules.rule_id("reaction.check")))


STAGES: dict[tuple[str, str], Stage] = {("interrupt", "check"): ask_check, ("interrupt", "checked"): after_check}
