"""An expired countdown: its outcomes happen one after another."""

from __future__ import annotations

from turnwright.encounter.countdown_outcomes import AddWave, Announce, Outcome, StartCountdown, TriggerEntry
from turnwright.encounter.prepared import Countdown, Environment
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.damage import DAMAGE_ROLL, DamageRoll
from turnwright.encounter.procedure_state.environment import (
    COUNTDOWN_OUTCOMES,
    ENVIRONMENT_EFFECT,
    CountdownOutcome,
    EnvironmentEffect,
)
from turnwright.encounter.running import Combatant, CountdownPool
from turnwright.play.environment.countdown_pools import start_pool
from turnwright.play.environment.events import Announced, PoolExpired, PoolRunning
from turnwright.play.kernel.scheduler import Answers, begin, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.spawning.waves import spawn_wave
from turnwright.rules.system import RuleSystem


def begin_outcomes(tx: Transaction, rules: RuleSystem, pool_id: str, parent: str = "") -> None:
    """Report that a pool has expired, and begin its outcomes."""
    pool = tx.need(CountdownPool, pool_id)
    tx.update(pool, status="expired", dice=0)
    tx.emit(PoolExpired(countdown=pool.countdown, rule=rules.rule_id("countdown.expire")))
    begin(tx, COUNTDOWN_OUTCOMES.next_outcome, CountdownOutcome(pool.countdown), parent)


def next_outcome(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Apply the next outcome, and return to this stage once the outcome is over."""
    data = data_of(procedure, CountdownOutcome)
    countdown = tx.get(Countdown, data.countdown)
    if countdown is None or data.outcomes_done >= len(countdown.outcomes):
        return None
    apply_outcome(tx, rules, countdown.outcomes[data.outcomes_done], countdown.name, procedure.id)
    return goto(procedure, COUNTDOWN_OUTCOMES.next_outcome, data, outcomes_done=data.outcomes_done + 1)


def apply_outcome(tx: Transaction, rules: RuleSystem, outcome: Outcome, source: str, parent: str) -> None:
    """Apply one outcome of a countdown."""
    if isinstance(outcome, Announce):
        tx.emit(Announced(text=outcome.text))
    elif isinstance(outcome, AddWave):
        spawn_wave(tx, rules, outcome.wave, parent=parent)
    elif isinstance(outcome, StartCountdown):
        countdown, pool = tx.get(Countdown, outcome.countdown), tx.get(CountdownPool, outcome.countdown)
        if pool is not None and pool.status == "running":
            tx.emit(PoolRunning(countdown=pool.countdown))
        elif countdown is not None:
            start_pool(tx, rules, countdown)
    elif isinstance(outcome, TriggerEntry):
        if tx.get(Environment, outcome.environment) is not None:
            effect = EnvironmentEffect(outcome.environment, outcome.entry, by_world=True)
            begin(tx, ENVIRONMENT_EFFECT.ask_targets, effect, parent)
    else:
        targets = tuple(
            combatant.id
            for combatant in tx.all(Combatant)
            if not combatant.dead and outcome.side in ("", combatant.side)
        )
        if targets:
            begin(tx, DAMAGE_ROLL.ask_damage, DamageRoll(targets, outcome.damage, source), parent)


STAGES = stages_in(globals(), COUNTDOWN_OUTCOMES)
