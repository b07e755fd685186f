"""Tracks and levels: fatigue and strife, fatigue that is pending until the encounter ends, and doom."""

from __future__ import annotations

from turnwright.encounter.lookups import effects_named, find_effect, is_encounter_running, track_value
from turnwright.encounter.running import Combatant, Effect, Track, track_id
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import end_effect, put_condition, put_effect
from turnwright.play.state.events import TrackSet, Unaffected
from turnwright.rules.parts.conditions.condition_rules import is_immune_to
from turnwright.rules.parts.damage.dying import FATIGUE, PENDING_FATIGUE, effective_fatigue, level_conditions
from turnwright.rules.system import RuleSystem


def change_track(tx: Transaction, who: str, name: str, by: int, rule: str = "") -> None:
    """Add to a track, which is created if necessary. It never falls below 0."""
    track = tx.get(Track, track_id(who, name)) or Track(track_id(who, name), who, name)
    after = max(0, track.value + by)
    tx.update(track, value=after)
    tx.emit(TrackSet(who=who, track=name, before=track.value, after=after, rule=rule))


def add_levels(tx: Transaction, rules: RuleSystem, who: str, track: str, levels: int, rule: str = "") -> None:
    """Give a combatant levels of fatigue or strife. Fatigue gained in an encounter is pending until it ends."""
    if levels < 1:
        return
    if is_immune_to(tx, who, track):
        reason = rules.rule_id("immunity.conditions")
        tx.emit(
            Unaffected(
                who=who,
                what=f"<condition.{level_conditions(rules).get(track, track)}>",
                reason="why.condition_immune",
                rule=reason,
            )
        )
    elif track == FATIGUE and is_encounter_running(tx):
        change_track(tx, who, PENDING_FATIGUE, levels, rule)
    else:
        set_level(tx, rules, who, track, levels + track_value(tx, who, track), rule)
        apply_doomed(tx, rules, who)


def set_level(tx: Transaction, rules: RuleSystem, who: str, track: str, value: int, rule: str = "") -> None:
    """Set a level track. Its condition applies while the level is above 0."""
    name = level_conditions(rules).get(track, track)
    before = tx.get(Track, track_id(who, track)) or Track(track_id(who, track), who, track)
    value = max(0, value)
    tx.put(Track(before.id, who, track, value, before.maximum))
    tx.emit(TrackSet(who=who, track=track, before=before.value, after=value, rule=rule))
    effect = find_effect(tx, who, name)
    if value and effect is None:
        put_effect(tx, rules, Effect(tx.next_id("effect"), who, name, value=value))
    elif value and effect is not None:
        tx.update(effect, value=value)
    elif effect is not None:
        end_effect(tx, rules, effect)


def apply_pending_fatigue(tx: Transaction, rules: RuleSystem) -> None:
    """Apply the pending fatigue of all living combatants after the encounter."""
    for combatant in list(tx.all(Combatant)):
        waiting = tx.get(Track, track_id(combatant.id, PENDING_FATIGUE))
        if waiting is not None and waiting.value and not combatant.dead:
            tx.update(waiting, value=0)
            levels = waiting.value + track_value(tx, combatant.id, FATIGUE)
            set_level(tx, rules, combatant.id, FATIGUE, levels, rules.rule_id("fatigue.deferred"))
            apply_doomed(tx, rules, combatant.id)


def apply_doomed(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Apply Doomed to a combatant whose fatigue has reached the system's limit."""
    at = rules.data.dying.doomed_at
    if at and not effects_named(tx, who, rules.role("doomed")) and effective_fatigue(tx, who) >= at:
        put_condition(
            tx, rules, who, rules.role("doomed"), source=f"<track.{FATIGUE}>", rule=rules.rule_id("fatigue.seven")
        )
