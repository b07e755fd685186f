"""Cards that are withdrawn because what they offer has been used up by another."""

from __future__ import annotations

from turnwright.encounter.pending import Expiry, Hazard, Procedure
from turnwright.encounter.prepared import Entry, Environment
from turnwright.play.events import EntryFailed
from turnwright.play.procedures.loop import prompt_of
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.surroundings import ledger_for
from turnwright.rules.system import RuleSystem

BROKEN = "why.broken_meanwhile"
BEFORE_USE = ("agreed", "caster")  # the stages of a hazard that wait for a person before the row is spent


def withdraw_offers(tx: Transaction, rules: RuleSystem, environment: Environment, row: Entry, user: str = "") -> None:
    """Withdraw every open card that offers a row which is being spent, but for that of the procedure `user`.

    What a countdown sets off needs no row that is ready, so its card stays.
    """
    for procedure in _offering(tx, environment, row, user):
        if not _by_countdown(tx, procedure):
            rule = rules.cite("world.recharge.spent")
            _withdraw(tx, procedure, environment, row, "why.spent_meanwhile", rule)


def withdraw_broken(tx: Transaction, rules: RuleSystem, environment: Environment, row: Entry, user: str) -> None:
    """Withdraw every open card that offers a row which the procedure `user` breaks, whoever offers it."""
    for procedure in _offering(tx, environment, row, user):
        _withdraw(tx, procedure, environment, row, BROKEN, ledger_for(row, rules.cite("env.rule.mirror-breaks")))


def _offering(tx: Transaction, environment: Environment, row: Entry, user: str) -> list[Procedure]:
    return [one for one in tx.all(Procedure) if one.id != user and _offers(one, environment, row)]


def _offers(procedure: Procedure, environment: Environment, row: Entry) -> bool:
    data = procedure.data
    if not isinstance(data, Hazard) or procedure.stage not in BEFORE_USE:
        return False
    return (data.environment, data.entry) == (environment.id, row.id)


def _by_countdown(tx: Transaction, procedure: Procedure) -> bool:
    parent = tx.get(Procedure, procedure.parent)
    return parent is not None and isinstance(parent.data, Expiry)


def _withdraw(
    tx: Transaction, procedure: Procedure, environment: Environment, row: Entry, reason: str, rule: str
) -> None:
    prompt = prompt_of(tx, procedure.id)
    if prompt is not None:
        tx.remove(prompt)
    tx.remove(procedure)
    tx.emit(EntryFailed(environment=environment.id, entry=row.id, reason=reason, rule=rule))
