"""Fog of war: the visible part of the map for players, its rooms, and the party's field of view."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import msgspec

from turnwright.battlemap.grid import Grid
from turnwright.battlemap.sight import field as squares_in_sight
from turnwright.battlemap.sight import room
from turnwright.battlemap.spaces import footprint
from turnwright.encounter.lookups import scene_of
from turnwright.encounter.prepared import Map, Point
from turnwright.encounter.running import Combatant, Fog
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.environment.entries import current_map
from turnwright.rules.parts.positions.geometry import denying_conditions, space
from turnwright.rules.parts.positions.map_geometry import built_grid, drawing_lines, drawing_text, map_grid
from turnwright.rules.parts.positions.sight import LEVELS, levels_now
from turnwright.rules.system import RuleSystem, creature_of

if TYPE_CHECKING:
    from turnwright.battlemap.arrays import Flags

FogState: TypeAlias = Literal["shown", "explored", "hidden"]

PARTY: Final = "party"
SIGNS: Final = MappingProxyType({"shown": "+", "explored": "-", "hidden": "."})
HEAVILY_OBSCURED: Final = 2  # in a grid's light


def fog_lines(lookup: Lookup, battle_map: Map) -> tuple[str, ...] | None:
    """Return the fog as one line of characters per row of the map, or None if there is no fog."""
    fog = lookup.get(Fog, Fog.table)
    return None if fog is None else drawing_lines(fog.squares, battle_map.columns, battle_map.rows)


def open_squares(lookup: Lookup) -> frozenset[Point] | None:
    """Return the squares that aren't hidden from players, or None if there is no fog."""
    fog = lookup.get(Fog, Fog.table)
    if fog is None:
        return None
    lines = enumerate(fog.squares.replace("\r", "").split("\n"))
    opened = {SIGNS["shown"], SIGNS["explored"]}
    return frozenset((column, row) for row, line in lines for column, sign in enumerate(line) if sign in opened)


def with_state(lines: Sequence[str], squares: Iterable[Point], state: FogState) -> tuple[str, ...]:
    """Set the fog of these squares to another state. Squares off the map are ignored."""
    signs = [[*line] for line in lines]
    for column, row in squares:
        if 0 <= row < len(signs) and 0 <= column < len(signs[row]):
            signs[row][column] = SIGNS[state]
    return tuple("".join(line) for line in signs)


def seen_now(lines: Sequence[str], seen: Collection[Point]) -> tuple[str, ...]:
    """Mark these squares as shown in the fog. All others that were shown become explored."""
    past = [line.replace(SIGNS["shown"], SIGNS["explored"]) for line in lines]
    return with_state(past, seen, "shown")


def fog_text(lines: Sequence[str]) -> str:
    """Convert the fog to text for a file."""
    text = drawing_text(tuple(lines))
    return SIGNS["hidden"] + text if text.startswith("\n") else text  # TOML would drop an empty first line


# Rooms ---------------------------------------------------------------------------------------------------------------


def room_squares(battle_map: Map, at: Point) -> frozenset[Point]:
    """Return the squares of the room around a square, up to its walls, windows, curtains and doors, open or closed."""
    return room(_rooms(battle_map), at)


@lru_cache(maxsize=4)
def _rooms(battle_map: Map) -> Grid:
    """Return the grid of a map on which only the boundaries of rooms block movement."""
    doors = tuple(msgspec.structs.replace(door, kind="door", open=False) for door in battle_map.doors)
    barriers = (barrier for barrier in battle_map.barriers if barrier.kind not in ("rail", "object"))
    solid = tuple(msgspec.structs.replace(barrier, kind="wall") for barrier in barriers)
    bare = msgspec.structs.replace(battle_map, curtains=(), obstacles=(), areas=(), barriers=solid, doors=doors)
    return built_grid(msgspec.structs.replace(bare, walls=(*battle_map.walls, *battle_map.curtains)), ())


# Sight ---------------------------------------------------------------------------------------------------------------


def watchers(lookup: Lookup) -> tuple[str, ...]:
    """Return the party's combatants whose sight the players share: those that aren't down."""
    return tuple(
        combatant.id
        for combatant in lookup.all(Combatant)
        if combatant.side == PARTY and not combatant.dead and (combatant.hp > 0 or not combatant.hp_max)
    )


def party_sight(lookup: Lookup, rules: RuleSystem, who: Iterable[str]) -> frozenset[Point]:
    """Return the squares that any of these combatants see: in line of sight, and lit or within range of a sense."""
    squares: frozenset[Point] = frozenset()
    for id in who:
        seen = _seen_by(lookup, rules, id)
        if seen is not None:
            rows, columns = seen.nonzero()
            squares |= frozenset(zip(columns.tolist(), rows.tolist(), strict=True))
    return squares


def viewpoints(lookup: Lookup, rules: RuleSystem, who: Iterable[str]) -> tuple[Grid, tuple[Point, ...]] | None:
    """Return the grid and the squares that these combatants occupy on it, or None without a grid."""
    grid = map_grid(lookup)
    if grid is None:
        return None
    spaces = [occupied for id in who if (occupied := space(lookup, rules, id)) is not None]
    return grid, tuple(square for occupied in spaces for square in footprint(occupied, grid.cell))


@lru_cache(maxsize=128)
def seen_from(grid: Grid, square: Point) -> Flags:
    """Return the squares in line of sight of a square, at any distance.

    This takes milliseconds, so views call it in a worker.
    """
    return squares_in_sight(grid, grid.sight, square, (grid.columns + grid.rows) * grid.cell)


def _seen_by(lookup: Lookup, rules: RuleSystem, who: str) -> Flags | None:
    """Return the squares that a combatant sees, or None if it isn't on the map."""
    import numpy as np

    battle_map, points = current_map(lookup), viewpoints(lookup, rules, (who,))
    if battle_map is None or points is None or not points[1]:
        return None
    grid, squares = points
    in_line = np.logical_or.reduce([seen_from(grid, square) for square in squares])
    levels = levels_now(lookup, rules)
    dark = np.full(in_line.shape, scene_of(lookup).light == LEVELS[0]) if levels is None else levels == 0
    obscured = grid.light == HEAVILY_OBSCURED
    blinding = {name for name, _ in denying_conditions(lookup, rules, who, "sight")}
    seen: Flags = in_line & ~dark & ~obscured & (not blinding)
    combatant = lookup.get(Combatant, who)
    ranges = dict(creature_of(lookup, combatant).senses) if combatant is not None else {}
    for sense in rules.data.senses:
        if sense.id in ranges and blinding <= set(sense.beats):
            reached = in_line if not ranges[sense.id] else in_line & _within(grid, squares, ranges[sense.id])
            seen |= reached & (~dark | ("dark" in sense.beats)) & (~obscured | ("obscured" in sense.beats))
    for column, row in squares:
        seen[row, column] = True
    return seen


def _within(grid: Grid, squares: Sequence[Point], feet: int) -> Flags:
    """Return the squares within `feet` of any of these squares."""
    import numpy as np

    steps = feet // grid.cell
    near = np.zeros((grid.rows, grid.columns), dtype=np.bool_)
    for column, row in squares:
        near[max(0, row - steps) : row + steps + 1, max(0, column - steps) : column + steps + 1] = True
    return near
