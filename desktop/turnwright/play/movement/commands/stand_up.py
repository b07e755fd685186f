"""The command that stands up."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.procedure_state.actions import ActionInProgress
from turnwright.play.asking.action_parameters import begin_action
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.move_costs import stand_up_cost
from turnwright.play.movement.prone import get_up, prone_effects
from turnwright.play.state.action_economy import require_no_open_action, require_turn
from turnwright.play.state.movement_points import spend_movement
from turnwright.rules.parts.combatants.incapacitation import cannot_act_vetoes
from turnwright.rules.parts.movement.riding import movement_payer
from turnwright.rules.system import RuleSystem, label_of


@command(script="stand {who}")
class StandUp(Command, frozen=True):
    """Stand up from prone, which costs part of the combatant's speed or an action, depending on the system."""

    who: CombatantId

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Stand up with the system's action or for part of the Speed. Refuse it if too little movement is left."""
        who = self.who
        if rules.data.movement.stand_by:
            require_no_open_action(tx, rules, who)
            begin_action(tx, rules, ActionInProgress(who, rules.data.movement.stand_by))
            return
        require_turn(tx, rules, movement_payer(tx, who))
        tx.forbid_by(cannot_act_vetoes(tx, rules, who))
        if not prone_effects(tx, rules, who):
            raise Refused("refused.not_prone", params={"who": label_of(tx, who)})
        cost = stand_up_cost(tx, rules, who)
        rule = rules.rule_id("prone.stand")
        spend_movement(tx, rules, who, cost, "refused.cannot_stand", rule)
        get_up(tx, rules, who, rule, cost)
