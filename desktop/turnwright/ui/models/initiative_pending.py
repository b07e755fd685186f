"""Whether set-up still waits for initiative."""

from __future__ import annotations

from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.turn_order.initiative import slot_of
from turnwright.rules.parts.combatants.controlled_creatures import is_follower
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play
from turnwright.rules.parts.movement.riding import will_be_controlled
from turnwright.rules.system import RuleSystem


def is_initiative_pending(lookup: Lookup, rules: RuleSystem) -> bool:
    """Return whether a combatant has yet to roll initiative; bystanders, followers and led mounts never do."""
    return any(_waits(lookup, rules, one) for one in lookup.all(Combatant))


def _waits(lookup: Lookup, rules: RuleSystem, one: Combatant) -> bool:
    if one.initiative is not None or one.bystander or is_out_of_play(lookup, one.id) or is_follower(lookup, one.id):
        return False
    slot = slot_of(lookup, one.id)
    return (slot is None or slot.members == (one.id,)) and not will_be_controlled(lookup, rules, one.id)
