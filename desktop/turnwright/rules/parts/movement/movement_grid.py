"""A combatant's movement costs on the map: the cost of entering each square, and squares where a move can't end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnwright.battlemap.grid import Grid
from turnwright.battlemap.spaces import Diagonals, Space, footprint
from turnwright.dice.expression import Modifier
from turnwright.encounter.prepared import Environment, Map
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.combatants.facts import WALK, speeds_of
from turnwright.rules.parts.environment.entries import area_squares, current_map, is_active
from turnwright.rules.parts.movement import move_legs
from turnwright.rules.parts.positions import geometry
from turnwright.rules.parts.positions.squares import can_stay, enter_veto, hinders
from turnwright.rules.system import MoveLeg, RuleSystem

if TYPE_CHECKING:
    from turnwright.battlemap.arrays import Feet, Flags


@dataclass(frozen=True, eq=False)
class MovementGrid:
    """A grid for path finding: the mover's space, the cost in feet to enter each square (0: closed), and valid ends."""

    grid: Grid
    space: Space
    entry_cost: Feet
    may_end: Flags
    diagonals: Diagonals


def movement_grid(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> MovementGrid | None:
    """Return the grid for a combatant's mode of movement, or None without a grid or a position on it."""
    import numpy as np

    grid, field, body = geometry.map_grid(lookup), current_map(lookup), move_legs.moving_body(lookup, who)
    space = geometry.space(lookup, rules, body)
    if grid is None or field is None or space is None:
        return None
    way = move_legs.effective_mode(lookup, rules, who, mode)
    plain = move_legs.movement_cost(lookup, rules, who, MoveLeg(grid.cell, way)).total
    entry = np.full((grid.rows, grid.columns), plain, dtype=np.int16)
    hard = _hard_squares(lookup, rules, grid, body)
    if way not in rules.data.movement.in_air:
        _add_ground(lookup, rules, grid, body, entry, hard)
        if way == WALK:
            _add_modes(lookup, rules, grid, body, entry)
    entry[grid.move.squares] = 0
    may_end = np.ones((grid.rows, grid.columns), dtype=np.bool_)
    _add_combatants(lookup, rules, who, space, hard, entry, may_end)
    return MovementGrid(grid, space, entry, may_end, field.diagonals)


def _hard_squares(lookup: Lookup, rules: RuleSystem, grid: Grid, body: str) -> Flags:
    """Return the squares of difficult terrain: drawn on the map, or in lasting areas that hinder the combatant."""
    areas = [*geometry.hindering_areas(lookup, body)]
    if not areas:
        return grid.difficult
    hard = grid.difficult.copy()
    for area in areas:
        for column, row in geometry.lasting_squares(lookup, rules, area):
            if (column, row) in grid:
                hard[row, column] = True
    return hard


def _add_ground(lookup: Lookup, rules: RuleSystem, grid: Grid, body: str, entry: Feet, hard: Flags) -> None:
    """Add the cost of difficult terrain, on its squares or for a whole difficult environment."""
    if move_legs.is_easy_ground(lookup, rules, body, Modifier(0, "<terrain.difficult>")):
        return
    extra = next((terrain.extra for terrain in rules.data.terrains if terrain.id == "difficult"), 0) * grid.cell
    entry[hard | _is_hard_everywhere(lookup, body)] += extra


def _is_hard_everywhere(lookup: Lookup, body: str) -> bool:
    field, outside = current_map(lookup), lookup.need(Combatant, body).outside
    return field is not None and any(
        row.terrain and not row.redirect and is_active(lookup, environment, row)
        for environment in lookup.all(Environment)
        if environment.id not in outside
        for row in environment.features
        if area_squares(field, environment.id, row.id) is None
    )


def _add_modes(lookup: Lookup, rules: RuleSystem, grid: Grid, body: str, entry: Feet) -> None:
    """Add the cost of water and steep ground if the combatant has no speed for them."""
    extra, speeds = dict(rules.data.movement.extra), speeds_of(lookup, rules, body)
    for mode, squares in (("swim", grid.water), ("climb", grid.climb)):
        if mode not in speeds:
            entry[squares] += extra.get(mode, 0) * grid.cell


def _add_combatants(
    lookup: Lookup, rules: RuleSystem, who: str, space: Space, hard: Flags, entry: Feet, may_end: Flags
) -> None:
    """Close the squares of combatants that let no one pass, and forbid ending a move on occupied squares."""
    together, cell = move_legs.moving_with(lookup, who, rules), (current_map(lookup) or Map()).cell
    extra = next((terrain.extra for terrain in rules.data.terrains if terrain.id == "difficult"), 0)
    is_soft = not _is_hard_everywhere(lookup, together[0])
    shares = space.side < cell  # several small creatures fit into a square
    for other in lookup.all(Combatant):
        other_space = geometry.space(lookup, rules, other.id)
        if other.id in together or other_space is None or other.dead or not other_space.overlaps_in_height(space):
            continue
        is_hard = is_soft and hinders(lookup, rules, together[0], other.id)
        closed = geometry.are_hostile(lookup, together[0], other.id) and _is_closed(
            lookup, rules, together[0], other_space
        )
        for column, row in footprint(other_space, cell):
            if not (0 <= row < entry.shape[0] and 0 <= column < entry.shape[1]):
                continue
            if closed:
                entry[row, column] = 0
            elif is_hard and not hard[row, column]:
                entry[row, column] += extra * cell
            if not shares or not can_stay(lookup, rules, together[0], (column, row), other_space.elevation):
                may_end[row, column] = False


def _is_closed(lookup: Lookup, rules: RuleSystem, who: str, other_space: Space) -> bool:
    """Return whether an enemy's space is closed to a combatant."""
    return enter_veto(lookup, rules, who, other_space.square, other_space.elevation) is not None
