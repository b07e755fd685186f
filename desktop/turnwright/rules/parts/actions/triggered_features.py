"""Features that wait for a moment: those that it triggers, their targets, and whether a person is asked.

What a feature costs and how often it may be used is looked at when it is its turn, in `play.attacks.triggered_features`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final

import msgspec

from turnwright.encounter.lookups import clock_of, effects_named, find_effect
from turnwright.encounter.prepared import ANY_CONDITION, Creature, Feature, TriggerMoment
from turnwright.encounter.procedure_state.attacks import FEATURE_TRIGGER, FeatureTrigger, TriggeredFeature
from turnwright.encounter.running import Combatant, Effect, GuestCreature, Relation
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import NO_RESULT, HookContext, HookResult, StartProcedure
from turnwright.rules.parts import positions
from turnwright.rules.parts.actions.action_options import feature_of
from turnwright.rules.parts.actions.feature_steps import ways_of
from turnwright.rules.parts.attacks.weapon_kind import is_spell
from turnwright.rules.parts.combatants.feature_triggers import features_at, switched_off, wanted_plays
from turnwright.rules.parts.conditions.predicates import evaluate, is_there
from turnwright.rules.parts.environment.areas import current_map
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.rules.system_data.statements import StatementError, parse_statement

TRAIT: Final = "trait"
SPARED: Final = "spared-by"  # a mark: the feature of its creator that is its source does no more to its target
NEAR_SKIPPED: Final = "near-skipped"  # a mark: in a round, who is near the feature that is its source was skipped
ANYWHERE: Final = ("other-starts", "other-ends")  # moments that a feature not `within` any feet has wherever it is
AFTER_DEATH: Final = ("dies", "hit")  # moments at which a trait acts although its owner is dead


def acts_by_itself(feature: Feature) -> bool:
    """Return whether a feature has figures by which it does something, and costs nothing that its owner could keep."""
    return feature.cost == TRAIT and does_something(feature)


def does_something(feature: Feature) -> bool:
    """Return whether a feature has figures or steps by which it does something."""
    return bool(feature.heals or feature.lessens or feature.does) or _hurts(feature) or feature.trigger == "attacked"


def heals_targets(feature: Feature) -> bool:
    """Return whether a feature heals its targets: a spell that only heals, and what reaches others; else its owner."""
    reaches = bool(is_spell(feature) or feature.reach or feature.range or feature.area)
    return bool(feature.heals) and reaches and not (feature.trigger or feature.damage or feature.save)


def only_reminds(feature: Feature) -> bool:
    """Return whether a feature only says that its moment has come: as wanted, or for want of figures."""
    return feature.plays == "reminds" or (
        feature.cost == TRAIT and feature.plays != "asks" and not does_something(feature)
    )


def _is_left(feature: Feature, moment: TriggerMoment) -> bool:
    """Return whether a feature is left among the actions of its owner's turn, of which a hit reminds."""
    return feature.cost == "action" and moment in ("hits", "crits")


def _hurts(feature: Feature) -> bool:
    return bool(feature.damage or feature.save or feature.afflictions or feature.ongoing or feature.push)


def triggered(
    lookup: Lookup, rules: RuleSystem, who: str, moment: TriggerMoment, context: HookContext
) -> Iterator[TriggeredFeature]:
    """Yield the features of a combatant that a moment triggers, on the other of its context.

    A person is asked about what costs something, and where nobody knows whether its statement holds.
    """
    combatant = lookup.get(Combatant, who)
    if combatant is None or combatant.bystander:
        return
    for feature in features_at(creature_of(lookup, combatant), moment):
        if feature.id in switched_off(lookup, who):
            continue
        if combatant.dead and not (moment in AFTER_DEATH and feature.cost == TRAIT):
            continue
        if feature.heals and moment != "dropping" and combatant.hp >= combatant.hp_max and not _hurts(feature):
            continue
        if _ends_nothing(lookup, rules, who, feature):
            continue
        if context.other and is_spared_by(lookup, context.other, feature, who):
            continue
        wanted = wanted_plays(lookup, rules)
        if wanted == "off":
            continue
        holds = _holds(lookup, rules, who, feature, context)
        if holds is not False and feature.plays != "off" and is_there(lookup, rules, who, feature):
            plays = feature.plays or wanted
            reminds = plays == "reminds" or only_reminds(feature) or (not plays and _is_left(feature, moment))
            asks = not reminds and (holds is None or plays == "asks" or not acts_by_itself(feature))
            yield TriggeredFeature(who, feature.id, context.other, asks, reminds=reminds)


def _ends_nothing(lookup: Lookup, rules: RuleSystem, who: str, feature: Feature) -> bool:
    """Return whether all that a feature does is to end conditions of which its owner has none."""
    if not feature.does or not all(step.ends for step in feature.does):
        return False
    return not any(
        ways_of(lookup, rules, who, step) if step.ends == ANY_CONDITION else find_effect(lookup, who, step.ends)
        for step in feature.does
    )


def is_spared_by(lookup: Lookup, who: str, feature: Feature, by: str) -> bool:
    """Return whether a combatant has saved against a feature of another that spares those who have."""
    if not feature.spares:
        return False
    return any((one.source, one.by) == (feature.id, by) for one in effects_named(lookup, who, SPARED))


def _holds(lookup: Lookup, rules: RuleSystem, who: str, feature: Feature, context: HookContext) -> bool | None:
    """Return whether the statement of a feature holds; one that can't be read is left to a person."""
    if not feature.when:
        return True
    try:
        return evaluate(lookup, rules, who, parse_statement(feature.when), context)
    except StatementError:
        return None


def begins(moment: TriggerMoment, waiting: Iterable[TriggeredFeature], amount: int = 0) -> HookResult:
    """Return the hook result that begins features, nothing where there are none."""
    found = tuple(waiting)
    if not found:
        return NO_RESULT
    return HookResult(procedures=(StartProcedure(FEATURE_TRIGGER, FeatureTrigger(moment, found, amount)),))


# The moments ------------------------------------------------------------------------------------------------------


def on_round_started(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the features that the start of the first round triggers."""
    return starting_features(lookup, rules) if clock_of(lookup).round == 1 else NO_RESULT


def starting_features(lookup: Lookup, rules: RuleSystem, came: Collection[str] | None = None) -> HookResult:
    """Return the features that wait for the start, of everybody or of those who have just come."""
    having = holders(lookup, "starts")
    here = (one.id for one in (lookup.all(Combatant) if having else ()) if one.creature in having)
    new = (who for who in here if came is None or who in came)
    found = (each for who in new for each in triggered(lookup, rules, who, "starts", HookContext(who, "turn")))
    return begins("starts", found)


def on_attack_rolled(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the features of an attack's target that might turn the hit; an AC that would not is left out."""
    found = []
    for one in _of_target_and_allies(lookup, rules, "attacked", context):
        feature = feature_of(lookup, one.who, one.feature)
        added = armor_class_of(feature) if feature is not None else 0
        if not added or f"hits-by:{added}" in context.tags:
            found.append(one)
    return begins("attacked", found)


def armor_class_of(feature: Feature) -> int:
    """Return what a feature adds to the AC of its owner."""
    return sum(rule.add for rule in feature.rules if (rule.kind, rule.what) == ("modifier", "ac"))


def hinders(feature: Feature) -> bool:
    """Return whether a feature gives an attack on its owner disadvantage."""
    return any((rule.kind, rule.what) == ("disadvantage", "attack-against") for rule in feature.rules)


def on_damage_rolled(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the features of a combatant that lessen damage on its way."""
    return begins("damage", _of_target_and_allies(lookup, rules, "damage", context), context.amount)


def _of_target_and_allies(
    lookup: Lookup, rules: RuleSystem, moment: TriggerMoment, context: HookContext
) -> Iterator[TriggeredFeature]:
    """Yield the features that guard a combatant: its own, and those of allies who are known to be near enough."""
    for own in triggered(lookup, rules, context.who, moment, context):
        if not _within(lookup, own):
            yield own
    for one in near_holders(lookup, rules, moment, context.who):
        if positions.are_hostile(lookup, one.id, context.who):
            continue
        feet = positions.distance(lookup, rules, one.id, context.who)
        for waiting in triggered(lookup, rules, one.id, moment, context):
            if feet is not None and feet <= _within(lookup, waiting):
                yield waiting


def _within(lookup: Lookup, one: TriggeredFeature) -> int:
    feature = feature_of(lookup, one.who, one.feature)
    return feature.within if feature is not None else 0


def on_attack_settled(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the features that a hit or a miss triggers, for one card: its target's first, then those of its maker."""
    target = msgspec.structs.replace(context, who=context.other, other=context.who, subject="attack-against")
    if "hit" not in context.tags:
        return begins("missed", triggered(lookup, rules, target.who, "missed", target))
    against = triggered(lookup, rules, target.who, "hit", target)
    own = triggered(lookup, rules, context.who, "hits", context)
    critical = triggered(lookup, rules, context.who, "crits", context) if "critical" in context.tags else ()
    return begins("hits", (*against, *own, *critical))


def on_damage_taken(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the features that damage triggers: any damage, and damage that crosses half of the hit points."""
    if context.amount <= 0:
        return NO_RESULT
    found = [*triggered(lookup, rules, context.who, "hurt", context)]
    combatant = lookup.need(Combatant, context.who)
    if combatant.hp * 2 <= combatant.hp_max < context.hp_before * 2:
        found += triggered(lookup, rules, context.who, "bloodied", context)
    return begins("hurt", found, context.amount)


def on_dropping(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the features of a combatant that may keep it on its feet."""
    return begins("dropping", triggered(lookup, rules, context.who, "dropping", context), context.amount)


def on_foe_acted(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the features by which foes may react to what a combatant does within their reach."""
    return begins("foe-acts", _of_foes(lookup, rules, context))


def _of_foes(lookup: Lookup, rules: RuleSystem, context: HookContext) -> Iterator[TriggeredFeature]:
    for one in near_holders(lookup, rules, "foe-acts", context.who):
        if positions.are_hostile(lookup, one.id, context.who) and not one.dead:
            here = msgspec.structs.replace(context, who=one.id, other=context.who, subject="attack")
            if positions.in_reach(lookup, rules, one.id, context.who):
                for waiting in triggered(lookup, rules, one.id, "foe-acts", here):
                    yield msgspec.structs.replace(waiting, asks=True)


def on_came_near(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the features of the other within whose distance a step takes a combatant."""
    feet = positions.distance(lookup, rules, context.other, context.who)
    if feet is None:
        return NO_RESULT
    here = msgspec.structs.replace(context, who=context.other, other=context.who, subject="turn")
    distances = {one.id: one.within for one in _waiting(lookup, context.other, "enters")}
    found = triggered(lookup, rules, context.other, "enters", here)
    return begins("enters", (one for one in found if feet <= distances[one.feature] < context.amount))


def holders(lookup: Lookup, moment: TriggerMoment) -> set[str]:
    """Return the ids of the stat blocks with features that a moment triggers."""
    blocks = (*lookup.all(Creature), *lookup.all(GuestCreature))
    return {block.id for block in blocks if features_at(block, moment)}


def near_holders(lookup: Lookup, rules: RuleSystem, moment: TriggerMoment, who: str) -> Iterator[Combatant]:
    """Yield the others with features that a moment of a combatant may trigger, none known to be too far away."""
    having = holders(lookup, moment)
    blocks = [block for kind in (Creature, GuestCreature) for block in lookup.all(kind) if block.id in having]
    reaches = [feature.within for block in blocks for feature in features_at(block, moment)]
    if moment in ANYWHERE and not all(reaches):
        others = lookup.all(Combatant)
    else:
        farthest = positions.longest_reach(lookup, rules) if moment == "foe-acts" else max(reaches, default=0)
        if moment == "enters" and (field := current_map(lookup)) is not None:
            farthest += field.cell  # from where a step comes near
        others = positions.possibly_within(lookup, rules, who, farthest) if having and farthest else ()
    yield from (one for one in others if one.creature in having and one.id != who)


def _waiting(lookup: Lookup, who: str, moment: TriggerMoment) -> tuple[Feature, ...]:
    combatant = lookup.get(Combatant, who)
    return features_at(creature_of(lookup, combatant), moment) if combatant is not None else ()


def on_died(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the features that a combatant's death triggers."""
    return begins("dies", triggered(lookup, rules, context.who, "dies", context))


def on_turn_started(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the features of others that the start of a combatant's turn near them triggers."""
    return begins("other-starts", _of_others(lookup, rules, "other-starts", context))


def on_turn_ending(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the features of others that the end of a combatant's turn near them triggers."""
    return begins("other-ends", _of_others(lookup, rules, "other-ends", context))


def _of_others(
    lookup: Lookup, rules: RuleSystem, moment: TriggerMoment, context: HookContext
) -> Iterator[TriggeredFeature]:
    """Yield the features of all others that a moment of one combatant triggers, where it is near enough to them.

    An unknown distance is asked about foes only.
    """
    for one in near_holders(lookup, rules, moment, context.who):
        near = [
            feature.id
            for feature in _waiting(lookup, one.id, moment)
            if not feature.within or _is_near(lookup, rules, one.id, feature, context.who)
        ]
        here = msgspec.structs.replace(context, who=one.id, other=context.who)
        for waiting in triggered(lookup, rules, one.id, moment, here) if near else ():
            if waiting.feature in near:
                yield waiting


def _is_near(lookup: Lookup, rules: RuleSystem, who: str, feature: Feature, other: str) -> bool:
    """Return whether another is within the distance of a feature; an unknown foe is, until that ask is skipped."""
    known = positions.is_within(lookup, rules, who, other, feature.within)
    if known is not None:
        return known
    return positions.are_hostile(lookup, who, other) and not _was_skipped(lookup, who, feature.id)


def skip_id(who: str, feature: str) -> str:
    """Return the id of the mark that a person has skipped the ask who is near a feature."""
    return f"{NEAR_SKIPPED}-{who}-{feature}"


def _was_skipped(lookup: Lookup, who: str, feature: str) -> bool:
    """Return whether a person has skipped the ask who is near a feature in this round: it isn't asked twice."""
    mark = lookup.get(Effect, skip_id(who, feature))
    return mark is not None and mark.since_round == clock_of(lookup).round


def strangers_to(lookup: Lookup, rules: RuleSystem, who: str, feet: int) -> list[str]:
    """Return the foes of a combatant whose distance from it is unknown, so that they may be within so many feet."""
    side, on_map = lookup.need(Combatant, who).side, positions.space(lookup, rules, who) is not None
    said = {id for pair in lookup.all(Relation) if who in (pair.who, pair.other) for id in (pair.who, pair.other)}
    return [
        one.id
        for one in positions.possibly_within(lookup, rules, who, feet)
        if one.side != side
        and not (one.dead or one.bystander)
        and (
            (one.id not in said and (not on_map or one.position is None))
            or positions.is_within(lookup, rules, who, one.id, feet) is None
        )
    ]
