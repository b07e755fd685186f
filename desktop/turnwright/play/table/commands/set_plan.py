"""Commands of a turn: actions, attacks, features, movement, and how people stand to one another."""

from __future__ import annotations

from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.table.events import Planned
from turnwright.rules.system import RuleSystem


class SetPlan(Command, frozen=True):
    """Note what somebody means to do on the next turn; it binds nobody."""

    who: str
    text: str


def set_plan(command: SetPlan, tx: Transaction, rules: RuleSystem) -> None:
    """Note a plan; it costs nothing and binds nobody."""
    tx.update(tx.need(Combatant, command.who), plan=command.text)
    tx.emit(Planned(who=command.who, text=command.text, rule=rules.rule_id("offturn.plan")))
