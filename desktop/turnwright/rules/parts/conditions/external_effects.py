"""Effects that a system's sources name but don't describe. They are suggested on rolls, not applied."""

from __future__ import annotations

from turnwright.dice.roll import DeclinableModifier, Edge, Modifier
from turnwright.rules.hooks import HookResult, RollGrant
from turnwright.rules.system import RuleSystem


def suggested_effects(rules: RuleSystem, *results: HookResult) -> tuple[DeclinableModifier, ...]:
    """Return the effects of external rules on a roll as declinable modifiers, one for each rule.

    If several conditions share a rule, each of them has its own modifier.
    """
    offers: dict[str, DeclinableModifier] = {}
    for result in results:
        sources: tuple[Modifier | Edge | RollGrant, ...]
        grants = (grant for grant in result.grants if grant.kind != "flat")  # a flat check has a separate card
        sources = (*result.modifiers, *result.edges, *grants)
        for source in sources:
            if source.rule in rules.external_rules:
                is_shared = sum(source.rule in condition.ledger for condition in rules.conditions.values()) > 1
                offered = DeclinableModifier(source.reason, source.rule, is_shared)
                offers[offered.id] = offered
    return tuple(offers.values())
