"""The fog that hides parts of the map from players."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from turnwright.encounter.field_specs import CombatantIds
from turnwright.encounter.prepared import Map, Point
from turnwright.encounter.running import Fog
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.rules.parts.environment.areas import current_map
from turnwright.rules.parts.positions.fog import (
    FogState,
    fog_lines,
    fog_text,
    party_sight,
    room_squares,
    seen_now,
    watchers,
    with_state,
)
from turnwright.rules.system import RuleSystem

FogChange: TypeAlias = Literal["shown", "explored", "hidden", "off"]


def require_map(tx: Transaction) -> Map:
    """Return the map of the running fight. Raise Refused if there is none."""
    require_running(tx)
    battle_map = current_map(tx)
    if battle_map is None:
        raise Refused("refused.no_grid")
    return battle_map


def changed_fog(tx: Transaction, battle_map: Map, change: Callable[[tuple[str, ...]], tuple[str, ...]]) -> None:
    """Change the fog. If there is no fog yet, start with one that hides the whole map."""
    before = fog_lines(tx, battle_map)
    after = Fog(squares=fog_text(change(before or ("." * battle_map.columns,) * battle_map.rows)))
    if after != tx.get(Fog, after.id):
        tx.put(after)


@command(script="fog {state} [{squares}]")
class SetFog(Command, frozen=True):
    """Show squares of the map to the players, as they are now or were last seen, or hide them. Default: the whole map.

    `off` removes the fog. Successive changes with the same `merge` are one step.
    """

    state: FogChange = "shown"
    squares: tuple[Point, ...] = ()
    merge: str = ""

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


@command(script="look [{who}]")
class ShowSight(Command, frozen=True):
    """Show the players everything that combatants see from their positions. Default: the whole party.

    Squares that were shown and are now out of their sight are shown as seen before, without creatures.
    """

    who: CombatantIds = ()

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Show players the squares that the combatants see now."""
        battle_map = require_map(tx)
        seen = party_sight(tx, rules, self.who or watchers(tx))
        changed_fog(tx, battle_map, lambda lines: seen_now(lines, seen))
