"""Attack rolls: the tags of an attack, its roll with all modifiers, its outcome and its damage.

All functions take an `AttackInProgress`, which may be a real attack or a hypothetical one. Properties such as
`deadly-d10` or `deadly-2d10` change the dice of a critical hit. The words and their effects are in the game's data.
"""

import re
from collections.abc import Iterator
from functools import partial
from math import prod
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
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import OBJECT, Feature
from turnwright.encounter.procedure_state.attacks import CRITICAL, FUMBLE, HIT, MISS, AttackInProgress, AttackOutcome
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup, remembered
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
    save_against,
)
from turnwright.rules.parts.checks.ability_checks import attack_outcome
from turnwright.rules.parts.combatants.facts import ATTACKED_WITH
from turnwright.rules.parts.conditions import condition_rules
from turnwright.rules.parts.conditions.assumptions import assumed, treatment
from turnwright.rules.parts.conditions.numbers import ability_change, proficiency_change
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
from turnwright.rules.system_data.references import damage_types_in
from turnwright.rules.system_data.statements import Fact, facts_in

_DIE = re.compile(r"(?P<word>[a-z-]+)-(?P<count>\d*)d(?P<sides>\d+)")
_FIRST = re.compile(r"(?P<count>\d*)d(?P<sides>\d+)")


def extra_critical_dice(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> str:
    """Return the extra dice of a critical hit, which are never multiplied, or an empty string if there are none."""
    if not attack.critical:
        return ""
    matches = _matching_properties(attack.weapon, rules.data.attack.adds_die)
    dice = [f"{match['count'] or 1}d{match['sides']}" for match in matches]
    in_force = damage_rules(lookup, rules, attack)
    more = sum(each.amount for each in in_force if each.rule.kind == "extra" and _is_for_criticals(each.rule))
    first = _FIRST.search(attack.weapon.damage)
    return " + ".join(dice + ([f"{more}d{first['sides']}"] if more and first else []))


def _is_for_criticals(rule: DataRule) -> bool:
    return any(fact.word == "critical" for fact in facts_in(rule.when))


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
LONG_RANGE: Final = "long-range"


class AttackRoll(msgspec.Struct, frozen=True):
    """The roll of an attack, with all other contributions of its sources.

    `critical`: a hit with at least the face in its `steps` is a critical hit. `auto_miss` is the reason for an automatic miss, or None if the dice decide, and `auto_hit` that of an automatic hit.
    `consumed_effects` are effects with limited uses; the roll spends a use of each. `questions` are for the game master
    to answer. `suggested` are effects of conditions that the system's sources only name. `flat_check` is the hardest
    flat check before the attack, with its DC in `steps`.
    """

    spec: RollSpec
    critical: RollGrant | None = None
    auto_miss: RollGrant | None = None
    auto_hit: RollGrant | None = None
    questions: tuple[RollGrant, ...] = ()
    consumed_effects: tuple[str, ...] = ()
    suggested: tuple[DeclinableModifier, ...] = ()
    flat_check: RollGrant | None = None

    @property
    def always_critical(self) -> bool:
        """Whether every hit is a critical hit."""
        return self.critical is not None and self.critical.steps <= 1

    def is_critical(self, roll: Roll) -> bool:
        """Return whether a hit with this roll is a critical hit because of a rule."""
        return self.always_critical or (self.critical is not None and (roll.natural or 0) >= self.critical.steps)


def attack_tags(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[str, ...]:
    """Return the tags of an attack: its kind and properties, its purpose, and the facts the game master entered."""
    means = attack.weapon
    tags = [*attack.tags, kind_of_attack(attack)]
    attacker = lookup.get(Combatant, attack.attacker)  # may have been removed since the attack
    ability = (
        attack_ability(rules.data, creature_of(lookup, attacker), means, tags[-1])[0] if attacker else means.ability
    )
    words = (means.id, *means.id.split("-"), *means.properties, ability)
    tags += [SPELL] if is_spell(means) else [UNARMED] if UNARMED in words else [WEAPON]
    tags += [f"with:{word}" for word in words]
    tags += [LIMITED] if is_limited(means) else []
    tags += [attack.purpose] * (attack.purpose in ("off-hand", "opportunity"))
    feet = distance_to(lookup, rules, attack)
    normal, longest = ranges(means)
    is_second = feet is not None and feet <= 2 * normal and rules.data.attack.increments
    tags += [LONG_RANGE] if RANGED in tags and feet is not None and feet > normal and (longest or is_second) else []
    if RANGED not in tags and (means.reach or not is_spell(means)):  # a spell without a reach may be cast from afar
        tags.append(f"{REACHING}{attack_reach(lookup, rules, attack.attacker, means)}")
    return tuple(dict.fromkeys((*tags, *_earlier_in_turn(lookup, attack), *attack.facts)))


def _earlier_in_turn(lookup: Lookup, attack: AttackInProgress) -> Iterator[str]:
    """Yield the tags that depend on the attacks with the same weapon earlier in the turn, in games that count them."""
    made = [each for each in lookup.of(Effect, attack.attacker) if each.name == ATTACKED_WITH]
    is_marked = attack.outcome and not attack.together and attack.purpose != "opportunity"
    same = [each for each in (made[:-1] if is_marked else made) if each.source == attack.weapon.id]
    if same:
        yield "second-with-it" if len(same) == 1 else "later-with-it"
        yield from () if same[-1].value else ("just-missed",)
        yield from ("attacked-another",) if any(each.by != attack.target for each in same) else ()


def attack_roll(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> AttackRoll:
    """Return the roll for an attack, with the contributions of both sides and of the entered facts."""
    settled = with_assumptions(lookup, rules, attack)
    return remembered(lookup, ("attack roll", id(settled)), lambda: (settled, _attack_roll(lookup, rules, settled)))[1]


def _attack_roll(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> AttackRoll:
    own, against = _hook_results(lookup, rules, attack)
    rule = rules.rule_id("attack.edges")
    entered_edges = tuple(Edge(kind, "why.narrator", rule) for kind in attack.facts if kind in EDGES)
    kinds = {edge.kind for edge in (*own.edges, *against.edges, *entered_edges)}
    if kinds == {DISADVANTAGE}:  # repeated, because some sources contribute nothing to a roll with disadvantage
        own, against = _hook_results(lookup, rules, msgspec.structs.replace(attack, tags=(*attack.tags, DISADVANTAGE)))
    defence = _ac_changes(lookup, rules, attack)
    grants = tuple(_answered_grant(grant, attack) for grant in (*own.grants, *against.grants))
    modifiers = (*attack_bonus(lookup, rules, attack), *_range_penalty(lookup, rules, attack), *own.modifiers)
    entered = partial(msgspec.structs.replace, rule=rules.rule_id("attack.modifier.misc"))
    spec = rules.roll_spec(
        lookup,
        (*modifiers, *against.modifiers, *map(entered, attack.modifiers)),
        (*own.edges, *against.edges, *entered_edges),
        (*rules.expertise_dice(grants), *own.dice, *against.dice, *map(entered, attack.extra)),
        grants=grants,
    )
    flat_checks = [grant for grant in grants if grant.kind == "flat"]
    is_flat = all(flat.steps for flat in flat_checks)  # a DC of 0 makes them unnecessary
    return AttackRoll(
        spec,
        critical=min((each for each in grants if each.kind == "critical"), key=lambda each: each.steps, default=None),
        auto_miss=next((grant for grant in grants if grant.kind == "fail"), None),
        auto_hit=next((grant for grant in grants if grant.kind == "hit"), None),
        questions=tuple(grant for grant in grants if grant.kind == "ask"),
        consumed_effects=(*own.consumed_effects, *against.consumed_effects, *defence.consumed_effects),
        suggested=condition_rules.suggested_effects(rules, own, against, defence),
        flat_check=max(flat_checks, key=lambda flat: flat.steps, default=None) if is_flat else None,
    )


def _ac_changes(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> HookResult:
    """Return the modifiers of conditions to the target's AC. Empty if the target has no AC."""
    if attack.is_object or lookup.get(Combatant, attack.target) is None or save_against(attack.weapon):
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
    """Return the contexts of the roll, after it those of the damage: the attacker's, and that of a target creature."""
    tags = damage_context(lookup, rules, attack).tags if attack.roll is not None else attack_tags(lookup, rules, attack)
    target = "" if attack.is_object else attack.target
    contexts = [HookContext(attack.attacker, "attack", other=target, tags=tags)]
    if target:
        contexts.append(HookContext(target, "attack-against", other=attack.attacker, tags=tags))
    return contexts


def _edge_tags(edges: tuple[Edge, ...]) -> tuple[str, ...]:
    """Return the tag of a roll with advantage or disadvantage."""
    edge = cancel_edges(tuple(each.kind for each in edges))
    return (f"rolls-with:{edge}",) if edge else ()


def attack_bonus(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Modifier, ...]:
    """Return the parts of the attack bonus: the stat block's number, or ability, proficiency and magic."""
    means = attack.weapon
    combatant = lookup.need(Combatant, attack.attacker)
    creature = creature_of(lookup, combatant)
    ability, topic = attack_ability(rules.data, creature, means, kind_of_attack(attack))
    changes = ability_change(lookup, rules, attack.attacker, ability)
    if means.proficient or is_spell(means):
        changes += proficiency_change(lookup, rules, attack.attacker)
    if means.attack is not None or rules.data.attack.asks_outcome:
        return (Modifier(means.attack or 0, "why.stat_block", rules.rule_id("attack.modifier.monster")), *changes)
    parts = [Modifier(rules.modifier_of(creature, ability), f"<ability.{ability}>", rules.rule_id(topic))]
    bonus = dict(combatant.supplied_numbers).get("proficiency", creature.proficiency)
    if means.proficient or is_spell(means):
        parts.append(Modifier(bonus, "why.proficiency", rules.rule_id("attack.modifier.proficient")))
    else:
        parts.append(Modifier(0, "why.not_proficient", rules.rule_id("attack.modifier.nonproficient")))
    if means.magic:
        parts.append(Modifier(means.magic, "why.magic", rules.rule_id("attack.modifier.magic-weapon")))
    return (*parts, *changes)


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
    if not attack.weapon.damage or not damage_factor(lookup, rules, attack):
        return None
    if rules.data.attack.asks_outcome:
        return RollSpec(attack.weapon.damage)
    doubled = attack.critical and rules.data.attack.critical_twice
    changes = (each for each in damage_rules(lookup, rules, attack) if each.rule.kind == "modifier")
    numbers = (each.modifier for each in changes if each.rule.times == 1)
    from_conditions = HookResult(tuple(numbers))
    modifiers = (*_weapon_modifier(lookup, rules, attack), *_without_declined(from_conditions, attack).modifiers)
    stacked = apply_stacking(modifiers) if rules.data.checks.typed else modifiers
    extra = tuple(ExtraDice(rule.rule.dice, rule.reason, rule.ledger) for rule in extra_damage(lookup, rules, attack))
    return RollSpec(enlarged_dice(rules, attack), stacked, extra=extra, doubled=doubled)


def damage_factor(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> int:
    """Return the number by which the attacker's rules multiply the damage of an attack."""
    return prod(each.rule.times for each in damage_rules(lookup, rules, attack) if each.rule.kind == "modifier")


def extra_damage(
    lookup: Lookup, rules: RuleSystem, attack: AttackInProgress
) -> tuple[condition_rules.RuleInForce, ...]:
    """Return the rules that add dice to the damage of an attack, which may be further dice of its weapon."""
    extra = [each for each in damage_rules(lookup, rules, attack) if each.rule.kind == "extra"]
    first = _FIRST.search(attack.weapon.damage)
    for place, each in enumerate(extra):
        if each.amount and first is not None and not _is_for_criticals(each.rule):
            further = msgspec.structs.replace(each.rule, dice=f"{each.amount}d{first['sides']}", add=0)
            extra[place] = each._replace(rule=further)
    return tuple(each for each in extra if each.rule.dice)


def damage_rules(
    lookup: Lookup, rules: RuleSystem, attack: AttackInProgress
) -> tuple[condition_rules.RuleInForce, ...]:
    """Return the rules that change the damage of an attack: those of the attacker, and those of the target."""
    context = damage_context(lookup, rules, attack)
    in_force = tuple(condition_rules.data_rules(lookup, rules, attack.attacker, ("damage",), context))
    if not context.other:
        return in_force
    what = "damage-against"
    against = msgspec.structs.replace(context, who=context.other, subject=what, other=context.who)
    return (*in_force, *condition_rules.data_rules(lookup, rules, context.other, (what,), against))


def damage_context(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> HookContext:
    """Return the context of an attack's damage: its types, and whether the attack had advantage or disadvantage."""
    tags = (*attack_tags(lookup, rules, attack), *map("kind:{}".format, damage_types_in(attack.weapon.damage)))
    words = condition_rules.feature_rules_of(lookup, attack.attacker).words
    weapon = attack.weapon
    limits = [*(each.when for each in weapon.afflictions), *(each.when for each in weapon.other_damage)]
    if "rolls-with" in words or any("rolls-with" in when for when in limits):
        edges = attack.roll.edges if attack.roll is not None else attack_roll(lookup, rules, attack).spec.edges
        tags = (*tags, *_edge_tags(edges))
    if attack.critical:
        tags = (*tags, "critical")
    target = lookup.get(Combatant, attack.target)
    if attack.is_object or (target is not None and creature_of(lookup, target).type == OBJECT):
        tags = (*tags, "object")
    return HookContext(attack.attacker, "damage", other="" if attack.is_object else attack.target, tags=tags)


def _weapon_modifier(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Modifier, ...]:
    """Return the ability modifier to a weapon's damage, and its change by effects.

    Damage from a stat block already includes the modifier, so an off-hand attack subtracts it.
    """
    means = attack.weapon
    if is_spell(means):
        return ()
    creature = creature_of(lookup, lookup.need(Combatant, attack.attacker))
    ability, _ = attack_ability(rules.data, creature, means, kind_of_attack(attack))
    modifier = rules.modifier_of(creature, ability)
    off_hand = attack.purpose == "off-hand" and modifier > 0
    changes = () if off_hand else ability_change(lookup, rules, attack.attacker, ability)
    if means.attack is None and not off_hand:
        return (Modifier(modifier, f"<ability.{ability}>", rules.rule_id("damage.weapon-modifier")), *changes)
    if means.attack is not None and off_hand and means.ability:
        return (Modifier(-modifier, "why.off_hand", rules.rule_id("twf.damage")),)
    return changes


class OpenFact(msgspec.Struct, frozen=True):
    """An unknown fact about an attack, with the rules that depend on it.

    Its name is from the attacker's point of view. `assumed` is the default answer, and `entered` the game master's
    answer for this attack.
    """

    name: str
    decided: tuple[condition_rules.RuleInForce, ...]
    assumed: bool | None = None
    entered: bool | None = None

    @property
    def word(self) -> str:
        """The word of the fact, without its subject and argument."""
        return self.name.removeprefix("target.").partition(":")[0]

    @property
    def holds(self) -> bool | None:
        """Whether the fact counts as true, or None if it is unknown."""
        return self.assumed if self.entered is None else self.entered

    @property
    def answered(self) -> str:
        """The fact as entered for an attack, with `not` if it is false."""
        return self.name if self.holds else f"not {self.name}"


def with_assumptions(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> AttackInProgress:
    """Return an attack to which the assumed facts are added. An attack without any is returned as it is."""

    def find() -> tuple[AttackInProgress, AttackInProgress]:
        facts = tuple(fact.answered for fact in open_facts(lookup, rules, attack) if fact.assumed is not None)
        return attack, msgspec.structs.replace(attack, facts=(*attack.facts, *facts)) if facts else attack

    settled = remembered(lookup, ("assumptions", id(attack)), find)[1]
    return remembered(lookup, ("assumptions", id(settled)), lambda: (settled, settled))[1]


def unknown_facts(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[str, ...]:
    """Return the unknown facts that would change the roll, from the attacker's point of view."""
    return tuple(fact.name for fact in open_facts(lookup, rules, attack))


def open_facts(
    lookup: Lookup, rules: RuleSystem, attack: AttackInProgress, *, with_entered: bool = False
) -> tuple[OpenFact, ...]:
    """Return the unknown facts on which rules about an attack depend, each with its default answer.

    `with_entered` includes facts that the game master entered for this attack.
    """
    return remembered(
        lookup,
        ("open facts", id(attack), with_entered),
        lambda: (attack, _open_facts(lookup, rules, attack, with_entered=with_entered)),
    )[1]


def _open_facts(
    lookup: Lookup, rules: RuleSystem, attack: AttackInProgress, *, with_entered: bool
) -> tuple[OpenFact, ...]:
    entered_facts = {_entered_name(fact.removeprefix("not ")): not fact.startswith("not ") for fact in attack.facts}
    bare = msgspec.structs.replace(attack, facts=()) if with_entered else attack
    assumes = treatment(lookup, rules) == "assumed"
    decided: dict[str, list[condition_rules.RuleInForce]] = {}
    defaults: dict[str, bool | None] = {}
    for moment in _contexts(lookup, rules, bare):
        for held in _conditional_rules(lookup, rules, moment):
            is_unknown = evaluate(lookup, rules, moment.who, held.rule.when, held.context) is None
            for fact in facts_in(held.rule.when):
                if fact.word == LONG_RANGE:
                    is_open = _is_range_open(lookup, rules, bare) and _could_hold(lookup, rules, held, LONG_RANGE)
                else:
                    is_open = is_unknown and _is_open(lookup, rules, fact, held.context)
                if is_open:
                    name = _fact_name(fact, moment)
                    decided.setdefault(name, []).append(held)
                    defaults[name] = assumed(lookup, rules, moment.who, fact, held.context) if assumes else None
    answers = entered_facts if with_entered else {}
    return tuple(
        OpenFact(name, tuple(held), defaults[name], answers.get(name))
        for name, held in decided.items()
        if with_entered or name not in entered_facts
    )


def rules_applied(
    lookup: Lookup, rules: RuleSystem, attack: AttackInProgress, fact: OpenFact
) -> tuple[condition_rules.RuleInForce, ...]:
    """Return the applicable rules among those that depend on an open fact."""
    tags = attack_tags(lookup, rules, attack)
    about = ((held, msgspec.structs.replace(held.context, tags=tags)) for held in fact.decided)
    return tuple(held for held, moment in about if evaluate(lookup, rules, moment.who, held.rule.when, moment))


def _could_hold(lookup: Lookup, rules: RuleSystem, held: condition_rules.RuleInForce, tag: str) -> bool:
    """Return whether a conditional rule might apply to a roll with another tag."""
    context = msgspec.structs.replace(held.context, tags=(*held.context.tags, tag))
    return evaluate(lookup, rules, context.who, held.rule.when, context) is not False


def _is_range_open(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> bool:
    """Return whether a ranged attack has a long range and an unknown distance."""
    is_ranged = kind_of_attack(attack) == RANGED and bool(ranges(attack.weapon)[1])
    return is_ranged and distance_to(lookup, rules, attack) is None


def _is_open(lookup: Lookup, rules: RuleSystem, fact: Fact, context: HookContext) -> bool:
    return bool(context.other) and evaluate(lookup, rules, context.who, fact, context) is None


def _fact_name(fact: Fact, context: HookContext) -> str:
    """Return a fact's name from the attacker's point of view: about the attacker, or `target.…`."""
    against = context.subject.endswith("-against")
    name = f"source.{fact.name}" if fact.subject == "source" else fact.name
    of_target = {"attacker": False, "target": True, "other": not against}.get(fact.subject, against)
    return _entered_name(f"target.{name}" if of_target else name)


def _entered_name(fact: str) -> str:
    """Return an entered fact by the name it has in this module. A distance is about both sides."""
    name = fact.removeprefix("attacker.")
    return name.removeprefix("target.") if name.startswith(f"target.{MUTUAL}") else name


def _conditional_rules(
    lookup: Lookup, rules: RuleSystem, context: HookContext
) -> Iterator[condition_rules.RuleInForce]:
    """Yield the conditional rules about an attack."""
    subjects = condition_rules.roll_names(context) | {"ac" if context.subject == "attack-against" else "damage"}
    for held in condition_rules.rules_held(lookup, rules, context.who, subjects, context):
        if held.rule.when and held.rule.kind != "note":
            yield held
