"""The areas of environments and their features on the map, and the combatants in them.

A feature without an area covers its whole environment. An environment without an area covers the whole map.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from types import MappingProxyType

import msgspec

from turnwright.battlemap.spaces import Space, footprint
from turnwright.encounter.prepared import Area, Map, Point
from turnwright.encounter.running import Combatant, DoorState, ObstacleState
from turnwright.encounter.state import Lookup
from turnwright.rules.system import RuleSystem, creature_of

Squares = frozenset[Point]


def current_map(lookup: Lookup) -> Map | None:
    """Return the map without broken obstacles and with the current state of its doors, or None if there is no grid."""
    battle_map = lookup.get(Map, Map.table)
    if battle_map is None or not battle_map.columns or not battle_map.rows:
        return None
    states, doors = tuple(lookup.all(ObstacleState)), tuple(lookup.all(DoorState))
    return _as_it_stands(battle_map, states, doors) if states or doors else battle_map


@lru_cache(maxsize=8)
def _as_it_stands(battle_map: Map, states: tuple[ObstacleState, ...], doors: tuple[DoorState, ...]) -> Map:
    by_id = {state.id: state for state in states}
    things = tuple(
        msgspec.structs.replace(obstacle, hp=state.hp)
        if (state := by_id.get(obstacle.id)) and state.hp is not None
        else obstacle
        for obstacle in battle_map.obstacles
        if obstacle.id not in by_id or not by_id[obstacle.id].broken
    )
    is_open = {state.id: state.open for state in doors}
    standing = tuple(msgspec.structs.replace(door, open=is_open.get(door.id, door.open)) for door in battle_map.doors)
    return msgspec.structs.replace(battle_map, obstacles=things, doors=standing)


def space_side(lookup: Lookup, rules: RuleSystem | None, who: str) -> float:
    """Return the side of a combatant's space in feet. Without rules that define sizes, it is one square."""
    field = current_map(lookup) or Map()
    combatant = lookup.get(Combatant, who)
    if combatant is None:
        return field.cell
    creature = creature_of(lookup, combatant)
    if creature.space or rules is None:
        return creature.space or field.cell
    return next((size.space for size in rules.data.sizes if size.id == creature.size), field.cell)


def area_squares(battle_map: Map, environment: str, feature: str = "") -> Squares | None:
    """Return the squares of a feature, or else of its environment. None means everywhere, because no area was drawn."""
    areas = _drawn(battle_map.areas)
    if feature and (environment, feature) in areas:
        return areas[environment, feature]
    return areas.get((environment, ""))


def feature_squares(battle_map: Map, environment: str, feature: str) -> Squares:
    """Return the squares drawn for this feature. Empty if only its environment has an area."""
    return _drawn(battle_map.areas).get((environment, feature), frozenset())


def terrain_squares(battle_map: Map) -> Mapping[str, Squares]:
    """Return the squares of areas that belong to no environment, by kind of terrain."""
    return {feature: squares for (place, feature), squares in _drawn(battle_map.areas).items() if feature and not place}


def is_on_area(
    lookup: Lookup, who: str, environment: str, feature: str = "", rules: RuleSystem | None = None
) -> bool | None:
    """Return whether a combatant's space touches the area of a feature, or None without a map, position or area."""
    field, combatant = current_map(lookup), lookup.get(Combatant, who)
    if field is None or combatant is None or combatant.position is None:
        return None
    squares = area_squares(field, environment, feature)
    return (
        None if squares is None else overlaps(squares, combatant.position, space_side(lookup, rules, who), field.cell)
    )


def is_on_any_area(lookup: Lookup, who: str, environment: str, rules: RuleSystem | None = None) -> bool:
    """Return whether a combatant is on the area of an environment or of one of its features, according to the map."""
    field, combatant = current_map(lookup), lookup.get(Combatant, who)
    if field is None or combatant is None or combatant.position is None:
        return False
    side = space_side(lookup, rules, who)
    areas = (squares for (place, _), squares in _drawn(field.areas).items() if place == environment)
    return any(overlaps(squares, combatant.position, side, field.cell) for squares in areas)


def overlaps(squares: Collection[Point], at: Point, side: float, cell: int) -> bool:
    """Return whether a space of `side` feet with its upper left square at `at` includes one of the squares."""
    return any(square in squares for square in footprint(Space(*at, side=max(side, 1)), cell))


@lru_cache(maxsize=32)
def _drawn(areas: tuple[Area, ...]) -> Mapping[tuple[str, str], Squares]:
    by_feature: dict[tuple[str, str], set[Point]] = {}
    for area in areas:
        squares = by_feature.setdefault((area.environment, area.feature), set())
        for column, row, wide, high in area.squares:
            squares.update(
                (across, down)
                for across in range(column, column + min(wide, 500))
                for down in range(row, row + min(high, 500))
            )
    return MappingProxyType({key: frozenset(squares) for key, squares in by_feature.items()})
