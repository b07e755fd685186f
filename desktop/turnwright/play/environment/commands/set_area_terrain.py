"""The command `SetAreaTerrain`: a lasting area's light, and whether it is difficult terrain."""

from __future__ import annotations

from turnwright.encounter.running import AreaLight, LastingArea
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.rules.system import RuleSystem


@command(script="set-area {area} [light {light}] [difficult {difficult=true}]")
class SetAreaTerrain(Command, frozen=True):
    """Set the light of a lasting area on the map, and whether it is difficult terrain."""

    area: str
    light: AreaLight = ""
    difficult: bool = False

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Set the light and the terrain of the area. Refuse an area that doesn't exist."""
        require_running(tx)
        area = tx.get(LastingArea, self.area)
        if area is None:
            raise Refused("refused.unknown", params={"what": self.area})
        tx.update(area, light=self.light, difficult=self.difficult)
