"""Countdown pools: starting, rolling, changing and stopping them, and the outcomes when they expire."""

from typing import Annotated

from turnwright.encounter import prepared
from turnwright.encounter.field_specs import CountdownId, FieldSpec, PoolId
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.damage import DAMAGE_ROLL, DamageRoll
from turnwright.encounter.procedure_state.environment import (
    COUNTDOWN_OUTCOMES,
    ENVIRONMENT_EFFECT,
    CountdownOutcome,
    EnvironmentEffect,
)
from turnwright.encounter.running import Combatant, CountdownPool
from turnwright.play.environment.pool_records import withdraw_pool_asks
from turnwright.play.kernel.events import CountdownEvent, Event, journal
from turnwright.play.kernel.scheduler import Answers, Next, begin, goto
from turnwright.play.kernel.transaction import Command, Transaction, command, require, require_running
from turnwright.play.spawning.spawning import PoolStarted, spawn_wave
from turnwright.play.state.effect_records import start_followups
from turnwright.rules.system import Hook, HookContext, run_hooks
from turnwright.rules.word_keys import signed_text


@journal("journal.pool_expired", kind="world", what="countdown")
class PoolExpired(CountdownEvent, frozen=True):
    """A countdown lost its last die."""


@journal("journal.pool_running", kind="world", what="countdown")
class PoolRunning(CountdownEvent, frozen=True):
    """A running countdown was started again."""


@journal("journal.announced", kind="world")
class Announced(Event, frozen=True):
    """A text was announced to the group."""

    text: str


@journal("journal.pool_rolled", kind="world", what="countdown", faces="face_list")
class PoolRolled(CountdownEvent, frozen=True):
    """A countdown's dice were rolled. Dice showing `face` or higher were removed."""

    faces: tuple[int, ...]
    face: int
    left: int

    @property
    def face_list(self) -> str:
        """The faces separated by commas, or `?` if they are unknown."""
        return ", ".join(map(str, self.faces)) or "?"


def start_pool(tx: Transaction, countdown: prepared.Countdown) -> CountdownPool:
    """Start a countdown's pool. Its first roll is at the top of the next round."""
    pool = CountdownPool(countdown.id, countdown.id, countdown.dice, unstoppable=countdown.unstoppable)
    tx.put(pool)
    tx.emit(PoolStarted(countdown=countdown.id, dice=countdown.dice, rule=tx.rule_id("countdown.pool")))
    return pool


def roll_pool(tx: Transaction, pool: CountdownPool, faces: tuple[int, ...]) -> int:
    """Apply a pool's roll: remove all dice that show the removal number or more, and return how many remain."""
    lowest = tx.rules.countdown_faces[_speed(tx, pool)]
    return _keep_dice(tx, pool, sum(1 for face in faces if face < lowest), faces)


def set_dice_left(tx: Transaction, pool: CountdownPool, left: int) -> int:
    """Set the number of remaining dice in a pool, as entered by the user. Return the number."""
    return _keep_dice(tx, pool, max(0, min(left, pool.dice)))


def _keep_dice(tx: Transaction, pool: CountdownPool, left: int, faces: tuple[int, ...] = ()) -> int:
    speed = _speed(tx, pool)
    tx.update(pool, dice=left, last_faces=faces, rolls=pool.rolls + 1, status="running" if left else "expired")
    face, rule = tx.rules.countdown_faces[speed], tx.rule_id(f"countdown.{speed}")
    tx.emit(PoolRolled(countdown=pool.countdown, faces=faces, face=face, left=left, rule=rule))
    start_followups(tx, run_hooks(tx, tx.rules, Hook.COUNTDOWN_ROLLED, HookContext(subject=pool.countdown)))
    return left


def _speed(tx: Transaction, pool: CountdownPool) -> str:
    countdown = tx.get(prepared.Countdown, pool.countdown)
    return countdown.speed if countdown else "slow"


def pool_name(tx: Transaction, pool: CountdownPool) -> str:
    """Return the name of a pool's countdown."""
    countdown = tx.get(prepared.Countdown, pool.countdown)
    return countdown.name if countdown else pool.countdown


def begin_outcomes(tx: Transaction, pool_id: str, parent: str = "") -> None:
    """Report that a pool has expired, and begin its outcomes."""
    pool = tx.need(CountdownPool, pool_id)
    tx.update(pool, status="expired", dice=0)
    tx.emit(PoolExpired(countdown=pool.countdown, rule=tx.rule_id("countdown.expire")))
    begin(tx, COUNTDOWN_OUTCOMES.next_outcome, CountdownOutcome(pool.countdown), parent)


def next_outcome(tx: Transaction, procedure: Procedure, data: CountdownOutcome, answers: Answers) -> Next:
    """Apply the next outcome, and return to this stage once the outcome is over."""
    countdown = tx.get(prepared.Countdown, data.countdown)
    if countdown is None or data.outcomes_done >= len(countdown.outcomes):
        return None
    apply_outcome(tx, countdown.outcomes[data.outcomes_done], countdown.name, procedure.id)
    return goto(procedure, COUNTDOWN_OUTCOMES.next_outcome, data, outcomes_done=data.outcomes_done + 1)


def apply_outcome(tx: Transaction, outcome: prepared.Outcome, source: str, parent: str) -> None:
    """Apply one outcome of a countdown."""
    if isinstance(outcome, prepared.Announce):
        tx.emit(Announced(text=outcome.text))
    elif isinstance(outcome, prepared.AddWave):
        spawn_wave(tx, outcome.wave, parent=parent)
    elif isinstance(outcome, prepared.StartCountdown):
        countdown, pool = tx.get(prepared.Countdown, outcome.countdown), tx.get(CountdownPool, outcome.countdown)
        if pool is not None and pool.status == "running":
            tx.emit(PoolRunning(countdown=pool.countdown))
        elif countdown is not None:
            start_pool(tx, countdown)
    elif isinstance(outcome, prepared.TriggerEntry):
        if tx.get(prepared.Environment, outcome.environment) is not None:
            effect = EnvironmentEffect(outcome.environment, outcome.entry, by_world=True)
            begin(tx, ENVIRONMENT_EFFECT.ask_targets, effect, parent)
    else:
        living = (combatant for combatant in tx.all(Combatant) if not combatant.dead)
        targets = tuple(target.id for target in living if outcome.side in ("", target.side))
        if targets:
            begin(tx, DAMAGE_ROLL.ask_damage, DamageRoll(targets, outcome.damage, source), parent)


@command(script="countdown {countdown}")
class StartPool(Command, frozen=True):
    """Start a prepared countdown. Its first roll is at the top of the next round."""

    countdown: CountdownId

    def handle(self, tx: Transaction) -> None:
        """Start a prepared countdown, or restart it."""
        require_running(tx)
        pool = tx.get(CountdownPool, self.countdown)
        require(pool is None or pool.status != "running", "refused.pool_running")
        start_pool(tx, tx.need(prepared.Countdown, self.countdown))


@command(
    script="add (die | dice) {pool} {by=1} [{by}] [{reason}] | take (die | dice) {pool} {by=-1} [{by:negative}] [{reason}]"
)
class AdjustPool(Command, frozen=True):
    """Add dice to a countdown, or remove dice from it, with a reason."""

    pool: PoolId
    by: Annotated[int, FieldSpec(least=-100, most=100, label="adjust-pool.dice")]
    reason: Annotated[str, FieldSpec(label="adjust-pool.cause")] = ""

    def handle(self, tx: Transaction) -> None:
        """Add or remove dice. When none remain, the countdown expires."""
        pool = tx.need(CountdownPool, self.pool)
        require(pool.status not in ("expired", "stopped"), "refused.pool_over")
        left = max(0, pool.dice + self.by)
        tx.update(pool, dice=left, last_faces=())
        by, rule = left - pool.dice, tx.rule_id("countdown.adjust")
        tx.emit(PoolAdjusted(countdown=pool.countdown, by=by, left=left, reason=self.reason, rule=rule))
        if left == 0:
            begin_outcomes(tx, pool.id)


@journal(
    "journal.pool_adjusted", kind="world", when={"reason": "journal.pool_adjusted_for"}, what="countdown", by="signed"
)
class PoolAdjusted(CountdownEvent, frozen=True):
    """Dice were added to a countdown or removed from it."""

    by: int
    left: int
    reason: str = ""

    @property
    def signed(self) -> str:
        """The change with its sign."""
        return signed_text(self.by)


@command(script="stop {pool}")
class StopPool(Command, frozen=True):
    """Stop a countdown before it runs out."""

    pool: PoolId

    def handle(self, tx: Transaction) -> None:
        """Stop a countdown. Refuse an unstoppable one."""
        pool = tx.need(CountdownPool, self.pool)
        require(pool.status not in ("expired", "stopped"), "refused.pool_over")
        if pool.unstoppable:
            tx.forbid("refused.unstoppable", tx.rule_id("countdown.unstoppable"))
        tx.update(pool, status="stopped")
        withdraw_pool_asks(tx, pool.id)
        tx.emit(PoolStopped(countdown=pool.countdown, rule=tx.rule_id("countdown.stop")))


@journal("journal.pool_stopped", kind="world", what="countdown")
class PoolStopped(CountdownEvent, frozen=True):
    """A countdown was stopped."""


@command(script="unstoppable {pool} [yes | no {unstoppable=false}]")
class SetPoolUnstoppable(Command, frozen=True):
    """Set whether a countdown is unstoppable."""

    pool: PoolId
    unstoppable: bool = True

    def handle(self, tx: Transaction) -> None:
        """Set whether a countdown can be stopped."""
        pool = tx.need(CountdownPool, self.pool)
        tx.update(pool, unstoppable=self.unstoppable)
        rule = tx.rule_id("countdown.unstoppable")
        tx.emit(PoolUnstoppableSet(countdown=pool.countdown, unstoppable=self.unstoppable, rule=rule))


@journal("journal.pool_stoppable", kind="world", when={"unstoppable": "journal.pool_unstoppable"}, what="countdown")
class PoolUnstoppableSet(CountdownEvent, frozen=True):
    """A countdown was made unstoppable, or stoppable again."""

    unstoppable: bool
