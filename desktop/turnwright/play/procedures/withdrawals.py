"""Cards that are withdrawn because what they offer has been used up by another."""

from __future__ import annotations

from turnwright.encounter.pending import Expiry, Hazard, Procedure
from turnwright.encounter.prepared import Entry, Environment
from turnwright.play.events import EntryFailed
from turnwright.play.procedures.loop import prompt_of
from turnwright.play.transaction import Transaction
from turnwright.rules.system import RuleSystem

BEFORE_USE = ("agreed", "caster")  # the stages of a hazard that wait for a person before the row is spent


def withdraw_offers(tx: Transaction, rules: RuleSystem, environment: Environment, row: Entry, user: str = "") -> None:
    """Withdraw every open card that offers a row which is being spent, but for that of the procedure `user`.

    What a countdown sets off needs no row that is ready, so its card stays.
    """
    for procedure in list(tx.all(Procedure)):
        if procedure.id != user and _offers(tx, procedure, environment, row):
            prompt = prompt_of(tx, procedure.id)
            if prompt is not None:
                tx.remove(prompt)
            tx.remove(procedure)
            rule = rules.cite("world.recharge.spent")
            tx.emit(EntryFailed(environment=environment.id, entry=row.id, reason="why.spent_meanwhile", rule=rule))


def _offers(tx: Transaction, procedure: Procedure, environment: Environment, row: Entry) -> bool:
    data = procedure.data
    if not isinstance(data, Hazard) or procedure.stage not in BEFORE_USE:
        return False
    parent = tx.get(Procedure, procedure.parent)
    by_countdown = parent is not None and isinstance(parent.data, Expiry)
    return (data.environment, data.entry) == (environment.id, row.id) and not by_countdown
