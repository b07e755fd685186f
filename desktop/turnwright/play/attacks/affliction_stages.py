"""Stages of a poison or another affliction: the first by a failed save, and up and down by the degrees of further ones."""

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
    """Bring a target so many stages of a feature's affliction further, to the first if it hasn't got it yet."""
    held = _held(tx, rules, feature, who)
    _get_to(tx, rules, feature, who, by, held, (held.value if held is not None else 0) + worse, parent)


def staged_feature(lookup: Lookup, effect: Effect) -> Feature | None:
    """Return the feature with stages that an affliction comes from, None where it has none or its owner is gone."""
    by = lookup.get(Combatant, effect.by)
    features = creature_of(lookup, by).features if by is not None else ()
    return next((one for one in features if one.stages and one.name == effect.source), None)


def after_save(
    tx: Transaction, rules: RuleSystem, effect: Effect, feature: Feature, degree: str, parent: str = ""
) -> None:
    """Move an affliction to another stage by the degree of a save."""
    stage = effect.value + _BY_DEGREE.get(degree, 0)
    _get_to(tx, rules, feature, effect.target, effect.by, effect, stage, parent)


def _held(lookup: Lookup, rules: RuleSystem, feature: Feature, who: str) -> Effect | None:
    found = effects_named(lookup, who, rules.role("affliction"))
    return next((one for one in found if one.source == feature.name), None)


def _get_to(
    tx: Transaction,
    rules: RuleSystem,
    feature: Feature,
    who: str,
    by: str,
    held: Effect | None,
    stage: int,
    parent: str,
) -> None:
    """Bring a target to a stage of an affliction: below the first, and after its time, it is over."""
    rule, now = feature_rule(tx, rules, by, feature), clock_of(tx).round
    before = feature.stages[held.value - 1] if held is not None and 0 < held.value <= len(feature.stages) else None
    over = held is not None and 0 < feature.stage_rounds <= now - held.since_round + 1
    reached = None if stage < 1 or over else feature.stages[min(stage, len(feature.stages)) - 1]
    _lift(tx, rules, feature, who, before, reached, rule)
    if reached is None:
        if held is not None:
            end_effect(tx, rules, held, rule)
        return
    if held is None:
        name = rules.role("affliction")
        held = Effect(
            tx.next_id("effect"), who, name, feature.name, by=by, since_round=now, save=feature.save, dc=feature.dc
        )
    at = min(stage, len(feature.stages))
    begin_effect(tx, rules, msgspec.structs.replace(held, value=at), rule, valued=True)
    left = tuple(one for one in reached.afflictions if _held_condition(tx, feature, who, one) is None)
    means = _as_feature(feature, reached.damage, left)
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
    """End the conditions of the stage before that go with it, but for those that the stage reached has as well."""
    kept = reached.afflictions if reached is not None else ()
    for one in before.afflictions if before is not None else ():
        effect = _held_condition(tx, feature, who, one)
        if one.ends != "never" and one not in kept and effect is not None:
            end_effect(tx, rules, effect, rule)


def _held_condition(lookup: Lookup, feature: Feature, who: str, inflicted: InflictedCondition) -> Effect | None:
    """Return the condition of a feature that a target has, with its value."""
    found = (one for one in effects_named(lookup, who, inflicted.condition) if one.source == feature.name)
    return next((one for one in found if not inflicted.value or one.value == inflicted.value), None)


def _as_feature(feature: Feature, damage: str, afflictions: tuple[InflictedCondition, ...]) -> Feature:
    """Return what a stage does as a feature of its own, without a save; its conditions are lifted with it."""
    lasting = tuple(msgspec.structs.replace(one, ends="never") for one in afflictions)
    return Feature(feature.id, feature.name, damage=damage, afflictions=lasting, properties=feature.properties)
