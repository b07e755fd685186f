"""Creatures that another combatant controls and that share its turn."""

from __future__ import annotations

from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup


def followers_of(lookup: Lookup, who: str) -> tuple[Combatant, ...]:
    """Return the creatures that a combatant controls, in the order in which they joined."""
    return tuple(one for one in lookup.all(Combatant) if one.controller == who)


def is_follower(lookup: Lookup, who: str) -> bool:
    """Return whether this combatant is controlled by another in the fight."""
    combatant = lookup.get(Combatant, who)
    return combatant is not None and lookup.get(Combatant, combatant.controller) is not None
