"""The command that spends a resource of the turn by hand."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId, ResourceId
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import spend
from turnwright.play.state.events import ActionTaken
from turnwright.rules.parts.economy.resources import counted_price, is_on_turn
from turnwright.rules.system import RuleSystem


@command(script="spend {who} {resource} [{note}]")
class SpendResource(Command, frozen=True):
    """Spend a resource, such as `action`, `bonus` or `reaction`. `note` describes its use."""

    who: CombatantId
    resource: ResourceId
    note: str = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Spend a resource on an activity that the rules don't cover."""
        resource = rules.resources.get(self.resource)
        if resource is None:
            raise Refused("refused.unknown", params={"what": self.resource})
        spend(tx, rules, self.who, self.resource)
        off_turn = resource.off_turn and not is_on_turn(tx, self.who)
        rule = rules.rule_id("round.off-turn" if off_turn else "turn.any-order")
        price = counted_price(rules, self.resource, 1)
        tx.emit(ActionTaken(who=self.who, action="", cost=self.resource, note=self.note, price=price, rule=rule))
