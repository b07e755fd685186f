"""The command `SetFog`: show squares of the map to players, or hide them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from turnwright.encounter.prepared import Point
from turnwright.encounter.running import Fog
from turnwright.play.environment.fog import changed_fog, require_map
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.positions.fog import with_state
from turnwright.rules.system import RuleSystem

FogChange: TypeAlias = Literal["shown", "explored", "hidden", "off"]


@command(script="fog {state} [{squares}]")
class SetFog(Command, frozen=True):
    """Show squares of the map to the players, as they are now or were last seen, or hide them. Default: the whole map.

    `off` removes the fog. Successive changes with the same `merge` are one step.
    """

    state: FogChange = "shown"
    squares: tuple[Point, ...] = ()
    merge: str = ""

    @property
    def merge_key(self) -> str:
        """Return the key that joins the changes of one brush stroke into one step."""
        return self.merge

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Change the fog on some or all squares, or remove it."""
        battle_map = require_map(tx)
        if self.state == "off":
            tx.discard(Fog, Fog.table)
            return
        squares = self.squares or tuple(
            (column, row) for row in range(battle_map.rows) for column in range(battle_map.columns)
        )
        state = self.state
        changed_fog(tx, battle_map, lambda lines: with_state(lines, squares, state))
