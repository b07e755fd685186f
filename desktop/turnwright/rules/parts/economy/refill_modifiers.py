"""Modifiers of conditions to a resource's refill."""

from __future__ import annotations

from dataclasses import dataclass

from turnwright.encounter.state import Lookup
from turnwright.rules.parts.conditions.condition_rules import data_rules_on
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.actions import Resource


@dataclass(frozen=True)
class RefillModifier:
    """A change to a refill: a bonus and a penalty.

    `wearing_off` pairs effects with the amount by which they reduce the refill and then wear off. `withheld`: nothing
    is refilled, whatever else applies.
    """

    bonus: int = 0
    penalty: int = 0
    wearing_off: tuple[tuple[str, int], ...] = ()
    withheld: bool = False


def refill_modifier(lookup: Lookup, rules: RuleSystem, who: str, resource: Resource) -> RefillModifier:
    """Return the current modifier of a combatant's refill of a resource."""
    if resource.withheld and any(data_rules_on(lookup, rules, who, "deny", resource.id)):
        return RefillModifier(withheld=True)
    more = fewer = 0
    wearing: list[tuple[str, int]] = []
    for in_force in data_rules_on(lookup, rules, who, "resource", resource.id):
        by, effect = in_force.amount, in_force.context.effect
        more, fewer = more + max(0, by), fewer + max(0, -by)
        if in_force.rule.wears and effect is not None and by < 0:
            wearing.append((effect.id, -by))
    return RefillModifier(more, fewer, tuple(wearing))
