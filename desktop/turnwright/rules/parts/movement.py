"""Movement metered in feet over a turn: how far one may go by a mode, and what ground and mode add to the price."""

from __future__ import annotations

from turnwright.dice.roll import Modifier
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.figures import Figure, figure
from turnwright.rules.parts.conditions import adjusted_speed
from turnwright.rules.parts.surroundings import ground_cost
from turnwright.rules.system import RuleSystem, creature_of

ON_BASE_SPEED = ("climb", "swim")


def allowance(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> Figure | None:
    """Return the feet somebody may move in a turn by a mode, or None where they can't move that way at all."""
    speeds = dict(creature_of(lookup, lookup.need(Combatant, who)).speeds)
    using = mode if mode in speeds else "walk" if mode in ON_BASE_SPEED else ""
    if using not in speeds:
        return None
    base = Modifier(speeds[using], f"<speed.{using}>", rules.cite("turn.speed"))
    parts, replaced = adjusted_speed(lookup, rules, who, base.value)
    if replaced:
        return Figure(parts[0].value, (base, *parts), replaced=True)
    return figure(base, *parts)


def cost(lookup: Lookup, rules: RuleSystem, who: str, feet: int, mode: str, through: str, turned: bool) -> Figure:
    """Return what `feet` cost: one foot each, and one more for each reason that makes the going hard."""
    speeds = dict(creature_of(lookup, lookup.need(Combatant, who)).speeds)
    parts = [Modifier(feet, f"<speed.{mode}>")]
    if mode in ON_BASE_SPEED and mode not in speeds:
        parts.append(Modifier(feet, "why.no_such_speed"))
    ground = ground_cost(lookup, through, turned)
    if ground is not None:
        parts.append(Modifier(feet * ground.value, ground.reason, ground.rule))
    return figure(*parts)
