"""What conditions do, read from their data rules: edges and modifiers on rolls, speeds, and what they forbid."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from turnwright.dice.roll import Edge, Modifier
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.catalogue import Condition, DataRule
from turnwright.rules.hooks import NOTHING, Contribution, Grant, Moment, Veto
from turnwright.rules.parts.predicates import truth
from turnwright.rules.parts.statements import effects_on, sources_of, standing_conditions
from turnwright.rules.system import RuleSystem, creature_of


def data_rules(
    lookup: Lookup, rules: RuleSystem, who: str, moment: Moment | None = None
) -> Iterator[tuple[Condition, DataRule, Moment]]:
    """Yield each data rule in force for somebody, with the condition and (in the moment) the effect it comes from.

    One whose `when` hangs on something unknown is yielded too where it says what to `ask`. The system's standing
    rules come first: they are what holds for everybody.
    """
    about = moment or Moment(who)
    for condition in rules.standing:
        yield from _in_force(lookup, rules, who, condition, about)
    for name, effect in standing_conditions(lookup, rules, who):
        found = rules.conditions.get(name)
        if found is not None:
            yield from _in_force(lookup, rules, who, found, msgspec.structs.replace(about, effect=effect))


def _in_force(
    lookup: Lookup, rules: RuleSystem, who: str, condition: Condition, moment: Moment
) -> Iterator[tuple[Condition, DataRule, Moment]]:
    for rule in condition.rules:
        if not rule.when or truth(lookup, rules, who, rule.when, moment):
            yield condition, rule, moment


def cited(rules: RuleSystem, condition: Condition, what: str, rule: DataRule | None = None) -> str:
    """Return the ledger id for what a condition does: its data rule's own, the one that names it, or the first."""
    if rule is not None and rule.ledger:
        return rule.ledger
    return next(
        (id for id in condition.ledger if id.endswith(f"-{what}")), condition.ledger[0] if condition.ledger else ""
    )


def on_rolls(lookup: Lookup, rules: RuleSystem, moment: Moment) -> Contribution:
    """At CHECK_MADE: what conditions and standing rules do to the roll `what`; initiative is a check too.

    A data rule's `what` is the roll itself (`check.dex:stealth`), a broader name of it (`check.dex`, `check`), or
    `d20` for any.
    """
    wanted = _names_of(moment)
    edges: list[Edge] = []
    modifiers: list[Modifier] = []
    grants: list[Grant] = []
    used: list[str] = []
    for condition, rule, about in data_rules(lookup, rules, moment.who, moment):
        if rule.what not in wanted:
            continue
        reason, ledger = rule.text or f"<condition.{condition.id}>", cited(rules, condition, rule.what, rule)
        if rule.kind in ("advantage", "disadvantage"):
            edges.append(Edge("advantage" if rule.kind == "advantage" else "disadvantage", reason, ledger))
        elif rule.kind == "modifier":
            modifiers.append(Modifier(rule.add, reason, ledger))
        elif rule.kind in ("expertise", "critical", "fail", "ask"):
            grants.append(Grant(rule.kind, reason, ledger, rule.times))
        else:
            continue
        if about.effect is not None and about.effect.uses:
            used.append(about.effect.id)
    if not (edges or modifiers or grants):
        return NOTHING
    return Contribution(tuple(modifiers), tuple(edges), grants=tuple(grants), used=tuple(used))


def _names_of(moment: Moment) -> set[str]:
    """Return every name that a data rule may call a roll by, from `check.dex:stealth` to `d20`."""
    broad = moment.what.partition(":")[0]
    names = {moment.what, broad, broad.partition(".")[0]}
    if not moment.what.endswith("-against"):
        names.add("d20")
    if moment.initiative:
        names.add("initiative")
    return names


def on_actions(lookup: Lookup, rules: RuleSystem, moment: Moment) -> Contribution:
    """At ACTION_DECLARED: conditions that deny the resource `what`."""
    vetoes = tuple(
        Veto(f"<condition.{condition.id}>", cited(rules, condition, rule.what, rule))
        for condition, rule, _ in data_rules(lookup, rules, moment.who, moment)
        if rule.kind == "deny" and rule.what == moment.what
    )
    return Contribution(vetoes=vetoes) if vetoes else NOTHING


def adjusted_speed(
    lookup: Lookup, rules: RuleSystem, who: str, base: int, *, multiplied: bool = True
) -> tuple[list[Modifier], bool]:
    """Return what conditions add to a speed in feet, and whether one of them sets it, whatever else adds.

    Not `multiplied`: as it is before anything doubles it.
    """
    parts: list[Modifier] = []
    total = base
    found = [(condition, rule) for condition, rule, _ in data_rules(lookup, rules, who) if rule.kind == "speed"]
    for condition, rule in sorted(found, key=lambda pair: pair[1].times > 1):  # what multiplies comes after the rest
        if rule.set is None and (multiplied or rule.times == 1):
            by = total * rule.times // rule.over - total + rule.add
            total += by
            parts.append(Modifier(by, f"<condition.{condition.id}>", cited(rules, condition, "speed", rule)))
    for condition, rule in found:
        if rule.set is not None:
            ledger = next(
                (id for id in condition.ledger if id.endswith("-move")), cited(rules, condition, "speed", rule)
            )
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
