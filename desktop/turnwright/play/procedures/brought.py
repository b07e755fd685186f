"""What a condition brings along that stays when it ends, as being unconscious leaves one on the ground.

The conditions that the sources only name suggest it: a card offers it that nothing waits for. Where the table plays
by the letter, and for every other condition, it happens by itself.
"""

from __future__ import annotations

from turnwright.encounter.pending import Ask, Option, Procedure, Watch
from turnwright.encounter.running import Combatant
from turnwright.play.harm import put_condition
from turnwright.play.procedures.loop import Answers, Stage, ask, at, watch_of
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.conditions import brought_by, is_out
from turnwright.rules.parts.statements import condition_names
from turnwright.rules.system import RuleSystem

YES, NO = "yes", "no"


def start(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Let it happen, or offer it."""
    data = watch_of(procedure)
    if not _still_due(tx, rules, data):
        return None
    condition = rules.conditions[data.source]
    if not condition.external or tx.strictness == "enforce":
        _bring(tx, rules, data)
        return None
    options = (Option(YES, "option.yes"), Option(NO, "option.no"))
    granted = brought_by(tx, rules, data.who, data.source)
    also = ", ".join(one.text or rules.conditions[one.what].name for one in granted)
    asked = Ask("brought", "choice", "ask.brought", data.who, also, options=options, suggested=(YES,), rule=data.what)
    subject = f"{tx.need(Combatant, data.who).label}: {condition.name}"
    ask(tx, procedure, "prompt.brought", [asked], subject=subject, rule=data.what, blocks=False)
    return at(procedure, "settled")


def settled(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Let it happen, if that is the answer."""
    answer = answers.get("brought")
    if answer is not None and YES in answer.chosen and _still_due(tx, rules, watch_of(procedure)):
        _bring(tx, rules, watch_of(procedure))


def _still_due(tx: Transaction, rules: RuleSystem, data: Watch) -> bool:
    return not is_out(tx, data.who) and data.source in condition_names(tx, rules, data.who)


def _bring(tx: Transaction, rules: RuleSystem, data: Watch) -> None:
    for one in brought_by(tx, rules, data.who, data.source):
        put_condition(tx, rules, data.who, one.what, source=f"<condition.{data.source}>", rule=data.what)


STAGES: dict[tuple[str, str], Stage] = {
    ("brought", "begin"): start,
    ("brought", "settled"): settled,
}
