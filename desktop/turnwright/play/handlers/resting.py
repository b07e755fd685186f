"""Commands of time that passes outside the rounds: rests, and hours of lying there."""

from __future__ import annotations

from turnwright.encounter.prepared import Per
from turnwright.encounter.running import Combatant, Effect, Track, track_id
from turnwright.play.commands import PassTime, Rest
from turnwright.play.events import Rested, TemporaryLost, TimePassed, TrackSet, Unaffected
from turnwright.play.harm import end_effect
from turnwright.play.levels import set_level
from turnwright.play.procedures.bleeding import wake_rested
from turnwright.play.procedures.dying import pass_hours
from turnwright.play.refusals import Refused
from turnwright.play.resources import need_running
from turnwright.play.supplies import renew_uses, restore
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.dying import FATIGUE
from turnwright.rules.system import RuleSystem

BLOCKED = "blocked-critical"  # who has paid with fatigue against a critical hit; any rest lets them do so again
SHORT_SPANS: tuple[Per, ...] = ("rest", "hour", "minute", "encounter", "round", "turn")
DAILY: tuple[Per, ...] = ("day", "long-rest")
SUPPLIES = ("slots", "recharge")


def rest(command: Rest, tx: Transaction, rules: RuleSystem) -> None:
    """Finish a rest. A long one ends temporary hit points, recovers fatigue and brings back slots and uses."""
    tx.emit(Rested(length=command.length, rule=rules.cite("temp.expire")))
    for combatant in list(tx.all(Combatant)):
        wake_rested(tx, rules, combatant.id, command.length)
        _renew_block(tx, rules, combatant.id)
        _get_breath_back(tx, rules, combatant.id)
        renew_uses(tx, combatant.id, *SHORT_SPANS)
        if command.length == "long":
            _lose_temporary(tx, rules, combatant)
            if not combatant.dead:
                _recover(tx, rules, combatant.id, haven=command.haven)
                restore(tx, combatant.id, *SUPPLIES)
                renew_uses(tx, combatant.id, *DAILY)


def _renew_block(tx: Transaction, rules: RuleSystem, who: str) -> None:
    for effect in [one for one in tx.all(Effect) if one.target == who and one.name == BLOCKED]:
        end_effect(tx, rules, effect)
    track = tx.get(Track, track_id(who, BLOCKED))
    if track is not None:
        tx.remove(track)


def _get_breath_back(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Take away the levels that exertion has cost: no rest is as short as what those last."""
    for option in rules.catalogue.actions:
        track = tx.get(Track, track_id(who, option.exertion.tires)) if option.exertion else None
        if option.exertion is not None and track is not None and track.value:
            rule = dict(option.exertion.ledgers).get("recovery", "")
            tx.remove(track)
            tx.emit(TrackSet(who=who, track=track.name, before=track.value, after=0, rule=rule))


def _lose_temporary(tx: Transaction, rules: RuleSystem, combatant: Combatant) -> None:
    combatant = tx.need(Combatant, combatant.id)
    if combatant.temp_hp and rules.cite("temp.expire"):
        tx.update(combatant, temp_hp=0)
        tx.emit(TemporaryLost(target=combatant.id, before=combatant.temp_hp, rule=rules.cite("temp.expire")))


def _recover(tx: Transaction, rules: RuleSystem, who: str, *, haven: bool) -> None:
    """Lower fatigue: that of the little weary anywhere, more only at a haven."""
    figures = rules.catalogue.dying.rest
    track = tx.get(Track, track_id(who, FATIGUE))
    levels = track.value if track else 0
    if not levels:
        return
    if levels > figures.anywhere and not haven:
        rule = rules.cite("recovery.haven")
        tx.emit(Unaffected(who=who, what="<why.rest>", reason="why.no_haven", rule=rule))
        return
    topic = "recovery.one-per-rest" if levels > figures.anywhere else "recovery.first-level"
    set_level(tx, rules, who, FATIGUE, levels - figures.recovers, rules.cite(topic))


def pass_time(command: PassTime, tx: Transaction, rules: RuleSystem) -> None:
    """Let hours go by, and see who comes round of those who lie stable."""
    need_running(tx)
    if command.hours < 1:
        raise Refused("refused.hours")
    tx.emit(TimePassed(hours=command.hours, rule=rules.cite("stable.recover")))
    for combatant in list(tx.all(Combatant)):
        _get_breath_back(tx, rules, combatant.id)
    pass_hours(tx, command.hours)
