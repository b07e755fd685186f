"""Results of checks and saves, and those that the game master calls for: saving throws and group checks."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.dice.roll import Modifier, Roll
from turnwright.encounter.field_specs import (
    AbilityId,
    CheckId,
    CombatantIds,
    PositiveOrNone,
)
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asking import CALLED_SAVES, GROUP_CHECK, CalledSaves, GroupCheckInProgress
from turnwright.encounter.procedure_state.asks import FAILED, FAILURE, MADE, Ask, AskResult, Degree, Option, roll_ask
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command, require_targets
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.scheduler import Answers, ask, begin, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.state.events import Rolled, Skipped
from turnwright.rules.parts.actions.followers import group_check_bonus
from turnwright.rules.parts.checks import degrees
from turnwright.rules.parts.checks.ability_checks import check_roll, roll_with_edge, save_roll
from turnwright.rules.parts.checks.degrees import degree_if_used, is_success, reported_degree
from turnwright.rules.system import RuleSystem

UNKNOWN_ROLL = Roll(origin="typed")
PURPOSE = "ask.save"


@journal("journal.group_checked", when={"numbers": "journal.group_checked_numbers"}, result="result")
class GroupChecked(Event, frozen=True):
    """One roll counted for a whole group; `numbers` is the bonus for the group's size, included in the total."""

    who: CombatantIds
    check: CheckId
    total: int
    numbers: int = 0
    passed: bool | None = None
    dc: int = 0
    roll: Roll | None = None

    @property
    def result(self) -> str:
        """The word key of the result against a DC, or an empty string without a DC."""
        return "" if self.passed is None else f"<journal.group_{'passed' if self.passed else 'failed'}>"


def pass_or_fail_options() -> tuple[Option, ...]:
    """Return the options to report a roll without a known DC as a success or a failure."""
    return (Option(MADE, "option.made"), Option(FAILED, "option.failed"))


def result_of(
    tx: Transaction, rules: RuleSystem, answer: AskResult, purpose: str, who: str, detail: str, dc: int, rule: str
) -> bool:
    """Compare an answer with a DC, report the roll, and return whether it succeeded."""
    return is_success(degree_of(tx, rules, answer, purpose, who, detail, dc, rule) or FAILURE)


def degree_of(
    tx: Transaction, rules: RuleSystem, answer: AskResult, purpose: str, who: str, detail: str, dc: int, rule: str
) -> Degree | None:
    """Compare an answer with a DC, report the roll, and return its degree, or None if it was skipped.

    If the dice are unknown, the answer contains the reported result.
    """
    if not answer.chosen and answer.roll is None:
        tx.emit(Skipped(purpose=purpose, who=who, detail=detail))
        return None
    if answer.chosen or answer.roll is None:
        degree, rolled = reported_degree(answer.chosen), answer.roll or UNKNOWN_ROLL
    else:
        degree, rolled = degrees.degree_of(rules, answer.roll, dc) or FAILURE, answer.roll
    shown_degree, passed = degree_if_used(rules, degree), is_success(degree)
    tx.emit(
        Rolled(
            who=who, purpose=purpose, roll=rolled, detail=detail, dc=dc, passed=passed, degree=shown_degree, rule=rule
        )
    )
    return degree


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


@command(script="saves {save} {who} [against {dc}] [{edge}]")
class CallForSaves(Command, frozen=True):
    """Ask each combatant for a saving throw without further effects.

    `dc` is the difficulty class (0: none). `edge` is advantage or disadvantage for all of them.
    """

    who: CombatantIds
    save: AbilityId
    dc: PositiveOrNone = 0
    edge: Literal["", "advantage", "disadvantage"] = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Begin the saves of the named combatants."""
        begin(tx, CALLED_SAVES.ask_saves, CalledSaves(require_targets(self.who), self.save, self.dc, self.edge))


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


@command(script="group check {who} {check} [against {dc}]", manual="group-check")
class GroupCheck(Command, frozen=True):
    """Call for a single ability check for a whole group, rolled by the first member."""

    who: CombatantIds
    check: CheckId
    dc: PositiveOrNone = 0

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Begin a group check. Refuse it if the system has no rules for groups."""
        members = require_targets(self.who)
        if not rules.data.groups.dc_base:
            raise Refused("refused.no_groups")
        begin(tx, GROUP_CHECK.ask_roll, GroupCheckInProgress(members, self.check, self.dc))


STAGES = stages_in(globals(), CALLED_SAVES, GROUP_CHECK)
