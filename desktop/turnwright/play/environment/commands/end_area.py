"""The command `EndArea`: end a lasting area on the map."""

from __future__ import annotations

from turnwright.encounter.running import LastingArea
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.rules.system import RuleSystem


@command(script="end-area {area}")
class EndArea(Command, frozen=True):
    """End a lasting area on the map."""

    area: str

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """End the area. Refuse an area that doesn't exist."""
        require_running(tx)
        area = tx.get(LastingArea, self.area)
        if area is None:
            raise Refused("refused.unknown", params={"what": self.area})
        tx.discard(LastingArea, area.id)
        tx.emit(AreaEnded(name=area.name))


@journal("journal.area_ended", kind="world")
class AreaEnded(Event, frozen=True):
    """An area on the map ended."""

    name: str
