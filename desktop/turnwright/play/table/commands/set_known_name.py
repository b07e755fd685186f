"""The command by which players learn the name of a creature, or are given another one."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantIds
from turnwright.encounter.running import Combatant, KnownName, kind_id
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.requirements import require_targets
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="meet {who} [alone {alone=true}] [as {shown_as:rest}] | unmeet {who} {forget=true}")
class SetKnownName(Command, frozen=True):
    """Let players know the names of combatants and of all of their kind, or know them by another name."""

    who: CombatantIds
    shown_as: str = ""
    alone: bool = False
    forget: bool = False


def handle(command: SetKnownName, tx: Transaction, rules: RuleSystem) -> None:
    """Keep the names by which players know combatants; `alone`: not those of their kind."""
    for who in require_targets(command.who):
        one = tx.need(Combatant, who)
        id = one.id if command.alone or not one.creature else kind_id(one.creature)
        if not command.forget:
            tx.put(KnownName(id, command.shown_as.strip()))
            continue
        tx.discard(KnownName, one.id)
        tx.discard(KnownName, id)
