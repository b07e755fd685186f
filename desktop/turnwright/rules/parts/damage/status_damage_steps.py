"""Damage steps of a game of statuses: what heals, what is put out, and weakness and resistance that cancel."""

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
    """Take nothing of what does nothing here, such as fire without magic under water."""
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
    """Be healed, which is damage below 0, by as much of a type as one absorbs."""
    if part.kind and part.kind in creature_of(lookup, lookup.need(Combatant, target)).absorptions:
        return AdjustedDamage("why.absorbed", part.total, -part.total, rules.rule_id("absorption.heals"))
    return None


def resistance(lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool) -> AdjustedDamage | None:
    """Take half of a type one resists and is not weak to."""
    weak = count_sources(lookup, target, "vulnerable", part.kind) > 0
    return None if weak else damage_steps.resistance(lookup, rules, target, part, mundane)


def weakness(lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool) -> AdjustedDamage | None:
    """Take twice a type one is weak to and does not resist."""
    resists = count_sources(lookup, target, "resistant", part.kind) > 0
    return None if resists else damage_steps.vulnerability(lookup, rules, target, part, mundane)
