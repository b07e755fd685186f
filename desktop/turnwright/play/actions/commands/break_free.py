"""The command `BreakFree`: pay a cost to end an effect."""

from __future__ import annotations

from turnwright.encounter.field_specs import EffectId
from turnwright.encounter.running import Effect
from turnwright.play.actions.escape import begin_escape, can_be_escaped
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import spend
from turnwright.play.state.effect_records import end_effect
from turnwright.play.state.events import ActionTaken
from turnwright.rules.parts.economy.resources import counted_price
from turnwright.rules.system import RuleSystem


@command(script="break free {effect}")
class BreakFree(Command, frozen=True):
    """Pay the cost to end an effect."""

    effect: EffectId

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Pay the cost that ends an effect, and end it."""
        effect = tx.need(Effect, self.effect)
        if not effect.break_free and can_be_escaped(rules, effect):
            begin_escape(tx, effect)
            return
        if not effect.break_free:
            raise Refused("refused.no_way_free", params={"what": f"<condition.{effect.name}>"})
        spend(tx, rules, effect.target, effect.break_free)
        price = counted_price(rules, effect.break_free, 1)
        tx.emit(ActionTaken(who=effect.target, action="<action.break_free>", cost=effect.break_free, price=price))
        end_effect(tx, rules, effect)
