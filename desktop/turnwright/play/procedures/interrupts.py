"""Interrupting: somebody hit by what interrupts makes a check, or loses what they have announced.

No game here says what the check is held against, so a person says how it went.
"""

from __future__ import annotations

from turnwright.encounter.pending import FAILED, MADE, Ask, Assault, Option, Procedure, Watch
from turnwright.play.events import Kept
from turnwright.play.procedures.announcing import cancel
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin, watch_of
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.announced import announced_by
from turnwright.rules.system import RuleSystem, label_of

KEEPS = "keeps"


def interrupt(tx: Transaction, data: Assault, parent: str) -> None:
    """Let a hit interrupt whoever it struck, where it does and they have announced something."""
    if data.means.interrupts and announced_by(tx, data.target) is not None:
        what = Watch(data.target, what=data.means.interrupts, source=data.means.name, by=data.attacker)
        begin(tx, "interrupt", "check", what, parent)


def check(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask how the check went."""
    data, rule = watch_of(procedure), rules.cite("reaction.check")
    options = (Option(MADE, "option.made"), Option(FAILED, "option.failed"))
    asked = Ask(KEEPS, "choice", "ask.keeps_announced", data.who, f"<check.{data.what}>", options=options, rule=rule)
    ask(tx, procedure, "prompt.interrupted", [asked], subject=label_of(tx, data.who), rule=rule)
    return at(procedure, "checked")


def checked(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Cancel what was announced, where the check failed."""
    data = watch_of(procedure)
    one = announced_by(tx, data.who)
    if one is None:
        return
    if KEEPS in answers and FAILED in answers[KEEPS].chosen:
        cancel(tx, rules, one, "refused.cancelled", rules.cite("reaction.interrupted"))
    else:
        tx.emit(Kept(who=data.who, action=one.name, source=data.source, rule=rules.cite("reaction.check")))


STAGES: dict[tuple[str, str], Stage] = {("interrupt", "check"): check, ("interrupt", "checked"): checked}
