"""The steps that a feature names, and the ways in which each can be done now."""

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
from turnwright.rules.parts.actions.spell_features import caster_of, spell_feature
from turnwright.rules.parts.attacks.weapon_kind import is_attack
from turnwright.rules.parts.conditions.predicates import is_there
from turnwright.rules.parts.movement.opportunity_attacks import melee_attacks
from turnwright.rules.system import RuleSystem, creature_of


class Way(NamedTuple):
    """A way to do a step: its step, its name for a card, and the feature used by it (None for any other step)."""

    id: str
    name: str
    step: FeatureStep
    feature: Feature | None = None


def steps_of(feature: Feature, *, paid: bool = True) -> tuple[FeatureStep, ...]:
    """Return the steps of a feature; without its own, the attacks of a multiattack that goes one way only.

    `paid`: the attacks of a multiattack are part of what was paid for it, and not attacks of another action.
    """
    if feature.does or not paid or len(feature.multiattack) != 1:
        return feature.does
    return tuple(FeatureStep(use=id) for id, count in feature.multiattack[0] for _ in range(count))


def steps_at(steps: tuple[FeatureStep, ...], place: int) -> tuple[FeatureStep, ...]:
    """Return the step at a place with those that may be done in its place."""
    end = next((at for at in range(place + 1, len(steps)) if not steps[at].instead), len(steps))
    return steps[place:end]


def ways_of(lookup: Lookup, rules: RuleSystem, who: str, step: FeatureStep) -> tuple[Way, ...]:
    """Return the ways to do a step: several where any attack will do, none where it names what isn't there."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    if step.use in (ANY_MELEE, ANY_ATTACK):
        own = (one for one in creature.features if is_attack(one) and one.cost == "action")
        listed = tuple(one for one in own if is_there(lookup, rules, who, one))
        found = listed if step.use == ANY_ATTACK and listed else melee_attacks(lookup, rules, who)
        return tuple(Way(f"use {one.id}", one.name or "option.unarmed", step, one) for one in found)
    if step.use or step.spell:
        feature = step_feature(rules, creature, step)
        return (Way(f"{step.kinds[0]} {feature.id}", feature.name, step, feature),) if feature is not None else ()
    if step.ends == ANY_CONDITION:
        shown = (one.name for one in lookup.of(Effect, who) if one.shown and one.by != who)
        names = dict.fromkeys(name for name in shown if name in rules.conditions)
        return tuple(
            Way(f"ends {name}", f"<condition.{name}>", msgspec.structs.replace(step, ends=name)) for name in names
        )
    named = step.recharges and step.recharges != ALL_FEATURES
    if (step.action and step.action not in rules.actions) or (named and _own(creature, step.recharges) is None):
        return ()
    return tuple(
        Way(f"{kind} {getattr(step, kind)} {step.mode}".rstrip(), _name(rules, creature, step, kind), step)
        for kind in STEP_KINDS
        if getattr(step, kind)
    )[:1]


def step_feature(rules: RuleSystem, creature: Creature, step: FeatureStep) -> Feature | None:
    """Return the feature that a step uses: the stat block's own, or a spell of the game as its owner casts it."""
    own = _own(creature, step.use or step.spell)
    if own is not None or not step.spell:
        return own
    spell = next((one for one in rules.data.spells if one.id == step.spell), None)
    return None if spell is None else spell_feature(spell, caster_of(creature))


def _own(creature: Creature, id: str) -> Feature | None:
    return next((one for one in creature.features if one.id == id), None)


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
