"""What set-up still waits for: initiative, and how its last button is called then."""

from __future__ import annotations

from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.turn_order.initiative import slot_of
from turnwright.play.turn_order.surprise import is_surprise_open
from turnwright.rules.parts.combatants.controlled_creatures import is_follower
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play
from turnwright.rules.parts.movement.riding import will_be_controlled
from turnwright.rules.system import RuleSystem

INITIATIVE_ROLLS = ("ask.initiative", "ask.initiative_together")


def is_initiative_pending(lookup: Lookup, rules: RuleSystem) -> bool:
    """Return whether a combatant has yet to roll initiative; bystanders, followers and led mounts never do."""
    return any(_waits(lookup, rules, one) for one in lookup.all(Combatant))


def begin_words(lookup: Lookup, rules: RuleSystem) -> str:
    """Return the key of what the button of set-up does next, under `ui.run`."""
    if is_surprise_open(lookup, rules):
        return "settle-surprise"
    return "roll-and-begin" if is_initiative_pending(lookup, rules) else "begin-round"


def entered_totals(lookup: Lookup) -> dict[str, int]:
    """Return the totals already given to an initiative prompt that waits for others, by combatant."""
    found: dict[str, int] = {}
    for prompt in lookup.all(Prompt):
        asked = {ask.id for ask in prompt.asks if ask.label in INITIATIVE_ROLLS}
        for answer in prompt.answers:
            total = answer.roll.total if answer.roll is not None else answer.number
            if answer.ask in asked and total is not None:
                found[answer.ask] = total
    return found


def _waits(lookup: Lookup, rules: RuleSystem, one: Combatant) -> bool:
    if one.initiative is not None or one.bystander or is_out_of_play(lookup, one.id) or is_follower(lookup, one.id):
        return False
    slot = slot_of(lookup, one.id)
    return (slot is None or slot.members == (one.id,)) and not will_be_controlled(lookup, rules, one.id)
