"""Stages of a poison or another affliction: a failed save starts the first one, later saves move it up or down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from turnwright.encounter.lookups import clock_of, effects_named
from turnwright.encounter.prepared import AfflictionStage, Feature, InflictedCondition
from turnwright.encounter.procedure_state.asks import CRITICAL_FAILURE, CRITICAL_SUCCESS, FAILURE, SUCCESS
from turnwright.encounter.procedure_state.attacks import SAVE_EFFECT, SaveEffect
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import begin_effect, end_effect
from turnwright.rules.parts.actions.action_options import feature_rule
from turnwright.rules.system import RuleSystem, creature_of

_BY_DEGREE: Final[Mapping[str, int]] = {CRITICAL_SUCCESS: -2, SUCCESS: -1, FAILURE: 1, CRITICAL_FAILURE: 2}


def contract(
    tx: Transaction, rules: RuleSystem, feature: Feature, who: str, by: str, worse: int, parent: str = ""
) -> None:
    """Advance a feature's affliction on a target by some stages. A target without the affliction contracts it."""
    current = _held(tx, rules, feature, who)
    _get_to(tx, rules, feature, who, by, current, (current.value if current is not None else 0) + worse, parent)


def staged_feature(lookup: Lookup, effect: Effect) -> Feature | None:
    """Return the feature with stages behind an affliction, or None if it has no stages or its owner is gone."""
    owner = lookup.get(Combatant, effect.by)
    features = creature_of(lookup, owner).features if owner is not None else ()
    return next((feature for feature in features if feature.stages and feature.name == effect.source), None)


def after_save(
    tx: Transaction, rules: RuleSystem, effect: Effect, feature: Feature, degree: str, parent: str = ""
) -> None:
    """Move an affliction to another stage, depending on the degree of success of a save."""
    stage = effect.value + _BY_DEGREE.get(degree, 0)
    _get_to(tx, rules, feature, effect.target, effect.by, effect, stage, parent)


def _held(lookup: Lookup, rules: RuleSystem, feature: Feature, who: str) -> Effect | None:
    afflictions = effects_named(lookup, who, rules.role("affliction"))
    return next((affliction for affliction in afflictions if affliction.source == feature.name), None)


def _get_to(
    tx: Transaction,
    rules: RuleSystem,
    feature: Feature,
    who: str,
    by: str,
    current: Effect | None,
    stage: int,
    parent: str,
) -> None:
    """Move a target to a stage of an affliction. It ends below the first stage, or after its maximum duration."""
    rule, now = feature_rule(tx, rules, by, feature), clock_of(tx).round
    before = (
        feature.stages[current.value - 1] if current is not None and 0 < current.value <= len(feature.stages) else None
    )
    over = current is not None and 0 < feature.stage_rounds <= now - current.since_round + 1
    reached = None if stage < 1 or over else feature.stages[min(stage, len(feature.stages)) - 1]
    _lift(tx, rules, feature, who, before, reached, rule)
    if reached is None:
        if current is not None:
            end_effect(tx, rules, current, rule)
        return
    if current is None:
        name = rules.role("affliction")
        current = Effect(
            tx.next_id("effect"), who, name, feature.name, by=by, since_round=now, save=feature.save, dc=feature.dc
        )
    at = min(stage, len(feature.stages))
    begin_effect(tx, rules, msgspec.structs.replace(current, value=at), rule, valued=True)
    new_afflictions = tuple(
        affliction for affliction in reached.afflictions if _held_condition(tx, feature, who, affliction) is None
    )
    means = _as_feature(feature, reached.damage, new_afflictions)
    if means.damage or means.afflictions:
        begin(tx, SAVE_EFFECT.ask_saves, SaveEffect((by,), means, (who,)), parent)


def _lift(
    tx: Transaction,
    rules: RuleSystem,
    feature: Feature,
    who: str,
    before: AfflictionStage | None,
    reached: AfflictionStage | None,
    rule: str,
) -> None:
    """End the conditions of the previous stage, except permanent ones and those that the new stage also has."""
    remaining = reached.afflictions if reached is not None else ()
    for affliction in before.afflictions if before is not None else ():
        effect = _held_condition(tx, feature, who, affliction)
        if affliction.ends != "never" and affliction not in remaining and effect is not None:
            end_effect(tx, rules, effect, rule)


def _held_condition(lookup: Lookup, feature: Feature, who: str, inflicted: InflictedCondition) -> Effect | None:
    """Return a target's condition from a feature if its value is the same, otherwise None."""
    effects = (effect for effect in effects_named(lookup, who, inflicted.condition) if effect.source == feature.name)
    return next((effect for effect in effects if not inflicted.value or effect.value == inflicted.value), None)


def _as_feature(feature: Feature, damage: str, afflictions: tuple[InflictedCondition, ...]) -> Feature:
    """Return a stage's effects as a separate feature without a save. Its conditions last until the stage ends."""
    lasting = tuple(msgspec.structs.replace(affliction, ends="never") for affliction in afflictions)
    return Feature(feature.id, feature.name, damage=damage, afflictions=lasting, properties=feature.properties)
