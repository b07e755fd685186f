"""What the sources of a system only name, and do not spell out: its usual effects on a roll are offered, not imposed."""

from __future__ import annotations

from turnwright.dice.roll import Edge, ExtraDice, Modifier, Offered
from turnwright.rules.hooks import Contribution, Grant
from turnwright.rules.system import RuleSystem


def usual_effects(rules: RuleSystem, *said: Contribution) -> tuple[Offered, ...]:
    """Return what has a share in a roll though the system's sources only name it, one for each rule.

    Of a rule by which several conditions go, each has a share of its own.
    """
    found: dict[str, Offered] = {}
    for each in said:
        sources: tuple[Modifier | Edge | ExtraDice | Grant, ...]
        grants = (one for one in each.grants if one.kind != "flat")  # which is a card of its own
        sources = (*each.modifiers, *each.edges, *each.extra, *grants)
        for one in sources:
            if one.rule in rules.only_named:
                apart = sum(one.rule in condition.ledger for condition in rules.conditions.values()) > 1
                offered = Offered(one.reason, one.rule, apart)
                found[offered.id] = offered
    return tuple(found.values())
