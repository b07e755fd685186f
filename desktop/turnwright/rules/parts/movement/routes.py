"""Routes over the map: planned moves with their obstacles, landing squares, and pushes.

Single steps on the grid, straight away from another combatant or towards it.

The straight line that a sprint follows for a turn: its direction, and the veto on leaving it.
"""

from __future__ import annotations

from itertools import pairwise

import msgspec

from turnwright.battlemap.paths import narrower, open_ground, path_cost, stands
from turnwright.battlemap.spaces import Space, footprint, squares_across
from turnwright.battlemap.templates import push_path
from turnwright.encounter.lookups import find_effect
from turnwright.encounter.prepared import Point
from turnwright.encounter.procedure_state.movement import MoveInProgress
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.explained_number import ExplainedNumber
from turnwright.rules.hooks import Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.environment.entries import space_side
from turnwright.rules.parts.movement.move_legs import PricedLeg, next_elevation, next_leg, sum_prices
from turnwright.rules.parts.movement.riding import moving_body
from turnwright.rules.parts.positions import space
from turnwright.rules.parts.positions.geometry import MovedLookup
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


STEP = 5  # in feet


def all_on_grid(lookup: Lookup, rules: RuleSystem, *who: str) -> bool:
    """Return whether all of these combatants are on the grid."""
    return all(space(lookup, rules, id) is not None for id in who)


def one_step(lookup: Lookup, rules: RuleSystem, who: str, other: str, *, away: bool) -> Point | None:
    """Return the next square straight away from another combatant or towards it, or None without a grid or room."""
    field, here, there = map_grid(lookup), space(lookup, rules, who), space(lookup, rules, other)
    if field is None or here is None or there is None:
        return None
    half, other_half = squares_across(here.side, field.cell) / 2, squares_across(there.side, field.cell) / 2
    centre = (there.column + other_half, there.row + other_half)
    if not away:  # towards a point means away from its mirror image
        centre = (2 * (here.column + half) - centre[0], 2 * (here.row + half) - centre[1])
    spaces = (
        space(lookup, rules, combatant.id)
        for combatant in lookup.all(Combatant)
        if combatant.id != who and not combatant.dead
    )
    way = push_path(
        field, here, centre, STEP, others=[other_space for other_space in spaces if other_space is not None]
    )
    return way[-1] if len(way) > 1 else None


def sprint_effect(lookup: Lookup, rules: RuleSystem, who: str) -> Effect | None:
    """Return the effect that binds a combatant to a straight line this turn, or None if there is none."""
    return find_effect(lookup, who, rules.role("sprinting"))


def sprint_direction(lookup: Lookup, rules: RuleSystem, who: str) -> Point | None:
    """Return the offset (columns, rows) of a straight run so far this turn, or None if it hasn't started."""
    mark = sprint_effect(lookup, rules, who)
    if mark is None or not mark.end_condition:
        return None
    across, _, down = mark.end_condition.partition(",")
    return int(across), int(down)


def straight_vetoes(lookup: Lookup, rules: RuleSystem, who: str, path: tuple[Point, ...]) -> tuple[Veto, ...]:
    """Return the veto on a path that leaves the line to which a combatant is bound, within the precision of squares."""
    here = lookup.need(Combatant, who).position
    if sprint_effect(lookup, rules, who) is None or here is None or not path:
        return ()
    across, down = sprint_direction(lookup, rules, who) or (0, 0)
    start = (here[0] - across, here[1] - down)
    way = [(at[0] - start[0], at[1] - start[1]) for at in (here, *path)]
    if is_straight(way if across or down else [(0, 0), *way[1:]]):
        return ()
    return (
        Veto("refused.not_straight", rules.rule_id("sprint.straight"), (("who", lookup.need(Combatant, who).label),)),
    )


def is_straight(offsets: list[Point]) -> bool:
    """Return whether offsets from the start of a run are on one line and lead farther and farther away."""
    right, below = offsets[-1]
    longest = max(abs(right), abs(below))
    leaves_line = any(2 * abs(right * down - below * across) > longest for across, down in offsets)
    distances = [right * across + below * down for across, down in offsets]
    return (
        bool(longest)
        and not leaves_line
        and all(distance < next_distance for distance, next_distance in pairwise(distances))
    )
