"""The command `EndTurn`: end the active turn."""

from __future__ import annotations

from turnwright.encounter.lookups import active_slot, clock_of
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.commands import Command, combatant_names, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.requirements import require_no_open_prompt
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.preview import stay_vetoes
from turnwright.play.turns.turns import begin_next_round, end_turn
from turnwright.rules.system import RuleSystem


@command(script="end turn")
class EndTurn(Command, frozen=True):
    """End the active turn, even if actions or movement are left."""

    def subject(self, lookup: Lookup, /) -> str:
        """Return the names of the combatants whose turn it is."""
        slot = active_slot(lookup)
        return combatant_names(lookup, slot.members) if slot else ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """End the active turn unless a prompt blocks it. After the last turn a new round begins."""
        slot = active_slot(tx)
        if clock_of(tx).phase != "rounds":
            raise Refused("refused.no_turns_yet", rule=rules.rule_id("phase.two"))
        require_no_open_prompt(tx)
        if slot is not None:
            for who in slot.members:
                tx.forbid_by(stay_vetoes(tx, rules, who))
            end_turn(tx, slot)
        elif any(tx.all(Procedure)) or not begin_next_round(tx, rules):
            raise Refused("refused.nobody_active")
