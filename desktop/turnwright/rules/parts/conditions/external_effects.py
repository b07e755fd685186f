"""What the sources of a system only name, and do not spell out: its usual effects on a roll are offered, not imposed."""

from __future__ import annotations

from turnwright.dice.roll import DeclinableModifier, Edge, ExtraDice, Modifier
from turnwright.rules.hooks import HookResult, RollGrant
from turnwright.rules.system import RuleSystem


def suggested_effects(rules: RuleSystem, *results: HookResult) -> tuple[DeclinableModifier, ...]:
    """Return what has a share in a roll though the system's sources only name it, one for each rule.

    Of a rule by which several conditions go, each has a share of its own.
    """
    found: dict[str, DeclinableModifier] = {}
    for each in results:
        sources: tuple[Modifier | Edge | ExtraDice | RollGrant, ...]
        grants = (one for one in each.grants if one.kind != "flat")  # which is a card of its own
        sources = (*each.modifiers, *each.edges, *each.extra, *grants)
        for one in sources:
            if one.rule in rules.external_rules:
                apart = sum(one.rule in condition.ledger for condition in rules.conditions.values()) > 1
                offered = DeclinableModifier(one.reason, one.rule, apart)
                found[offered.id] = offered
    return tuple(found.values())
