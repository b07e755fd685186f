"""The command for a side that acts at once while everyone is aware."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantIds
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.play.turn_order.surprise import mark_surprised
from turnwright.rules.system import RuleSystem


@command(script="sudden [{advantage}]")
class ActBeforeInitiative(Command, frozen=True):
    """Settle that no combatant is surprised because all were aware; `advantage` names those who roll with it."""

    advantage: CombatantIds = ()


def handle(command: ActBeforeInitiative, tx: Transaction, rules: RuleSystem) -> None:
    """Settle surprise for none, and give those named advantage on initiative."""
    require_running(tx)
    mark_surprised(tx, rules, (), rule=rules.rule_id("sudden.no-surprise"))
    for who in command.advantage:
        tx.update(tx.need(Combatant, who), edge="advantage")
