"""Helpers for the fog commands: the map that they need, and changes to the stored fog."""

from __future__ import annotations

from collections.abc import Callable

from turnwright.encounter.prepared import Map
from turnwright.encounter.running import Fog
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.rules.parts.environment.areas import current_map
from turnwright.rules.parts.positions.fog import fog_lines, fog_text


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
