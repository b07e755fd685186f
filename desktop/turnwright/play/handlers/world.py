"""Commands about the world: rows of environments, their readiness, and countdown pools."""

from __future__ import annotations

from turnwright.encounter.pending import Hazard
from turnwright.encounter.prepared import Countdown, Entry, Environment
from turnwright.encounter.running import Combatant, Pool
from turnwright.play.commands import AdjustPool, SetReady, SetUnstoppable, StartPool, StopPool, UseEntry
from turnwright.play.events import EntryFailed, PoolAdjusted, PoolStopped, PoolUnstoppable, ReadinessSet
from turnwright.play.minting import start_pool
from turnwright.play.procedures.expiry import expire
from turnwright.play.procedures.hazards import disturb
from turnwright.play.procedures.loop import begin
from turnwright.play.procedures.rounds import withdraw_pool
from turnwright.play.procedures.withdrawals import withdraw_offers
from turnwright.play.refusals import Refused
from turnwright.play.resources import need_running
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.surroundings import eligible, entry_in, ledger_for, state_of
from turnwright.rules.system import RuleSystem


def use_entry(command: UseEntry, tx: Transaction, rules: RuleSystem) -> None:
    """Set off a row by hand. What is spent, broken, out of reach or not brought down is said, not done."""
    need_running(tx)
    environment = tx.need(Environment, command.environment)
    row = entry_in(environment, command.entry)
    if row is None or not row.enabled:
        raise Refused("refused.no_such_row", params={"what": command.entry})
    for who in (*command.targets, *((command.actor,) if command.actor else ())):
        tx.need(Combatant, who)
    _need_usable(command, tx, rules, environment, row)
    if row.ac and command.attack is not None and command.attack < row.ac:
        reason = "why.attack_missed"
        tx.emit(
            EntryFailed(
                environment=environment.id, entry=row.id, actor=command.actor, reason=reason, rule=ledger_for(row)
            )
        )
        return
    if row.delay and not state_of(tx, environment.id, row.id).due:
        disturb(tx, rules, environment, row)
        return
    actor = "" if command.attack is not None else command.actor
    agreed = bool(command.targets) or (bool(actor) and row.affects in ("actor", "nobody")) or _tries(actor, row)
    targets = tuple(dict.fromkeys(command.targets)) or ((actor,) if actor and row.affects == "actor" else ())
    if row.trigger == "rolled" and actor:
        begin(tx, "hazard", "use", Hazard(environment.id, row.id, actor, targets))
    else:
        begin(tx, "hazard", "targets", Hazard(environment.id, row.id, actor, targets, agreed=agreed))


def _tries(actor: str, row: Entry) -> bool:
    """Return whether somebody tries a check of their own on a row, which strikes nobody yet."""
    return bool(actor) and row.check is not None


def _need_usable(command: UseEntry, tx: Transaction, rules: RuleSystem, environment: Environment, row: Entry) -> None:
    state = state_of(tx, environment.id, row.id)
    if state.broken:
        tx.forbid("refused.broken", ledger_for(row, "breaks"), what=row.name)
    if row.recharge and not state.ready:
        tx.forbid("refused.not_recharged", rules.cite("world.recharge.spent"), what=row.name)
    if row.reflects is not None and command.level > row.reflects:
        tx.forbid("refused.spell_level", ledger_for(row), what=row.name)
    allowed = {one.id for one in eligible(tx, environment, row, rules)}
    had = next((who for who in command.targets if who in state.targeted and who not in allowed), None)
    if row.once == "encounter" and had is not None:
        label = tx.need(Combatant, had).label
        tx.forbid("refused.targeted_before", ledger_for(row, "no-repeat"), what=row.name, who=label)


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
