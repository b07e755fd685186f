"""Attack rolls: the tags of an attack, its roll with all modifiers, its outcome and its damage.

Everything is asked about an `AttackInProgress`: a real one, or one that is only considered.
"""

from __future__ import annotations

from typing import Final

import msgspec

from turnwright.dice.ast import cancel_edges
from turnwright.dice.roll import DeclinableModifier, Edge, EdgeKind, ExtraDice, Modifier, Roll, RollSpec
from turnwright.encounter.procedure_state.attacks import CRITICAL, FUMBLE, HIT, MISS, AttackInProgress, AttackOutcome
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.explained_number import apply_stacking
from turnwright.rules.hooks import NO_RESULT, Hook, HookContext, HookResult, RollGrant, run_hooks
from turnwright.rules.parts.attacks.attack_targeting import armor_class_context, distance_to
from turnwright.rules.parts.attacks.critical_dice import enlarged_dice
from turnwright.rules.parts.attacks.weapon_kind import (
    RANGED,
    attack_ability,
    entered,
    is_declined,
    is_spell,
    kind_of_attack,
    ranges,
)
from turnwright.rules.parts.checks.degrees import attack_outcome
from turnwright.rules.parts.conditions.condition_rules import (
    RuleInForce,
    data_rules_on,
    number_modifiers,
    roll_names,
    rules_held,
)
from turnwright.rules.parts.conditions.external_effects import suggested_effects
from turnwright.rules.parts.conditions.feature_rules import feature_rules_of
from turnwright.rules.parts.conditions.predicates import evaluate
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.rules.system_data.statements import Fact, facts_in

DISADVANTAGE: Final = "disadvantage"
EDGES: tuple[EdgeKind, ...] = ("advantage", DISADVANTAGE)
WEAPON, SPELL, UNARMED = "weapon", "spell", "unarmed"


class AttackRoll(msgspec.Struct, frozen=True):
    """The roll of an attack, with the rest of what its sources contribute.

    `critical`: a hit is critical; `auto_miss` is why it misses whatever the dice, None where they decide.
    `consumed_effects` are effects that serve a limited number of rolls and serve this one; `questions` are those that a
    person has to settle, and `suggested` effects of conditions that the system's sources only name. `flat_check` is the
    hardest check that comes before the attack, against its `steps`.
    """

    spec: RollSpec
    critical: RollGrant | None = None
    auto_miss: RollGrant | None = None
    questions: tuple[RollGrant, ...] = ()
    consumed_effects: tuple[str, ...] = ()
    suggested: tuple[DeclinableModifier, ...] = ()
    flat_check: RollGrant | None = None


def attack_tags(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[str, ...]:
    """Return the tags of an attack: its kind and properties, its purpose, and the facts entered by a person."""
    means = attack.weapon
    found = [*attack.tags, kind_of_attack(attack)]
    words = (means.id, *means.id.split("-"), *means.properties)
    found += [SPELL] if is_spell(means) else [UNARMED] if UNARMED in words else [WEAPON]
    found += [f"with:{word}" for word in words]
    if attack.purpose in ("off-hand", "opportunity"):
        found.append(attack.purpose)
    feet = distance_to(lookup, rules, attack)
    normal, longest = ranges(means)
    if RANGED in found and feet is not None and longest and feet > normal:
        found.append("long-range")
    return tuple(dict.fromkeys((*found, *attack.facts)))


def attack_roll(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> AttackRoll:
    """Return the roll for an attack, with what both sides and the entered facts add to it."""
    own, against = _hook_results(lookup, rules, attack)
    rule = rules.rule_id("attack.edges")
    said = tuple(Edge(kind, "why.narrator", rule) for kind in EDGES if kind in attack.facts)
    if {edge.kind for edge in (*own.edges, *against.edges, *said)} == {
        DISADVANTAGE
    }:  # some sources contribute nothing then
        own, against = _hook_results(lookup, rules, msgspec.structs.replace(attack, tags=(*attack.tags, DISADVANTAGE)))
    grants = tuple(_answered_grant(one, attack) for one in (*own.grants, *against.grants))
    spec = rules.roll_spec(
        lookup,
        (
            *attack_bonus(lookup, rules, attack),
            *_range_penalty(lookup, rules, attack),
            *own.modifiers,
            *against.modifiers,
            *_entered_modifiers(rules, attack),
        ),
        (*own.edges, *against.edges, *said),
        (*rules.expertise_dice(grants), *_entered_dice(rules, attack)),
    )
    return AttackRoll(
        spec,
        critical=next((one for one in grants if one.kind == "critical"), None),
        auto_miss=next((one for one in grants if one.kind == "fail"), None),
        questions=tuple(one for one in grants if one.kind == "ask"),
        consumed_effects=(*own.consumed_effects, *against.consumed_effects),
        suggested=suggested_effects(rules, own, against, _ac_changes(lookup, rules, attack)),
        flat_check=max((one for one in grants if one.kind == "flat"), key=lambda one: one.steps, default=None),
    )


def _ac_changes(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> HookResult:
    """Return what conditions add to the AC that the attack has to meet, where the target has an AC."""
    if attack.is_object or lookup.get(Combatant, attack.target) is None:
        return NO_RESULT
    moved = number_modifiers(lookup, rules, attack.target, "ac", armor_class_context(lookup, rules, attack))
    return _without_declined(HookResult(moved), attack)


def _range_penalty(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Modifier, ...]:
    """Return the distance penalty of a shot, where a weapon's range is the first of several increments."""
    figures = rules.data.attack
    shot = kind_of_attack(attack) == RANGED and not is_spell(attack.weapon)
    feet, (increment, _) = distance_to(lookup, rules, attack), ranges(attack.weapon)
    if not shot or not figures.increments or not increment or feet is None or feet <= increment:
        return ()
    beyond = -(-feet // increment) - 1
    return (Modifier(beyond * figures.increment_penalty, "why.range_increment", rules.rule_id("ranged.increment")),)


def _answered_grant(grant: RollGrant, attack: AttackInProgress) -> RollGrant:
    """Return a question that a person has answered as its result: an expertise die for yes."""
    if grant.kind != "ask":
        return grant
    kind = "expertise" if grant.rule in entered(attack, "yes") else "" if grant.rule in entered(attack, "no") else "ask"
    return RollGrant(kind, grant.reason, grant.rule, grant.steps)


def _hook_results(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[HookResult, HookResult]:
    moments = _contexts(lookup, rules, attack)
    own, against = [
        *(_without_declined(run_hooks(lookup, rules, Hook.CHECK_MADE, moment), attack) for moment in moments),
        NO_RESULT,
    ][:2]
    return own, against


def _without_declined(said: HookResult, attack: AttackInProgress) -> HookResult:
    """Return a hook result without the modifiers, edges and grants that a person has declined."""
    if not entered(attack, "no"):
        return said
    return msgspec.structs.replace(
        said,
        modifiers=tuple(one for one in said.modifiers if not is_declined(attack, one)),
        edges=tuple(one for one in said.edges if not is_declined(attack, one)),
        grants=tuple(one for one in said.grants if not is_declined(attack, one)),
    )


def _contexts(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> list[HookContext]:
    """Return the contexts of the roll: the attacker's and, where a creature is attacked, the target's."""
    tags = attack_tags(lookup, rules, attack)
    target = "" if attack.is_object else attack.target
    found = [HookContext(attack.attacker, "attack", other=target, tags=tags)]
    if target:
        found.append(HookContext(target, "attack-against", other=attack.attacker, tags=tags))
    return found


def _entered_dice(rules: RuleSystem, attack: AttackInProgress) -> tuple[ExtraDice, ...]:
    rule = rules.rule_id("attack.modifier.misc")
    return tuple(msgspec.structs.replace(one, rule=rule) for one in attack.extra)


def _entered_modifiers(rules: RuleSystem, attack: AttackInProgress) -> tuple[Modifier, ...]:
    rule = rules.rule_id("attack.modifier.misc")
    return tuple(msgspec.structs.replace(one, rule=rule) for one in attack.modifiers)


def attack_bonus(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Modifier, ...]:
    """Return the parts of the attack bonus: the stat block's number, or ability, proficiency and magic."""
    means = attack.weapon
    combatant = lookup.need(Combatant, attack.attacker)
    creature = creature_of(lookup, combatant)
    if means.attack is not None or rules.data.attack.said:
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
    """Return the outcome of an attack by its roll, empty where the total is unknown; `critical`: a hit is critical."""
    figures = rules.data.attack
    if figures.said:
        return ""
    if rules.data.checks.degrees:
        return attack_outcome(rules, roll, armor_class, critical)
    if figures.natural_hit and roll.natural == figures.natural_hit:
        return CRITICAL
    if figures.natural_miss and roll.natural == figures.natural_miss:
        return FUMBLE
    if roll.total is None:
        return ""
    if roll.total < armor_class:
        return MISS
    return CRITICAL if critical else HIT


def damage_roll(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> RollSpec | None:
    """Return the damage roll of a hit: the attack's dice and a weapon's ability modifier; None for no damage."""
    if not attack.weapon.damage:
        return None
    if rules.data.attack.said:
        return RollSpec(attack.weapon.damage)
    doubled = attack.critical and rules.data.attack.critical_twice
    hit = _damage_context(lookup, rules, attack)
    moved = HookResult(number_modifiers(lookup, rules, attack.attacker, "damage", hit))
    modifiers = (*_weapon_modifier(lookup, rules, attack), *_without_declined(moved, attack).modifiers)
    counting = apply_stacking(modifiers) if rules.data.checks.typed else modifiers
    extra = tuple(ExtraDice(one.rule.dice, one.reason, one.ledger) for one in extra_damage(lookup, rules, attack))
    return RollSpec(enlarged_dice(rules, attack), counting, extra=extra, doubled=doubled)


def extra_damage(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[RuleInForce, ...]:
    """Return the rules that add dice to the damage of an attack."""
    context = _damage_context(lookup, rules, attack)
    found = data_rules_on(lookup, rules, attack.attacker, "extra", "damage", context)
    return tuple(one for one in found if one.rule.dice)


def _damage_context(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> HookContext:
    """Return the context of an attack's damage, with the edge that it was rolled with."""
    tags = attack_tags(lookup, rules, attack)
    if "rolls-with" in feature_rules_of(lookup, attack.attacker).words:
        edges = attack.roll.edges if attack.roll is not None else attack_roll(lookup, rules, attack).spec.edges
        edge = cancel_edges(tuple(one.kind for one in edges))
        tags = (*tags, f"rolls-with:{edge}") if edge else tags
    if attack.critical:
        tags = (*tags, "critical")
    target = "" if attack.is_object else attack.target
    return HookContext(attack.attacker, "damage", other=target, tags=tags)


def _weapon_modifier(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Modifier, ...]:
    """Return the ability modifier of a weapon's damage; fixed damage includes it, and loses it off hand."""
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
    found: list[str] = []
    for moment in _contexts(lookup, rules, attack):
        for when in _fact_expressions(lookup, rules, moment):
            if evaluate(lookup, rules, moment.who, when, moment) is None:
                found += [_fact_name(one, moment) for one in facts_in(when) if _is_open(lookup, rules, one, moment)]
    tags = attack_tags(lookup, rules, attack)
    if RANGED in tags and ranges(attack.weapon)[1] and distance_to(lookup, rules, attack) is None:
        found.append("long-range")
    said = {fact.removeprefix("not ") for fact in attack.facts}
    return tuple(fact for fact in dict.fromkeys(found) if fact not in said)


def _is_open(lookup: Lookup, rules: RuleSystem, fact: Fact, context: HookContext) -> bool:
    return bool(context.other) and evaluate(lookup, rules, context.who, fact, context) is None


def _fact_name(fact: Fact, context: HookContext) -> str:
    """Return a fact from the attacker's point of view: about the attacker, or `target.…`."""
    against = context.subject.endswith("-against")
    name = f"source.{fact.name}" if fact.subject == "source" else fact.name
    of_target = {"attacker": False, "target": True, "other": not against}.get(fact.subject, against)
    return f"target.{name}" if of_target else name


def _fact_expressions(lookup: Lookup, rules: RuleSystem, context: HookContext) -> list[str]:
    wanted = roll_names(context) | {"ac" if context.subject == "attack-against" else "damage"}
    return [
        one.rule.when
        for one in rules_held(lookup, rules, context.who, wanted, context)
        if one.rule.when and one.rule.kind != "note"
    ]
