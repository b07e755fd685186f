"""Light by square: that of the scene, raised by the lights on the map whose square a line of sight reaches."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from turnwright.battlemap.grid import Grid
from turnwright.battlemap.sight import field as squares_in_sight
from turnwright.battlemap.spaces import footprint
from turnwright.encounter.lookups import scene_of
from turnwright.encounter.prepared import MapLight
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.environment.areas import current_map
from turnwright.rules.parts.positions.geometry import space
from turnwright.rules.parts.positions.map_geometry import map_grid
from turnwright.rules.system import RuleSystem

if TYPE_CHECKING:
    from turnwright.battlemap.arrays import Bytes

LEVELS: Final = ("dark", "dim", "bright", "sunlight")


def light_at(lookup: Lookup, rules: RuleSystem, who: str) -> str:
    """Return the light that a combatant stands in: the scene's, or a brighter one on any of its squares."""
    ambient = scene_of(lookup).light
    battle_map, here = current_map(lookup), space(lookup, rules, who)
    if battle_map is None or not battle_map.lights or here is None:
        return ambient
    grid = map_grid(lookup)
    if grid is None:
        return ambient
    levels = light_levels(grid, battle_map.lights)
    lit = max(int(levels[row, column]) for column, row in footprint(here, grid.cell))
    return LEVELS[max(lit, LEVELS.index(ambient))]


@lru_cache(maxsize=8)
def light_levels(grid: Grid, lights: tuple[MapLight, ...]) -> Bytes:
    """Return for each square the level of light that the map's lights give it, by its place in `LEVELS`."""
    import numpy as np

    levels = np.zeros((grid.rows, grid.columns), dtype=np.uint8)
    for light in lights:
        square = int(light.at[0]), int(light.at[1])
        reaches = ((light.bright + (light.dim or light.bright), "dim"), (light.bright, "bright"))
        for feet, level in reaches:
            lit = squares_in_sight(grid, grid.sight, square, feet)
            levels[lit] = np.maximum(levels[lit], LEVELS.index(level))
    return levels
