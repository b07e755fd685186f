"""Commands of a turn: actions, attacks, features, movement, and how people stand to one another."""

from __future__ import annotations

from turnwright.encounter.procedure_state.asking import GROUP_CHECK, GroupCheckInProgress
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


class GroupCheck(Command, frozen=True):
    """Ask one ability check for a whole group: one roll, made for the first of those named."""

    who: tuple[str, ...]
    check: str
    dc: int = 0


def group_check(command: GroupCheck, tx: Transaction, rules: RuleSystem) -> None:
    """Ask one roll for a group."""
    members = tuple(dict.fromkeys(command.who))
    if not members:
        raise Refused("refused.no_target")
    if not rules.data.groups.dc_base:
        raise Refused("refused.no_groups")
    for who in members:
        tx.need(Combatant, who)
    begin(tx, GROUP_CHECK.ask_roll, GroupCheckInProgress(members, command.check, command.dc))
