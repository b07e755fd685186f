"""The initiative of knocked-out combatants, in games that move them to just before the active combatant."""

from __future__ import annotations

from turnwright.encounter.lookups import active_slot
from turnwright.encounter.running import Slot
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.turn_order.events import InitiativeSet
from turnwright.play.turn_order.initiative import remove_from_slot, slot_of
from turnwright.play.turn_order.placement import place_beside
from turnwright.rules.system import RuleSystem


def move_before_active(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Move a knocked-out combatant to just before the active slot. Its next turn is in the next round.

    It isn't moved between turns or on its own turn.
    """
    active, slot = active_slot(tx), slot_of(tx, who)
    if not rules.data.dying.recovery.shifts or active is None or slot is None or slot.id == active.id:
        return
    if slot.members != (who,):
        remove_from_slot(tx, slot, who)
        slot = tx.put(Slot(tx.create_id(Slot, who), slot.count, (who,)))
    tx.update(place_beside(tx, slot, active, after=False), acted=True)
    before = next(iter(active.members), "")
    tx.emit(InitiativeSet(who=who, total=active.count, how="shifted", before=before, rule=rules.rule_id("death.place")))
