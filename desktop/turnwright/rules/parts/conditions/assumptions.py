"""Assumptions: default answers for unknown facts, on which rules about rolls depend.

Known facts and entered facts override them. No veto depends on an assumption. House rules decide whether unknown facts
are assumed, asked about or left out.
"""

from collections.abc import Callable, Mapping
from typing import Final, Literal

import msgspec

from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup, standing_areas, track_value
from turnwright.rules.parts.combatants.facts import ENGAGED, cannot_act, condition_names
from turnwright.rules.parts.conditions.predicates import REACHING, about, counterpart, evaluate
from turnwright.rules.parts.positions import geometry
from turnwright.rules.parts.positions.sight import DARK, HEAVILY, obscured_between
from turnwright.rules.system import HookContext, RuleSystem, creature_of
from turnwright.rules.system_data.statements import Fact, facts_in

Treatment = Literal["assumed", "asked", "left-out"]
ALWAYS_ASKED: Final = frozenset({"within", "reaches"})  # facts to ask about if they have no default answer
_ENGAGING: Final = frozenset({"threatened", "ally-at-target", "allies-reaching"})
_Default = Callable[[Lookup, RuleSystem, str, str, Fact, HookContext], bool | None]


def treatment(lookup: Lookup, rules: RuleSystem) -> Treatment:
    """Return the treatment of unknown facts in this encounter."""
    if rules.has_option(lookup, rules.role("leaves-out-facts")):
        return "left-out"
    return "asked" if rules.has_option(lookup, rules.role("asks-for-facts")) else "assumed"


def assumed(lookup: Lookup, rules: RuleSystem, who: str, fact: Fact, context: HookContext) -> bool | None:
    """Return the default answer for a fact about a combatant, without its negation, or None if it has none."""
    default = _DEFAULTS.get(fact.word)
    who = about(fact, who, context)
    other = counterpart(who, context) if who else ""
    return default(lookup, rules, who, other, fact, context) if default is not None and other else None


def are_engagements_read(lookup: Lookup, rules: RuleSystem) -> bool:
    """Return whether any rule of the game or of the encounter depends on recent melee attacks."""
    held = (rule for condition in (*rules.data.standing, *rules.data.conditions) for rule in condition.rules)
    own = (rule for effect in lookup.all(Effect) for rule in effect.rules)
    if any(fact.word in _ENGAGING for rule in (*held, *own) if rule.when for fact in facts_in(rule.when)):
        return True
    stat_blocks = {combatant.creature: combatant for combatant in lookup.all(Combatant)}.values()
    features = (feature for one in stat_blocks for feature in creature_of(lookup, one).features)
    texts = (text for each in features for text in (each.when, *(rule.when for rule in each.rules)) if text)
    return any(fact.word in _ENGAGING for text in texts for fact in facts_in(text))


def settled(lookup: Lookup, rules: RuleSystem, who: str, statement: str, context: HookContext) -> bool | None:
    """Return whether a statement is true of a combatant under all assumptions, or None if it is still unknown."""
    holds = evaluate(lookup, rules, who, statement, context)
    if holds is not None or treatment(lookup, rules) != "assumed":
        return holds
    tags = list(context.tags)
    for fact in facts_in(statement):
        if evaluate(lookup, rules, who, fact, context) is None:
            answer = assumed(lookup, rules, who, fact, context)
            owner = "attacker" if about(fact, who, context) == context.attacker else "target"
            tags += [] if answer is None else [f"{'' if answer else 'not '}{owner}.{fact.name}"]
    return evaluate(lookup, rules, who, statement, msgspec.structs.replace(context, tags=tuple(tags)))


def _engaged(lookup: Lookup, rules: RuleSystem, who: str) -> set[str]:
    """Return the combatants that can act and whose last turn included a melee attack on a combatant.

    Those that are known to be out of reach aren't included.
    """
    marks = {mark.by for mark in lookup.of(Effect, "") if (mark.name, mark.source) == (ENGAGED, who)}
    return {
        by for by in marks if _is_able(lookup, rules, by) and geometry.in_reach(lookup, rules, by, who) is not False
    }


def _is_able(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    return not cannot_act(lookup, who) and rules.role("incapacitated") not in condition_names(lookup, rules, who)


def _from_afar(_l: Lookup, _r: RuleSystem, _w: str, _o: str, _f: Fact, context: HookContext) -> bool | None:
    """A shot comes from afar, and so does a spell without a reach."""
    is_far = "ranged" in context.tags or "spell" in context.tags
    return False if is_far and not any(tag.startswith(REACHING) for tag in context.tags) else None


def _allies_engaged(lookup: Lookup, rules: RuleSystem, who: str, other: str, fact: Fact, _: HookContext) -> bool:
    side = lookup.need(Combatant, who).side
    allies = [by for by in _engaged(lookup, rules, other) - {who} if lookup.need(Combatant, by).side == side]
    return len(allies) >= (fact.number if fact.word == "allies-reaching" else 1)


def _is_engaged(lookup: Lookup, rules: RuleSystem, who: str, _o: str, _f: Fact, _c: HookContext) -> bool:
    return any(geometry.are_hostile(lookup, by, who) for by in _engaged(lookup, rules, who))


def _sees(lookup: Lookup, rules: RuleSystem, who: str, other: str, _f: Fact, _c: HookContext) -> bool | None:
    """On the map, heavily obscured squares and the darkness of spells hide creatures. Other darkness may have lights."""
    hides = obscured_between(lookup, rules, who, other) == HEAVILY or any(
        area.light == DARK for area in standing_areas(lookup)
    )
    return False if hides and geometry.distance(lookup, rules, who, other) is not None else None


def _untrue(*_: object) -> bool:
    return False


_DEFAULTS: Mapping[str, _Default] = {
    "within": _from_afar,
    "reaches": _from_afar,
    "threatened": _is_engaged,
    "ally-at-target": _allies_engaged,
    "allies-reaching": _allies_engaged,
    "in": lambda _l, _r, _w, _o, fact, _c: False if fact.argument == "sunlight" else None,
    "sees": _sees,
    "flanks": _untrue,
    "higher": _untrue,
    "lower": _untrue,
    "within-half": _untrue,
    "long-range": _untrue,
    "moved-straight": lambda lookup, _r, who, _o, fact, _c: track_value(lookup, who, "moved") >= fact.number,
}  # fmt: skip
