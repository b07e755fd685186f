"""Offers to end a turn when nothing is left to spend, in games in which this ends the turn."""

from __future__ import annotations

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.turns import END_TURN_OFFER, EndTurnOffer
from turnwright.encounter.running import Slot, Track, track_id
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.turn_order.joint_turns import members_in_turn
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play
from turnwright.rules.system import RuleSystem


def offer_end_turn(tx: Transaction, rules: RuleSystem) -> bool:
    """Offer once to end the active turn when all its resources are spent. Return whether the offer was made now."""
    ending = [resource.id for resource in rules.data.resources if resource.ends_turn]
    clock = clock_of(tx)
    if not ending or clock.phase != "rounds" or not clock.active or clock.end_declined:
        return False
    slot = tx.get(Slot, clock.active)
    here = [who for who in members_in_turn(tx, slot) if not is_out_of_play(tx, who)] if slot is not None else []
    if not here or any(tx.all(Procedure)) or not all(_is_spent(tx, who, ending) for who in here):
        return False
    begin(tx, END_TURN_OFFER.ask_end_turn, EndTurnOffer())
    return True


def _is_spent(lookup: Lookup, who: str, resources: list[str]) -> bool:
    """Return whether a combatant has none of these resources left."""
    tracks = [lookup.get(Track, track_id(who, name)) for name in resources]
    return all(track is not None and not track.value for track in tracks)
