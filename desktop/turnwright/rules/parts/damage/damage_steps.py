"""Damage steps: immunity, resistance, vulnerability and weakness. A game's data lists the steps it uses, in order.

Each step takes one typed part of damage and whether a nonmagical weapon dealt it. It returns the change, or None. The
module also has the rules for death saves, massive damage and fatigue.
"""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from turnwright.dice.expression import Modifier, RollPart, RollSpec
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature, RosterEntry
from turnwright.encounter.roles import role_of
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup, effect_value, track_value
from turnwright.rules.parts.combatants.facts import KEPT_UP, count_sources, is_immune, level_or_hit_dice, split_value
from turnwright.rules.parts.conditions.condition_rules import AT_ZERO, RuleInForce, data_rules, data_rules_on
from turnwright.rules.system import Hook, HookContext, HookResult, RuleSystem, creature_of, run_hooks

DamageStep = Callable[[Lookup, RuleSystem, str, RollPart, bool], Modifier | None]
BY_AMOUNT: Final = ("why.resists", "why.weak_to")  # the reasons of changes by an amount
WEAKNESS: Final = "weakness-by-amount"  # the step that also counts traits of an attack, such as holy or silver
ALL_DAMAGE = "all"  # the type of a resistance or weakness that applies to every type


def immunity(lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool) -> Modifier | None:
    """Reduce damage to 0 if the target is immune to its type, or halve it if an effect lowers the immunity."""
    if part.kind and is_immune(lookup, rules, target, part.kind):
        if _lowered_to(lookup, rules, target, part.kind) is not None:
            return Modifier(
                rules.half(lookup, part.total) - part.total, "why.resistant", rules.rule_id("resistance.half")
            )
        return Modifier(-part.total, "why.immune", rules.rule_id("immunity.type"))
    return negated(lookup, rules, target, part, mundane)


def mundane_immunity(lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool) -> Modifier | None:
    """Reduce damage of nonmagical weapons to 0 if the target is immune to them."""
    if mundane and creature_of(lookup, lookup.need(Combatant, target)).mundane_immunity and _is_of_weapons(rules, part):
        return Modifier(-part.total, "why.mundane_immune", rules.rule_id("immunity.mundane"))
    return None


def _is_of_weapons(rules: RuleSystem, part: RollPart) -> bool:
    """Return whether immunity and resistance to nonmagical weapons apply to this type of damage."""
    types = rules.data.health.weapon_types
    return not types or not part.kind or part.kind in types


def resistance(lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool) -> Modifier | None:
    """Halve damage if the target is resistant to its type. Several sources halve it only once."""
    own = count_sources(lookup, target, "resistant", part.kind) if part.kind else 0
    moment = HookContext(target, "damage", tags=("mundane",) if mundane else ())
    around = _damage_rules(lookup, rules, target, part.kind, moment)
    rules_around = [rule for rule in around if rule.over > rule.times > 0]
    resists = mundane and creature_of(lookup, lookup.need(Combatant, target)).mundane_resistance
    blunted = resists and _is_of_weapons(rules, part)
    if (not own and not rules_around and not blunted) or _lowered_to(lookup, rules, target, part.kind) == 0:
        return None
    cited = rules.rule_id("resistance.no-stack" if own + len(rules_around) + blunted > 1 else "resistance.half")
    reason = "why.resistant" if own or rules_around else "why.mundane_resistant"
    if not own and rules_around:
        reason, cited = rules_around[0].text or reason, rules_around[0].ledger or cited
    return Modifier(rules.half(lookup, part.total) - part.total, reason, cited)


def vulnerability(lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool) -> Modifier | None:
    """Double damage if the target is vulnerable to its type. Several sources double it only once."""
    own = count_sources(lookup, target, "vulnerable", part.kind) if part.kind else 0
    rules_around = [rule for rule in _damage_rules(lookup, rules, target, part.kind) if rule.times > rule.over]
    if not own and not rules_around:
        return None
    cited = rules.rule_id("vulnerability.no-stack" if own + len(rules_around) > 1 else "vulnerability.double")
    reason = "why.vulnerable"
    if not own:
        reason, cited = rules_around[0].text or reason, rules_around[0].ledger or cited
    return Modifier(part.total, reason, cited)


def _lowered_to(lookup: Lookup, rules: RuleSystem, target: str, kind: str) -> int | None:
    """Return the best defence that effects leave a target against a damage type: 1 is resistance, 0 none, or None."""
    return min((rule.set for rule in _damage_rules(lookup, rules, target, kind) if rule.set is not None), default=None)


def _damage_rules(
    lookup: Lookup, rules: RuleSystem, target: str, kind: str, context: HookContext | None = None
) -> list[DataRule]:
    """Return the rules of conditions and the scene that multiply or divide damage of a type."""
    about = HookContext(target, "damage", tags=(*(context.tags if context else ()), f"kind:{kind}"))
    in_force_rules = data_rules(lookup, rules, target, (kind, ALL_DAMAGE), about, "damage")
    return [
        msgspec.structs.replace(each.rule, text=each.reason) if isinstance(each.source, Feature | Effect) else each.rule
        for each in in_force_rules
    ]


# By amount ------------------------------------------------------------------------------------------------------


def weakness_by_amount(
    lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool
) -> Modifier | None:
    """Add the target's weakness to a type of damage. If several apply, the highest counts."""
    amount = _highest_amount(creature_of(lookup, lookup.need(Combatant, target)).vulnerabilities, rules, part.kind)
    amount = max([amount, *(rule.add for rule in _damage_rules(lookup, rules, target, part.kind))])
    return Modifier(amount, "why.weak_to", rules.rule_id("weakness.figure")) if amount else None


def resistance_by_amount(
    lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool
) -> Modifier | None:
    """Subtract the target's resistance to a type of damage, or a share. If several apply, the highest counts."""
    amount = _highest_amount(creature_of(lookup, lookup.need(Combatant, target)).resistances, rules, part.kind)
    for rule in _damage_rules(lookup, rules, target, part.kind):
        amount = max(amount, -rule.add, part.total - part.total * rule.times // rule.over)
    return Modifier(-min(amount, part.total), "why.resists", rules.rule_id("resistance.figure")) if amount else None


def _highest_amount(texts: tuple[str, ...], rules: RuleSystem, kind: str) -> int:
    """Return the highest amount listed for a damage type, for its group, or for all types."""
    group = next((damage_type.group for damage_type in rules.data.damage_types if damage_type.id == kind), "")
    names = {ALL_DAMAGE, kind, group} - {""}
    amounts = (split_value(text) for text in texts)
    return max((amount for name, amount in amounts if name in names), default=0)


# By status ----------------------------------------------------------------------------------------------------


def negated(lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool) -> Modifier | None:
    """Reduce damage to 0 if a trait, an effect or the scene prevents it, such as nonmagical fire under water."""
    moment = HookContext(target, "damage", tags=("mundane",) if mundane else ())
    damage_rules = _damage_rules(lookup, rules, target, part.kind, moment)
    rule = next((candidate for candidate in damage_rules if candidate.times == 0), None)
    cited = rule.ledger or rules.rule_id("immunity.type") if rule is not None else ""
    return Modifier(-part.total, rule.text, cited) if rule is not None else None


def absorption(lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool) -> Modifier | None:
    """Turn damage into healing (damage below 0) if the target absorbs its type."""
    if part.kind and part.kind in creature_of(lookup, lookup.need(Combatant, target)).absorptions:
        return Modifier(-2 * part.total, "why.absorbed", rules.rule_id("absorption.heals"))
    around = data_rules_on(lookup, rules, target, "damage", part.kind) if part.kind else ()
    in_force = next((candidate for candidate in around if candidate.rule.times < 0), None)
    return Modifier(-2 * part.total, in_force.reason, in_force.ledger) if in_force is not None else None


def resistance_unless_vulnerable(
    lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool
) -> Modifier | None:
    """Halve damage if the target is resistant to its type and not weak to it."""
    weak = count_sources(lookup, target, "vulnerable", part.kind) > 0
    return None if weak else resistance(lookup, rules, target, part, mundane)


def vulnerability_unless_resistant(
    lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool
) -> Modifier | None:
    """Double damage if the target is weak to its type and not resistant to it."""
    resists = count_sources(lookup, target, "resistant", part.kind) > 0
    return None if resists else vulnerability(lookup, rules, target, part, mundane)


DAMAGE_STEPS: Final[Mapping[str, DamageStep]] = {
    "absorption": absorption,
    "immunity": immunity,
    "mundane-immunity": mundane_immunity,
    "negated": negated,
    "resistance": resistance,
    "resistance-by-amount": resistance_by_amount,
    "unless-resistant": vulnerability_unless_resistant,
    "unless-vulnerable": resistance_unless_vulnerable,
    "vulnerability": vulnerability,
    WEAKNESS: weakness_by_amount,
}  # fmt: skip


FATIGUE: Final = "fatigue"
PENDING_FATIGUE, SPRINT_FATIGUE = "fatigue-pending", "fatigue-sprint"
DEATH_SAVE = "save.death"
SUCCESSES, FAILURES = "death-successes", "death-failures"


def makes_saves(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant at 0 hit points is dying instead of dead, by its settings, its role or its level."""
    combatant, figures = lookup.need(Combatant, who), rules.data.dying
    if combatant.dying or role_of(lookup, combatant) in figures.saves_roles:
        return combatant.dying in ("", "saves")
    entry = lookup.get(RosterEntry, combatant.roster)
    return figures.leveled and (creature_of(lookup, combatant).level > 0 or (entry is not None and entry.level > 0))


def outcomes_at_zero(lookup: Lookup, rules: RuleSystem, who: str, outcome: str) -> tuple[RuleInForce, ...]:
    """Return the rules in force that give a combatant an outcome of 0 hit points: `down`, `leaves`, `lives`, `stays`, `up`."""
    return tuple(data_rules_on(lookup, rules, who, AT_ZERO, outcome))


def zero_hp_conditions(rules: RuleSystem) -> tuple[str, ...]:
    """Return the conditions at 0 hit points: dying, stable and unconscious, and the mark of being kept up."""
    return KEPT_UP, rules.role("dying"), rules.role("stable"), rules.role("unconscious")


def death_save_modifiers(lookup: Lookup, rules: RuleSystem, who: str) -> HookResult:
    """Return the modifiers of a combatant's death save, including those to all saving throws."""
    return run_hooks(lookup, rules, Hook.CHECK_MADE, HookContext(who, DEATH_SAVE, tags=("death",)))


def death_save(lookup: Lookup, rules: RuleSystem, who: str) -> RollSpec:
    """Return the roll for a death save, which adds no ability modifier."""
    result = death_save_modifiers(lookup, rules, who)
    extra = (*rules.expertise_dice(result.grants), *result.dice)
    spec = rules.roll_spec(lookup, result.modifiers, result.edges, extra, grants=result.grants)
    return msgspec.structs.replace(spec, uses=result.consumed_effects)


def massive_damage_threshold(lookup: Lookup, rules: RuleSystem, who: str) -> int | None:
    """Return a combatant's massive damage threshold, or None if both its level and its Hit Dice are unknown."""
    steps = level_or_hit_dice(lookup, who)
    settings = rules.data.dying.massive
    return None if steps is None else settings.base + settings.per_level * steps


def effective_fatigue(lookup: Lookup, who: str) -> int:
    """Return the current levels of fatigue: those from before this encounter, and those from sprinting."""
    return effect_value(lookup, who, FATIGUE) + track_value(lookup, who, SPRINT_FATIGUE)
