"""Results of checks and saves: the degree of success of a roll, or of a reported result, against a DC."""

from __future__ import annotations

from turnwright.dice.roll import Roll
from turnwright.encounter.procedure_state.asks import FAILED, FAILURE, MADE, AskResult, Degree, Option
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import Rolled, Skipped
from turnwright.rules.parts.checks import degrees
from turnwright.rules.parts.checks.degrees import degree_if_used, is_success, reported_degree
from turnwright.rules.system import RuleSystem

UNKNOWN_ROLL = Roll(origin="typed")


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
