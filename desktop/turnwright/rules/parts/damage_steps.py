"""Steps that damage passes through on its way to somebody. A system lists those it has, in its order.

Each takes one typed part and whether a nonmagical weapon dealt it, and returns what becomes of it, or None.
"""

from __future__ import annotations

from turnwright.dice.roll import Part
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.statements import sources_of
from turnwright.rules.system import Adjusted, RuleSystem, creature_of


def immunity(lookup: Lookup, rules: RuleSystem, target: str, part: Part, mundane: bool) -> Adjusted | None:
    """Take nothing of a type one is immune to."""
    if part.kind and sources_of(lookup, target, "immune", part.kind):
        return Adjusted("why.immune", part.total, 0, rules.cite("immunity.type"))
    return None


def mundane_immunity(lookup: Lookup, rules: RuleSystem, target: str, part: Part, mundane: bool) -> Adjusted | None:
    """Take nothing from nonmagical weapons where one is immune to them."""
    if mundane and creature_of(lookup, lookup.need(Combatant, target)).mundane_immunity:
        return Adjusted("why.mundane_immune", part.total, 0, rules.cite("immunity.mundane"))
    return None


def resistance(lookup: Lookup, rules: RuleSystem, target: str, part: Part, mundane: bool) -> Adjusted | None:
    """Take half of a type one resists, rounded down; several sources halve once."""
    sources = sources_of(lookup, target, "resistant", part.kind) if part.kind else 0
    if not sources:
        return None
    rule = rules.cite("resistance.no-stack" if sources > 1 else "resistance.half")
    return Adjusted("why.resistant", part.total, part.total // 2, rule)


def vulnerability(lookup: Lookup, rules: RuleSystem, target: str, part: Part, mundane: bool) -> Adjusted | None:
    """Take twice a type one is vulnerable to; several sources double once."""
    sources = sources_of(lookup, target, "vulnerable", part.kind) if part.kind else 0
    if not sources:
        return None
    rule = rules.cite("vulnerability.no-stack" if sources > 1 else "vulnerability.double")
    return Adjusted("why.vulnerable", part.total, part.total * 2, rule)
