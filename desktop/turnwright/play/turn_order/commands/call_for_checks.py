"""The command that calls for ability checks."""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.field_specs import CheckId, CombatantIds, PositiveOrNone
from turnwright.encounter.procedure_state.turn_order import CALLED_CHECKS, CalledChecks
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.requirements import require_check
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="checks {check} {who} [for surprise {purpose=surprise}] [against {dc}] [{edge}]")
class CallForChecks(Command, frozen=True):
    """Ask each combatant for an ability check, such as `dex:stealth` or `dex`. `surprise` keeps the totals.

    `task` describes the purpose, so that help with the task counts. `tags` classify it for the rules (`leap-off`,
    `throw-rider`). `dc` is the difficulty class (0: none), and `edge` is advantage or disadvantage on all of the
    checks.
    """

    who: CombatantIds
    check: CheckId
    purpose: Literal["", "surprise"] = ""
    task: str = ""
    tags: tuple[str, ...] = ()
    dc: PositiveOrNone = 0
    edge: Literal["", "advantage", "disadvantage"] = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Begin a check for each combatant. Refuse an unknown check."""
        require_check(rules, self.check)
        members, task = tuple(dict.fromkeys(self.who)), self.task.strip()
        checks = CalledChecks(members, self.check, self.purpose, self.dc, task, tags=self.tags, edge=self.edge)
        begin(tx, CALLED_CHECKS.ask_called_check, checks)
