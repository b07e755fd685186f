"""The command `RevertShape`: return to the former stat block and hit points."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.play.damage.shapes import revert_shape
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem, label_of


@command(script="revert {who}")
class RevertShape(Command, frozen=True):
    """Return a combatant from a temporary shape to its original stat block and hit points."""

    who: CombatantId

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """End a temporary shape. Refuse a combatant that has none."""
        if revert_shape(tx, rules, self.who) is None:
            raise Refused("refused.no_shape", params={"who": label_of(tx, self.who)})
