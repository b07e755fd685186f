"""The command `GoToTurn`: begin another turn out of order."""

from __future__ import annotations

from turnwright.encounter.field_specs import SlotId
from turnwright.encounter.lookups import active_slot, clock_of
from turnwright.encounter.running import Slot
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.requirements import require_no_open_prompt
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.turn_order.initiative import has_member_present
from turnwright.play.turns.turns import end_turn
from turnwright.rules.system import RuleSystem


@command(script="go [to] {slot}")
class GoToTurn(Command, frozen=True):
    """Make a combatant's turn the active turn, regardless of the order."""

    slot: SlotId

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """End the active turn and begin another out of order. Combatants that haven't acted yet keep their turns."""
        if clock_of(tx).phase != "rounds":
            raise Refused("refused.no_turns_yet", rule=rules.rule_id("phase.two"))
        require_no_open_prompt(tx)
        slot, leaving = tx.need(Slot, self.slot), active_slot(tx)
        if leaving is None:
            raise Refused("refused.nobody_active")
        if not has_member_present(tx, slot):
            raise Refused("refused.nobody_there")
        if slot.id != leaving.id:
            end_turn(tx, leaving, slot.id)
