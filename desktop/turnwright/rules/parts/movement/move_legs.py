"""The legs of a move: the cost of each leg, and the positions of the moved combatants after it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import msgspec

from turnwright.battlemap.occupancy import stands
from turnwright.battlemap.spaces import squares_across
from turnwright.dice.roll import Modifier
from turnwright.encounter.prepared import Environment, Map, Point
from turnwright.encounter.procedure_state.movement import MoveInProgress
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.explained_number import ExplainedNumber
from turnwright.rules.parts import positions
from turnwright.rules.parts.combatants.speeds import WALK
from turnwright.rules.parts.environment.areas import current_map, is_on_area
from turnwright.rules.parts.environment.entries import ground_cost
from turnwright.rules.parts.movement.allowance import effective_mode, is_easy_ground, movement_cost
from turnwright.rules.parts.movement.riding import moving_body, moving_with
from turnwright.rules.parts.positions.hypothetical import MovedLookup
from turnwright.rules.parts.positions.map_geometry import ground_elevation, map_grid
from turnwright.rules.system import MoveLeg, RuleSystem

SLIDING = "sliding"


class PricedLeg(msgspec.Struct, frozen=True):
    """A leg of a move: its distance and cost, the moved combatants, and the environments entered.

    `direction` is the first direction taken on ground that requires keeping it. `is_difficult`: the leg enters
    difficult terrain.
    """

    feet: int
    price: ExplainedNumber
    moved: tuple[Combatant, ...] = ()
    grounds: tuple[str, ...] = ()
    direction: str = ""
    is_difficult: bool = False


def next_leg(lookup: Lookup, rules: RuleSystem, move: MoveInProgress) -> PricedLeg:
    """Return the next leg of a move: the next square, or the whole move without a grid."""
    field = current_map(lookup)
    if move.path and field is not None:
        return _square_leg(lookup, rules, move, field)
    return _gridless_leg(lookup, move)


def positions_after(lookup: Lookup, move: MoveInProgress, leg: PricedLeg) -> Lookup | None:
    """Return the lookup with the positions after a leg, or None without a grid."""
    return MovedLookup(lookup, leg.moved) if move.path else None


def _gridless_leg(lookup: Lookup, move: MoveInProgress) -> PricedLeg:
    pulled = (move.dragged,) if lookup.get(Combatant, move.dragged) else ()
    combatants = tuple(
        msgspec.structs.replace(combatant, elevation=combatant.elevation + move.feet_up)
        for who in (*moving_with(lookup, move.who), *pulled)
        if (combatant := lookup.get(Combatant, who)) is not None and move.feet_up
    )
    grounds = (move.ground,) if move.ground else ()
    hard = ground_cost(lookup, move.ground, turned=False) is not None
    return PricedLeg(
        move.feet, ExplainedNumber(move.cost, move.unreported_cost_parts), combatants, grounds, is_difficult=hard
    )


# On a grid ---------------------------------------------------------------------------------------------------------


def _square_leg(lookup: Lookup, rules: RuleSystem, move: MoveInProgress, battle_map: Map) -> PricedLeg:
    body = lookup.need(Combatant, moving_body(lookup, move.who))
    to, here = move.path[move.squares_entered], body.position or move.path[move.squares_entered]
    height = next_elevation(lookup, rules, move, body)
    feet = max(_feet(move, here, to, battle_map), abs(height - body.elevation) if _is_in_air(rules, move.mode) else 0)
    if here == to:
        feet = abs(height - body.elevation)
    turned, way = _direction(lookup, rules, move, here, to)
    going = MoveLeg(
        feet,
        move.mode,
        map_ground=None
        if _is_in_air(rules, move.mode)
        else positions.ground_cost_at(lookup, rules, body.id, to, turned=turned),
        terrain=_terrain(lookup, rules, move, to),
        feet_up=height - body.elevation if here == to else 0,
        dragged=move.dragged,
        squeezing=positions.fit_at(lookup, rules, body.id, to, height) == "squeezes",
    )
    price = ExplainedNumber(0) if move.free else movement_cost(lookup, rules, move.who, going)
    hard = going.map_ground is not None and not is_easy_ground(lookup, rules, move.who, going.map_ground)
    combatants = moved_combatants(lookup, rules, move.who, to, height)
    after = MovedLookup(lookup, combatants)
    combatants = (*combatants, *_dragged_combatant(after, rules, move, here, to))
    grounds = _new_grounds(lookup, MovedLookup(lookup, combatants), rules, body.id, move)
    return PricedLeg(feet, price, combatants, grounds, way, is_difficult=hard)


def _feet(move: MoveInProgress, here: Point, to: Point, battle_map: Map) -> int:
    """Return the length of a step in feet: a square's side, doubled for every second diagonal if the map says so."""
    if battle_map.diagonals != "alternating" or not _is_diagonal(here, to):
        return battle_map.cell
    so_far = (*((move.start,) if move.start else ()), *move.path[: move.squares_entered])
    before = sum(1 for square, next_square in pairwise(so_far) if _is_diagonal(square, next_square))
    return battle_map.cell * (1 + before % 2)


def _is_diagonal(here: Point, to: Point) -> bool:
    return here[0] != to[0] and here[1] != to[1]


def _is_in_air(rules: RuleSystem, mode: str) -> bool:
    return mode in rules.data.movement.in_air


def next_elevation(lookup: Lookup, rules: RuleSystem, move: MoveInProgress, body: Combatant) -> int:
    """Return the elevation at the next square: the given one, or the ground's, or the current one in the air."""
    to = move.path[move.squares_entered]
    if move.squares_entered < len(move.elevations):
        return move.elevations[move.squares_entered]
    floor = ground_elevation(lookup, to, squares_across(positions.effective_side(lookup, rules, body.id)))
    return max(floor, body.elevation) if _is_in_air(rules, move.mode) else floor


def _terrain(lookup: Lookup, rules: RuleSystem, move: MoveInProgress, to: Point) -> str:
    """Return the mode that walking into a square requires: `swim` in water, `climb` on steep ground."""
    grid = map_grid(lookup)
    if grid is None or to not in grid or effective_mode(lookup, rules, move.who, move.mode) != WALK:
        return ""
    column, row = to
    return "swim" if grid.water[row, column] else "climb" if grid.climb[row, column] else ""


def _direction(lookup: Lookup, rules: RuleSystem, move: MoveInProgress, here: Point, to: Point) -> tuple[bool, str]:
    """Return whether a step turns on ground where turning costs more, and the first direction there if it is new."""
    body = moving_body(lookup, move.who)
    way = f"{to[0] - here[0]},{to[1] - here[1]}"
    first = next((effect.end_condition for effect in lookup.of(Effect, body) if effect.name == SLIDING), "")
    straight = positions.ground_cost_at(lookup, rules, body, to)
    aside = positions.ground_cost_at(lookup, rules, body, to, turned=True)
    if straight == aside:
        return False, ""
    return bool(first) and first != way, "" if first else way


def moved_combatants(
    lookup: Lookup, rules: RuleSystem, who: str, to: Point, elevation: int | None
) -> tuple[Combatant, ...]:
    """Return the combatants that move together, at their new square. Without an elevation, they are on the ground."""
    body = moving_body(lookup, who)
    if elevation is None:
        elevation = ground_elevation(lookup, to, squares_across(positions.effective_side(lookup, rules, body)))
    return tuple(
        msgspec.structs.replace(lookup.need(Combatant, id), position=to, elevation=elevation)
        for id in moving_with(lookup, who)
    )


def _dragged_combatant(
    after: Lookup, rules: RuleSystem, move: MoveInProgress, here: Point, to: Point
) -> tuple[Combatant, ...]:
    """Return the dragged combatant at its new square.

    It moves as its dragger does if there is room, or else onto the dragger's old square.
    """
    ally = after.get(Combatant, move.dragged) if move.dragged else None
    if ally is None or ally.position is None:
        return ()
    ahead = (ally.position[0] + to[0] - here[0], ally.position[1] + to[1] - here[1])
    grid = map_grid(after)
    for square in (ahead, here):
        height = ground_elevation(after, square)
        there = positions.space_at(after, rules, ally.id, square, height)
        if grid is not None and stands(grid, there) and positions.can_stay(after, rules, ally.id, square, height):
            return (msgspec.structs.replace(ally, position=square, elevation=height),)
    return ()


def _new_grounds(before: Lookup, after: Lookup, rules: RuleSystem, who: str, move: MoveInProgress) -> tuple[str, ...]:
    """Return the environments that a combatant enters. On the first step, this includes those it is already in."""
    entered = []
    for environment in before.all(Environment):
        if environment.id in before.need(Combatant, who).outside:
            continue
        was, is_now = (is_on_area(lookup, who, environment.id, rules=rules) is not False for lookup in (before, after))
        if is_now and (not was or not move.squares_entered):
            entered.append(environment.id)
    return tuple(entered)


def sum_prices(prices: Iterable[ExplainedNumber]) -> ExplainedNumber:
    """Add up prices, listing each reason once."""
    totals: dict[tuple[str, str], int] = {}
    for price in prices:
        for part in price.parts:
            totals[part.reason, part.rule] = totals.get((part.reason, part.rule), 0) + part.value
    parts = tuple(Modifier(value, reason, rule) for (reason, rule), value in totals.items())
    return ExplainedNumber(sum(part.value for part in parts), parts)
