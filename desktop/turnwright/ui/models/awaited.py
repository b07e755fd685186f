"""Whose initiative set-up still waits for: of those who will have a place of their own in the order."""

from __future__ import annotations

from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.procedures.order import slot_of
from turnwright.rules.parts.conditions import is_out
from turnwright.rules.parts.control import is_follower
from turnwright.rules.parts.riding import will_be_led
from turnwright.rules.system import RuleSystem


def awaits_initiative(lookup: Lookup, rules: RuleSystem) -> bool:
    """Return whether anybody still has to roll: bystanders, followers and mounts that are led never do."""
    return any(_waits(lookup, rules, one) for one in lookup.all(Combatant))


def _waits(lookup: Lookup, rules: RuleSystem, one: Combatant) -> bool:
    if one.initiative is not None or one.bystander or is_out(lookup, one.id) or is_follower(lookup, one.id):
        return False
    slot = slot_of(lookup, one.id)
    return (slot is None or slot.members == (one.id,)) and not will_be_led(lookup, rules, one.id)


__all__ = ["awaits_initiative"]
