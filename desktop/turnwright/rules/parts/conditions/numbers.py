"""Numbers of a combatant, such as Armor Class, speeds and the hit point maximum, as its data rules change them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from turnwright.dice.expression import Modifier
from turnwright.encounter.data_rules import DataRuleKind
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.combatants.facts import level_or_hit_dice
from turnwright.rules.parts.conditions.condition_rules import RuleInForce, data_rules_on
from turnwright.rules.system import ExplainedNumber, HookContext, RuleSystem, explained_sum

HP_MAX: Final = "hp-max"
SPEED: Final = "speed"


def changed_number(
    lookup: Lookup,
    rules: RuleSystem,
    who: str,
    what: str,
    own: Modifier,
    context: HookContext | None = None,
    kind: DataRuleKind = "modifier",
    *,
    multiplied: bool = True,
) -> ExplainedNumber:
    """Return a combatant's number `what`, whose own value is `own`, with all reasons for changes.

    Additions come first, stacked by type. Shares follow, and then lower limits. A rule that sets the number replaces
    everything else; if several do, the lowest applies. Without `multiplied`, omit rules that multiply the number.
    """
    in_force = list(data_rules_on(lookup, rules, who, kind, what, context))
    fixed = [(each.rule.set, each) for each in in_force if each.rule.set is not None]
    if fixed:
        total, least = min(fixed, key=lambda pair: pair[0])
        return ExplainedNumber(total, (own, Modifier(total, least.reason, least.ledger)), replaced=True)
    number = rules.explained_sum(own, *additions(lookup, in_force))
    for each in sorted(in_force, key=lambda each: each.rule.times > 1):  # multipliers come last
        if multiplied or each.rule.times == 1:
            number = _with_part(number, each, _share_of(lookup, rules, each, number.total))
    for each in in_force:
        if each.rule.least is not None:
            number = _with_part(number, each, max(number.total, each.rule.least))
    return number


def additions(lookup: Lookup, in_force: Iterable[RuleInForce]) -> Iterator[Modifier]:
    """Yield the modifiers by which rules raise or lower a number. A penalty that wears off counts towards the penalties that stay."""
    amounts = [(each, amount_of(lookup, each)) for each in in_force]
    stays = sum(max(0, -amount) for each, amount in amounts if not each.rule.wears)
    for each, amount in amounts:
        counted = min(stays, max(0, -amount)) if each.rule.wears else 0
        stays -= counted
        yield msgspec.structs.replace(each.modifier, value=amount + counted)


def amount_of(lookup: Lookup, each: RuleInForce) -> int:
    """Return the amount that a rule adds to a number, which may depend on the combatant's level."""
    if each.rule.per != "level" and not each.rule.by_level:
        return each.amount
    level = level_or_hit_dice(lookup, each.context.who) or 0
    by_level = next((more for least, more in reversed(each.rule.by_level) if level >= least), 0)
    return by_level + each.amount * (max(1, level) if each.rule.per == "level" else 1)


def maximum_hit_points(lookup: Lookup, rules: RuleSystem, who: str, base: int = 0) -> ExplainedNumber:
    """Return the hit point maximum of a combatant as effects change it, from `base` or its own maximum."""
    combatant = lookup.need(Combatant, who)
    own = Modifier(base or combatant.hp_base or combatant.hp_max, "why.stat_block", rules.rule_id("hp.range"))
    return changed_number(lookup, rules, who, HP_MAX, own)


def _share_of(lookup: Lookup, rules: RuleSystem, each: RuleInForce, total: int) -> int:
    if (each.rule.times, each.rule.over) == (1, 2):
        return rules.half(lookup, total)
    return total * each.rule.times // each.rule.over


def _with_part(number: ExplainedNumber, each: RuleInForce, total: int) -> ExplainedNumber:
    """Return a number that a rule changes to `total`, with the change as a part."""
    change = Modifier(total - number.total, each.reason, each.ledger)
    return explained_sum(*number.parts, change) if change.value else number
