"""Initiative rolls that are still missing in set-up, and the label of the button that starts the fight."""

from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup, is_out_of_play, slot_of
from turnwright.rules.parts.combatants.facts import is_follower, is_surprise_open
from turnwright.rules.parts.movement.move_legs import will_be_controlled
from turnwright.rules.system import RuleSystem

INITIATIVE_ROLLS = ("ask.initiative", "ask.initiative_together")


def is_initiative_pending(lookup: Lookup, rules: RuleSystem) -> bool:
    """Whether a combatant still has to roll initiative. Bystanders, followers and controlled mounts never do."""
    return any(_waits(lookup, rules, combatant) for combatant in lookup.all(Combatant))


def begin_words(lookup: Lookup, rules: RuleSystem) -> str:
    """Return the label of the next step of set-up, as a key under `ui.run`."""
    if is_surprise_open(lookup, rules):
        return "settle-surprise"
    return "roll-and-begin" if is_initiative_pending(lookup, rules) else "begin-round"


def entered_totals(lookup: Lookup) -> dict[str, int]:
    """Return the totals already entered in open initiative prompts, keyed by combatant."""
    totals: dict[str, int] = {}
    for prompt in lookup.all(Prompt):
        ask_ids = {ask.id for ask in prompt.asks if ask.label in INITIATIVE_ROLLS}
        for answer in prompt.answers:
            total = answer.roll.total if answer.roll is not None else answer.number
            if answer.ask in ask_ids and total is not None:
                totals[answer.ask] = total
    return totals


def _waits(lookup: Lookup, rules: RuleSystem, combatant: Combatant) -> bool:
    if (
        combatant.initiative is not None
        or combatant.bystander
        or is_out_of_play(lookup, combatant.id)
        or is_follower(lookup, combatant.id)
    ):
        return False
    slot = slot_of(lookup, combatant.id)
    return (slot is None or slot.members == (combatant.id,)) and not will_be_controlled(lookup, rules, combatant.id)
