"""The darkness of the squares in the players' view, calculated only from what they know about the map."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec

from turnwright.battlemap.grid import UNLIMITED, Grid
from turnwright.battlemap.sight import field as squares_in_sight
from turnwright.encounter.prepared import Map, Point
from turnwright.rules.parts.positions.fog import SIGNS
from turnwright.rules.parts.positions.lasting_areas import LitSquares
from turnwright.rules.parts.positions.lighting import LEVELS, with_areas
from turnwright.rules.parts.positions.map_geometry import built_grid

OVER_ALL: Final = 2 * UNLIMITED  # feet; above any line between the tops of two walls
DARKNESS: Final = MappingProxyType({"dark": "#", "dim": ":"})  # the signs of squares in the players' view


class KnownLight(NamedTuple):
    """The light of an area that players know about; `carried_at` is the source's square if the light is carried."""

    lit: LitSquares
    carried_at: Point | None = None


class KnownMap(NamedTuple):
    """What players know about the map and its lighting: rows of fog, the scene's light, and areas that give light."""

    battle_map: Map
    fog: tuple[str, ...]
    ambient: str
    areas: tuple[KnownLight, ...] = ()

    @property
    def may_be_dark(self) -> bool:
        """Whether any square may be dim or dark."""
        return self.ambient in DARKNESS or any(area.lit.light == LEVELS[0] for area in self.areas)


@lru_cache(maxsize=4)
def darkness(known: KnownMap) -> tuple[str, ...]:
    """Return the signs of the dark and dim squares in view, by map row, with blanks elsewhere.

    The window first calculates it in a worker. Only lights on explored squares count, and their light doesn't pass
    through hidden squares, so lights and walls under the fog change nothing. The light of carried areas is stopped
    in the same way.
    """
    battle_map, fog, ambient, areas = known
    if not known.may_be_dark:
        return (" " * battle_map.columns,) * battle_map.rows
    grid = _explored_grid(battle_map, fog)
    lights = tuple(light for light in battle_map.lights if _is_explored(fog, int(light.at[0]), int(light.at[1])))
    levels = with_areas(grid, lights, ambient, tuple(_stopped(grid, area) for area in areas)).tolist()
    return tuple(
        "".join(
            DARKNESS.get(LEVELS[levels[row][column]], " ") if sign == SIGNS["shown"] else " "
            for column, sign in enumerate(line)
        )
        for row, line in enumerate(fog)
    )


def _stopped(grid: Grid, area: KnownLight) -> LitSquares:
    """Return the squares lit by an area. Carried light reaches only squares in line of sight on the known map."""
    if area.carried_at is None:
        return area.lit
    x0, y0 = area.carried_at
    farthest = max((abs(x - x0) + abs(y - y0) for x, y in area.lit.squares), default=0)
    reached = squares_in_sight(grid, grid.sight, area.carried_at, farthest * grid.cell)
    lit = frozenset((x, y) for x, y in area.lit.squares if (x, y) in grid and reached[y, x])
    return area.lit._replace(squares=lit)


def _is_explored(fog: tuple[str, ...], column: int, row: int) -> bool:
    return 0 <= row < len(fog) and 0 <= column < len(fog[row]) and fog[row][column] != SIGNS["hidden"]


def _explored_grid(battle_map: Map, fog: tuple[str, ...]) -> Grid:
    """Return a map's grid in which every hidden square stops light."""
    import numpy as np

    grid = _bare_grid(battle_map)
    signs = np.frombuffer("".join(fog).encode("ascii"), dtype=np.uint8).reshape(grid.rows, grid.columns)
    top = np.where(signs == ord(SIGNS["hidden"]), np.int32(OVER_ALL), grid.sight.top).astype(grid.sight.top.dtype)
    top.flags.writeable = False
    return replace(grid, sight=replace(grid.sight, top=top))


@lru_cache(maxsize=2)
def _bare_grid(battle_map: Map) -> Grid:
    """Return a map's grid without information hidden from players: ground heights and environment areas."""
    return built_grid(msgspec.structs.replace(battle_map, heights="", light="", areas=(), lights=(), picture=None), ())
