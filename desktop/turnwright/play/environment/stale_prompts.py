"""Withdrawing prompts that offer something another procedure has used up."""

from __future__ import annotations

from turnwright.encounter.prepared import Environment, EnvironmentEntry
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.environment import ENVIRONMENT_EFFECT, CountdownOutcome, EnvironmentEffect
from turnwright.play.environment.environment_check import report_failed
from turnwright.play.kernel.scheduler import close_prompt
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.environment.entries import entry_rule
from turnwright.rules.system import RuleSystem

BROKEN_MEANWHILE = "why.broken_meanwhile"
# The stages that wait for the user before the entry is spent.
STAGES_BEFORE_USE = (ENVIRONMENT_EFFECT.confirm_targets, ENVIRONMENT_EFFECT.ask_caster)


def withdraw_offers(
    tx: Transaction, rules: RuleSystem, environment: Environment, entry: EnvironmentEntry, used_by: str = ""
) -> None:
    """Withdraw all open prompts that offer a spent entry, except the prompt of the procedure `used_by`.

    A prompt that a countdown opened stays, because a countdown can use an entry that isn't ready.
    """
    for procedure in _offering(tx, environment, entry, used_by):
        if not _by_countdown(tx, procedure):
            rule = rules.rule_id("world.recharge.spent")
            _withdraw(tx, procedure, environment, entry, "why.spent_meanwhile", rule)


def withdraw_broken(
    tx: Transaction, rules: RuleSystem, environment: Environment, entry: EnvironmentEntry, used_by: str
) -> None:
    """Withdraw all open prompts that offer an entry that the procedure `used_by` broke."""
    for procedure in _offering(tx, environment, entry, used_by):
        rule = entry_rule(entry, rules.rule_id("env.rule.mirror-breaks"))
        _withdraw(tx, procedure, environment, entry, BROKEN_MEANWHILE, rule)


def _offering(tx: Transaction, environment: Environment, row: EnvironmentEntry, user: str) -> list[Procedure]:
    return [
        procedure for procedure in tx.all(Procedure) if procedure.id != user and _offers(procedure, environment, row)
    ]


def _offers(procedure: Procedure, environment: Environment, row: EnvironmentEntry) -> bool:
    data = procedure.data
    if not isinstance(data, EnvironmentEffect) or procedure.at not in STAGES_BEFORE_USE:
        return False
    return (data.environment, data.entry) == (environment.id, row.id)


def _by_countdown(tx: Transaction, procedure: Procedure) -> bool:
    parent = tx.get(Procedure, procedure.parent)
    return parent is not None and isinstance(parent.data, CountdownOutcome)


def _withdraw(
    tx: Transaction, procedure: Procedure, environment: Environment, row: EnvironmentEntry, reason: str, rule: str
) -> None:
    close_prompt(tx, procedure.id)
    tx.remove(procedure)
    report_failed(tx, environment, row, reason, rule)
