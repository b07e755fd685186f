"""The command `HoldEffects`: whether a condition's usual effects apply automatically."""

from __future__ import annotations

from turnwright.encounter.field_specs import ConditionId
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.usual_effects import ask_effects, hold_effects
from turnwright.rules.system import RuleSystem


@command(script="usual {condition} [always | asked {held=false}]")
class HoldEffects(Command, frozen=True):
    """Apply the usual effects of a condition automatically for the whole encounter, or ask about them again."""

    condition: ConditionId
    held: bool = True

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Set the effects to automatic, or to be asked about. Refuse a condition that the rules define."""
        condition = rules.conditions.get(self.condition)
        if condition is None or not condition.external:
            raise Refused("refused.not_asked_about", params={"what": f"<condition.{self.condition}>"})
        (hold_effects if self.held else ask_effects)(tx, rules, self.condition)
