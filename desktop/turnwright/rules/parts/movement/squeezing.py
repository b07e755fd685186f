"""Movement where squeezing costs feet rather than Speed, for as long as a combatant squeezes."""

from __future__ import annotations

from turnwright.dice.roll import Modifier
from turnwright.encounter.state import Lookup
from turnwright.rules.explained_number import ExplainedNumber, explained_sum
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.parts.movement import allowance
from turnwright.rules.parts.movement.riding import moving_body
from turnwright.rules.system import MoveLeg, RuleSystem


def movement_cost(lookup: Lookup, rules: RuleSystem, who: str, leg: MoveLeg) -> ExplainedNumber:
    """Return the feet of movement that a leg costs: each foot more while squeezing."""
    price = allowance.movement_cost(lookup, rules, who, leg)
    if rules.role("squeezing") not in condition_names(lookup, rules, moving_body(lookup, who)):
        return price
    extra = leg.feet * dict(rules.data.movement.extra).get("squeeze", 0)
    return explained_sum(*price.parts, Modifier(extra, "why.squeezing", rules.rule_id("squeeze.speed")))
