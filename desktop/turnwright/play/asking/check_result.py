"""Checks that somebody makes on a row of an environment: against its DC, or against whoever casts at them."""

from __future__ import annotations

from turnwright.dice.roll import Roll
from turnwright.encounter.procedure_state.asks import FAILED, FAILURE, MADE, AskResult, Degree, Option
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import Rolled, Skipped
from turnwright.rules.parts.checks.degrees import degree_if_used, is_success, reported_degree
from turnwright.rules.system import RuleSystem

UNKNOWN_ROLL = Roll(origin="typed")


def pass_or_fail_options() -> tuple[Option, ...]:
    """Return what a person may say of a roll that the game has no figures for."""
    return (Option(MADE, "option.made"), Option(FAILED, "option.failed"))


def result_of(
    tx: Transaction, rules: RuleSystem, answer: AskResult, purpose: str, who: str, detail: str, dc: int, rule: str
) -> bool:
    """Hold an answer against a DC, say what was rolled, and return whether it was made."""
    return is_success(degree_of(tx, rules, answer, purpose, who, detail, dc, rule) or FAILURE)


def degree_of(
    tx: Transaction, rules: RuleSystem, answer: AskResult, purpose: str, who: str, detail: str, dc: int, rule: str
) -> Degree | None:
    """Hold an answer against a DC, say what was rolled and return how it went, None where it was passed over.

    Where dice are unknown, a person said how it went.
    """
    if not answer.chosen and answer.roll is None:
        tx.emit(Skipped(purpose=purpose, who=who, detail=detail))
        return None
    if answer.chosen or answer.roll is None:
        degree, thrown = reported_degree(answer.chosen), answer.roll or UNKNOWN_ROLL
    else:
        degree, thrown = rules.checks.degree(rules, answer.roll, dc) or FAILURE, answer.roll
    told = degree_if_used(rules, degree)
    passed = is_success(degree)
    tx.emit(Rolled(who=who, purpose=purpose, roll=thrown, detail=detail, dc=dc, passed=passed, degree=told, rule=rule))
    return degree
