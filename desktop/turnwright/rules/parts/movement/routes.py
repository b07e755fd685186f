"""Routes over the map: planned moves with their obstacles, landing squares, and pushes."""

from __future__ import annotations

import msgspec

from turnwright.battlemap.occupancy import narrower, stands
from turnwright.battlemap.paths import open_ground, path_cost
from turnwright.battlemap.spaces import Space, footprint, squares_across
from turnwright.encounter.prepared import Point
from turnwright.encounter.procedure_state.movement import MoveInProgress
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.explained_number import ExplainedNumber
from turnwright.rules.hooks import Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.environment.areas import space_side
from turnwright.rules.parts.movement.move_legs import PricedLeg, next_elevation, next_leg, sum_prices
from turnwright.rules.parts.movement.riding import moving_body
from turnwright.rules.parts.positions.hypothetical import MovedLookup
from turnwright.rules.parts.positions.map_geometry import ground_elevation, map_grid
from turnwright.rules.system import RuleSystem


class MovePlan(msgspec.Struct, frozen=True):
    """A whole move on the grid: its legs, their total cost, and its vetoes."""

    legs: tuple[PricedLeg, ...]
    cost: ExplainedNumber
    vetoes: tuple[Veto, ...] = ()


def plan_move(lookup: Lookup, rules: RuleSystem, move: MoveInProgress) -> MovePlan:
    """Plan a move on the grid leg by leg, assuming that nothing interrupts it."""
    legs: list[PricedLeg] = []
    vetoes: list[Veto] = []
    at: Lookup = lookup
    for index in range(len(move.path)):
        step = msgspec.structs.replace(move, squares_entered=index)
        step_vetoes = _step_vetoes(at, rules, step)
        vetoes += step_vetoes
        if step_vetoes:
            break
        leg = next_leg(at, rules, step)
        legs.append(leg)
        at = MovedLookup(at, leg.moved)
    if not vetoes and move.path:
        body = at.need(Combatant, moving_body(at, move.who))
        end = positions.stay_veto(at, rules, body.id, move.path[-1], body.elevation)
        vetoes += [end] if end is not None else []
    return MovePlan(tuple(legs), sum_prices(leg.price for leg in legs), tuple(vetoes))


def _step_vetoes(lookup: Lookup, rules: RuleSystem, move: MoveInProgress) -> list[Veto]:
    """Return the vetoes on the next step: not adjacent, through a wall, or into an occupied space."""
    body = lookup.need(Combatant, moving_body(lookup, move.who))
    to, here, grid = move.path[move.squares_entered], body.position, map_grid(lookup)
    name = (("square", "{}, {}".format(*to)),)
    if grid is None or here is None:
        return [Veto("refused.no_grid", "")]
    if max(abs(to[0] - here[0]), abs(to[1] - here[1])) > 1:
        return [Veto("refused.step", rules.rule_id("turn.speed"), name)]
    height = next_elevation(lookup, rules, move, body)
    if to != here and not _is_open(lookup, rules, body, here, to, height):
        return [Veto("refused.blocked_square", rules.rule_id("turn.speed"), name)]
    veto = positions.enter_veto(lookup, rules, body.id, to, height)
    return [veto] if veto is not None else []


def _is_open(lookup: Lookup, rules: RuleSystem, body: Combatant, here: Point, to: Point, height: int) -> bool:
    """Return whether walls let a combatant through from one square to the next, squeezing if necessary."""
    grid = map_grid(lookup)
    space: Space | None = positions.space_at(lookup, rules, body.id, here, body.elevation)
    way = positions.fit_at(lookup, rules, body.id, to, height)
    if grid is None or space is None or way == "no":
        return False
    if way == "squeezes" or positions.fit_at(lookup, rules, body.id, here, body.elevation) == "squeezes":
        space = narrower(space, [size.space for size in rules.data.sizes])
    across = squares_across(space.side, grid.cell) if space is not None else 0
    inside = all(0 <= at[0] <= grid.columns - across and 0 <= at[1] <= grid.rows - across for at in (here, to))
    if space is None or not inside:
        return False
    return path_cost(grid, space, open_ground(grid), (here, to)).complete


def landing_squares(lookup: Lookup, rules: RuleSystem, rider: str, mount: str, within: int = 0) -> tuple[Point, ...]:
    """Return the squares next to a mount, or up to `within` feet away, where its rider has room, row by row.

    Empty without a grid.
    """
    grid, mount_space = map_grid(lookup), positions.space(lookup, rules, mount)
    if grid is None or mount_space is None:
        return ()
    across = squares_across(positions.effective_side(lookup, rules, rider), grid.cell)
    gap = max(0, within // grid.cell - 1)
    offsets = range(-across - gap, squares_across(mount_space.side, grid.cell) + gap + 1)
    under = set(footprint(mount_space, grid.cell))
    free = []
    for square in [(mount_space.column + right, mount_space.row + down) for down in offsets for right in offsets]:
        height = ground_elevation(lookup, square, across)
        there = positions.space_at(lookup, rules, rider, square, height)
        alone = MovedLookup(lookup, (msgspec.structs.replace(lookup.need(Combatant, rider), rides=""),))
        is_beside = not under & {*footprint(there, grid.cell)}
        if is_beside and stands(grid, there) and positions.can_stay(alone, rules, rider, square, height):
            free.append(square)
    return tuple(free)


def straight_push_squares(lookup: Lookup, rules: RuleSystem, who: str, feet: int) -> list[Point]:
    """Return the squares `feet` away in each straight line, or nearer ones if something is in the way."""
    grid, body = map_grid(lookup), lookup.need(Combatant, moving_body(lookup, who))
    ends: list[Point] = []
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            end = _pushed(lookup, rules, body, (right, down), feet // grid.cell) if grid is not None else None
            ends += [end] if end is not None else []
    return ends


def _pushed(lookup: Lookup, rules: RuleSystem, body: Combatant, way: Point, steps: int) -> Point | None:
    """Return the last square in a line that a combatant reaches before something stops it, or None if it can't move."""
    here, end = body.position, None
    for _ in range(steps if way != (0, 0) else 0):
        if here is None:
            break
        to = (here[0] + way[0], here[1] + way[1])
        standing = msgspec.structs.replace(body, position=here)
        at = MovedLookup(lookup, (standing,))
        height = ground_elevation(lookup, to)
        if not _is_open(at, rules, standing, here, to, height):
            break
        if not positions.can_stay(at, rules, body.id, to, height):
            break
        here = end = to
    return end


def has_room(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether walls leave a combatant of this size enough room at its position."""
    grid, combatant = map_grid(lookup), lookup.need(Combatant, who)
    if grid is None or combatant.position is None:
        return True
    return stands(grid, Space(*combatant.position, side=space_side(lookup, rules, who), elevation=combatant.elevation))


def landing_height(lookup: Lookup, rules: RuleSystem, who: str, to: Point) -> int:
    """Return a combatant's elevation after it is moved onto a square: the ground's, or its own if it then falls."""
    body = lookup.need(Combatant, moving_body(lookup, who))
    floor = ground_elevation(lookup, to, squares_across(positions.effective_side(lookup, rules, body.id)))
    return body.elevation if body.elevation - floor >= rules.data.movement.fall_step else floor
