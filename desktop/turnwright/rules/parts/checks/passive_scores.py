"""Passive scores, which stat blocks or the game master provide. They are never derived."""

from __future__ import annotations

from turnwright.dice.roll import Modifier
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.explained_number import ExplainedNumber, explained_sum
from turnwright.rules.parts.conditions.condition_rules import number_modifiers
from turnwright.rules.system import RuleSystem, creature_of


def passive_score(lookup: Lookup, rules: RuleSystem, who: str, skill: str) -> ExplainedNumber | None:
    """Return a combatant's passive score in a skill, or None if the game master has to enter it."""
    combatant = lookup.need(Combatant, who)
    name = f"passive.{skill}"
    supplied = dict(combatant.supplied_numbers).get(name)
    own = dict(creature_of(lookup, combatant).passives).get(skill)
    if supplied is None and own is None:
        return None
    rule = rules.rule_id("passive.scores")
    base = (
        Modifier(supplied, "why.supplied", rule) if supplied is not None else Modifier(own or 0, "why.stat_block", rule)
    )
    return explained_sum(base, *number_modifiers(lookup, rules, who, name))
