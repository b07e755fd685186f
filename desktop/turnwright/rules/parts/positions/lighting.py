"""Light by square: the scene's light, raised by the map's lights that have a line of sight to the square.

Lasting areas also raise it, or put out all light on their squares.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from turnwright.battlemap.grid import Grid
from turnwright.battlemap.sight import field as squares_in_sight
from turnwright.battlemap.sight import reaches
from turnwright.battlemap.spaces import footprint
from turnwright.encounter.lookups import scene_of
from turnwright.encounter.prepared import MapLight, Point
from turnwright.encounter.running import LastingArea
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.environment.areas import current_map
from turnwright.rules.parts.positions.geometry import space
from turnwright.rules.parts.positions.lasting_areas import LitSquares, lit_squares, standing_areas
from turnwright.rules.parts.positions.map_geometry import map_grid
from turnwright.rules.system import RuleSystem

if TYPE_CHECKING:
    from turnwright.battlemap.arrays import Bytes

LEVELS: Final = ("dark", "dim", "bright", "sunlight")


def light_at(lookup: Lookup, rules: RuleSystem, who: str) -> str:
    """Return the light at a combatant's position: the brightest on any of its squares.

    Commands call this on the window's thread, so it traces a few lines per light and square, never the whole map.
    """
    here, battle_map, lit = space(lookup, rules, who), current_map(lookup), _lit_areas(lookup)
    ambient = scene_of(lookup).light
    if here is None or battle_map is None or not (battle_map.lights or lit):
        return ambient
    grid = map_grid(lookup)
    if grid is None:
        return ambient
    areas = _areas(lookup, rules, lit)
    squares = footprint(here, grid.cell)
    return LEVELS[max(_level_at(grid, battle_map.lights, ambient, areas, square) for square in squares)]


def levels_now(lookup: Lookup, rules: RuleSystem) -> Bytes | None:
    """Return the current light level of each square, or None if the scene's light applies everywhere."""
    battle_map, lit = current_map(lookup), _lit_areas(lookup)
    if battle_map is None or not (battle_map.lights or lit):
        return None
    grid = map_grid(lookup)
    if grid is None:
        return None
    return with_areas(grid, battle_map.lights, scene_of(lookup).light, _areas(lookup, rules, lit))


def _lit_areas(lookup: Lookup) -> list[LastingArea]:
    return [area for area in standing_areas(lookup) if area.light]


def _areas(lookup: Lookup, rules: RuleSystem, lit: list[LastingArea]) -> tuple[LitSquares, ...]:
    return tuple(squares for area in lit for squares in lit_squares(lookup, rules, area))


def _level_at(
    grid: Grid, lights: tuple[MapLight, ...], ambient: str, areas: tuple[LitSquares, ...], square: Point
) -> int:
    """Return the light level of one square, by the same rules as `with_areas`."""
    levels = [LEVELS.index(area.light) for area in areas if square in area.squares]
    return 0 if 0 in levels else max(LEVELS.index(ambient), _light_on(grid, lights, square), *levels)


@lru_cache(maxsize=4096)
def _light_on(grid: Grid, lights: tuple[MapLight, ...], square: Point) -> int:
    """Return the light level that the map's lights give one square, by the same rules as `light_levels`."""
    brightest = 0
    for light in lights:
        for feet, level in _reaches(light):
            if LEVELS.index(level) > brightest and reaches(grid, grid.sight, _square_of(light), square, feet):
                brightest = LEVELS.index(level)
    return brightest


@lru_cache(maxsize=16)
def with_areas(grid: Grid, lights: tuple[MapLight, ...], ambient: str, areas: tuple[LitSquares, ...]) -> Bytes:
    """Return the light level of each square: the brightest of scene, lights and areas, but dark in dark areas."""
    import numpy as np

    levels = np.maximum(light_levels(grid, lights), np.uint8(LEVELS.index(ambient)))
    for squares, light in sorted(areas, key=lambda area: area.light == LEVELS[0]):
        level = LEVELS.index(light)
        for column, row in squares:
            if (column, row) in grid:
                levels[row, column] = 0 if level == 0 else max(levels[row, column], level)
    return levels


@lru_cache(maxsize=8)
def light_levels(grid: Grid, lights: tuple[MapLight, ...]) -> Bytes:
    """Return the light level that the map's lights give each square, as an index into `LEVELS`."""
    import numpy as np

    levels = np.zeros((grid.rows, grid.columns), dtype=np.uint8)
    for light in lights:
        for feet, level in _reaches(light):
            lit = squares_in_sight(grid, grid.sight, _square_of(light), feet)
            levels[lit] = np.maximum(levels[lit], LEVELS.index(level))
    return levels


def _reaches(light: MapLight) -> tuple[tuple[float, str], ...]:
    """Return the range in feet of a light at each level."""
    return (light.bright + (light.dim or light.bright), "dim"), (light.bright, "bright")


def _square_of(light: MapLight) -> Point:
    return int(light.at[0]), int(light.at[1])
