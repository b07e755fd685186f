"""The movement that a combatant has left."""

from __future__ import annotations

from turnwright.encounter.lookups import track_value
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.movement import allowance
from turnwright.rules.parts.movement.riding import movement_payer
from turnwright.rules.parts.movement.strides import affordable_feet
from turnwright.rules.system import RuleSystem


def remaining_movement(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> int | None:
    """Return the feet of movement that a combatant has left in a mode this turn, or None if it can't use the mode.

    If movement is bought, this includes everything that the combatant can pay for.
    """
    if rules.data.movement.bought:
        return affordable_feet(lookup, rules, who, mode)
    most = allowance.allowance(lookup, rules, who, mode)
    spent = track_value(lookup, movement_payer(lookup, who), allowance.MOVED)
    return None if most is None else max(0, most.total - spent)
