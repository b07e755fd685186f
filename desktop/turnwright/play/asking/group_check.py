"""An ability check for a whole group: one roll by one member, with a bonus for the group's size."""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import Modifier
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asking import GROUP_CHECK, GroupCheckInProgress
from turnwright.encounter.procedure_state.asks import Ask
from turnwright.encounter.running import Combatant
from turnwright.play.asking.events import GroupChecked
from turnwright.play.kernel.scheduler import Answers, ask, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import Rolled, Skipped
from turnwright.rules.parts.actions.followers import group_check_bonus
from turnwright.rules.parts.checks.ability_checks import check_roll
from turnwright.rules.system import RuleSystem


def ask_roll(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask for the group's single roll."""
    data = data_of(procedure, GroupCheckInProgress)
    first = next((who for who in data.members if tx.get(Combatant, who) is not None), "")
    if not first:
        return None
    spec = check_roll(tx, rules, first, data.check)
    bonus = group_check_bonus(rules, data.members, data.check)
    rule = rules.rule_id("control.check.strength" if bonus else "control.check.one-roll")
    if bonus:
        modifiers = (*spec.modifiers, Modifier(bonus, "why.numbers", rule))
        spec = msgspec.structs.replace(spec, modifiers=modifiers)
    question = Ask("check", "roll", "ask.check", first, f"<check.{data.check}>", spec, data.dc, rule=rule)
    ask(tx, procedure, "prompt.check", [question], subject=tx.need(Combatant, first).label)
    return goto(procedure, GROUP_CHECK.apply_result)


def apply_result(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Report the result of the roll for the whole group."""
    data = data_of(procedure, GroupCheckInProgress)
    answer = answers.get("check")
    detail = f"<check.{data.check}>"
    if answer is None or answer.roll is None or answer.roll.total is None:
        tx.emit(Skipped(purpose="ask.check", detail=detail))
        return
    bonus = group_check_bonus(rules, data.members, data.check)
    rule = rules.rule_id("control.check.strength" if bonus else "control.check.one-roll")
    who, total = data.members, answer.roll.total
    passed = total >= data.dc if data.dc else None
    tx.emit(Rolled(who=who[0], purpose="ask.check", roll=answer.roll, detail=detail, bookkeeping=True))
    tx.emit(
        GroupChecked(
            who=who,
            check=data.check,
            total=total,
            numbers=bonus,
            passed=passed,
            dc=data.dc,
            roll=answer.roll,
            rule=rule,
        )
    )


STAGES = stages_in(globals(), GROUP_CHECK)
