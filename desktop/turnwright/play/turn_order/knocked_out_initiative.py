"""The initiative of a knocked-out combatant, in a game that moves it to just before the active one."""

from __future__ import annotations

from turnwright.encounter.lookups import active_slot
from turnwright.encounter.running import Slot
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.turn_order.events import InitiativeSet
from turnwright.play.turn_order.initiative import remove_from_slot, slot_of
from turnwright.play.turn_order.placement import place_beside
from turnwright.rules.system import RuleSystem


def move_before_active(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Move a knocked-out combatant to just before the active slot; its next turn comes in the next round.

    It stays between turns, and on its own turn.
    """
    active, own = active_slot(tx), slot_of(tx, who)
    if not rules.data.dying.recovery.shifts or active is None or own is None or own.id == active.id:
        return
    if own.members != (who,):
        remove_from_slot(tx, own, who)
        own = tx.put(Slot(tx.create_id(Slot, who), own.count, (who,)))
    tx.update(place_beside(tx, own, active, after=False), acted=True)
    before = next(iter(active.members), "")
    tx.emit(InitiativeSet(who=who, total=active.count, how="shifted", before=before, rule=rules.rule_id("death.place")))
