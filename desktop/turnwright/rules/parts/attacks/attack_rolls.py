"""Attack rolls: the tags of an attack, its roll with all modifiers, its outcome and its damage.

All functions take an `AttackInProgress`, which may be a real attack or a hypothetical one. Properties such as
`deadly-d10` or `deadly-2d10` change the dice of a critical hit. The words and their effects are in the game's data.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from turnwright.dice.expression import (
    DeclinableModifier,
    Edge,
    EdgeKind,
    ExtraDice,
    Modifier,
    Roll,
    RollSpec,
    cancel_edges,
)
from turnwright.encounter.prepared import Feature
from turnwright.encounter.procedure_state.attacks import CRITICAL, FUMBLE, HIT, MISS, AttackInProgress, AttackOutcome
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.attacks.attack_targeting import (
    LIMITED,
    RANGED,
    armor_class_context,
    attack_ability,
    attack_reach,
    distance_to,
    entered,
    is_declined,
    is_limited,
    is_spell,
    kind_of_attack,
    ranges,
)
from turnwright.rules.parts.checks.ability_checks import attack_outcome
from turnwright.rules.parts.conditions import condition_rules
from turnwright.rules.parts.conditions.predicates import MUTUAL, REACHING, evaluate
from turnwright.rules.system import (
    NO_RESULT,
    Hook,
    HookContext,
    HookResult,
    RollGrant,
    RuleSystem,
    apply_stacking,
    creature_of,
    run_hooks,
)
from turnwright.rules.system_data.statements import Fact, facts_in

_DIE = re.compile(r"(?P<word>[a-z-]+)-(?P<count>\d*)d(?P<sides>\d+)")
_FIRST = re.compile(r"(?P<count>\d*)d\d+")


def extra_critical_dice(rules: RuleSystem, attack: AttackInProgress) -> str:
    """Return the extra dice of a critical hit, which are never multiplied, or an empty string if there are none."""
    if not attack.critical:
        return ""
    matches = _matching_properties(attack.weapon, rules.data.attack.adds_die)
    return " + ".join(f"{match['count'] or 1}d{match['sides']}" for match in matches)


def enlarged_dice(rules: RuleSystem, attack: AttackInProgress) -> str:
    """Return a weapon's damage. On a critical hit, some properties enlarge its first dice."""
    damage = attack.weapon.damage
    matches = _matching_properties(attack.weapon, rules.data.attack.grows_die) if attack.critical else []
    return _FIRST.sub(rf"\g<count>d{matches[0]['sides']}", damage, count=1) if matches else damage


def _matching_properties(weapon: Feature, words: tuple[str, ...]) -> list[re.Match[str]]:
    matches = (_DIE.fullmatch(property_) for property_ in weapon.properties)
    return [match for match in matches if match is not None and match["word"] in words]


DISADVANTAGE: Final = "disadvantage"
EDGES: tuple[EdgeKind, ...] = ("advantage", DISADVANTAGE)
WEAPON, SPELL, UNARMED = "weapon", "spell", "unarmed"


class AttackRoll(msgspec.Struct, frozen=True):
    """The roll of an attack, with all other contributions of its sources.

    `critical`: a hit is a critical hit. `auto_miss` is the reason for an automatic miss, or None if the dice decide.
    `consumed_effects` are effects with limited uses; the roll spends a use of each. `questions` are for the game master
    to answer. `suggested` are effects of conditions that the system's sources only name. `flat_check` is the hardest
    flat check before the attack, with its DC in `steps`. `beyond` are distances in feet that are unknown, and that the
    target is assumed to exceed, because the attack is made from afar.
    """

    spec: RollSpec
    critical: RollGrant | None = None
    auto_miss: RollGrant | None = None
    questions: tuple[RollGrant, ...] = ()
    consumed_effects: tuple[str, ...] = ()
    suggested: tuple[DeclinableModifier, ...] = ()
    flat_check: RollGrant | None = None
    beyond: tuple[int, ...] = ()


def attack_tags(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[str, ...]:
    """Return the tags of an attack: its kind and properties, its purpose, and the facts the game master entered."""
    means = attack.weapon
    tags = [*attack.tags, kind_of_attack(attack)]
    words = (means.id, *means.id.split("-"), *means.properties)
    tags += [SPELL] if is_spell(means) else [UNARMED] if UNARMED in words else [WEAPON]
    tags += [f"with:{word}" for word in words]
    tags += [LIMITED] if is_limited(means) else []
    if attack.purpose in ("off-hand", "opportunity"):
        tags.append(attack.purpose)
    feet = distance_to(lookup, rules, attack)
    normal, longest = ranges(means)
    if RANGED in tags and feet is not None and longest and feet > normal:
        tags.append("long-range")
    if RANGED not in tags and (means.reach or not is_spell(means)):  # a spell without a reach may be cast from afar
        tags.append(f"{REACHING}{attack_reach(lookup, rules, attack.attacker, means)}")
    return tuple(dict.fromkeys((*tags, *attack.facts)))


def attack_roll(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> AttackRoll:
    """Return the roll for an attack, with the contributions of both sides and of the entered facts."""
    afar = assumed_distances(lookup, rules, attack)
    if afar:
        attack = msgspec.structs.replace(attack, facts=(*attack.facts, *(f"not {MUTUAL}{feet}" for feet in afar)))
    own, against = _hook_results(lookup, rules, attack)
    rule = rules.rule_id("attack.edges")
    entered_edges = tuple(Edge(kind, "why.narrator", rule) for kind in attack.facts if kind in EDGES)
    kinds = {edge.kind for edge in (*own.edges, *against.edges, *entered_edges)}
    if kinds == {DISADVANTAGE}:  # repeated, because some sources contribute nothing to a roll with disadvantage
        own, against = _hook_results(lookup, rules, msgspec.structs.replace(attack, tags=(*attack.tags, DISADVANTAGE)))
    defence = _ac_changes(lookup, rules, attack)
    grants = tuple(_answered_grant(grant, attack) for grant in (*own.grants, *against.grants))
    modifiers = (*attack_bonus(lookup, rules, attack), *_range_penalty(lookup, rules, attack), *own.modifiers)
    spec = rules.roll_spec(
        lookup,
        (*modifiers, *against.modifiers, *_entered_modifiers(rules, attack)),
        (*own.edges, *against.edges, *entered_edges),
        (*rules.expertise_dice(grants), *own.dice, *against.dice, *_entered_dice(rules, attack)),
    )
    return AttackRoll(
        spec,
        critical=next((grant for grant in grants if grant.kind == "critical"), None),
        auto_miss=next((grant for grant in grants if grant.kind == "fail"), None),
        questions=tuple(grant for grant in grants if grant.kind == "ask"),
        consumed_effects=(*own.consumed_effects, *against.consumed_effects, *defence.consumed_effects),
        suggested=condition_rules.suggested_effects(rules, own, against, defence),
        beyond=afar,
        flat_check=max((grant for grant in grants if grant.kind == "flat"), key=lambda flat: flat.steps, default=None),
    )


def _ac_changes(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> HookResult:
    """Return the modifiers of conditions to the target's AC. Empty if the target has no AC."""
    if attack.is_object or lookup.get(Combatant, attack.target) is None:
        return NO_RESULT
    context = armor_class_context(lookup, rules, attack)
    in_force = tuple(condition_rules.data_rules_on(lookup, rules, attack.target, "modifier", "ac", context))
    effects = (each.context.effect for each in in_force)
    used = tuple(effect.id for effect in effects if effect is not None and effect.uses_left)
    modifiers = tuple(each.modifier for each in in_force)
    return _without_declined(HookResult(modifiers, consumed_effects=used), attack)


def _range_penalty(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Modifier, ...]:
    """Return the distance penalty of a ranged attack, in games with range increments."""
    settings = rules.data.attack
    shot = kind_of_attack(attack) == RANGED and not is_spell(attack.weapon)
    feet, (increment, _) = distance_to(lookup, rules, attack), ranges(attack.weapon)
    if not shot or not settings.increments or not increment or feet is None or feet <= increment:
        return ()
    beyond = -(-feet // increment) - 1
    return (Modifier(beyond * settings.increment_penalty, "why.range_increment", rules.rule_id("ranged.increment")),)


def _answered_grant(grant: RollGrant, attack: AttackInProgress) -> RollGrant:
    """Resolve a question that the game master has answered: a yes grants an expertise die."""
    if grant.kind != "ask":
        return grant
    kind = "expertise" if grant.rule in entered(attack, "yes") else "" if grant.rule in entered(attack, "no") else "ask"
    return RollGrant(kind, grant.reason, grant.rule, grant.steps)


def _hook_results(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[HookResult, HookResult]:
    moments = _contexts(lookup, rules, attack)
    results = [_without_declined(run_hooks(lookup, rules, Hook.CHECK_MADE, moment), attack) for moment in moments]
    return results[0], results[1] if len(results) > 1 else NO_RESULT


def _without_declined(result: HookResult, attack: AttackInProgress) -> HookResult:
    """Return a hook result without the modifiers, edges and grants that the game master has declined."""
    if not entered(attack, "no"):
        return result
    return msgspec.structs.replace(
        result,
        modifiers=tuple(modifier for modifier in result.modifiers if not is_declined(attack, modifier)),
        edges=tuple(edge for edge in result.edges if not is_declined(attack, edge)),
        grants=tuple(grant for grant in result.grants if not is_declined(attack, grant)),
    )


def _contexts(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> list[HookContext]:
    """Return the contexts of the roll: the attacker's, and the target's if the target is a creature."""
    tags = attack_tags(lookup, rules, attack)
    target = "" if attack.is_object else attack.target
    contexts = [HookContext(attack.attacker, "attack", other=target, tags=tags)]
    if target:
        contexts.append(HookContext(target, "attack-against", other=attack.attacker, tags=tags))
    return contexts


def _entered_dice(rules: RuleSystem, attack: AttackInProgress) -> tuple[ExtraDice, ...]:
    rule = rules.rule_id("attack.modifier.misc")
    return tuple(msgspec.structs.replace(die, rule=rule) for die in attack.extra)


def _entered_modifiers(rules: RuleSystem, attack: AttackInProgress) -> tuple[Modifier, ...]:
    rule = rules.rule_id("attack.modifier.misc")
    return tuple(msgspec.structs.replace(modifier, rule=rule) for modifier in attack.modifiers)


def attack_bonus(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Modifier, ...]:
    """Return the parts of the attack bonus: the stat block's number, or ability, proficiency and magic."""
    means = attack.weapon
    combatant = lookup.need(Combatant, attack.attacker)
    creature = creature_of(lookup, combatant)
    if means.attack is not None or rules.data.attack.asks_outcome:
        return (Modifier(means.attack or 0, "why.stat_block", rules.rule_id("attack.modifier.monster")),)
    ability, topic = attack_ability(rules.data, creature, means, kind_of_attack(attack))
    parts = [Modifier(rules.modifier_of(creature, ability), f"<ability.{ability}>", rules.rule_id(topic))]
    bonus = dict(combatant.supplied_numbers).get("proficiency", creature.proficiency)
    if means.proficient or is_spell(means):
        parts.append(Modifier(bonus, "why.proficiency", rules.rule_id("attack.modifier.proficient")))
    else:
        parts.append(Modifier(0, "why.not_proficient", rules.rule_id("attack.modifier.nonproficient")))
    if means.magic:
        parts.append(Modifier(means.magic, "why.magic", rules.rule_id("attack.modifier.magic-weapon")))
    return tuple(parts)


def outcome_of(rules: RuleSystem, roll: Roll, armor_class: int, critical: bool) -> AttackOutcome:
    """Return the outcome of an attack roll, or an empty string if the total is unknown.

    `critical`: a hit is a critical hit.
    """
    settings = rules.data.attack
    if settings.asks_outcome:
        return ""
    if rules.data.checks.degrees:
        return attack_outcome(rules, roll, armor_class, critical)
    if settings.natural_hit and roll.natural == settings.natural_hit:
        return CRITICAL
    if settings.natural_miss and roll.natural == settings.natural_miss:
        return FUMBLE
    if roll.total is None:
        return ""
    if roll.total < armor_class:
        return MISS
    return CRITICAL if critical else HIT


def damage_roll(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> RollSpec | None:
    """Return the damage roll of a hit, or None if the attack deals no damage."""
    if not attack.weapon.damage:
        return None
    if rules.data.attack.asks_outcome:
        return RollSpec(attack.weapon.damage)
    doubled = attack.critical and rules.data.attack.critical_twice
    numbers = (each.modifier for each in damage_rules(lookup, rules, attack) if each.rule.kind == "modifier")
    from_conditions = HookResult(tuple(numbers))
    modifiers = (*_weapon_modifier(lookup, rules, attack), *_without_declined(from_conditions, attack).modifiers)
    stacked = apply_stacking(modifiers) if rules.data.checks.typed else modifiers
    extra = tuple(ExtraDice(rule.rule.dice, rule.reason, rule.ledger) for rule in extra_damage(lookup, rules, attack))
    return RollSpec(enlarged_dice(rules, attack), stacked, extra=extra, doubled=doubled)


def extra_damage(
    lookup: Lookup, rules: RuleSystem, attack: AttackInProgress
) -> tuple[condition_rules.RuleInForce, ...]:
    """Return the rules that add dice to the damage of an attack."""
    return tuple(each for each in damage_rules(lookup, rules, attack) if each.rule.kind == "extra" and each.rule.dice)


def damage_rules(
    lookup: Lookup, rules: RuleSystem, attack: AttackInProgress
) -> tuple[condition_rules.RuleInForce, ...]:
    """Return the rules that change the damage of an attack: those of the attacker, and those of the target."""
    context = _damage_context(lookup, rules, attack)
    in_force = tuple(condition_rules.data_rules(lookup, rules, attack.attacker, ("damage",), context))
    if not context.other:
        return in_force
    what = "damage-against"
    against = msgspec.structs.replace(context, who=context.other, subject=what, other=context.who)
    return (*in_force, *condition_rules.data_rules(lookup, rules, context.other, (what,), against))


def _damage_context(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> HookContext:
    """Return the context of an attack's damage, including whether the attack had advantage or disadvantage."""
    tags = attack_tags(lookup, rules, attack)
    if "rolls-with" in condition_rules.feature_rules_of(lookup, attack.attacker).words:
        edges = attack.roll.edges if attack.roll is not None else attack_roll(lookup, rules, attack).spec.edges
        edge = cancel_edges(tuple(attack_edge.kind for attack_edge in edges))
        tags = (*tags, f"rolls-with:{edge}") if edge else tags
    if attack.critical:
        tags = (*tags, "critical")
    return HookContext(attack.attacker, "damage", other="" if attack.is_object else attack.target, tags=tags)


def _weapon_modifier(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Modifier, ...]:
    """Return the ability modifier to a weapon's damage.

    Damage from a stat block already includes it, so an off-hand attack subtracts it.
    """
    means = attack.weapon
    if is_spell(means):
        return ()
    creature = creature_of(lookup, lookup.need(Combatant, attack.attacker))
    ability, _ = attack_ability(rules.data, creature, means, kind_of_attack(attack))
    modifier = rules.modifier_of(creature, ability)
    off_hand = attack.purpose == "off-hand" and modifier > 0
    if means.attack is None and not off_hand:
        return (Modifier(modifier, f"<ability.{ability}>", rules.rule_id("damage.weapon-modifier")),)
    if means.attack is not None and off_hand and means.ability:
        return (Modifier(-modifier, "why.off_hand", rules.rule_id("twf.damage")),)
    return ()


def unknown_facts(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[str, ...]:
    """Return the unknown facts that would change the roll, from the attacker's point of view."""
    names: list[str] = []
    for moment in _contexts(lookup, rules, attack):
        for when in _fact_expressions(lookup, rules, moment):
            if evaluate(lookup, rules, moment.who, when, moment) is None:
                names += [_fact_name(fact, moment) for fact in facts_in(when) if _is_open(lookup, rules, fact, moment)]
    tags = attack_tags(lookup, rules, attack)
    if RANGED in tags and ranges(attack.weapon)[1] and distance_to(lookup, rules, attack) is None:
        names.append("long-range")
    answered = {fact.removeprefix("not ") for fact in attack.facts}
    return tuple(fact for fact in dict.fromkeys(names) if fact not in answered)


def assumed_distances(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[int, ...]:
    """Return the distances in feet that a ranged attack's target is assumed to exceed, because its place is unknown."""
    if attack.is_object or kind_of_attack(attack) != RANGED or distance_to(lookup, rules, attack) is not None:
        return ()
    open_facts = (fact.removeprefix("target.") for fact in unknown_facts(lookup, rules, attack))
    return tuple(dict.fromkeys(int(fact.removeprefix(MUTUAL)) for fact in open_facts if fact.startswith(MUTUAL)))


def _is_open(lookup: Lookup, rules: RuleSystem, fact: Fact, context: HookContext) -> bool:
    return bool(context.other) and evaluate(lookup, rules, context.who, fact, context) is None


def _fact_name(fact: Fact, context: HookContext) -> str:
    """Return a fact's name from the attacker's point of view: about the attacker, or `target.…`."""
    against = context.subject.endswith("-against")
    name = f"source.{fact.name}" if fact.subject == "source" else fact.name
    of_target = {"attacker": False, "target": True, "other": not against}.get(fact.subject, against)
    return f"target.{name}" if of_target else name


def _fact_expressions(lookup: Lookup, rules: RuleSystem, context: HookContext) -> list[str]:
    subjects = condition_rules.roll_names(context) | {"ac" if context.subject == "attack-against" else "damage"}
    return [
        in_force.rule.when
        for in_force in condition_rules.rules_held(lookup, rules, context.who, subjects, context)
        if in_force.rule.when and in_force.rule.kind != "note"
    ]
