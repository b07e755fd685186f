"""Effects that a system's sources only name without spelling them out: offered on a roll, not imposed."""

from __future__ import annotations

from turnwright.dice.roll import DeclinableModifier, Edge, Modifier
from turnwright.rules.hooks import HookResult, RollGrant
from turnwright.rules.system import RuleSystem


def suggested_effects(rules: RuleSystem, *results: HookResult) -> tuple[DeclinableModifier, ...]:
    """Return the declinable modifiers of a roll: effects of external rules, one for each rule.

    Of a rule that covers several conditions, each has a modifier of its own.
    """
    found: dict[str, DeclinableModifier] = {}
    for each in results:
        sources: tuple[Modifier | Edge | RollGrant, ...]
        grants = (one for one in each.grants if one.kind != "flat")  # a flat check has a card of its own
        sources = (*each.modifiers, *each.edges, *grants)
        for one in sources:
            if one.rule in rules.external_rules:
                apart = sum(one.rule in condition.ledger for condition in rules.conditions.values()) > 1
                offered = DeclinableModifier(one.reason, one.rule, apart)
                found[offered.id] = offered
    return tuple(found.values())
