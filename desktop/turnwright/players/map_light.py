"""How dark the squares are that players see, worked out from what they know of the map alone."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Final

import msgspec

from turnwright.battlemap.grid import UNLIMITED, Grid
from turnwright.encounter.prepared import Map
from turnwright.rules.parts.positions.fog import SIGNS
from turnwright.rules.parts.positions.lighting import LEVELS, light_levels
from turnwright.rules.parts.positions.map_geometry import built_grid

OVER_ALL: Final = 2 * UNLIMITED  # feet; higher than a line between two squares that are walled up
DARKNESS: Final = MappingProxyType({"dark": "#", "dim": ":"})  # the signs of squares in the view


@lru_cache(maxsize=4)
def darkness(battle_map: Map, fog: tuple[str, ...], ambient: str) -> tuple[str, ...]:
    """Return the signs of dark and dim squares seen now, by rows of the map, blanks elsewhere.

    Only lights on explored squares count, and none shines through hidden ones: neither lights nor walls under the fog change anything.
    """
    if ambient not in DARKNESS:
        return (" " * battle_map.columns,) * battle_map.rows
    known = tuple(one for one in battle_map.lights if _is_explored(fog, int(one.at[0]), int(one.at[1])))
    levels = light_levels(_explored_grid(battle_map, fog), known).tolist() if known else None
    least = LEVELS.index(ambient)
    return tuple(
        "".join(
            DARKNESS.get(LEVELS[max(least, levels[row][column] if levels else 0)], " ")
            if sign == SIGNS["shown"]
            else " "
            for column, sign in enumerate(line)
        )
        for row, line in enumerate(fog)
    )


def _is_explored(fog: tuple[str, ...], column: int, row: int) -> bool:
    return 0 <= row < len(fog) and 0 <= column < len(fog[row]) and fog[row][column] != SIGNS["hidden"]


def _explored_grid(battle_map: Map, fog: tuple[str, ...]) -> Grid:
    """Return the grid of a map on which every hidden square stops light."""
    import numpy as np

    grid = _bare_grid(battle_map)
    signs = np.frombuffer("".join(fog).encode("ascii"), dtype=np.uint8).reshape(grid.rows, grid.columns)
    top = np.where(signs == ord(SIGNS["hidden"]), np.int32(OVER_ALL), grid.sight.top).astype(grid.sight.top.dtype)
    top.flags.writeable = False
    return replace(grid, sight=replace(grid.sight, top=top))


@lru_cache(maxsize=2)
def _bare_grid(battle_map: Map) -> Grid:
    """Return the grid of a map without what players are not shown: how high the ground is, and the areas of the world."""
    return built_grid(msgspec.structs.replace(battle_map, heights="", light="", areas=(), lights=(), picture=None), ())
