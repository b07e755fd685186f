"""The command `MoveInOrder`: move a combatant in the turn order by hand."""

from __future__ import annotations

from turnwright.encounter.field_specs import SlotId
from turnwright.encounter.running import Slot
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.turn_order.events import InitiativeSet
from turnwright.play.turn_order.placement import place_beside
from turnwright.rules.system import RuleSystem


@command(script="order {slot} (before | after {after=true}) {neighbour}")
class MoveInOrder(Command, frozen=True):
    """Move a combatant before or after another in the turn order. The active turn doesn't change.

    It gets the other's initiative total.
    """

    slot: SlotId
    neighbour: SlotId
    after: bool = False

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Move a slot to just before or after another."""
        slot, neighbour = tx.need(Slot, self.slot), tx.need(Slot, self.neighbour)
        if slot.id == neighbour.id:
            raise Refused("refused.own_neighbour")
        placed = place_beside(tx, slot, neighbour, after=self.after)
        tx.emit(
            InitiativeSet(
                who=placed.members[0], total=placed.count, how="moved", rule=rules.rule_id("initiative.order")
            )
        )
