"""What conditions do, read from their data rules: edges and modifiers on rolls, speeds, and what they forbid."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from turnwright.dice.roll import Edge, Modifier
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.catalogue.conditions import Condition, DataRule
from turnwright.rules.figures import stacked
from turnwright.rules.hooks import NOTHING, Contribution, Follow, Grant, Moment, Veto
from turnwright.rules.parts.areas import side_of
from turnwright.rules.parts.predicates import truth
from turnwright.rules.parts.statements import condition_names, effects_on, sources_of, standing_conditions
from turnwright.rules.system import RuleSystem, creature_of

GRANT = "grant"  # the kind of a data rule by which a condition brings another along
BROUGHT = "brought"


def data_rules(
    lookup: Lookup, rules: RuleSystem, who: str, wanted: Callable[[DataRule], bool], moment: Moment | None = None
) -> Iterator[tuple[Condition, DataRule, Moment]]:
    """Yield each data rule in force for somebody, with the condition and (in the moment) the effect it comes from.

    Only those `wanted`, which is asked first: finding out what `when` says takes long. The system's standing rules come
    first: they are what holds for everybody.
    """
    about = moment or Moment(who)
    for condition in rules.standing:
        yield from _in_force(lookup, rules, who, condition, wanted, about)
    for name, effect in standing_conditions(lookup, rules, who):
        found = rules.conditions.get(name)
        if found is not None:
            yield from _in_force(lookup, rules, who, found, wanted, msgspec.structs.replace(about, effect=effect))


def _in_force(
    lookup: Lookup,
    rules: RuleSystem,
    who: str,
    condition: Condition,
    wanted: Callable[[DataRule], bool],
    moment: Moment,
) -> Iterator[tuple[Condition, DataRule, Moment]]:
    for rule in condition.rules:
        if wanted(rule) and (not rule.when or truth(lookup, rules, who, rule.when, moment)):
            yield condition, rule, moment


def cited(condition: Condition, rule: DataRule | None = None) -> str:
    """Return the ledger id for what a condition does: its data rule's own, or the condition's first."""
    own = rule.ledger if rule is not None else ""
    return own or (condition.ledger[0] if condition.ledger else "")


def on_rolls(lookup: Lookup, rules: RuleSystem, moment: Moment) -> Contribution:
    """At CHECK_MADE: what conditions and standing rules do to the roll `what`; initiative is a check too.

    A data rule's `what` is the roll itself (`check.dex:stealth`), a broader name of it (`check.dex`, `check`), or
    `d20` for any.
    """
    wanted = names_of(moment)
    edges: list[Edge] = []
    modifiers: list[Modifier] = []
    grants: list[Grant] = []
    used: list[str] = []
    for condition, rule, about in data_rules(lookup, rules, moment.who, lambda rule: rule.what in wanted, moment):
        reason, ledger = rule.text or f"<condition.{condition.id}>", cited(condition, rule)
        if rule.kind in ("advantage", "disadvantage"):
            edge = Edge("advantage" if rule.kind == "advantage" else "disadvantage", reason, ledger)
            edges += [edge] * _times(lookup, rules, rule, about)
        elif rule.kind == "modifier":
            modifiers.append(Modifier(rule.figure(value_of(about)), reason, ledger, rule.type))
        elif rule.kind in ("expertise", "critical", "fail", "ask"):
            grants.append(Grant(rule.kind, reason, ledger, rule.times))
        elif rule.kind == "flat":
            grants.append(Grant(rule.kind, reason, ledger, rule.set or 0))
        else:
            continue
        if about.effect is not None and about.effect.uses:
            used.append(about.effect.id)
    if not (edges or modifiers or grants):
        return NOTHING
    return Contribution(tuple(modifiers), tuple(edges), grants=tuple(grants), used=tuple(used))


def value_of(about: Moment) -> int:
    """Return the value that the condition stands at whose data is being read, 0 for what has none."""
    return about.effect.value if about.effect is not None else 0


def on_figure(
    lookup: Lookup, rules: RuleSystem, who: str, what: str, moment: Moment | None = None
) -> tuple[Modifier, ...]:
    """Return what conditions and standing rules add to a figure of somebody's: `ac`, `dc`, `damage`."""
    found = data_rules(lookup, rules, who, lambda rule: rule.kind == "modifier" and rule.what == what, moment)
    return tuple(
        Modifier(
            rule.figure(value_of(about)),
            rule.text or f"<condition.{condition.id}>",
            cited(condition, rule),
            rule.type,
        )
        for condition, rule, about in found
    )


def _times(lookup: Lookup, rules: RuleSystem, rule: DataRule, moment: Moment) -> int:
    """Return how often a rule counts for a roll: once, or once for each whole unit by which one is larger."""
    if rule.per != "size":
        return 1
    if not moment.other:
        return 0
    return max(0, int(side_of(lookup, rules, moment.who) - side_of(lookup, rules, moment.other)))


def names_of(moment: Moment) -> set[str]:
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
    denials = data_rules(
        lookup, rules, moment.who, lambda rule: rule.kind == "deny" and rule.what == moment.what, moment
    )
    vetoes = tuple(Veto(f"<condition.{condition.id}>", cited(condition, rule)) for condition, rule, _ in denials)
    return Contribution(vetoes=vetoes) if vetoes else NOTHING


def on_gained(lookup: Lookup, rules: RuleSystem, moment: Moment) -> Contribution:
    """At EFFECT_GAINED: a condition that brings others along, which stay when it ends."""
    condition = rules.conditions.get(moment.what)
    if condition is None or is_out(lookup, moment.who) or not brought_by(lookup, rules, moment.who, moment.what):
        return NOTHING
    return Contribution(follows=(Follow(BROUGHT, moment.who, cited(condition), moment.what),))


def brought_by(lookup: Lookup, rules: RuleSystem, who: str, name: str) -> tuple[DataRule, ...]:
    """Return the data rules by which a condition brings along what somebody is neither under nor immune to."""
    granted = [rule for rule in rules.conditions[name].rules if rule.kind == GRANT]
    under = condition_names(lookup, rules, who) if granted else set()
    return tuple(one for one in granted if one.what not in under and not is_immune_to(lookup, who, one.what))


def adjusted_speed(
    lookup: Lookup, rules: RuleSystem, who: str, base: int, *, multiplied: bool = True
) -> tuple[list[Modifier], bool]:
    """Return what conditions add to a speed in feet, and whether one of them sets it, whatever else adds.

    Not `multiplied`: as it is before anything doubles it.
    """
    parts: list[Modifier] = []
    total = base
    found = list(data_rules(lookup, rules, who, lambda rule: rule.kind == "speed"))
    for condition, rule, about in sorted(
        found, key=lambda one: one[1].times > 1
    ):  # what multiplies comes after the rest
        if rule.set is None and (multiplied or rule.times == 1):
            by = total * rule.times // rule.over - total + rule.figure(value_of(about))
            total += by
            parts.append(Modifier(by, f"<condition.{condition.id}>", cited(condition, rule), rule.type))
    for condition, rule, _ in found:
        if rule.set is not None:
            return [Modifier(rule.set, f"<condition.{condition.id}>", cited(condition, rule))], True
    return list(stacked(parts)) if rules.catalogue.checks.typed else parts, False


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
    "names_of",
    "on_actions",
    "on_figure",
    "on_rolls",
]
