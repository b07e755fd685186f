"""What the end of an encounter brings the party: experience, as much as a person says."""

from __future__ import annotations

from turnwright.encounter.pending import Ask, Procedure, Watch
from turnwright.play.events import Awarded
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin
from turnwright.play.transaction import Transaction
from turnwright.rules.system import RuleSystem


def begin_awards(tx: Transaction, rules: RuleSystem) -> None:
    """Let a person award something, in a game that knows of it."""
    if rules.catalogue.awards.xp:
        begin(tx, "awards", "ask", Watch(""))


def ask_awards(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask what is awarded; nothing is suggested."""
    rule = rules.cite("award.xp")
    ask(tx, procedure, "prompt.awards", [Ask("xp", "number", "ask.award_xp", rule=rule)], rule=rule)
    return at(procedure, "settle")


def settle(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Note what was awarded: nothing, where nobody said anything."""
    answer = answers.get("xp")
    xp = answer.number if answer is not None and answer.number is not None else 0
    tx.emit(Awarded(xp=max(0, xp), rule=rules.cite("award.xp")))


STAGES: dict[tuple[str, str], Stage] = {
    ("awards", "ask"): ask_awards,
    ("awards", "settle"): settle,
}
