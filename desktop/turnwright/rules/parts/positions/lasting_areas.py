"""Lasting areas on the map: whether they are still there, their squares, and the combatants in them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec

from turnwright.battlemap.distance import Diagonals
from turnwright.battlemap.grid import Grid
from turnwright.battlemap.spaces import Space, footprint, squares_across
from turnwright.battlemap.templates import AreaShape, Placement, cut_off, squares_in
from turnwright.encounter.lookups import clock_of
from turnwright.encounter.prepared import Point
from turnwright.encounter.running import AreaLight, Combatant, Effect, LastingArea
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.environment.areas import current_map
from turnwright.rules.parts.positions.geometry import space
from turnwright.rules.parts.positions.map_geometry import map_grid
from turnwright.rules.system import RuleSystem


def standing_areas(lookup: Lookup) -> Iterator[LastingArea]:
    """Yield the lasting areas that are still there."""
    for area in lookup.all(LastingArea):
        ended = area.effect and lookup.get(Effect, area.effect) is None
        if not ended and not (area.last_round and clock_of(lookup).round > area.last_round):
            yield area


def lasting_squares(
    lookup: Lookup, rules: RuleSystem, area: LastingArea, *, through_walls: bool = False
) -> frozenset[Point]:
    """Return the squares of an area: as placed, or those around its owner that no wall cuts off.

    With `through_walls`, return all squares around the owner, for views that must not reveal walls.
    """
    if not area.radius:
        return frozenset(
            (column, row)
            for left, top, wide, high in area.squares
            for column in range(left, left + wide)
            for row in range(top, top + high)
        )
    here, grid, field = space(lookup, rules, area.owner), map_grid(lookup), current_map(lookup)
    if here is None or grid is None or field is None:
        return frozenset()
    diagonals = rules.data.grid.areas.diagonals if rules.data.grid.areas.diagonals != "equal" else field.diagonals
    return _around(grid, here, area.radius, diagonals, through_walls)


@lru_cache(maxsize=64)
def _around(grid: Grid, here: Space, feet: int, diagonals: Diagonals, through_walls: bool) -> frozenset[Point]:
    """Return the squares within `feet` of a space. Squares behind walls count only with `through_walls`."""
    shape = AreaShape("emanation", feet)
    squares = frozenset(squares_in(grid, shape, Placement(here.square, space=here), "steps", diagonals=diagonals))
    if through_walls:
        return squares
    half = squares_across(here.side, grid.cell) / 2
    return squares.difference(cut_off(grid, squares, (here.column + half, here.row + half)))


class LitSquares(NamedTuple):
    """Squares that an area lights or darkens."""

    squares: frozenset[Point]
    light: AreaLight


def lit_squares(
    lookup: Lookup, rules: RuleSystem, area: LastingArea, *, through_walls: bool = False
) -> Iterator[LitSquares]:
    """Yield the squares that an area lights or darkens, if any.

    A carried bright light also gives dim light farther out.
    """
    if area.light:
        yield LitSquares(lasting_squares(lookup, rules, area, through_walls=through_walls), area.light)
    if area.light == "bright" and area.radius:
        farther = msgspec.structs.replace(area, radius=2 * area.radius)
        yield LitSquares(lasting_squares(lookup, rules, farther, through_walls=through_walls), "dim")


def hindering_areas(lookup: Lookup, who: str) -> Iterator[LastingArea]:
    """Yield the areas that are difficult terrain for a combatant, except those that move with it or with its rider."""
    for area in standing_areas(lookup):
        owner = lookup.get(Combatant, area.owner) if area.radius else None
        if area.difficult and not (owner is not None and who in (owner.id, owner.rides)):
            yield area


def is_in_area(lookup: Lookup, rules: RuleSystem, who: str, area: LastingArea) -> bool:
    """Return whether a living combatant's space is partly in an area.

    An area that moves with its owner excludes the owner.
    """
    combatant, own_space = lookup.get(Combatant, who), space(lookup, rules, who)
    field = current_map(lookup)
    if combatant is None or combatant.dead or own_space is None or field is None or (area.radius and who == area.owner):
        return False
    return not lasting_squares(lookup, rules, area).isdisjoint(footprint(own_space, field.cell))
