"""Damage steps of a game of statuses: absorption, negation, and weakness and resistance that cancel."""

from __future__ import annotations

from turnwright.dice.roll import RollPart
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import HookContext
from turnwright.rules.parts.combatants.facts import count_sources
from turnwright.rules.parts.conditions.condition_rules import data_rules
from turnwright.rules.parts.damage import damage_steps
from turnwright.rules.system import AdjustedDamage, RuleSystem, creature_of

MUNDANE = "mundane"


def negated_by_environment(
    lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool
) -> AdjustedDamage | None:
    """Adjust damage to nothing that has no effect in this scene, such as nonmagical fire under water."""
    moment = HookContext(target, "damage", tags=(MUNDANE,) if mundane else ())
    wanted = data_rules(
        lookup,
        rules,
        target,
        lambda rule: rule.kind == "damage" and rule.what == part.kind and rule.times == 0,
        moment,
    )
    rule = next((rule for _, rule, _ in wanted), None)
    return AdjustedDamage(rule.text, part.total, 0, rule.ledger) if rule is not None else None


def absorption(lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool) -> AdjustedDamage | None:
    """Turn damage of a type that the target absorbs into healing, which is damage below 0."""
    if part.kind and part.kind in creature_of(lookup, lookup.need(Combatant, target)).absorptions:
        return AdjustedDamage("why.absorbed", part.total, -part.total, rules.rule_id("absorption.heals"))
    return None


def resistance(lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool) -> AdjustedDamage | None:
    """Halve damage of a type that the target resists and is not weak to."""
    weak = count_sources(lookup, target, "vulnerable", part.kind) > 0
    return None if weak else damage_steps.resistance(lookup, rules, target, part, mundane)


def weakness(lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool) -> AdjustedDamage | None:
    """Double damage of a type that the target is weak to and does not resist."""
    resists = count_sources(lookup, target, "resistant", part.kind) > 0
    return None if resists else damage_steps.vulnerability(lookup, rules, target, part, mundane)
