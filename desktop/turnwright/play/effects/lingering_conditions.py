"""Conditions that remain after the condition that caused them ends, such as prone after unconscious.

If the system's sources don't define the condition, a non-blocking prompt offers it. Otherwise, or with strict rules,
it applies automatically.
"""

from __future__ import annotations

from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Option, choice_ask
from turnwright.encounter.procedure_state.effects import LINGERING_CONDITIONS, LingeringConditions
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.scheduler import Answers, ask, choices_of, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import put_condition
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play, lingering_rules
from turnwright.rules.system import RuleSystem

YES, NO = "yes", "no"


def start(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Apply the lingering conditions, or offer them."""
    data = data_of(procedure, LingeringConditions)
    if not _still_due(tx, rules, data):
        return None
    condition = rules.conditions[data.condition]
    if not condition.external or tx.strictness == "enforce":
        _put_conditions(tx, rules, data)
        return None
    options = (Option(YES, "option.yes"), Option(NO, "option.no"))
    granted = lingering_rules(tx, rules, data.who, data.condition)
    also = ", ".join(lingering_rule.text or rules.conditions[lingering_rule.what].name for lingering_rule in granted)
    question = choice_ask("brought", "ask.brought", options, data.who, also, rule=data.rule)
    subject = f"{tx.need(Combatant, data.who).label}: {condition.name}"
    ask(tx, procedure, "prompt.brought", [question], subject=subject, blocks=False)
    return goto(procedure, LINGERING_CONDITIONS.apply)


def apply(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Apply the lingering conditions, if the user chose to."""
    if YES in choices_of(answers, "brought") and _still_due(tx, rules, data_of(procedure, LingeringConditions)):
        _put_conditions(tx, rules, data_of(procedure, LingeringConditions))


def _still_due(tx: Transaction, rules: RuleSystem, data: LingeringConditions) -> bool:
    return not is_out_of_play(tx, data.who) and data.condition in condition_names(tx, rules, data.who)


def _put_conditions(tx: Transaction, rules: RuleSystem, data: LingeringConditions) -> None:
    for lingering_rule in lingering_rules(tx, rules, data.who, data.condition):
        put_condition(tx, rules, data.who, lingering_rule.what, source=f"<condition.{data.condition}>", rule=data.rule)


STAGES = stages_in(globals(), LINGERING_CONDITIONS)
