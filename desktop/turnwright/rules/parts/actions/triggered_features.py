"""Triggered features and steps of features: their targets, their range, and the ways to carry them out.

`play.attacks.triggered_features` checks a feature's cost and remaining uses when its turn in the queue comes.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple

import msgspec

from turnwright.battlemap import paths
from turnwright.encounter.prepared import (
    ALL_FEATURES,
    ANY_ATTACK,
    ANY_ATTACKS,
    ANY_CONDITION,
    ANY_UNARMED,
    Creature,
    Feature,
    FeatureStep,
    LeftFeature,
    Point,
    TriggerMoment,
)
from turnwright.encounter.procedure_state.attacks import FEATURE_TRIGGER, FeatureTrigger, TriggeredFeature
from turnwright.encounter.running import Combatant, Effect, GuestCreature, LastingArea, Relation
from turnwright.encounter.state import Lookup, clock_of, effects_named, find_effect, standing_areas
from turnwright.rules.parts.actions.action_options import feature_of, feature_rule
from turnwright.rules.parts.actions.spell_features import DOUBLES_PUSH, caster_of, spell_feature
from turnwright.rules.parts.attacks.attack_targeting import is_attack, is_spell, ranges
from turnwright.rules.parts.combatants.facts import (
    JUST_HIT,
    LEFT,
    OF_OTHERS,
    features_at,
    switched_off,
    waiting_features,
    wanted_plays,
)
from turnwright.rules.parts.conditions.predicates import evaluate, is_there
from turnwright.rules.parts.economy.limited_uses import remaining_uses
from turnwright.rules.parts.environment.entries import current_map
from turnwright.rules.parts.movement.move_legs import UNARMED, melee_attacks, unarmed_strike
from turnwright.rules.parts.positions import geometry
from turnwright.rules.system import NO_RESULT, HookContext, HookResult, RuleSystem, StartProcedure, Veto, creature_of
from turnwright.rules.system_data.statements import StatementError, parse_statement

TOUCHES: Final = "touches"  # property: its target is within reach, though it has an area
TRAIT: Final = "trait"
_HIGHEST_SLOT: Final = 9
SPARED: Final = "spared-by"  # mark: the feature in its source no longer affects the marked combatant
# Mark: on this turn, the feature in its source has affected a combatant that entered its area.
ENTERED: Final = "entered"
NEAR_SKIPPED: Final = "near-skipped"  # mark: the question about combatants near a feature was skipped this round
CARRIED: Final = "carried-area"  # property: its area moves with its user
PASSES_ON: Final = "passes-on"  # property: creatures that it holds or clings to take the damage just taken as well
ANYWHERE: Final = OF_OTHERS  # moments that trigger a feature without `within` at any distance
# the largest distance between two targets in an area, in sizes (0: no limit)
_WIDEST: Final[dict[str, float]] = {"burst": 2, "cone": 1.5, "cube": 1.5, "emanation": 0}
_COUNT: Final = re.compile(r"\b(\d*)d(?=\d)")
MOVED_AWAY: Final = "moved-away"  # tag and fact: a combatant has left a reach with its move
LEAVES: Final = "leaves:"  # tag: the combatant whose reach a mover leaves
ABOUT_EACH: Final = "other."  # prefix: the statement of a feature is about each creature around its owner
AFTER_DEATH: Final = ("dies", "hit")  # moments that trigger a dead creature's traits


def follows_hits(feature: Feature) -> bool:
    """Return whether a feature is a separate action that must directly follow a hit, such as Grab."""
    return feature.cost == "action" and feature.trigger in ("hits", "crits")


def may_follow_up(lookup: Lookup, rules: RuleSystem, who: str, feature: Feature, target: str) -> bool:
    """Return whether a combatant has just hit a target, or already holds it with the same feature."""
    conditions = {inflicted.condition for inflicted in feature.afflictions}
    for effect in lookup.of(Effect, target):
        if effect.name in conditions and effect.source == feature.name and effect.by in ("", who):
            return True
        tags = ("hit", "melee", *(f"with:{word}" for word in (effect.source, *effect.source.split("-"))))
        context = HookContext(who, "attack", other=target, tags=tags)
        if (effect.name, effect.by) == (JUST_HIT, who) and _holds(lookup, rules, who, feature, context) is not False:
            return True
    return False


def after_hit(lookup: Lookup, who: str, feature: Feature, targets: Iterable[str]) -> Feature:
    """Return a feature with twice its push if it follows a critical hit by its owner, and doubles its push."""
    marks = (effect for target in targets for effect in lookup.of(Effect, target) if effect.by == who)
    return doubled(feature, not feature.save and any(mark.name == JUST_HIT and mark.value for mark in marks))


def doubled(feature: Feature, critical: bool) -> Feature:
    """Return a feature with twice its push after a critical hit, if it doubles it."""
    times = 2 if critical and DOUBLES_PUSH in feature.properties else 1
    return msgspec.structs.replace(feature, push=times * feature.push)


def acts_by_itself(feature: Feature) -> bool:
    """Return whether a feature acts automatically: it has an effect that Turnwright can apply, and costs nothing."""
    return feature.cost == TRAIT and does_something(feature)


UNROLLED: Final = "unrolled"  # tag of damage without an attack roll
_ABOUT_DAMAGE: Final = re.compile("(?!.*shield-raised).*(kind:|magic)")  # statements that don't need an attack
DEADLY: Final = {"kills", "drops"}  # properties: targets that fail their save die, or drop to 0 hit points


def does_something(feature: Feature) -> bool:
    """Return whether a feature has an effect that Turnwright can apply."""
    acts = (
        feature.heals
        or feature.reduces
        or feature.does
        or feature.effect
        or feature.temp
        or feature.ends
        or feature.leaves
        or CARRIED in feature.properties
    )
    return bool(acts) or hurts(feature) or feature.trigger == "attacked"


def heals_targets(feature: Feature) -> bool:
    """Return whether a feature heals its targets instead of its owner: a spell that only heals, or one with a range."""
    reaches = bool(is_spell(feature) or feature.reach or feature.range or feature.area)
    heals = feature.heals and reaches and not (feature.trigger or feature.damage or feature.save)
    return bool(heals) or heals_in_area(feature)


def heals_in_area(feature: Feature) -> bool:
    """Return whether a feature is what a spell left in its area that heals other creatures on their turns."""
    return bool(feature.heals) and feature.id.startswith(LEFT) and feature.trigger in OF_OTHERS


def only_reminds(feature: Feature) -> bool:
    """Return whether a feature is only a reminder, by its settings or because it has no effect to apply."""
    has_no_effect = feature.cost == TRAIT and not does_something(feature)
    return feature.automation == "reminds" or (feature.automation != "asks" and has_no_effect)


def _is_left(feature: Feature, moment: TriggerMoment) -> bool:
    """Return whether a feature that a hit triggers costs an action, so that the hit is only a reminder of it."""
    return follows_hits(feature) and moment in ("hits", "crits")


def affecting(feature: Feature) -> bool:
    """Return whether a feature harms or heals its targets, gives them effects or ends their conditions."""
    leaves = feature.effect or feature.temp or feature.ends or CARRIED in feature.properties
    return hurts(feature) or heals_targets(feature) or bool(leaves)


def helps(feature: Feature) -> bool:
    """Return whether a feature leaves something on its targets without a roll against them."""
    left = (
        feature.effect or feature.temp or feature.lasts or feature.ends or (is_spell(feature) and feature.afflictions)
    )
    return bool(left and not (feature.save or feature.area or is_attack(feature)))


def hurts(feature: Feature) -> bool:
    """Return whether a feature harms its targets, or heals them in the area of a spell."""
    harm = feature.damage or feature.save or feature.afflictions or feature.ongoing or feature.push
    is_marked = {*DEADLY, PASSES_ON} & {*feature.properties}
    return bool(harm or feature.by_slot or heals_in_area(feature) or is_marked)


def triggered(
    lookup: Lookup, rules: RuleSystem, who: str, moment: TriggerMoment, context: HookContext
) -> Iterator[TriggeredFeature]:
    """Yield a combatant's features that a moment triggers. They target the combatant on the other side of the context.

    The game master is asked if a feature costs something, or if it is unknown whether its statement is true.
    """
    combatant = lookup.get(Combatant, who)
    if combatant is None or combatant.bystander:
        return
    for feature in waiting_features(lookup, who, moment):
        if feature.id in switched_off(lookup, who):
            continue
        if combatant.dead and not (moment in AFTER_DEATH and feature.cost == TRAIT):
            continue
        if feature.heals and moment != "dropping" and combatant.hp >= combatant.hp_max and not hurts(feature):
            continue
        if _ends_nothing(lookup, rules, who, feature):
            continue
        if context.other and is_spared_by(lookup, context.other, feature, who):
            continue
        default = wanted_plays(lookup, rules)
        if default == "off":
            continue
        holds = _holds(lookup, rules, who, feature, context)
        if holds is not False and feature.automation != "off" and is_there(lookup, rules, who, feature):
            automation = default if area_of(lookup, who, feature.id) is not None else feature.automation or default
            reminds = automation == "reminds" or only_reminds(feature) or (not automation and _is_left(feature, moment))
            asks = not reminds and (holds is None or automation == "asks" or not acts_by_itself(feature))
            critical = "critical" in context.tags and feature.attack is None
            yield TriggeredFeature(who, feature.id, context.other, asks, reminds=reminds, critical=critical)


def follows(lookup: Lookup, triggered: TriggeredFeature) -> bool:
    """Return whether a feature is a reaction to an enemy that has moved out of its owner's reach."""
    feature = feature_of(lookup, triggered.who, triggered.feature)
    return feature is not None and MOVED_AWAY in feature.when


def _ends_nothing(lookup: Lookup, rules: RuleSystem, who: str, feature: Feature) -> bool:
    """Return whether a feature only ends conditions, and its owner has none of them."""
    if not feature.does or not all(step.ends for step in feature.does):
        return False
    return not any(
        ways_of(lookup, rules, who, step) if step.ends == ANY_CONDITION else find_effect(lookup, who, step.ends)
        for step in feature.does
    )


def is_spared_by(lookup: Lookup, who: str, feature: Feature, by: str) -> bool:
    """Return whether a combatant is immune to another's feature, such as each moment of its aura, after a successful save."""
    marks = effects_named(lookup, who, SPARED) if feature.immune_after else ()
    name = feature.name.partition(" (")[0]  # as of `Stench (Entering)`
    return any((mark.source.partition(" (")[0], mark.by) == (name, by) for mark in marks)


def _holds(lookup: Lookup, rules: RuleSystem, who: str, feature: Feature, context: HookContext) -> bool | None:
    """Return whether the statement of a feature is true, or None (for the game master to decide) if it is malformed."""
    if not feature.when:
        return True
    if feature.within and not context.other and ABOUT_EACH in feature.when:
        each = [concerns(lookup, rules, who, feature, other.id) for other in lookup.all(Combatant) if not other.dead]
        return True if True in each else None if None in each else False
    try:
        return evaluate(lookup, rules, who, parse_statement(feature.when), context)
    except StatementError:
        return None


def concerns(lookup: Lookup, rules: RuleSystem, who: str, feature: Feature, other: str) -> bool | None:
    """Return whether a feature that affects everyone around its owner affects another combatant (None: unknown)."""
    if ABOUT_EACH not in feature.when:
        return True
    context = HookContext(who, "turn", other=other)
    return other != who and _holds(lookup, rules, who, feature, context)


def usable_slots(lookup: Lookup, who: str, feature: Feature) -> list[int]:
    """Return the levels of the spell slots that a feature can spend. Without listed slots, the player counts them."""
    levels = range(1, len(feature.by_slot) + 1) if feature.by_slot else range(feature.level or 1, _HIGHEST_SLOT + 1)
    if not creature_of(lookup, lookup.need(Combatant, who)).slots:
        return list(levels)
    return [level for level in levels if remaining_uses(lookup, who, f"slots.{level}") > 0]


def slot_damage(lookup: Lookup, rules: RuleSystem, used: TriggeredFeature, feature: Feature, level: int) -> str:
    """Return the damage of a feature that spends a spell slot, with its further dice against the other combatant."""
    about = HookContext(used.who, "damage", other=used.other)
    further = (rule for rule in feature.rules if rule.kind == "extra")
    dice = [rule.dice for rule in further if evaluate(lookup, rules, used.who, rule.when, about)]
    damage = " + ".join((feature.by_slot[level - 1], *dice))
    twice = used.critical and rules.data.attack.critical_twice
    return _COUNT.sub(lambda count: f"{int(count[1] or 1) * 2}d", damage) if twice else damage


def begins(
    moment: TriggerMoment, waiting: Iterable[TriggeredFeature], amount: int = 0, guarded: str = ""
) -> HookResult:
    """Return a hook result that starts these features, or an empty result if there are none."""
    features = tuple(waiting)
    if not features:
        return NO_RESULT
    return HookResult(procedures=(StartProcedure(FEATURE_TRIGGER, FeatureTrigger(moment, features, amount, guarded)),))


# Triggers ---------------------------------------------------------------------------------------------------------


def on_round_started(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the features that the start of the first round triggers."""
    return starting_features(lookup, rules) if clock_of(lookup).round == 1 else NO_RESULT


def starting_features(lookup: Lookup, rules: RuleSystem, came: Collection[str] | None = None) -> HookResult:
    """Return the features triggered by the start of the fight: those of all combatants, or of new arrivals (`came`)."""
    block_ids = holders(lookup, "starts")
    here = (each.id for each in (lookup.all(Combatant) if block_ids else ()) if each.creature in block_ids)
    new = (who for who in here if came is None or who in came)
    features = (feature for who in new for feature in triggered(lookup, rules, who, "starts", HookContext(who, "turn")))
    return begins("starts", features)


def on_attack_rolled(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return features of the target and its allies that might turn a hit into a miss.

    Features with an AC bonus that is too small are omitted.
    """
    defences = []
    for ally in _of_target_and_allies(lookup, rules, "attacked", context):
        feature = feature_of(lookup, ally.who, ally.feature)
        bonus = armor_class_of(feature) if feature is not None else 0
        kind = bonus_type_of(feature) if feature is not None else ""
        if not bonus or f"misses-with-ac:{bonus}:{kind}".rstrip(":") in context.tags:
            defences.append(ally)
    return begins("attacked", defences)


def armor_class_of(feature: Feature) -> int:
    """Return the AC bonus that a feature gives its owner."""
    return sum(rule.add for rule in feature.rules if (rule.kind, rule.what) == ("modifier", "ac"))


def bonus_type_of(feature: Feature) -> str:
    """Return the type of the AC bonus that a feature gives its owner."""
    return next((rule.type for rule in feature.rules if rule.what == "ac"), "")


def hinders(feature: Feature) -> bool:
    """Return whether a feature imposes disadvantage on an attack against its owner."""
    return any((rule.kind, rule.what) == ("disadvantage", "attack-against") for rule in feature.rules)


def on_damage_rolled(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the features that reduce damage to a combatant."""
    guards = _of_target_and_allies(lookup, rules, "damage", context)
    if UNROLLED in context.tags:  # most are about attacks
        own = ((each, feature_of(lookup, each.who, each.feature)) for each in guards)
        guards = (each for each, feature in own if feature is not None and _ABOUT_DAMAGE.match(feature.when))
    return begins("damage", guards, context.amount, context.who)


def _of_target_and_allies(
    lookup: Lookup, rules: RuleSystem, moment: TriggerMoment, context: HookContext
) -> Iterator[TriggeredFeature]:
    """Yield the features that protect a combatant: its own, and those of allies known to be near enough."""
    yield from (own for own in triggered(lookup, rules, context.who, moment, context) if _guards_itself(lookup, own))
    for near_holder in near_holders(lookup, rules, moment, context.who):
        if geometry.are_hostile(lookup, near_holder.id, context.who):
            continue
        feet = geometry.distance(lookup, rules, near_holder.id, context.who)
        near = triggered(lookup, rules, near_holder.id, moment, context) if feet is not None else ()
        yield from (waiting for waiting in near if (feet or 0) <= _within(lookup, waiting))


def _guards_itself(lookup: Lookup, trigger: TriggeredFeature) -> bool:
    feature = feature_of(lookup, trigger.who, trigger.feature)
    return feature is None or not feature.within or feature.range == "self"


def _within(lookup: Lookup, trigger: TriggeredFeature) -> int:
    feature = feature_of(lookup, trigger.who, trigger.feature)
    return feature.within if feature is not None else 0


def on_attack_settled(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the features that a hit or a miss triggers: the target's first, then the attacker's."""
    target = msgspec.structs.replace(context, who=context.other, other=context.who, subject="attack-against")
    if "hit" not in context.tags:
        own = triggered(lookup, rules, context.who, "misses", context)
        return begins("missed", (*triggered(lookup, rules, target.who, "missed", target), *own))
    against = triggered(lookup, rules, target.who, "hit", target)
    own = triggered(lookup, rules, context.who, "hits", context)
    critical = triggered(lookup, rules, context.who, "crits", context) if "critical" in context.tags else ()
    return begins("hits", (*against, *own, *critical))


def on_damage_taken(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the features triggered by taking damage, or by dropping to half of the hit points or less."""
    if context.amount <= 0:
        return NO_RESULT
    features = [*triggered(lookup, rules, context.who, "hurt", context)]
    combatant = lookup.need(Combatant, context.who)
    if combatant.hp * 2 <= combatant.hp_max < context.hp_before * 2:
        features += triggered(lookup, rules, context.who, "bloodied", context)
    if combatant.hp <= 0 < context.hp_before and context.other:
        own = msgspec.structs.replace(context, who=context.other, other=context.who, subject="attack")
        features += triggered(lookup, rules, own.who, "downs", own)
    return begins("hurt", features, context.amount)


def on_dropping(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the features that may prevent a combatant from dropping to 0 hit points."""
    return begins("dropping", triggered(lookup, rules, context.who, "dropping", context), context.amount)


def on_foe_acted(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the features that let enemies react to a combatant's action within their reach."""
    return begins("enemy-acts", _of_foes(lookup, rules, context))


def _of_foes(lookup: Lookup, rules: RuleSystem, context: HookContext) -> Iterator[TriggeredFeature]:
    for near_holder in near_holders(lookup, rules, "enemy-acts", context.who):
        if geometry.are_hostile(lookup, near_holder.id, context.who) and not near_holder.dead:
            here = msgspec.structs.replace(context, who=near_holder.id, other=context.who, subject="attack")
            is_left = f"{LEAVES}{near_holder.id}" in context.tags  # entered for moves without a map
            is_near = is_left or geometry.in_reach(lookup, rules, near_holder.id, context.who)
            feet = geometry.distance(lookup, rules, near_holder.id, context.who) or 0
            within = {each.id: each.within for each in _waiting(lookup, near_holder.id, "enemy-acts")}
            for waiting in triggered(lookup, rules, near_holder.id, "enemy-acts", here):
                if is_near or feet <= within.get(waiting.feature, 0) > 0:
                    yield msgspec.structs.replace(waiting, asks=True)


def on_came_near(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the other combatant's features that are triggered by a step into their distance, or onto its back."""
    feet = 0 if context.subject == "mount" else geometry.distance(lookup, rules, context.other, context.who)
    if feet is None:
        return NO_RESULT
    here = msgspec.structs.replace(context, who=context.other, other=context.who, subject="turn")
    distances = {feature.id: feature.within for feature in _waiting(lookup, context.other, "enters")}
    by_step = triggered(lookup, rules, context.other, "enters", here)
    return begins("enters", (each for each in by_step if feet <= distances[each.feature] < context.amount))


def holders(lookup: Lookup, moment: TriggerMoment) -> set[str]:
    """Return the ids of the stat blocks with features that a moment triggers."""
    return {block.id for block in (*lookup.all(Creature), *lookup.all(GuestCreature)) if features_at(block, moment)}


def near_holders(lookup: Lookup, rules: RuleSystem, moment: TriggerMoment, who: str) -> Iterator[Combatant]:
    """Yield the combatants near `who` with features that a moment may trigger.

    Combatants at an unknown distance are included.
    """
    block_ids, left = holders(lookup, moment), set[str]()
    if moment in ANYWHERE:
        leaving = ((effect.target, effect.leaves) for effect in lookup.all(Effect) if effect.leaves is not None)
        left = {target for target, feature in leaving if feature.trigger == moment}
    blocks = [block for kind in (Creature, GuestCreature) for block in lookup.all(kind) if block.id in block_ids]
    reaches = [feature.within for block in blocks for feature in features_at(block, moment)]
    if moment in ANYWHERE and (left or not all(reaches)):
        others = lookup.all(Combatant)
    else:
        farthest = max(geometry.longest_reach(lookup, rules) if moment == "enemy-acts" else 0, *reaches, 0)
        if moment == "enters" and (field := current_map(lookup)) is not None:
            farthest += field.cell  # a step starts one square farther away
        others = geometry.possibly_within(lookup, rules, who, farthest) if block_ids and farthest else ()
    yield from (other for other in others if (other.creature in block_ids or other.id in left) and other.id != who)


def _waiting(lookup: Lookup, who: str, moment: TriggerMoment) -> tuple[Feature, ...]:
    combatant = lookup.get(Combatant, who)
    return features_at(creature_of(lookup, combatant), moment) if combatant is not None else ()


def on_died(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the features that a combatant's death triggers."""
    return begins("dies", triggered(lookup, rules, context.who, "dies", context))


def on_turn_started(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the features of nearby combatants that the start of a combatant's turn triggers.

    Auras that affect a creature once also affect an enemy that began inside, or whose distance wasn't known.
    """
    inside = (each for each in _of_others(lookup, rules, "enters", context) if _is_due(lookup, each))
    return begins("other-starts", (*_of_others(lookup, rules, "other-starts", context), *inside))


def _is_due(lookup: Lookup, trigger: TriggeredFeature) -> bool:
    """Return whether an aura that affects a creature once hasn't affected this enemy yet.

    An aura that also affects those inside at the start of their turns is never due.
    """
    feature = feature_of(lookup, trigger.who, trigger.feature)
    if not geometry.are_hostile(lookup, trigger.who, trigger.other) or feature is None:
        return False
    affected = {(effect.source, effect.by) for effect in lookup.of(Effect, trigger.other)}
    staying = [each.name for each in _waiting(lookup, trigger.who, "other-starts")]
    lasting = any(feature.name.startswith(name) or name.startswith(f"{feature.name} (") for name in staying)
    return bool(feature.immune_after) and not lasting and (feature.name, trigger.who) not in affected


def on_turn_ending(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the features of nearby combatants that the end of a combatant's turn triggers."""
    return begins("other-ends", _of_others(lookup, rules, "other-ends", context))


def _of_others(
    lookup: Lookup, rules: RuleSystem, moment: TriggerMoment, context: HookContext
) -> Iterator[TriggeredFeature]:
    """Yield other combatants' features that are triggered by a moment of a combatant near them.

    If the distance is unknown, only an enemy's features lead to a question.
    """
    for near_holder in near_holders(lookup, rules, moment, context.who):
        near = [
            feature.id
            for feature in waiting_features(lookup, near_holder.id, moment)
            if (not feature.within and not feature.id.startswith(LEFT))
            or _is_near(lookup, rules, near_holder.id, feature, context.who)
        ]
        here = msgspec.structs.replace(context, who=near_holder.id, other=context.who)
        for waiting in triggered(lookup, rules, near_holder.id, moment, here) if near else ():
            if waiting.feature in near:
                yield waiting


def _is_near(lookup: Lookup, rules: RuleSystem, who: str, feature: Feature, other: str) -> bool:
    """Return whether a combatant is within a feature's distance.

    The area on the map decides for a spell that has one. If the distance is unknown, an enemy counts as near until the
    game master skips the question.
    """
    answer = geometry.is_within(lookup, rules, who, other, feature.within) if feature.within else None
    if (placed := area_of(lookup, who, feature.id)) is not None:
        areas, how = placed
        waits = how in ("only", "each") or (how == "once" and _has_entered(lookup, other, feature.id))
        answer = not waits and any(geometry.is_in_area(lookup, rules, other, area) for area in areas)
    if answer is not None:
        return answer
    is_wanted = heals_in_area(feature) or geometry.are_hostile(lookup, who, other)
    return is_wanted and not _was_skipped(lookup, who, feature.id)


def area_of(lookup: Lookup, who: str, feature: str) -> tuple[list[LastingArea], str] | None:
    """Return the areas on the map of the spell that left a feature on its caster, and how entering them counts."""
    effect = lookup.get(Effect, feature.removeprefix(LEFT)) if feature.startswith(LEFT) else None
    if effect is None or effect.leaves is None:
        return None
    standing = standing_areas(lookup)
    areas = [area for area in standing if (area.owner, area.name) == (who, effect.name)]
    return (areas, effect.leaves.enters) if areas else None


def entered_areas(
    lookup: Lookup, rules: RuleSystem, area: LastingArea, who: str, *, moved: bool, steps: bool = False
) -> Iterator[TriggeredFeature]:
    """Yield the features of a spell that affect a combatant on entering its area, at most once on a turn.

    An area that moves over a combatant that hasn't `moved` only affects it if the spell counts its turns together.
    `steps`: the combatant has just moved one square in the area, which counts each time for some spells.
    """
    here = HookContext(area.owner, "turn", other=who)
    for id, left in entering_features(lookup, area):
        counts = steps if left.enters == "each" else moved or left.enters == "once"
        for waiting in triggered(lookup, rules, area.owner, left.trigger, here) if counts else ():
            if waiting.feature == id and (left.enters == "each" or not _has_entered(lookup, who, id)):
                yield waiting


def entering_features(lookup: Lookup, area: LastingArea) -> Iterator[tuple[str, LeftFeature]]:
    """Yield the features, by id, that a spell left on its caster for creatures that enter its area."""
    for effect in effects_named(lookup, area.owner, area.name) if area.owner and not area.outside else ():
        if effect.leaves is not None and effect.leaves.enters:
            yield f"{LEFT}{effect.id}", effect.leaves


def _has_entered(lookup: Lookup, who: str, feature: str) -> bool:
    return any(mark.source == feature for mark in effects_named(lookup, who, ENTERED))


def skip_id(who: str, feature: str) -> str:
    """Return the id of the mark for a skipped question about the combatants near a feature."""
    return f"{NEAR_SKIPPED}-{who}-{feature}"


def _was_skipped(lookup: Lookup, who: str, feature: str) -> bool:
    """Return whether the question about nearby combatants was skipped this round, so that it isn't asked again."""
    mark = lookup.get(Effect, skip_id(who, feature))
    return mark is not None and mark.since_round == clock_of(lookup).round


def strangers_to(lookup: Lookup, rules: RuleSystem, who: str, feet: int) -> list[str]:
    """Return a combatant's enemies that may be within `feet` because their distance is unknown."""
    side, on_map = lookup.need(Combatant, who).side, geometry.space(lookup, rules, who) is not None
    stated = {id for pair in lookup.all(Relation) if who in (pair.who, pair.other) for id in (pair.who, pair.other)}
    return [
        combatant.id
        for combatant in geometry.possibly_within(lookup, rules, who, feet)
        if combatant.side != side
        and not (combatant.dead or combatant.bystander)
        and (
            (combatant.id not in stated and (not on_map or combatant.position is None))
            or geometry.is_within(lookup, rules, who, combatant.id, feet) is None
        )
    ]


class Way(NamedTuple):
    """A way to carry out a step: the step, the name on a card, and the feature used, or None if there is none."""

    id: str
    name: str
    step: FeatureStep
    feature: Feature | None = None


SPARES_USES: Final = "spares-uses"  # property: its steps spend no uses and no slots of what they use
DISRUPTS: Final = "disrupts"  # property of an attack whose hit ends the action that it answers
_ONGOING: Final = ("ongoing", "ongoing_at", "ongoing_while")
_CARRIED: Final = ("reach", "save", "dc", "push", "afflictions", "damage", *_ONGOING)
_LEAVES: Final = ("effect", "lasts", "until", "effect_uses")
_PASSED_ON: Final = (DOUBLES_PUSH, "sure-hit", "uncounted")


def carrying(weapon: Feature, feature: Feature, step: FeatureStep) -> Feature:
    """Return an attack with the effects that a feature's step adds to it."""
    if SPARES_USES in feature.properties:
        weapon = msgspec.structs.replace(weapon, uses=0, level=None, recharge=0, rests="", shares="")
    if step.disrupts:
        weapon = msgspec.structs.replace(weapon, properties=(*weapon.properties, DISRUPTS))
    if not step.carries:
        return weapon
    names = (*_CARRIED, *_LEAVES) if feature.effect else _CARRIED
    changes = {name: getattr(feature, name) or getattr(weapon, name) for name in names}
    changes["afflictions"] = (*weapon.afflictions, *feature.afflictions)
    untyped = feature.damage and " " not in feature.damage
    more = " ".join((feature.damage, *weapon.damage.split()[1:2])) if untyped else feature.damage
    changes["damage"] = " + ".join(filter(None, (weapon.damage, more)))
    changes["properties"] = (*weapon.properties, *(each for each in _PASSED_ON if each in feature.properties))
    return msgspec.structs.replace(weapon, **changes)


def without_carried(feature: Feature) -> Feature:
    """Return a feature without the effects that its steps add to attacks."""
    if not any(step.carries for step in feature.does):
        return feature
    bare = Feature("", "")
    return msgspec.structs.replace(feature, **{name: getattr(bare, name) for name in (*_CARRIED, *_LEAVES)})


def steps_of(feature: Feature, *, paid: bool = True) -> tuple[FeatureStep, ...]:
    """Return the steps of a feature, or the attacks of a multiattack that has a single variant.

    `paid`: the multiattack has paid for its attacks, so they don't count against another action.
    """
    if feature.does or not paid or len(feature.multiattack) != 1:
        return feature.does
    return tuple(FeatureStep(use=id) for id, count in feature.multiattack[0] for _ in range(count))


def steps_at(steps: tuple[FeatureStep, ...], place: int) -> tuple[FeatureStep, ...]:
    """Return the step at a position, with the alternatives that can replace it."""
    return steps[place : next((at for at in range(place + 1, len(steps)) if not steps[at].alternative), len(steps))]


def ways_of(lookup: Lookup, rules: RuleSystem, who: str, step: FeatureStep) -> tuple[Way, ...]:
    """Return the ways to carry out a step: several if any attack will do, none if its feature doesn't exist."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    if step.use in ANY_ATTACKS:
        own = (attack for attack in creature.features if is_attack(attack) and attack.cost == "action")
        available = tuple(attack for attack in own if is_there(lookup, rules, who, attack))
        attacks = available if step.use == ANY_ATTACK and available else melee_attacks(lookup, rules, who)
        unarmed = tuple(attack for attack in attacks if UNARMED in attack.properties)
        unarmed = unarmed or tuple(attack for attack in attacks if "weapon" not in attack.properties)
        attacks = unarmed or (unarmed_strike(lookup, who),) if step.use == ANY_UNARMED else attacks
        return tuple(Way(f"use {attack.id}", attack.name or "option.unarmed", step, attack) for attack in attacks)
    if step.use or step.spell:
        found = (without_carried(one) for one in (step_feature(rules, creature, step),) if one is not None)
        mark = (f" {step.bonus:+}" if step.bonus else "") + " +" * step.carries
        return tuple(Way(f"{step.kinds[0]} {one.id}{mark}", one.name, step, one) for one in found)
    if step.ends == ANY_CONDITION:
        shown = (effect.name for effect in lookup.of(Effect, who) if effect.shown and effect.by != who)
        names = dict.fromkeys(name for name in shown if name in rules.conditions)
        return tuple(
            Way(f"ends {name}", f"<condition.{name}>", msgspec.structs.replace(step, ends=name)) for name in names
        )
    needs_feature = step.recharges not in ("", ALL_FEATURES) and not step.value
    if (step.action and step.action not in rules.actions) or (needs_feature and _own(creature, step.recharges) is None):
        return ()
    return tuple(
        Way(
            f"{kind} {getattr(step, kind)} {step.mode}{step.form}".rstrip(),
            step.form or _name(rules, creature, step, kind),
            step,
        )
        for kind in step.kinds[:1]
    )


def step_feature(rules: RuleSystem, creature: Creature, step: FeatureStep) -> Feature | None:
    """Return the feature that a step uses: one from the stat block, or else a spell with its caster's numbers."""
    own = _own(creature, step.use or step.spell)
    if not step.spell or (own is not None and own.is_spell and not step.value):
        return own
    spell = next((candidate for candidate in rules.data.spells if candidate.id == step.spell), None)
    return None if spell is None else spell_feature(spell, caster_of(rules, creature), level=step.value)


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
        "teleport": "option.teleports",
        "roll": f"<check.{step.roll}>",
        "ends": f"<condition.{step.ends}>",
        "gains": f"<condition.{step.gains}>",
        "restores": f"<resource.{step.restores}>",
        "summons": "option.summons",
    }[kind]


def widest(feature: Feature) -> int:
    """Return the largest distance in feet between two targets in a feature's area, or 0 if it has none."""
    shape = paths.shape_in(feature.area)
    return int(shape.feet * _WIDEST.get(shape.kind, 1)) if shape is not None else 0


def out_of_range_vetoes(
    lookup: Lookup, rules: RuleSystem, who: str, feature: Feature, target: str, at: Point | None = None
) -> tuple[Veto, ...]:
    """Return the veto on a target, or the square of an area, outside a feature's range, reach or area.

    Empty if the distance is unknown.

    A cone, a line and an emanation begin at its owner, and other areas spread from a point in its range. Only light is
    around a target that is touched.
    """
    by_touch = TOUCHES in feature.properties or at is not None
    shape = None if by_touch else paths.shape_in(feature.area)
    if feature.area and shape is None and not by_touch:
        return ()
    farthest = max(*ranges(feature), feature.reach) + (shape.feet if shape is not None else 0)
    if feature.reach and is_spell(feature):  # by touch
        farthest = max(farthest, geometry.melee_reach(lookup, rules, who))
    feet = geometry.distance(lookup, rules, who, target, at) if who != target else None
    if (away := geometry.floor_veto(lookup, rules, who, target)) is not None:
        return (away,)
    relation = geometry.stated_relation(lookup, who, target)
    is_reached = relation is not None and relation.reached and not feature.range
    if feet is None or not farthest or feet <= farthest or is_reached:
        return ()
    params = (("what", feature.name), ("feet", feet), ("range", farthest), ("reach", farthest))
    reason = "refused.out_of_range" if feature.range or shape else "refused.out_of_reach"
    return (Veto(reason, feature_rule(lookup, rules, who), params),)
