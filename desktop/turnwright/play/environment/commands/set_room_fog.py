"""The command `SetRoomFog`: show a room of the map to players, or hide it."""

from __future__ import annotations

from turnwright.encounter.prepared import Point
from turnwright.play.environment.fog import changed_fog, require_map
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.positions.fog import FogState, room_squares, with_state
from turnwright.rules.system import RuleSystem


@command(script="room {at} [{state}]")
class SetRoomFog(Command, frozen=True):
    """Show or hide the room around a square of the map, up to its walls and doors, whether open or closed."""

    at: Point
    state: FogState = "shown"

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Change the fog on the squares of a room."""
        battle_map = require_map(tx)
        squares = room_squares(battle_map, self.at)
        changed_fog(tx, battle_map, lambda lines: with_state(lines, squares, self.state))
