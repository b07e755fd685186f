"""The command `SetAreaHidden`: an area that lasts hidden from the players' view, or shown."""

from __future__ import annotations

from turnwright.encounter.running import LastingArea
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.rules.system import RuleSystem


@command(script="hide-area {area} {hidden=true} | reveal-area {area}")
class SetAreaHidden(Command, frozen=True):
    """Hide an area that lasts on the map from the players' view, by its id, or show it."""

    area: str
    hidden: bool = False


def handle(command: SetAreaHidden, tx: Transaction, rules: RuleSystem) -> None:
    """Hide the area or show it; refuse one that there isn't."""
    require_running(tx)
    area = tx.get(LastingArea, command.area)
    if area is None:
        raise Refused("refused.unknown", params={"what": command.area})
    tx.update(area, hidden=command.hidden)
