"""Movement where squeezing costs feet rather than Speed, for as long as somebody squeezes."""

from __future__ import annotations

from turnwright.dice.roll import Modifier
from turnwright.encounter.state import Lookup
from turnwright.rules.figures import Figure, figure
from turnwright.rules.parts import movement
from turnwright.rules.parts.riding import body_of
from turnwright.rules.parts.statements import condition_names
from turnwright.rules.system import Going, RuleSystem


def cost(lookup: Lookup, rules: RuleSystem, who: str, going: Going) -> Figure:
    """Return the feet of movement that a way costs: each foot more while squeezing, into narrow space or out of it."""
    price = movement.cost(lookup, rules, who, going)
    if movement.SQUEEZING not in condition_names(lookup, rules, body_of(lookup, who)):
        return price
    extra = going.feet * dict(rules.catalogue.movement.extra).get("squeeze", 0)
    return figure(*price.parts, Modifier(extra, "why.squeezing", rules.cite("squeeze.speed")))
