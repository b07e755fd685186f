"""A countdown that has run out: its outcomes happen one after another, each only when the one before it is over."""

from __future__ import annotations

import msgspec

from turnwright.encounter.outcomes import AddWave, Announce, Outcome, StartCountdown, TriggerEntry
from turnwright.encounter.pending import Expiry, Harm, Hazard, Procedure
from turnwright.encounter.prepared import Countdown, Environment
from turnwright.encounter.running import Combatant, Pool
from turnwright.play.events import Announced, PoolExpired
from turnwright.play.minting import start_pool
from turnwright.play.procedures.loop import Answers, Stage, at, begin
from turnwright.play.procedures.waves import bring
from turnwright.play.transaction import Transaction
from turnwright.rules.system import RuleSystem


def expire(tx: Transaction, rules: RuleSystem, pool_id: str, parent: str = "") -> None:
    """Say that a pool has run out, and begin its outcomes."""
    pool = tx.need(Pool, pool_id)
    tx.update(pool, status="expired", dice=0)
    tx.emit(PoolExpired(countdown=pool.countdown, rule=rules.cite("countdown.expire")))
    begin(tx, "expiry", "outcome", Expiry(pool.countdown), parent)


def outcome(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Let the next outcome happen; come back here when it is over."""
    data = procedure.data
    assert isinstance(data, Expiry)
    countdown = tx.get(Countdown, data.countdown)
    if countdown is None or data.happened >= len(countdown.outcomes):
        return None
    happen(tx, rules, countdown.outcomes[data.happened], countdown.name, procedure.id)
    return at(procedure, "outcome", msgspec.structs.replace(data, happened=data.happened + 1))


def happen(tx: Transaction, rules: RuleSystem, outcome: Outcome, source: str, parent: str) -> None:
    """Carry out one outcome of a countdown."""
    if isinstance(outcome, Announce):
        tx.emit(Announced(text=outcome.text))
    elif isinstance(outcome, AddWave):
        bring(tx, rules, outcome.wave, parent=parent)
    elif isinstance(outcome, StartCountdown):
        countdown = tx.get(Countdown, outcome.countdown)
        if countdown is not None:
            start_pool(tx, rules, countdown)
    elif isinstance(outcome, TriggerEntry):
        if tx.get(Environment, outcome.environment) is not None:
            begin(tx, "hazard", "targets", Hazard(outcome.environment, outcome.entry, world=True), parent)
    else:
        struck = tuple(one.id for one in tx.all(Combatant) if not one.dead and outcome.side in ("", one.side))
        if struck:
            begin(tx, "harm", "roll", Harm(struck, outcome.damage, source), parent)


STAGES: dict[tuple[str, str], Stage] = {("expiry", "outcome"): outcome}
