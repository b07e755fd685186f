"""Joint turns of allies: the slot that may join the current turn, and the combatants who act in it."""

from __future__ import annotations

from turnwright.encounter.lookups import active_slot
from turnwright.encounter.running import Combatant, Slot
from turnwright.encounter.state import Lookup
from turnwright.play.turn_order.initiative import has_member_present, slots_in_order
from turnwright.rules.system import RuleSystem


def joined_slots(lookup: Lookup, slot: str) -> list[Slot]:
    """Return the slots that have joined another's turn."""
    return [other for other in lookup.all(Slot) if other.joined_to and other.joined_to == slot]


def members_in_turn(lookup: Lookup, slot: Slot) -> tuple[str, ...]:
    """Return all combatants who act in a slot's turn. Members of joined slots come last."""
    return (*slot.members, *(who for joined_slot in joined_slots(lookup, slot.id) for who in joined_slot.members))


def joinable_slot(lookup: Lookup, rules: RuleSystem) -> Slot | None:
    """Return the slot that may join the current turn, or None. It must be the next one and on the same side."""
    active = active_slot(lookup)
    if active is None or not rules.data.initiative.joins:
        return None
    order = [slot for slot in slots_in_order(lookup) if has_member_present(lookup, slot)]
    together = {active.id, *(joined_slot.id for joined_slot in joined_slots(lookup, active.id))}
    last = max((place for place, slot in enumerate(order) if slot.id in together), default=-1)
    following = order[last + 1] if 0 <= last < len(order) - 1 else None
    if following is None or following.acted or _sides(lookup, following) != _sides(lookup, active):
        return None
    return following if len(_sides(lookup, active)) == 1 else None


def _sides(lookup: Lookup, slot: Slot) -> set[str]:
    members = (lookup.get(Combatant, who) for who in slot.members)
    return {combatant.side for combatant in members if combatant is not None}
