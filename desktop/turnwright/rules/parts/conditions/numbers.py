"""Numbers of a combatant, such as Armor Class, speeds and the hit point maximum, as its data rules change them."""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from turnwright.dice.expression import Modifier
from turnwright.encounter import data_rules, running
from turnwright.encounter.state import Lookup
from turnwright.rules import system
from turnwright.rules.parts.combatants.facts import level_or_hit_dice
from turnwright.rules.parts.conditions.condition_rules import RuleInForce, data_rules_on, feature_rules_of

HP_MAX: Final = "hp-max"
SPEED: Final = "speed"
REACH: Final = "reach"
_SLOWING: Final = "slowing"
_ABILITY: Final = "ability."
_PROFICIENCY: Final = "proficiency"


def changed_number(
    lookup: Lookup,
    rules: system.RuleSystem,
    who: str,
    what: str,
    own: Modifier,
    context: system.HookContext | None = None,
    kind: data_rules.DataRuleKind = "modifier",
    *,
    multiplied: bool = True,
) -> system.ExplainedNumber:
    """Return a combatant's number `what`, whose own value is `own`, with all reasons for changes.

    Additions come first, stacked by type. Shares follow, and then lower limits. A rule that sets the number replaces
    everything else; if several do, the lowest applies. If it counts `per` level, it only replaces the number's own value.
    Without `multiplied`, omit rules that multiply the number.
    """
    in_force = list(data_rules_on(lookup, rules, who, kind, what, context))
    denials = list(data_rules_on(lookup, rules, who, "deny", _SLOWING)) if what == SPEED and in_force else []
    in_force = [each for each in in_force if not any(_is_kept_out(rules, each, denial.rule.type) for denial in denials)]
    based = [(each.rule.set, each) for each in in_force if each.rule.set is not None]
    fixed = [(value, each) for value, each in based if each.rule.per != "level"]
    if fixed:
        total, least = min(fixed, key=lambda pair: pair[0])
        return system.ExplainedNumber(total, (own, Modifier(total, least.reason, least.ledger)), replaced=True)
    own = next((Modifier(value, each.reason, each.ledger) for value, each in based), own)
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


def maximum_hit_points(lookup: Lookup, rules: system.RuleSystem, who: str, base: int = 0) -> system.ExplainedNumber:
    """Return the hit point maximum of a combatant as effects change it, from `base` or its own maximum."""
    combatant = lookup.need(running.Combatant, who)
    own = Modifier(base or combatant.hp_base or combatant.hp_max, "why.stat_block", rules.rule_id("hp.range"))
    return changed_number(lookup, rules, who, HP_MAX, own)


def changed_reach(lookup: Lookup, rules: system.RuleSystem, who: str, feet: int) -> int:
    """Return a reach of a combatant in feet as effects change it."""
    if not lookup.of(running.Effect, who) and REACH not in feature_rules_of(lookup, who).subjects:
        return feet
    return max(0, changed_number(lookup, rules, who, REACH, Modifier(feet, "why.stat_block")).total)


def ability_score(lookup: Lookup, rules: system.RuleSystem, who: str, ability: str) -> system.ExplainedNumber:
    """Return an ability score of a combatant as effects change it."""
    own = rules.data.score_of(system.creature_of(lookup, lookup.need(running.Combatant, who)), ability)
    return changed_number(lookup, rules, who, f"{_ABILITY}{ability}", Modifier(own, "why.stat_block"))


def ability_change(lookup: Lookup, rules: system.RuleSystem, who: str, ability: str) -> tuple[Modifier, ...]:
    """Return the change of a combatant's ability modifier by effects as one modifier, or nothing."""
    if not lookup.of(running.Effect, who) and not feature_rules_of(lookup, who).subjects:
        return ()
    score = ability_score(lookup, rules, who, ability)
    scale = rules.data.ability_scale
    before, after = score.parts[0].value, score.total if scale.is_modifier else max(0, score.total)
    change = scale.modifier(after) - scale.modifier(before)
    reason = f"<ability.{ability}> {before} → {after}"
    return (Modifier(change, reason, score.parts[-1].rule),) if change else ()


def proficiency_change(lookup: Lookup, rules: system.RuleSystem, who: str) -> tuple[Modifier, ...]:
    """Return the change of a combatant's proficiency bonus by effects as one modifier, or nothing."""
    combatant = lookup.need(running.Combatant, who)
    if not lookup.of(running.Effect, who) and not feature_rules_of(lookup, who).subjects:
        return ()
    own = dict(combatant.supplied_numbers).get(_PROFICIENCY, system.creature_of(lookup, combatant).proficiency)
    number = changed_number(lookup, rules, who, _PROFICIENCY, Modifier(own, "why.stat_block"))
    change, last = number.total - own, number.parts[-1]
    return (Modifier(change, last.reason, last.rule),) if change else ()


def on_rolls(lookup: Lookup, rules: system.RuleSystem, context: system.HookContext) -> system.HookResult:
    """Return the changes of the ability and of the proficiency bonus that a check or save uses, at CHECK_MADE."""
    kind, _, roll = context.subject.partition(".")
    ability, _, skill = roll.partition(":")
    if kind not in ("check", "save") or all(ability != known.id for known in rules.data.abilities):
        return system.NO_RESULT
    creature = system.creature_of(lookup, lookup.need(running.Combatant, context.who))
    listed = skill in dict(creature.skills) if kind == "check" else ability in dict(creature.saves)
    changes = ability_change(lookup, rules, context.who, ability)
    changes += proficiency_change(lookup, rules, context.who) if listed else ()
    return system.HookResult(changes) if changes else system.NO_RESULT


def fatal_number(lookup: Lookup, rules: system.RuleSystem, who: str) -> system.ExplainedNumber | None:
    """Return a number of a combatant that is 0 and kills: its hit point maximum, or an ability score. Otherwise None."""
    most = maximum_hit_points(lookup, rules, who)
    if most.total <= 0:
        return most
    for ability in rules.data.abilities:
        in_force = data_rules_on(lookup, rules, who, "modifier", f"{_ABILITY}{ability.id}")
        if any(each.rule.at_zero for each in in_force):
            score = ability_score(lookup, rules, who, ability.id)
            if score.total <= 0:
                return score
    return None


def _is_kept_out(rules: system.RuleSystem, each: RuleInForce, type: str) -> bool:
    """Return whether a rule lowers a speed by magic or, if a type is given, by a penalty of this type."""
    rule, effect = each.rule, each.context.effect
    if type or effect is None:
        return bool(type) and rule.type == type and each.amount < 0
    lowers = rule.set is not None or rule.times < rule.over or each.amount < 0
    return lowers and (effect.level > 0 or any(spell.name == effect.source for spell in rules.data.spells))


def _share_of(lookup: Lookup, rules: system.RuleSystem, each: RuleInForce, total: int) -> int:
    if (each.rule.times, each.rule.over) == (1, 2):
        return rules.half(lookup, total)
    return total * each.rule.times // each.rule.over


def _with_part(number: system.ExplainedNumber, each: RuleInForce, total: int) -> system.ExplainedNumber:
    """Return a number that a rule changes to `total`, with the change as a part."""
    change = Modifier(total - number.total, each.reason, each.ledger)
    return system.explained_sum(*number.parts, change) if change.value else number
