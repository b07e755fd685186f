"""Damage steps: immunity, resistance, vulnerability and weakness. A game's data list those it has, in order.

Each takes one typed part and whether a nonmagical weapon dealt it, and returns what changes it, or None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from turnwright.dice.roll import Modifier, RollPart
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import HookContext
from turnwright.rules.parts.combatants.facts import count_sources, split_value
from turnwright.rules.parts.conditions.condition_rules import data_rules_on
from turnwright.rules.system import RuleSystem, creature_of

DamageStep = Callable[[Lookup, RuleSystem, str, RollPart, bool], Modifier | None]
ALL_DAMAGE = "all"  # the type of a resistance or weakness that applies to every type


def immunity(lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool) -> Modifier | None:
    """Adjust damage of a type that the target is immune to, to nothing."""
    if part.kind and count_sources(lookup, target, "immune", part.kind):
        return Modifier(-part.total, "why.immune", rules.rule_id("immunity.type"))
    return None


def mundane_immunity(lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool) -> Modifier | None:
    """Adjust damage of nonmagical weapons to nothing where the target is immune to them."""
    if mundane and creature_of(lookup, lookup.need(Combatant, target)).mundane_immunity and _is_of_weapons(rules, part):
        return Modifier(-part.total, "why.mundane_immune", rules.rule_id("immunity.mundane"))
    return None


def _is_of_weapons(rules: RuleSystem, part: RollPart) -> bool:
    """Return whether damage is of a type that immunity and resistance to nonmagical weapons are about."""
    types = rules.data.health.weapon_types
    return not types or not part.kind or part.kind in types


def resistance(lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool) -> Modifier | None:
    """Halve damage of a type that the target resists; several sources halve once."""
    own = count_sources(lookup, target, "resistant", part.kind) if part.kind else 0
    around = [one for one in _damage_rules(lookup, rules, target, part.kind) if one.over > one.times > 0]
    resists = mundane and creature_of(lookup, lookup.need(Combatant, target)).mundane_resistance
    blunted = resists and _is_of_weapons(rules, part)
    if not own and not around and not blunted:
        return None
    rule = rules.rule_id("resistance.no-stack" if own + len(around) + blunted > 1 else "resistance.half")
    reason = "why.resistant" if own or around else "why.mundane_resistant"
    if not own and around:
        reason, rule = around[0].text or reason, around[0].ledger or rule
    return Modifier(rules.half(lookup, part.total) - part.total, reason, rule)


def vulnerability(lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool) -> Modifier | None:
    """Double damage of a type that the target is vulnerable to; several sources double once."""
    own = count_sources(lookup, target, "vulnerable", part.kind) if part.kind else 0
    around = [one for one in _damage_rules(lookup, rules, target, part.kind) if one.times > one.over]
    if not own and not around:
        return None
    rule = rules.rule_id("vulnerability.no-stack" if own + len(around) > 1 else "vulnerability.double")
    reason = "why.vulnerable"
    if not own:
        reason, rule = around[0].text or reason, around[0].ledger or rule
    return Modifier(part.total, reason, rule)


def _damage_rules(
    lookup: Lookup, rules: RuleSystem, target: str, kind: str, context: HookContext | None = None
) -> list[DataRule]:
    """Return the rules of conditions and the scene that take a share or a multiple of a damage type."""
    found = data_rules_on(lookup, rules, target, "damage", kind, context)
    return [
        msgspec.structs.replace(one.rule, text=one.reason) if isinstance(one.source, Feature) else one.rule
        for one in found
    ]


# By amounts -----------------------------------------------------------------------------------------------------


def weakness_by_amount(
    lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool
) -> Modifier | None:
    """Add the amount of the target's weakness to a damage type; of several that apply the highest counts."""
    amount = _highest_amount(creature_of(lookup, lookup.need(Combatant, target)).vulnerabilities, rules, part.kind)
    return Modifier(amount, "why.weak_to", rules.rule_id("weakness.figure")) if amount else None


def resistance_by_amount(
    lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool
) -> Modifier | None:
    """Subtract the amount of the target's resistance to a damage type; of several the highest counts."""
    amount = _highest_amount(creature_of(lookup, lookup.need(Combatant, target)).resistances, rules, part.kind)
    return Modifier(-min(amount, part.total), "why.resists", rules.rule_id("resistance.figure")) if amount else None


def _highest_amount(listed: tuple[str, ...], rules: RuleSystem, kind: str) -> int:
    """Return the highest amount listed for a damage type, for its group, or for all types."""
    group = next((one.group for one in rules.data.damage_types if one.id == kind), "")
    names = {ALL_DAMAGE, kind, group} - {""}
    figures = (split_value(one) for one in listed)
    return max((amount for name, amount in figures if name in names), default=0)


# By status ----------------------------------------------------------------------------------------------------


def negated(lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool) -> Modifier | None:
    """Adjust damage to nothing that has no effect in this scene, such as nonmagical fire under water."""
    moment = HookContext(target, "damage", tags=("mundane",) if mundane else ())
    found = _damage_rules(lookup, rules, target, part.kind, moment)
    rule = next((one for one in found if one.times == 0), None)
    return Modifier(-part.total, rule.text, rule.ledger) if rule is not None else None


def absorption(lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool) -> Modifier | None:
    """Turn damage of a type that the target absorbs into healing, which is damage below 0."""
    if part.kind and part.kind in creature_of(lookup, lookup.need(Combatant, target)).absorptions:
        return Modifier(-2 * part.total, "why.absorbed", rules.rule_id("absorption.heals"))
    around = data_rules_on(lookup, rules, target, "damage", part.kind) if part.kind else ()
    found = next((one for one in around if one.rule.times < 0), None)
    return Modifier(-2 * part.total, found.reason, found.ledger) if found is not None else None


def resistance_unless_vulnerable(
    lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool
) -> Modifier | None:
    """Halve damage of a type that the target resists and is not weak to."""
    weak = count_sources(lookup, target, "vulnerable", part.kind) > 0
    return None if weak else resistance(lookup, rules, target, part, mundane)


def vulnerability_unless_resistant(
    lookup: Lookup, rules: RuleSystem, target: str, part: RollPart, mundane: bool
) -> Modifier | None:
    """Double damage of a type that the target is weak to and does not resist."""
    resists = count_sources(lookup, target, "resistant", part.kind) > 0
    return None if resists else vulnerability(lookup, rules, target, part, mundane)


DAMAGE_STEPS: Final[Mapping[str, DamageStep]] = MappingProxyType({
    "absorption": absorption,
    "immunity": immunity,
    "mundane-immunity": mundane_immunity,
    "negated": negated,
    "resistance": resistance,
    "resistance-by-amount": resistance_by_amount,
    "unless-resistant": vulnerability_unless_resistant,
    "unless-vulnerable": resistance_unless_vulnerable,
    "vulnerability": vulnerability,
    "weakness-by-amount": weakness_by_amount,
})  # fmt: skip
