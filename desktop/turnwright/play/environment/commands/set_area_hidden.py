"""The command `SetAreaHidden`: hide a lasting area from the players, or show it."""

from __future__ import annotations

from turnwright.encounter.running import LastingArea
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.rules.system import RuleSystem


@command(script="hide-area {area} {hidden=true} | reveal-area {area}")
class SetAreaHidden(Command, frozen=True):
    """Hide a lasting area on the map from the players, or show it."""

    area: str
    hidden: bool = False

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Hide or show the area. Refuse an area that doesn't exist."""
        require_running(tx)
        area = tx.get(LastingArea, self.area)
        if area is None:
            raise Refused("refused.unknown", params={"what": self.area})
        tx.update(area, hidden=self.hidden)
