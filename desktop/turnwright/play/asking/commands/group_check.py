"""The command `GroupCheck`: call for a group check."""

from __future__ import annotations

from turnwright.encounter.field_specs import CheckId, CombatantIds, PositiveOrNone
from turnwright.encounter.procedure_state.asking import GROUP_CHECK, GroupCheckInProgress
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.requirements import require_targets
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="group check {who} {check} [against {dc}]", manual="group-check")
class GroupCheck(Command, frozen=True):
    """Call for a single ability check for a whole group, rolled by the first member."""

    who: CombatantIds
    check: CheckId
    dc: PositiveOrNone = 0

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Begin a group check. Refuse it if the system has no rules for groups."""
        members = require_targets(self.who)
        if not rules.data.groups.dc_base:
            raise Refused("refused.no_groups")
        begin(tx, GROUP_CHECK.ask_roll, GroupCheckInProgress(members, self.check, self.dc))
