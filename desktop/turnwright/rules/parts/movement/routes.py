"""Routes over the map: planned moves with their obstacles, vetoes and landing squares, pushes, tumbles and falls.

`play.movement.forced_movement` carries out falls. A limited number of tumbles passes through enemies' spaces.
"""

from itertools import groupby, pairwise

import msgspec

from turnwright.battlemap.grid import Grid
from turnwright.battlemap.paths import narrower, open_ground, path_cost, push_path, reachable, stands
from turnwright.battlemap.segments import square_name
from turnwright.battlemap.spaces import Space, footprint, share_a_square, squares_across
from turnwright.dice.expression import Modifier
from turnwright.encounter.prepared import Door, Point
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.movement import FALL, Fall, MoveInProgress
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup, find_effect, scene_of, track_value
from turnwright.rules.parts.combatants import facts
from turnwright.rules.parts.conditions.condition_rules import data_rules_on
from turnwright.rules.parts.conditions.numbers import SPEED, changed_number
from turnwright.rules.parts.environment.entries import current_map, ground_cost, space_side
from turnwright.rules.parts.movement import move_legs
from turnwright.rules.parts.positions import geometry
from turnwright.rules.parts.positions.geometry import MovedLookup, built_grid, door_label, ground_elevation, map_grid
from turnwright.rules.parts.positions.squares import can_stay, enter_veto, fit_at, stay_veto
from turnwright.rules.system import (
    NO_RESULT,
    ExplainedNumber,
    HookContext,
    HookResult,
    MoveLeg,
    RuleSystem,
    StartProcedure,
    Veto,
    creature_of,
    label_of,
)


class MovePlan(msgspec.Struct, frozen=True):
    """A whole move on the grid: its legs, their total cost, and its vetoes."""

    legs: tuple[move_legs.PricedLeg, ...]
    cost: ExplainedNumber
    vetoes: tuple[Veto, ...] = ()


def plan_move(lookup: Lookup, rules: RuleSystem, move: MoveInProgress) -> MovePlan:
    """Plan a move on the grid leg by leg, assuming that nothing interrupts it."""
    legs: list[move_legs.PricedLeg] = []
    vetoes: list[Veto] = []
    at: Lookup = lookup
    for index in range(len(move.path)):
        step = msgspec.structs.replace(move, squares_entered=index)
        step_vetoes = _step_vetoes(at, rules, step)
        vetoes += step_vetoes
        if step_vetoes:
            break
        leg = move_legs.next_leg(at, rules, step)
        legs.append(leg)
        at = MovedLookup(at, leg.moved)
    if not vetoes and move.path:
        body = at.need(Combatant, move_legs.moving_body(at, move.who))
        end = stay_veto(at, rules, body.id, move.path[-1], body.elevation)
        vetoes += [end] if end is not None else []
    return MovePlan(tuple(legs), move_legs.sum_prices(leg.price for leg in legs), tuple(vetoes))


def _step_vetoes(lookup: Lookup, rules: RuleSystem, move: MoveInProgress) -> list[Veto]:
    """Return the vetoes on the next step: not adjacent, through a wall, or into an occupied space."""
    body = lookup.need(Combatant, move_legs.moving_body(lookup, move.who))
    to, here, grid = move.path[move.squares_entered], body.position, map_grid(lookup)
    name = (("square", square_name(to)),)
    if grid is None or here is None:
        return [Veto("refused.no_grid", "")]
    if max(abs(to[0] - here[0]), abs(to[1] - here[1])) > 1:
        return [Veto("refused.step", rules.rule_id("turn.speed"), name)]
    height = move_legs.next_elevation(lookup, rules, move, body)
    is_steep = abs(height - body.elevation) > (grid.cell if to != here else 0)
    for each in data_rules_on(lookup, rules, move.who, "deny", "steepness") if is_steep else ():
        return [Veto("refused.steep", each.ledger, (("who", label_of(lookup, move.who)), ("why", each.source_name)))]
    if to != here and not _is_open(lookup, rules, body, here, to, height):
        door = _closed_door(lookup, rules, body, here, to, height)
        if door is not None:
            return [Veto("refused.closed_door", rules.rule_id("turn.speed"), (*name, ("door", door_label(door))))]
        what = _obstruction(lookup, rules, body, here, to, height)
        return [Veto("refused.blocked_square", rules.rule_id("turn.speed"), (*name, ("what", what)))]
    veto = enter_veto(lookup, rules, body.id, to, height)
    return [veto] if veto is not None else _approach_vetoes(lookup, rules, move.who, to)


def _approach_vetoes(lookup: Lookup, rules: RuleSystem, who: str, to: Point) -> list[Veto]:
    """Return the vetoes on a step towards creatures that a combatant can't willingly approach."""
    vetoes, moved = [], MovedLookup(lookup, (msgspec.structs.replace(lookup.need(Combatant, who), position=to),))
    for each in data_rules_on(lookup, rules, who, "deny", "approaching"):
        source = (each.context.effect.by or each.context.effect.source) if each.context.effect is not None else ""
        near, now = (geometry.distance(at, rules, who, source) for at in (moved, lookup))
        if near is not None and now is not None and near < now and near <= (each.rule.add or near):
            names = (("who", label_of(lookup, who)), ("other", label_of(lookup, source)), ("why", each.source_name))
            vetoes.append(Veto("refused.approaches", each.ledger, names))
    return vetoes


def _closed_door(
    lookup: Lookup, rules: RuleSystem, body: Combatant, here: Point, to: Point, height: int
) -> Door | None:
    """Return the closed door that keeps a combatant from going from one square to the next, or None."""
    field = current_map(lookup)
    reach = 1 + squares_across(geometry.effective_side(lookup, rules, body.id), field.cell if field is not None else 5)
    for door in field.doors if field is not None else ():
        (left, right), (top, bottom) = sorted((door.at[0], door.at[2])), sorted((door.at[1], door.at[3]))
        near = left - reach <= to[0] <= right + 1 and top - reach <= to[1] <= bottom + 1
        if field is not None and not door.open and near:
            doors = tuple(msgspec.structs.replace(one, open=one.open or one is door) for one in field.doors)
            opened = built_grid(msgspec.structs.replace(field, doors=doors), ())
            if _is_open(lookup, rules, body, here, to, height, opened):
                return door
    return None


def _obstruction(lookup: Lookup, rules: RuleSystem, body: Combatant, here: Point, to: Point, height: int) -> str:
    """Return the name of what, other than a door, keeps a combatant from going from one square to the next."""
    field, grid = current_map(lookup), map_grid(lookup)
    if field is None or grid is None or to not in grid:
        return "<barrier.edge>"
    squares = footprint(geometry.space_at(lookup, rules, body.id, to, height), grid.cell)
    for obstacle in field.obstacles:
        (column, row), (wide, high) = obstacle.at, obstacle.size
        inside = any(column <= x < column + wide and row <= y < row + high for x, y in squares)
        if inside and obstacle.blocks == "movement":
            return obstacle.name or "<barrier.object>"
    if any(square not in grid or grid.move.squares[square[1], square[0]] for square in squares):
        return "<barrier.wall>"
    if fit_at(lookup, rules, body.id, to, height) == "no":
        return "<barrier.narrow>"
    for kind in ("window", "rail", "object"):
        others = tuple(barrier for barrier in field.barriers if barrier.kind != kind)
        windows = () if kind == "window" else field.windows
        opened = msgspec.structs.replace(field, barriers=others, windows=windows)
        if opened != field and _is_open(lookup, rules, body, here, to, height, built_grid(opened, ())):
            return f"<barrier.{kind}>"
    return "<barrier.wall>"


def route_veto(lookup: Lookup, rules: RuleSystem, who: str, to: Point, mode: str) -> Veto | None:
    """Return the veto that stops a combatant on its way to a square without a route, or None."""
    body, field = lookup.need(Combatant, move_legs.moving_body(lookup, who)), current_map(lookup)
    here, space = body.position, geometry.space(lookup, rules, body.id)
    if field is None or here is None or space is None:
        return None
    doors = tuple(msgspec.structs.replace(door, open=True) for door in field.doors)
    opened = built_grid(msgspec.structs.replace(field, doors=doors), ())
    everywhere = field.columns * field.rows * 2 * field.cell
    try:
        reach = reachable(opened, space, open_ground(opened), everywhere, diagonals=field.diagonals)
    except ValueError:  # a part of the space is outside the map
        return None
    across, down = here[0] - to[0], here[1] - to[1]
    most = max(abs(across), abs(down), 1)
    line = [(to[0] + round(across * n / most), to[1] + round(down * n / most)) for n in range(most + 1)]
    nearest = next(n for n, square in enumerate(line) if square == here or reach.cost_to(square) is not None)
    route = (*(reach.path_to(line[nearest]) or (here,)), *line[max(0, nearest - 1) : nearest])
    way = move_legs.effective_mode(lookup, rules, who, mode)
    return next(iter(plan_move(lookup, rules, MoveInProgress(who, path=route[1:], mode=way)).vetoes), None)


def _is_open(
    lookup: Lookup, rules: RuleSystem, body: Combatant, here: Point, to: Point, height: int, grid: Grid | None = None
) -> bool:
    """Return whether walls let a combatant through from one square to the next, squeezing if necessary."""
    grid = grid or map_grid(lookup)
    space: Space | None = geometry.space_at(lookup, rules, body.id, here, body.elevation)
    way = fit_at(lookup, rules, body.id, to, height)
    if grid is None or space is None or way == "no":
        return False
    ways = {way, fit_at(lookup, rules, body.id, here, body.elevation)}
    if ways & {"seeps", "squeezes"}:
        sides = [size.space for size in rules.data.sizes]
        space = narrower(space, [sides[0], space.side] if "seeps" in ways else sides)
    across = squares_across(space.side, grid.cell) if space is not None else 0
    inside = all(0 <= at[0] <= grid.columns - across and 0 <= at[1] <= grid.rows - across for at in (here, to))
    if space is None or not inside:
        return False
    return path_cost(grid, space, open_ground(grid), (here, to)).complete


def landing_squares(lookup: Lookup, rules: RuleSystem, rider: str, mount: str, within: int = 0) -> tuple[Point, ...]:
    """Return the squares next to a mount, or up to `within` feet away, where its rider has room, row by row.

    Empty without a grid.
    """
    grid, mount_space = map_grid(lookup), geometry.space(lookup, rules, mount)
    if grid is None or mount_space is None:
        return ()
    across = squares_across(geometry.effective_side(lookup, rules, rider), grid.cell)
    gap = max(0, within // grid.cell - 1)
    offsets = range(-across - gap, squares_across(mount_space.side, grid.cell) + gap + 1)
    under = set(footprint(mount_space, grid.cell))
    free = []
    for square in [(mount_space.column + right, mount_space.row + down) for down in offsets for right in offsets]:
        height = ground_elevation(lookup, square, across)
        there = geometry.space_at(lookup, rules, rider, square, height)
        alone = MovedLookup(lookup, (msgspec.structs.replace(lookup.need(Combatant, rider), rides=""),))
        is_beside = not under & {*footprint(there, grid.cell)}
        if is_beside and stands(grid, there) and can_stay(alone, rules, rider, square, height):
            free.append(square)
    return tuple(free)


def straight_push_squares(lookup: Lookup, rules: RuleSystem, who: str, feet: int) -> list[Point]:
    """Return the squares `feet` away in each straight line, or nearer ones if something is in the way."""
    grid, body = map_grid(lookup), lookup.need(Combatant, move_legs.moving_body(lookup, who))
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
        if not can_stay(at, rules, body.id, to, height):
            break
        here = end = to
    return end


def has_room(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether walls leave a combatant of this size enough room at its position."""
    grid, combatant = map_grid(lookup), lookup.need(Combatant, who)
    if grid is None or combatant.position is None or fit_at(lookup, rules, who, combatant.position) == "seeps":
        return True
    return stands(grid, Space(*combatant.position, side=space_side(lookup, rules, who), elevation=combatant.elevation))


def landing_height(lookup: Lookup, rules: RuleSystem, who: str, to: Point) -> int:
    """Return a combatant's elevation after it is moved onto a square: the ground's, or its own if it then falls."""
    body = lookup.need(Combatant, move_legs.moving_body(lookup, who))
    floor = ground_elevation(lookup, to, squares_across(geometry.effective_side(lookup, rules, body.id)))
    return body.elevation if body.elevation - floor >= rules.data.movement.fall_step else floor


STEP = 5  # in feet


def all_on_grid(lookup: Lookup, rules: RuleSystem, *who: str) -> bool:
    """Return whether all of these combatants are on the grid."""
    return all(geometry.space(lookup, rules, id) is not None for id in who)


def one_step(lookup: Lookup, rules: RuleSystem, who: str, other: str, *, away: bool) -> Point | None:
    """Return the next square away from another combatant or towards it, or None without a grid or room.

    If the square straight away is blocked, another square farther from the other combatant will do.
    """
    field, here, there = map_grid(lookup), geometry.space(lookup, rules, who), geometry.space(lookup, rules, other)
    if field is None or here is None or there is None:
        return None
    half, other_half = squares_across(here.side, field.cell) / 2, squares_across(there.side, field.cell) / 2
    centre = (there.column + other_half, there.row + other_half)
    if not away:  # towards a point means away from its mirror image
        centre = (2 * (here.column + half) - centre[0], 2 * (here.row + half) - centre[1])
    spaces = (
        geometry.space(lookup, rules, each.id) for each in lookup.all(Combatant) if each.id != who and not each.dead
    )
    way = push_path(field, here, centre, STEP, others=[each for each in spaces if each is not None])
    if len(way) > 1 or not away:
        return way[-1] if len(way) > 1 else None
    return _step_aside(lookup, rules, who, other)


def _step_aside(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> Point | None:
    """Return a free square next to a combatant that is farther from another combatant, or None."""
    body, before = lookup.need(Combatant, who), geometry.distance(lookup, rules, who, other)
    if body.position is None or before is None:
        return None
    for across, down in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)):
        to = (body.position[0] + across, body.position[1] + down)
        if not _is_open(lookup, rules, body, body.position, to, body.elevation):
            continue
        moved = MovedLookup(lookup, (msgspec.structs.replace(body, position=to),))
        after = geometry.distance(moved, rules, who, other)
        if can_stay(lookup, rules, who, to, body.elevation) and after is not None and after > before:
            return to
    return None


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


DRAGGING = "dragging"


def move_vetoes(
    lookup: Lookup,
    rules: RuleSystem,
    who: str,
    leg: MoveLeg,
    price: ExplainedNumber,
    steps: tuple[move_legs.StepCost, ...] | None = None,
) -> tuple[Veto, ...]:
    """Return the vetoes on a combatant's move at this cost.

    `steps` are the parts of the cost if movement is bought.
    """
    if facts.cannot_act(lookup, who):
        return facts.cannot_act_vetoes(lookup, rules, who)
    if rules.data.movement.bought:
        hard = ground_cost(lookup, leg.environment, turned=leg.turns_aside) is not None
        parts = steps if steps is not None else ((price.total, hard),)
        return (
            *mode_vetoes(lookup, rules, who, leg.mode),
            *move_legs.point_vetoes(lookup, rules, who, leg.mode, parts, price.total),
            *_jump_height_vetoes(lookup, rules, who, leg),
        )
    return (
        *move_legs.rider_vetoes(lookup, rules, who),
        *mode_vetoes(lookup, rules, who, leg.mode),
        *cost_vetoes(lookup, rules, who, leg.mode, price, squeezed=leg.squeezing),
        *_forward_vetoes(lookup, rules, who, leg.heading),
        *drag_vetoes(lookup, rules, who, leg.dragged),
    )


def mode_vetoes(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> tuple[Veto, ...]:
    """Return the vetoes on a mode of movement: prone combatants only crawl, and some modes need a speed."""
    way = move_legs.effective_mode(lookup, rules, who, mode)
    if (
        rules.role("prone") in facts.condition_names(lookup, rules, move_legs.moving_body(lookup, who))
        and way != facts.CRAWL
    ):
        return (Veto("refused.prone_crawls", rules.rule_id("prone.crawl-only"), (("who", label_of(lookup, who)),)),)
    if rules.allowance(lookup, rules, who, mode) is None:
        params = (("mode", f"<speed.{way}>"), ("who", label_of(lookup, who)))
        return (Veto("refused.no_such_speed", rules.rule_id(f"move.{way}"), params),)
    return ()


def cost_vetoes(
    lookup: Lookup, rules: RuleSystem, who: str, mode: str, price: ExplainedNumber, *, squeezed: bool = False
) -> tuple[Veto, ...]:
    """Return the veto on a move that costs more than the movement left. `squeezed`: it leads through a narrow space."""
    most = (move_legs.squeezed_allowance if squeezed else rules.allowance)(lookup, rules, who, mode)
    if most is None:
        return ()
    spent = movement_spent(lookup, who)
    rest = max(0, most.total - spent)
    if price.total <= rest:
        return ()
    rule = next((part.rule for part in reversed(most.parts) if part.rule), rules.rule_id("turn.speed"))
    if spent and not most.replaced and _has_farther_mode(lookup, rules, who, most.total):
        rule = rules.rule_id("move.switch" if rest else "move.switch-blocked")
    return (Veto("refused.too_far", rule, (("left", rest), ("cost", price.total), ("who", label_of(lookup, who)))),)


def _jump_height_vetoes(lookup: Lookup, rules: RuleSystem, who: str, leg: MoveLeg) -> tuple[Veto, ...]:
    """Return the veto on a jump that goes too high."""
    most = rules.allowance(lookup, rules, who, facts.JUMP)
    if leg.mode != facts.JUMP or most is None:
        return ()
    high = most.total // rules.data.movement.leap_height_over
    params = (("left", high), ("who", label_of(lookup, who)))
    return (Veto("refused.too_high", rules.rule_id("move.jump-height"), params),) if leg.feet_up > high else ()


def _has_farther_mode(lookup: Lookup, rules: RuleSystem, who: str, feet: int) -> bool:
    """Return whether more than one mode reaches this far, so that the turn's movement may have been split."""
    modes = facts.speeds_of(lookup, rules, move_legs.moving_body(lookup, who))
    allowances = (rules.allowance(lookup, rules, who, mode) for mode in modes)
    return sum(1 for allowance in allowances if allowance is not None and allowance.total >= feet) > 1


def _forward_vetoes(lookup: Lookup, rules: RuleSystem, who: str, heading: str) -> tuple[Veto, ...]:
    """Return the veto on moving forward in a scene that moves itself, unless a condition such as dashing allows it."""
    scene = scene_of(lookup)
    enough = set(rules.data.movement.forward_after)
    if (
        heading != "forward"
        or not scene.rolling
        or enough & facts.condition_names(lookup, rules, move_legs.moving_body(lookup, who))
    ):
        return ()
    return (Veto("refused.no_forward", rules.rule_id("rolling.no-forward")),)


def drag_vetoes(lookup: Lookup, rules: RuleSystem, who: str, ally: str) -> tuple[Veto, ...]:
    """Return the vetoes on dragging a combatant."""
    if not ally or lookup.get(Combatant, ally) is None:
        return ()
    rule, name = rules.rule_id("drag.start"), label_of(lookup, ally)
    if rules.data.movement.drag_hold:
        labels = (("what", name), ("who", label_of(lookup, who)))
        return () if grapples(lookup, rules, who, ally) else (Veto("refused.drag_not_held", rule, labels),)
    if geometry.are_hostile(lookup, who, ally) or ally == who:
        return (Veto("refused.drag_unwilling", rule, (("what", name),)),)
    if lookup.need(Combatant, ally).dead:
        return (Veto("refused.drag_dead", rule, (("what", name),)),)
    feet = geometry.distance(lookup, rules, who, ally)
    if feet is not None and feet > rules.data.movement.drag_within:
        params = (("what", name), ("feet", feet), ("near", rules.data.movement.drag_within))
        return (Veto("refused.drag_too_far", rule, params),)
    if not is_dragging(lookup, who, ally) and not move_legs.can_react(lookup, rules, who):
        return (Veto("refused.drag_reaction", rule, (("who", label_of(lookup, who)),)),)
    return ()


def grapples(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> bool:
    """Return whether a combatant holds another with the condition that dragging requires."""
    name = rules.data.movement.drag_hold
    return any(effect.name == name and effect.by == who for effect in lookup.of(Effect, other) if name)


def is_dragging(lookup: Lookup, who: str, ally: str) -> bool:
    """Return whether a combatant is already dragging an ally this turn."""
    return any(effect.name == DRAGGING and effect.by == ally for effect in lookup.of(Effect, who))


def movement_spent(lookup: Lookup, who: str) -> int:
    """Return the movement in feet that a combatant has spent this turn."""
    return track_value(lookup, move_legs.movement_payer(lookup, who), move_legs.MOVED)


def tumble_vetoes(lookup: Lookup, rules: RuleSystem, who: str, path: tuple[Point, ...]) -> tuple[Veto, ...]:
    """Return the veto on a path that enters an enemy's space more often than the tumble allows."""
    for effect in lookup.of(Effect, who):
        if (
            effect.name == rules.role("moving-through")
            and effect.uses_left
            and _entries(lookup, rules, who, effect.by, path) > effect.uses_left
        ):
            other = lookup.get(Combatant, effect.by)
            params = (("who", lookup.need(Combatant, who).label), ("target", other.label if other else ""))
            return (Veto("refused.passed_already", rules.rule_id("tumble.once"), params),)
    return ()


def _entries(lookup: Lookup, rules: RuleSystem, who: str, other: str, path: tuple[Point, ...]) -> int:
    """Return the number of times a path enters a combatant's space."""
    field, there = current_map(lookup), geometry.space(lookup, rules, other)
    if field is None or there is None:
        return 0
    height = lookup.need(Combatant, who).elevation
    inside = [share_a_square(geometry.space_at(lookup, rules, who, at, height), there, field.cell) for at in path]
    return sum(1 for within, _ in groupby(inside) if within)


def is_open_sky(lookup: Lookup) -> bool:
    """Return whether the scene is set in the open sky."""
    return "sky" in scene_of(lookup).suspended


def height_over_ground(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return a combatant's height above the ground in feet."""
    return max(0, lookup.need(Combatant, who).elevation - ground_below(lookup, rules, who))


def ground_below(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the elevation in feet of the ground below a combatant, or 0 without a grid."""
    combatant = lookup.need(Combatant, who)
    if current_map(lookup) is None or combatant.position is None:
        return 0
    return ground_elevation(lookup, combatant.position, squares_across(geometry.effective_side(lookup, rules, who)))


def is_flying(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant is in the air by its own speed, or floating in the open sky."""
    combatant = lookup.get(Combatant, who)
    if combatant is None or combatant.rides:
        return False
    if is_open_sky(lookup):
        return True
    return height_over_ground(lookup, rules, who) > 0 and bool(_air_speeds(lookup, rules, who))


def _air_speeds(lookup: Lookup, rules: RuleSystem, who: str) -> list[int]:
    modes = rules.data.movement.in_air
    return [speed.value for mode, speed in facts.speeds_of(lookup, rules, who).items() if mode in modes]


def on_gained(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the fall of a flyer that an effect brings down, at EFFECT_GAINED."""
    if _is_falling_already(lookup, context.who):
        return NO_RESULT
    if context.subject == rules.role("falling"):
        return _fall_result(context.who, rules.rule_id("falling.figures"))
    if not is_flying(lookup, rules, context.who):
        return NO_RESULT
    hovers = creature_of(lookup, lookup.need(Combatant, context.who)).hovers
    hovers |= any(data_rules_on(lookup, rules, context.who, "deny", "fall"))
    aloft = is_open_sky(lookup)
    if context.subject == rules.role("prone") and not hovers:
        return _fall_result(context.who, rules.rule_id("suspended.fall" if aloft else "move.fall-prone"))
    if aloft and context.subject == rules.role("restrained"):
        return _fall_result(context.who, rules.rule_id("suspended.fall"))
    if not hovers and _is_stopped_by(lookup, rules, context.who, context.subject):
        return _fall_result(context.who, rules.rule_id("suspended.fall" if aloft else "move.fall-speed-zero"))
    return NO_RESULT


def on_ended(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the fall of a combatant that an effect kept in the air, at EFFECT_ENDED."""
    mode = context.subject.removeprefix(facts.LENT_PREFIX)
    combatant = lookup.get(Combatant, context.who)
    is_lent = mode != context.subject and mode in rules.data.movement.in_air
    if not (is_lent or context.tags) or combatant is None or combatant.rides:
        return NO_RESULT
    aloft = is_open_sky(lookup)
    in_air = aloft or height_over_ground(lookup, rules, context.who) > 0
    if not in_air or _air_speeds(lookup, rules, context.who) or _is_falling_already(lookup, context.who):
        return NO_RESULT
    return _fall_result(context.who, rules.rule_id("suspended.fall" if aloft else "move.fall-speed-zero"))


def _is_stopped_by(lookup: Lookup, rules: RuleSystem, who: str, effect: str) -> bool:
    """Return whether a new effect changes Speed and leaves a combatant no speed in the air."""
    condition = rules.conditions.get(effect)
    if condition is None or not any(rule.what == SPEED for rule in condition.rules):
        return False
    speeds = (Modifier(feet, "") for feet in _air_speeds(lookup, rules, who))
    return all(changed_number(lookup, rules, who, SPEED, each).total <= 0 for each in speeds)


def _is_falling_already(lookup: Lookup, who: str) -> bool:
    return any(isinstance(procedure.data, Fall) and procedure.data.who == who for procedure in lookup.all(Procedure))


def _fall_result(who: str, rule: str) -> HookResult:
    return HookResult(procedures=(StartProcedure(FALL, Fall(who, rule)),))
