"""What conditions do, read from their data rules: edges and modifiers on rolls, speeds, and what they forbid."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.dice.roll import Edge, Modifier
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.catalogue import Condition, DataRule
from turnwright.rules.hooks import NOTHING, Contribution, Moment, Veto
from turnwright.rules.parts.statements import condition_names, effects_on, holds, sources_of
from turnwright.rules.system import RuleSystem, creature_of


def data_rules(lookup: Lookup, rules: RuleSystem, who: str) -> Iterator[tuple[Condition, DataRule]]:
    """Yield each data rule in force for somebody with the condition it comes from."""
    names = condition_names(lookup, rules, who)
    for name in sorted(names):
        condition = rules.conditions.get(name)
        for rule in condition.rules if condition else ():
            if not rule.when or holds(lookup, rules, who, rule.when):
                yield condition, rule  # type: ignore[misc]


def cited(rules: RuleSystem, condition: Condition, what: str) -> str:
    """Return the ledger id for what a condition does: the one that names it, or the condition's first."""
    return next(
        (id for id in condition.ledger if id.endswith(f"-{what}")), condition.ledger[0] if condition.ledger else ""
    )


def on_rolls(lookup: Lookup, rules: RuleSystem, moment: Moment) -> Contribution:
    """At CHECK_MADE: what conditions do to the roll `what`, such as `save.dex` or `check.dex`; initiative is a check too."""
    wanted = {moment.what, moment.what.partition(".")[0], "initiative" if moment.initiative else moment.what}
    edges: list[Edge] = []
    modifiers: list[Modifier] = []
    for condition, rule in data_rules(lookup, rules, moment.who):
        if rule.what not in wanted:
            continue
        reason, ledger = f"<condition.{condition.id}>", cited(rules, condition, rule.what)
        if rule.kind in ("advantage", "disadvantage"):
            edges.append(Edge("advantage" if rule.kind == "advantage" else "disadvantage", reason, ledger))
        elif rule.kind == "modifier":
            modifiers.append(Modifier(rule.add, reason, ledger))
    return Contribution(tuple(modifiers), tuple(edges)) if edges or modifiers else NOTHING


def on_actions(lookup: Lookup, rules: RuleSystem, moment: Moment) -> Contribution:
    """At ACTION_DECLARED: conditions that deny the resource `what`."""
    vetoes = tuple(
        Veto(f"<condition.{condition.id}>", cited(rules, condition, rule.what))
        for condition, rule in data_rules(lookup, rules, moment.who)
        if rule.kind == "deny" and rule.what == moment.what
    )
    return Contribution(vetoes=vetoes) if vetoes else NOTHING


def adjusted_speed(lookup: Lookup, rules: RuleSystem, who: str, base: int) -> tuple[list[Modifier], bool]:
    """Return what conditions add to a speed in feet, and whether one of them sets it, whatever else adds."""
    parts: list[Modifier] = []
    total = base
    found = list(data_rules(lookup, rules, who))
    for condition, rule in found:
        if rule.kind == "speed" and rule.set is None:
            by = total * (rule.times - 1) + rule.add
            total += by
            parts.append(Modifier(by, f"<condition.{condition.id}>", cited(rules, condition, "speed")))
    for condition, rule in found:
        if rule.kind == "speed" and rule.set is not None:
            ledger = next((id for id in condition.ledger if id.endswith("-move")), cited(rules, condition, "speed"))
            return [Modifier(rule.set, f"<condition.{condition.id}>", ledger)], True
    return parts, False


def is_immune_to(lookup: Lookup, who: str, condition: str) -> bool:
    """Return whether a condition can't be put on somebody."""
    return sources_of(lookup, who, "immune", condition) > 0


def is_out(lookup: Lookup, who: str) -> bool:
    """Return whether somebody is dead or gone, and so gets no prompts."""
    combatant = lookup.get(Combatant, who)
    return combatant is None or combatant.dead


__all__ = [
    "adjusted_speed",
    "cited",
    "creature_of",
    "data_rules",
    "effects_on",
    "is_immune_to",
    "is_out",
    "on_actions",
    "on_rolls",
]
