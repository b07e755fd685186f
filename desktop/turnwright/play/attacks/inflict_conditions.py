"""Conditions, persistent damage and pushes of a feature, the save against them, and afflictions with stages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from turnwright.encounter.prepared import AfflictionStage, Feature, InflictedCondition
from turnwright.encounter.procedure_state.asks import CRITICAL_FAILURE, CRITICAL_SUCCESS, FAILURE, SUCCESS, Ask
from turnwright.encounter.procedure_state.attacks import SAVE_EFFECT, SaveEffect
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup, clock_of, effects_named
from turnwright.play.effects.conditions import put_persistent_damage
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.forced_movement import push
from turnwright.play.state.effect_records import EndedBy, begin_effect, duration_of, end_effect, put_condition
from turnwright.play.state.events import Unaffected
from turnwright.rules.parts.actions.action_options import feature_rule
from turnwright.rules.parts.checks.ability_checks import result_options, save_roll
from turnwright.rules.system import creature_of

_BY_DEGREE: Final[Mapping[str, int]] = {CRITICAL_SUCCESS: -2, SUCCESS: -1, FAILURE: 1, CRITICAL_FAILURE: 2}


def save_ask(
    tx: Transaction, save: str, dc: int, who: str, by: str, rule: str, *, id: str = "save", tags: tuple[str, ...] = ()
) -> Ask:
    """Return the ask for the save against a feature. If the DC is unknown, ask for the outcome instead.

    `tags` classify the threat that the save is against.
    """
    detail = f"<save.{save}>"
    if not dc:
        return Ask(id, "choice", "ask.save", who, detail, options=result_options(tx.rules), rule=rule)
    other = by if tx.get(Combatant, by) is not None else ""
    return Ask(id, "roll", "ask.save", who, detail, save_roll(tx, tx.rules, who, save, other, tags), dc, rule=rule)


def inflict(
    tx: Transaction,
    feature: Feature,
    targets: tuple[str, ...],
    by: str,
    rule: str,
    parent: str = "",
    *,
    degree: str = "",
    saved: bool = False,
) -> None:
    """Apply a feature's conditions, persistent damage and pushes to its targets.

    Effects of a feature that needs concentration end with the concentration. If that is already lost, they don't apply.
    `degree` is the degree of success of the save or the attack. `saved`: only effects of exactly that degree apply.
    """
    applying = tuple(
        affliction
        for affliction in feature.afflictions
        if affliction.degree == degree or not (affliction.degree or saved)
    )
    feature = msgspec.structs.replace(feature, afflictions=applying)
    if saved:
        feature = msgspec.structs.replace(feature, ongoing="", push=0)
    present = tuple(who for who in targets if tx.get(Combatant, who) is not None)
    lasting = bool(feature.afflictions or feature.ongoing)
    for who in present if lasting else ():
        if feature.concentration and not _is_held(tx, feature, by):
            why, concentration_rule = "why.concentration_lost", tx.rule_id("external.concentration")
            tx.emit(Unaffected(who=who, what=feature.name, reason=why, rule=concentration_rule))
        else:
            _leave(tx, feature, who, by, rule)
    push(tx, present, feature.push, source=feature.name, pusher=by, rule=rule, parent=parent)


def _is_held(tx: Transaction, means: Feature, by: str) -> bool:
    return any((effect.name, effect.source) == (tx.role("concentrating"), means.name) for effect in tx.of(Effect, by))


def _leave(tx: Transaction, means: Feature, who: str, by: str, rule: str) -> None:
    holder = by if means.concentration else ""
    for affliction in means.afflictions:
        saves_again = affliction.ends == "saved" and bool(means.save and means.dc)
        put_condition(
            tx,
            who,
            affliction.condition,
            value=affliction.value or affliction.escape_dc,
            ends=duration_of(tx, affliction, who, by=by),
            source=means.name,
            rule=rule,
            ended_by=EndedBy(affliction.break_free, holder, *((means.save, means.dc) if saves_again else ())),
        )
    if means.ongoing:
        put_persistent_damage(tx, who, means.ongoing, source=means.name, by=by, held_by=holder)


def contract(tx: Transaction, feature: Feature, who: str, by: str, worse: int, parent: str = "") -> None:
    """Advance a feature's affliction on a target by some stages. A target without the affliction contracts it."""
    current = _held(tx, feature, who)
    _get_to(tx, feature, who, by, current, (current.value if current is not None else 0) + worse, parent)


def staged_feature(lookup: Lookup, effect: Effect) -> Feature | None:
    """Return the feature with stages behind an affliction, or None if it has no stages or its owner is gone."""
    owner = lookup.get(Combatant, effect.by)
    features = creature_of(lookup, owner).features if owner is not None else ()
    return next((feature for feature in features if feature.stages and feature.name == effect.source), None)


def after_save(tx: Transaction, effect: Effect, feature: Feature, degree: str, parent: str = "") -> None:
    """Move an affliction to another stage, depending on the degree of success of a save."""
    _get_to(tx, feature, effect.target, effect.by, effect, effect.value + _BY_DEGREE.get(degree, 0), parent)


def _held(tx: Transaction, feature: Feature, who: str) -> Effect | None:
    afflictions = effects_named(tx, who, tx.rules.role("affliction"))
    return next((affliction for affliction in afflictions if affliction.source == feature.name), None)


def _get_to(
    tx: Transaction, feature: Feature, who: str, by: str, current: Effect | None, stage: int, parent: str
) -> None:
    """Move a target to a stage of an affliction. It ends below the first stage, or after its maximum duration."""
    rule, now = feature_rule(tx, tx.rules, by, feature), clock_of(tx).round
    stage_before = current.value if current is not None else 0
    before = feature.stages[stage_before - 1] if 0 < stage_before <= len(feature.stages) else None
    over = current is not None and 0 < feature.stage_rounds <= now - current.since_round + 1
    reached = None if stage < 1 or over else feature.stages[min(stage, len(feature.stages)) - 1]
    _lift(tx, feature, who, before, reached, rule)
    if reached is None:
        if current is not None:
            end_effect(tx, current, rule)
        return
    if current is None:
        id, name, save, dc = tx.next_id("effect"), tx.role("affliction"), feature.save, feature.dc
        current = Effect(id, who, name, feature.name, by=by, since_round=now, save=save, dc=dc)
    begin_effect(tx, msgspec.structs.replace(current, value=min(stage, len(feature.stages))), rule, valued=True)
    new_afflictions = tuple(
        affliction for affliction in reached.afflictions if _held_condition(tx, feature, who, affliction) is None
    )
    means = _as_feature(feature, reached.damage, new_afflictions)
    if means.damage or means.afflictions:
        begin(tx, SAVE_EFFECT.ask_saves, SaveEffect((by,), means, (who,)), parent)


def _lift(
    tx: Transaction,
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
            end_effect(tx, effect, rule)


def _held_condition(lookup: Lookup, feature: Feature, who: str, inflicted: InflictedCondition) -> Effect | None:
    """Return a target's condition from a feature if its value is the same, otherwise None."""
    effects = (effect for effect in effects_named(lookup, who, inflicted.condition) if effect.source == feature.name)
    return next((effect for effect in effects if not inflicted.value or effect.value == inflicted.value), None)


def _as_feature(feature: Feature, damage: str, afflictions: tuple[InflictedCondition, ...]) -> Feature:
    """Return a stage's effects as a separate feature without a save. Its conditions last until the stage ends."""
    lasting = tuple(msgspec.structs.replace(affliction, ends="never") for affliction in afflictions)
    return Feature(feature.id, feature.name, damage=damage, afflictions=lasting, properties=feature.properties)
