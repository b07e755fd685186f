"""Countdown pools: starting and rolling them."""

from __future__ import annotations

from turnwright.encounter.prepared import Countdown
from turnwright.encounter.running import CountdownPool
from turnwright.play.environment.events import PoolRolled
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.spawning.events import PoolStarted
from turnwright.play.state.effect_records import start_followups
from turnwright.rules.hooks import Hook, HookContext, run_hooks
from turnwright.rules.system import RuleSystem


def start_pool(tx: Transaction, rules: RuleSystem, countdown: Countdown) -> CountdownPool:
    """Start a countdown's pool. Its first roll is at the top of the next round."""
    pool = CountdownPool(countdown.id, countdown.id, countdown.dice, unstoppable=countdown.unstoppable)
    tx.put(pool)
    tx.emit(PoolStarted(countdown=countdown.id, dice=countdown.dice, rule=rules.rule_id("countdown.pool")))
    return pool


def roll_pool(tx: Transaction, rules: RuleSystem, pool: CountdownPool, faces: tuple[int, ...]) -> int:
    """Apply a pool's roll: remove all dice that show the removal number or more, and return how many remain."""
    lowest = rules.countdown_faces[_speed(tx, pool)]
    return _keep_dice(tx, rules, pool, sum(1 for face in faces if face < lowest), faces)


def set_dice_left(tx: Transaction, rules: RuleSystem, pool: CountdownPool, left: int) -> int:
    """Set the number of remaining dice in a pool, as entered by the user. Return the number."""
    return _keep_dice(tx, rules, pool, max(0, min(left, pool.dice)))


def _keep_dice(tx: Transaction, rules: RuleSystem, pool: CountdownPool, left: int, faces: tuple[int, ...] = ()) -> int:
    speed = _speed(tx, pool)
    tx.update(pool, dice=left, last_faces=faces, rolls=pool.rolls + 1, status="running" if left else "expired")
    rule = rules.rule_id(f"countdown.{speed}")
    tx.emit(PoolRolled(countdown=pool.countdown, faces=faces, face=rules.countdown_faces[speed], left=left, rule=rule))
    start_followups(tx, run_hooks(tx, rules, Hook.COUNTDOWN_ROLLED, HookContext(subject=pool.countdown)))
    return left


def _speed(tx: Transaction, pool: CountdownPool) -> str:
    countdown = tx.get(Countdown, pool.countdown)
    return countdown.speed if countdown else "slow"


def pool_name(tx: Transaction, pool: CountdownPool) -> str:
    """Return the name of a pool's countdown."""
    countdown = tx.get(Countdown, pool.countdown)
    return countdown.name if countdown else pool.countdown
