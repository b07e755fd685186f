"""The command that gives a combatant a picture of its own."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="portrait {who} [{portrait:rest}]")
class SetPortrait(Command, frozen=True):
    """Give a combatant a picture of its own, a file beside the encounter; without one, it has its creature's."""

    who: CombatantId
    portrait: str = ""


def handle(command: SetPortrait, tx: Transaction, rules: RuleSystem) -> None:
    """Give a combatant a picture of its own, or its creature's."""
    tx.update(tx.need(Combatant, command.who), portrait=command.portrait.strip())
