"""The state of characters between fights, recorded at the end of a fight and applied at the start of the next."""

from __future__ import annotations

from turnwright.encounter.prepared import CharacterState, LastingCondition, RosterEntry
from turnwright.encounter.running import Combatant, Effect, ShapeChange, Track, track_id
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import put_effect
from turnwright.rules.parts.damage.dying import level_conditions
from turnwright.rules.parts.economy.limited_uses import USES, maximum_uses, use_track
from turnwright.rules.system import RuleSystem, creature_of

SLOTS = "slots."
SHORT_PERIODS = frozenset({"encounter", "round", "turn", "minute"})


def character_state(lookup: Lookup, rules: RuleSystem, who: str) -> CharacterState | None:
    """Return the lasting state of a combatant, or None if it is fully rested."""
    combatant = lookup.need(Combatant, who)
    tracks = tuple((track.name, track.value) for track in lookup.of(Track, who) if _lasts(lookup, rules, who, track))
    leveled = set(level_conditions(rules).values())
    conditions = tuple(
        LastingCondition(effect.name, max(0, effect.value), effect.note)
        for effect in lookup.of(Effect, who)
        if _is_lasting(rules, effect) and effect.name not in leveled
    )
    shape = lookup.get(ShapeChange, who)
    hp, most = (combatant.hp, combatant.hp_max) if shape is None else (shape.hp, shape.hp_max)
    if hp == most and not (combatant.temp_hp or combatant.dead or tracks or conditions):
        return None
    return CharacterState(hp, combatant.temp_hp, combatant.dead, tracks, conditions)


def apply_character_state(tx: Transaction, rules: RuleSystem, entry: RosterEntry, who: str) -> None:
    """Apply the character state stored in a combatant's roster entry, if there is one."""
    state = entry.state
    if state is None:
        return
    combatant = tx.need(Combatant, who)
    tx.update(combatant, hp=min(state.hp, combatant.hp_max), temp_hp=state.temp_hp, dead=state.dead)
    levels = level_conditions(rules)
    for name, value in state.tracks:
        if name.startswith((SLOTS, USES)):
            if maximum_uses(tx, who, name):
                tx.put(use_track(tx, who, name, min(value, maximum_uses(tx, who, name))))
            continue
        track = tx.get(Track, track_id(who, name)) or Track(track_id(who, name), who, name)
        tx.update(track, value=value)
        if name in levels and value:
            put_effect(tx, rules, Effect(tx.next_id("effect"), who, levels[name], value=value))
    for condition in state.conditions:
        if condition.name in rules.conditions:
            effect = Effect(tx.next_id("effect"), who, condition.name, value=condition.value, note=condition.note)
            put_effect(tx, rules, effect)


def _lasts(lookup: Lookup, rules: RuleSystem, who: str, track: Track) -> bool:
    """Return whether the value of a track is carried over to the next fight."""
    if track.name in level_conditions(rules):
        return track.value > 0
    if track.name.startswith(SLOTS):
        return track.value < maximum_uses(lookup, who, track.name)
    if track.name.startswith(USES):
        id = track.name.removeprefix(USES)
        feature = next(
            (
                candidate
                for candidate in creature_of(lookup, lookup.need(Combatant, who)).features
                if candidate.id == id
            ),
            None,
        )
        lasting = feature is not None and feature.per not in SHORT_PERIODS
        return lasting and track.value < maximum_uses(lookup, who, track.name)
    resource = rules.resources.get(track.name)
    return resource is not None and resource.refill == "never" and resource.own and track.value < track.maximum


def _is_lasting(rules: RuleSystem, effect: Effect) -> bool:
    """Return whether an effect is a condition that continues after a fight."""
    is_own = not (effect.by or effect.concentrator or effect.rounds_left or effect.uses_left or effect.sustained)
    lasts = effect.ends.moment == "never" and effect.shown and effect.name in rules.conditions
    return is_own and lasts and effect.name != rules.role("prone")
