"""The command `ComeIn`: take a delayed turn."""

from __future__ import annotations

from turnwright.encounter.field_specs import SlotId
from turnwright.encounter.lookups import active_slot
from turnwright.encounter.running import Slot
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.requirements import require_no_open_prompt
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.preview import stay_vetoes
from turnwright.play.turn_order.events import InitiativeSet
from turnwright.play.turn_order.placement import place_beside
from turnwright.play.turns.turns import end_turn
from turnwright.rules.system import RuleSystem


@command(script="come in {slot}")
class ComeIn(Command, frozen=True):
    """End the active turn and take a delayed turn now. The combatant keeps this place in the order."""

    slot: SlotId

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """End the active turn, and begin the delayed one right after it."""
        slot, active = tx.need(Slot, self.slot), active_slot(tx)
        if active is None:
            raise Refused("refused.nobody_active")
        if slot.delay != "waiting":
            raise Refused("refused.not_delaying")
        require_no_open_prompt(tx)
        for who in active.members:
            tx.forbid_by(stay_vetoes(tx, rules, who))
        placed = place_beside(tx, slot, active, after=True)
        rule = rules.rule_id("turn.delay")
        tx.emit(InitiativeSet(who=placed.members[0], total=placed.count, how="delayed", rule=rule))
        end_turn(tx, tx.need(Slot, active.id), placed.id)
