"""The command `JoinTurn`: add allies to the active turn."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantIds, SlotId
from turnwright.encounter.lookups import clock_of
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.requirements import require_no_open_prompt
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.turn_order.joint_turns import joinable_slot
from turnwright.play.turns.turns import begin_joint_turn
from turnwright.rules.system import RuleSystem


@command(script="join turn [{slot}]")
class JoinTurn(Command, frozen=True):
    """Add the next allies in the order to the active turn.

    `slot` is their place in the order.
    """

    slot: SlotId = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Add the next slot in the order to the active turn."""
        clock = clock_of(tx)
        if clock.phase != "rounds" or not clock.active:
            raise Refused("refused.no_turns_yet", rule=rules.rule_id("phase.two"))
        require_no_open_prompt(tx)
        slot = joinable_slot(tx, rules)
        rule = rules.rule_id("turn.joined")
        if slot is None or (self.slot and self.slot != slot.id):
            raise Refused("refused.nobody_to_join", rule=rule)
        begin_joint_turn(tx, rules, slot, clock.active)
        tx.emit(TurnsJoined(who=slot.members, rule=rule))


@journal("journal.turns_joined")
class TurnsJoined(Event, frozen=True):
    """Combatants joined the active turn."""

    who: CombatantIds
