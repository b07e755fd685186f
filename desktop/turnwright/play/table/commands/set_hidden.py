"""The command that hides a combatant from the players' view, or shows it."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="hide {who} {hidden=true} | reveal {who}")
class SetHidden(Command, frozen=True):
    """Hide a combatant from the players' view, or show it."""

    who: CombatantId
    hidden: bool = False


def handle(command: SetHidden, tx: Transaction, rules: RuleSystem) -> None:
    """Hide a combatant from the players' view, or show it."""
    tx.update(tx.need(Combatant, command.who), hidden=command.hidden)
