"""Delaying a turn: whether it is allowed, and how it begins."""

from __future__ import annotations

from turnwright.encounter.lookups import track_value
from turnwright.encounter.procedure_state.turns import TURN_END, TurnEnd
from turnwright.encounter.running import Slot, Track, track_id
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import MOVED
from turnwright.rules.hooks import Veto
from turnwright.rules.system import RuleSystem, label_of

ALWAYS = "always"


def can_delay(lookup: Lookup, rules: RuleSystem) -> bool:
    """Return whether turns can be delayed, by the rules or by a house rule."""
    delay = rules.data.initiative.delay
    return delay == ALWAYS or (bool(delay) and rules.has_option(lookup, delay))


def delay_vetoes(lookup: Lookup, rules: RuleSystem, slot: Slot) -> tuple[Veto, ...]:
    """Return the reasons why a slot's turn can't be delayed: the rules don't allow it, or a member has acted."""
    rule = rules.rule_id("turn.delay")
    if not can_delay(lookup, rules):
        return (Veto("refused.no_delay", rule),)
    acted = next((who for who in slot.members if _has_acted(lookup, rules, who)), None)
    if slot.delay or acted is not None:
        return (Veto("refused.delay_acted", rule, (("who", label_of(lookup, acted or slot.members[0])),)),)
    return ()


def _has_acted(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant has moved or spent any resource this turn."""
    spent = (
        lookup.get(Track, track_id(who, resource.id))
        for resource in rules.data.resources
        if resource.amount and not resource.off_turn
    )
    return track_value(lookup, who, MOVED) > 0 or any(
        track is not None and track.value < track.maximum for track in spent
    )


def put_off_turn(tx: Transaction, rules: RuleSystem, slot: Slot) -> None:
    """Delay the active turn. The effects at its end happen now, but its actions aren't lost."""
    tx.forbid_by(delay_vetoes(tx, rules, slot))
    begin(tx, TURN_END.ask_end_order, TurnEnd(slot.id, delays=True))
