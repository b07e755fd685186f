"""Commands that move an encounter along: set-up and its steps, turns, rests, the end."""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.procedure_state.turn_order import CALLED_CHECKS, CalledChecks
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.requirements import require_check
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


class CallForChecks(Command, frozen=True):
    """Ask for an ability check (`dex:stealth`, `wis:perception`, `dex`) from each; `surprise` keeps the totals.

    `task` says in words what it is for: whoever is helped with that has the help. `tags` say it for the rules
    (`leap-off`, `throw-rider`); `dc` is what it is held against, 0 for nothing.
    """

    who: tuple[str, ...]
    check: str
    purpose: Literal["", "surprise"] = ""
    task: str = ""
    tags: tuple[str, ...] = ()
    dc: int = 0


def call_for_checks(command: CallForChecks, tx: Transaction, rules: RuleSystem) -> None:
    """Ask a check of each."""
    require_check(rules, command.check)
    for who in command.who:
        tx.need(Combatant, who)
    whom = tuple(dict.fromkeys(command.who))
    begin(
        tx,
        CALLED_CHECKS.ask_called_check,
        CalledChecks(whom, command.check, command.purpose, task=command.task.strip(), tags=command.tags, dc=command.dc),
    )
