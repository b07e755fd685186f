"""Commands about the world: rows of environments, their readiness, and countdown pools."""

from __future__ import annotations

from turnwright.encounter.prepared import Countdown, Environment
from turnwright.encounter.running import Pool
from turnwright.play.commands import AdjustPool, BringWave, SetReady, SetUnstoppable, StartPool, StopPool, UseEntry
from turnwright.play.events import PoolAdjusted, PoolStopped, PoolUnstoppable, ReadinessSet
from turnwright.play.minting import start_pool
from turnwright.play.procedures.expiry import expire
from turnwright.play.procedures.rounds import withdraw_pool
from turnwright.play.procedures.setting_off import set_off
from turnwright.play.procedures.waves import BY_HAND, bring, waiting_waves
from turnwright.play.procedures.withdrawals import withdraw_offers
from turnwright.play.refusals import Refused
from turnwright.play.resources import need_running
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.surroundings import entry_in, state_of
from turnwright.rules.system import RuleSystem


def use_entry(command: UseEntry, tx: Transaction, rules: RuleSystem) -> None:
    """Set off a row by hand."""
    need_running(tx)
    set_off(tx, rules, command)


def set_ready(command: SetReady, tx: Transaction, rules: RuleSystem) -> None:
    """Recharge a world action by hand, or spend it; what offers it then is withdrawn."""
    need_running(tx)
    environment = tx.need(Environment, command.environment)
    row = entry_in(environment, command.entry)
    if row is None:
        raise Refused("refused.no_such_row", params={"what": command.entry})
    tx.update(state_of(tx, command.environment, command.entry), ready=command.ready)
    tx.emit(ReadinessSet(environment=command.environment, entry=command.entry, ready=command.ready))
    if not command.ready:
        withdraw_offers(tx, rules, environment, row)


def bring_wave(command: BringWave, tx: Transaction, rules: RuleSystem) -> None:
    """Bring in a wave by hand, as often as somebody says so; without a name the first that has not come yet."""
    need_running(tx)
    wave = command.wave or next(iter(waiting_waves(tx)), "")
    if not wave:
        raise Refused("refused.no_wave")
    if not bring(tx, rules, wave, BY_HAND):
        raise Refused("refused.no_such_wave", params={"what": wave})


def start_pool_command(command: StartPool, tx: Transaction, rules: RuleSystem) -> None:
    """Start a prepared countdown, or start it over."""
    need_running(tx)
    pool = tx.get(Pool, command.countdown)
    if pool is not None and pool.status == "running":
        raise Refused("refused.pool_running")
    start_pool(tx, rules, tx.need(Countdown, command.countdown))


def adjust_pool(command: AdjustPool, tx: Transaction, rules: RuleSystem) -> None:
    """Add dice or take some; when the last one goes, the countdown expires."""
    pool = tx.need(Pool, command.pool)
    if pool.status in ("expired", "stopped"):
        raise Refused("refused.pool_over")
    left = max(0, pool.dice + command.by)
    tx.update(pool, dice=left, faces=())
    tx.emit(
        PoolAdjusted(
            countdown=pool.countdown,
            by=left - pool.dice,
            left=left,
            reason=command.reason,
            rule=rules.cite("countdown.adjust"),
        )
    )
    if left == 0:
        expire(tx, rules, pool.id)


def stop_pool(command: StopPool, tx: Transaction, rules: RuleSystem) -> None:
    """Stop a countdown, unless it can't be."""
    pool = tx.need(Pool, command.pool)
    if pool.status in ("expired", "stopped"):
        raise Refused("refused.pool_over")
    if pool.unstoppable:
        tx.forbid("refused.unstoppable", rules.cite("countdown.unstoppable"))
    tx.update(pool, status="stopped")
    withdraw_pool(tx, pool.id)
    tx.emit(PoolStopped(countdown=pool.countdown, rule=rules.cite("countdown.stop")))


def set_unstoppable(command: SetUnstoppable, tx: Transaction, rules: RuleSystem) -> None:
    """Say whether a pool can be stopped."""
    pool = tx.need(Pool, command.pool)
    tx.update(pool, unstoppable=command.unstoppable)
    rule = rules.cite("countdown.unstoppable")
    tx.emit(PoolUnstoppable(countdown=pool.countdown, unstoppable=command.unstoppable, rule=rule))
