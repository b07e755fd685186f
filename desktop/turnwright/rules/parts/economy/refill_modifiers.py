"""What conditions add to a resource's refill, or withhold of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import HookContext
from turnwright.rules.parts.conditions.condition_rules import data_rules
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.actions import Resource
from turnwright.rules.system_data.conditions import Condition, DataRule


@dataclass(frozen=True)
class RefillModifier:
    """A change of a refill: a bonus, a penalty, and the effects that wear off by what they withhold.

    `withheld`: nothing is refilled, whatever else applies.
    """

    bonus: int = 0
    penalty: int = 0
    wearing_off: tuple[tuple[str, int], ...] = ()
    withheld: bool = False


def refill_modifier(lookup: Lookup, rules: RuleSystem, who: str, resource: Resource) -> RefillModifier:
    """Return what changes a combatant's refill of a resource now."""
    if resource.withheld and any(_rules(lookup, rules, who, "deny", resource.id)):
        return RefillModifier(withheld=True)
    more = fewer = 0
    wearing: list[tuple[str, int]] = []
    for _, rule, about in _rules(lookup, rules, who, "resource", resource.id):
        by = rule.amount_at(about.effect.value if about.effect is not None else 0)
        more, fewer = more + max(0, by), fewer + max(0, -by)
        if rule.wears and about.effect is not None and by < 0:
            wearing.append((about.effect.id, -by))
    return RefillModifier(more, fewer, tuple(wearing))


def _rules(
    lookup: Lookup, rules: RuleSystem, who: str, kind: str, what: str
) -> Iterator[tuple[Condition, DataRule, HookContext]]:
    return data_rules(lookup, rules, who, lambda rule: (rule.kind, rule.what) == (kind, what))
