"""Commands that move an encounter along: set-up and its steps, turns, rests, the end."""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.requirements import require_check
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


class SetInitiativeCheck(Command, frozen=True):
    """Name the check (`str:athletics`) and the edge on it that each rolls for initiative. Empty: the usual one."""

    who: tuple[str, ...]
    check: str = ""
    edge: Literal["", "advantage", "disadvantage"] = ""


def set_initiative_check(command: SetInitiativeCheck, tx: Transaction, rules: RuleSystem) -> None:
    """Name the check and the edge that some roll for initiative."""
    if command.check:
        require_check(rules, command.check)
    for who in command.who:
        tx.update(tx.need(Combatant, who), check=command.check, edge=command.edge)
