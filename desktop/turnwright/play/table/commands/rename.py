"""The command that renames a combatant."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="rename {who} {label:rest}")
class Rename(Command, frozen=True):
    """Give a combatant another label."""

    who: CombatantId
    label: str


def handle(command: Rename, tx: Transaction, rules: RuleSystem) -> None:
    """Give a combatant another label; refuse an empty one."""
    if not command.label.strip():
        raise Refused("refused.no_name")
    tx.update(tx.need(Combatant, command.who), label=command.label.strip())
