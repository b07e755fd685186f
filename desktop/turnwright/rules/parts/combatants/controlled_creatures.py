"""Creatures that are controlled by another combatant and share its turn."""

from __future__ import annotations

from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup


def followers_of(lookup: Lookup, who: str) -> tuple[Combatant, ...]:
    """Return the creatures that a combatant controls, in the order in which they joined."""
    return tuple(combatant for combatant in lookup.all(Combatant) if combatant.controller == who)


def is_follower(lookup: Lookup, who: str) -> bool:
    """Return whether a combatant is controlled by another one in the fight."""
    combatant = lookup.get(Combatant, who)
    return combatant is not None and lookup.get(Combatant, combatant.controller) is not None
