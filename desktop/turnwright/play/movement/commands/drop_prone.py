"""The command that drops prone."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.procedure_state.actions import ActionInProgress
from turnwright.play.asking.action_parameters import begin_action
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.prone import prone_effects
from turnwright.play.state.action_economy import require_no_open_action, spend
from turnwright.play.state.effect_records import put_condition
from turnwright.rules.hooks import Veto
from turnwright.rules.parts.economy.resources import is_on_turn
from turnwright.rules.parts.movement.riding import movement_payer
from turnwright.rules.system import RuleSystem, label_of


@command(script="drop prone {who} [reaction {react=true}]")
class DropProne(Command, frozen=True):
    """Drop prone, for free or with the system's action. With `reaction`, the cost is a reaction.

    `react`: as a reaction.
    """

    who: CombatantId
    react: bool = False

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Drop a combatant prone: for free on its own turn, with the system's action, or as a reaction."""
        by = rules.data.movement.drop_by
        if by and not self.react:
            require_no_open_action(tx, rules, self.who)
            begin_action(tx, rules, ActionInProgress(self.who, by))
            return
        if prone_effects(tx, rules, self.who):
            raise Refused("refused.prone_already", params={"who": label_of(tx, self.who)})
        cost = rules.data.movement.drop_cost
        if self.react and cost:
            spend(tx, rules, self.who, cost)
        elif self.react:
            tx.forbid("refused.no_quick_drop", rules.rule_id("prone.drop-free"), who=label_of(tx, self.who))
        else:
            tx.forbid_by(drop_vetoes(tx, rules, self.who))
        rule = rules.rule_id("prone.drop-reaction" if self.react else "prone.drop-free")
        put_condition(tx, rules, self.who, rules.role("prone"), rule=rule)


def drop_vetoes(tx: Transaction, rules: RuleSystem, who: str) -> tuple[Veto, ...]:
    """Return the reason why a combatant can't drop prone for free: it isn't their turn."""
    if is_on_turn(tx, movement_payer(tx, who)) or rules.has_option(tx, rules.role("drops-prone-any-time")):
        return ()
    return (Veto("refused.not_your_turn", rules.rule_id("prone.drop-free"), (("who", label_of(tx, who)),)),)
