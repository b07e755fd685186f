"""The steps of a feature, and the available ways to carry out each step.

Range checks for features that don't have an attack roll.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from turnwright.encounter.prepared import (
    ALL_FEATURES,
    ANY_ATTACK,
    ANY_CONDITION,
    ANY_MELEE,
    STEP_KINDS,
    Creature,
    Feature,
    FeatureStep,
)
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.parts import positions
from turnwright.rules.parts.actions.action_options import feature_rule
from turnwright.rules.parts.actions.spell_features import caster_of, spell_feature
from turnwright.rules.parts.attacks.attack_targeting import is_attack, ranges
from turnwright.rules.parts.conditions.predicates import is_there
from turnwright.rules.parts.movement.opportunity_attacks import melee_attacks
from turnwright.rules.system import RuleSystem, Veto, creature_of


class Way(NamedTuple):
    """A way to carry out a step: the step, the name on a card, and the feature used, or None if there is none."""

    id: str
    name: str
    step: FeatureStep
    feature: Feature | None = None


def steps_of(feature: Feature, *, paid: bool = True) -> tuple[FeatureStep, ...]:
    """Return the steps of a feature, or the attacks of a multiattack that has a single variant.

    `paid`: the multiattack has paid for its attacks, so they don't count against another action.
    """
    if feature.does or not paid or len(feature.multiattack) != 1:
        return feature.does
    return tuple(FeatureStep(use=id) for id, count in feature.multiattack[0] for _ in range(count))


def steps_at(steps: tuple[FeatureStep, ...], place: int) -> tuple[FeatureStep, ...]:
    """Return the step at a position, with the alternatives that can replace it."""
    end = next((at for at in range(place + 1, len(steps)) if not steps[at].instead), len(steps))
    return steps[place:end]


def ways_of(lookup: Lookup, rules: RuleSystem, who: str, step: FeatureStep) -> tuple[Way, ...]:
    """Return the ways to carry out a step: several if any attack will do, none if its feature doesn't exist."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    if step.use in (ANY_MELEE, ANY_ATTACK):
        own = (attack for attack in creature.features if is_attack(attack) and attack.cost == "action")
        available = tuple(attack for attack in own if is_there(lookup, rules, who, attack))
        attacks = available if step.use == ANY_ATTACK and available else melee_attacks(lookup, rules, who)
        return tuple(Way(f"use {attack.id}", attack.name or "option.unarmed", step, attack) for attack in attacks)
    if step.use or step.spell:
        feature = step_feature(rules, creature, step)
        return (Way(f"{step.kinds[0]} {feature.id}", feature.name, step, feature),) if feature is not None else ()
    if step.ends == ANY_CONDITION:
        shown = (effect.name for effect in lookup.of(Effect, who) if effect.shown and effect.by != who)
        names = dict.fromkeys(name for name in shown if name in rules.conditions)
        return tuple(
            Way(f"ends {name}", f"<condition.{name}>", msgspec.structs.replace(step, ends=name)) for name in names
        )
    needs_feature = step.recharges and step.recharges != ALL_FEATURES
    if (step.action and step.action not in rules.actions) or (needs_feature and _own(creature, step.recharges) is None):
        return ()
    return tuple(
        Way(f"{kind} {getattr(step, kind)} {step.mode}".rstrip(), _name(rules, creature, step, kind), step)
        for kind in STEP_KINDS
        if getattr(step, kind)
    )[:1]


def step_feature(rules: RuleSystem, creature: Creature, step: FeatureStep) -> Feature | None:
    """Return the feature that a step uses: one from the stat block, or else a spell with its caster's numbers."""
    own = _own(creature, step.use or step.spell)
    if own is not None or not step.spell:
        return own
    spell = next((candidate for candidate in rules.data.spells if candidate.id == step.spell), None)
    return None if spell is None else spell_feature(spell, caster_of(creature))


def _own(creature: Creature, id: str) -> Feature | None:
    return next((feature for feature in creature.features if feature.id == id), None)


def _name(rules: RuleSystem, creature: Creature, step: FeatureStep, kind: str) -> str:
    if kind == "action":
        return rules.actions[step.action].name
    if kind == "recharges":
        own = _own(creature, step.recharges)
        return own.name if own is not None else "option.recharges_all"
    return {
        "move": f"option.moves_{step.move}",
        "roll": f"<check.{step.roll}>",
        "ends": f"<condition.{step.ends}>",
        "gains": f"<condition.{step.gains}>",
    }[kind]


def out_of_range_vetoes(lookup: Lookup, rules: RuleSystem, who: str, feature: Feature, target: str) -> tuple[Veto, ...]:
    """Return the veto on a target outside a feature's range or reach. Empty if the distance is unknown."""
    farthest = max(*ranges(feature), feature.reach)
    feet = positions.distance(lookup, rules, who, target) if who != target and farthest else None
    if feet is None or feet <= farthest:
        return ()
    relation = positions.stated_relation(lookup, who, target)
    if relation is not None and relation.reached and not feature.range:
        return ()
    params = (("what", feature.name), ("feet", feet), ("range", farthest), ("reach", farthest))
    reason = "refused.out_of_range" if feature.range else "refused.out_of_reach"
    return (Veto(reason, feature_rule(lookup, rules, who), params),)
