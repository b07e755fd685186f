"""Questions about moves before they are made: what one costs and provokes, and how far one gets. Read-only."""

from __future__ import annotations

import msgspec

from turnwright.battlemap.paths import path, reachable
from turnwright.encounter.pending import Journey
from turnwright.encounter.prepared import Point
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.commands import Move, Travel
from turnwright.play.procedures.postures import prone_effects
from turnwright.rules.figures import Figure
from turnwright.rules.hooks import Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.actions import option_of, refusals
from turnwright.rules.parts.elsewhere import Elsewhere
from turnwright.rules.parts.entries import entries
from turnwright.rules.parts.fitness import is_unable
from turnwright.rules.parts.going import posture_vetoes, spent_of, vetoes_on
from turnwright.rules.parts.movement import PRONE, TOO_DISTANT, allowance, haste, own_speed, share, way_of
from turnwright.rules.parts.opportunity import openings
from turnwright.rules.parts.pieces import left, points_for, steps_of
from turnwright.rules.parts.riding import body_of, mount_of, mounting_vetoes, obeys, once_vetoes, order_vetoes
from turnwright.rules.parts.speeds import WALK
from turnwright.rules.parts.statements import effects_on
from turnwright.rules.parts.surroundings import ground_cost
from turnwright.rules.parts.ways import Plan, plan_of
from turnwright.rules.system import Going, RuleSystem, label_of


class Price(msgspec.Struct, frozen=True):
    """What a move costs, what is left before it and after it, what forbids it, and who may strike at the mover.

    `points` is what it takes where movement is bought.
    """

    cost: Figure
    left: int
    after: int
    vetoes: tuple[Veto, ...] = ()
    provokes: tuple[str, ...] = ()
    points: int = 0


def going_of(command: Move) -> Going:
    """Return how the feet of a move without a grid are gone."""
    return Going(
        command.feet,
        command.mode,
        command.through,
        command.turned,
        up=command.up,
        drags=command.drags,
        squeezing=command.squeezing,
        heading=command.heading,
    )


def price_of(lookup: Lookup, rules: RuleSystem, who: str, going: Going) -> Figure:
    """Return what some feet cost somebody."""
    return rules.movement.cost(lookup, rules, who, going)


def price(lookup: Lookup, rules: RuleSystem, command: Move) -> Price:
    """Return what a move without a grid would cost and provoke."""
    going = going_of(command)
    cost = price_of(lookup, rules, command.who, going)
    rest = left(lookup, rules, command.who, command.mode) or 0
    struck = tuple(
        one.by for one in openings(lookup, rules, command.who, drags=command.drags) if one.by in command.leaves
    )
    vetoes = vetoes_on(lookup, rules, command.who, going, cost)
    hard = ground_cost(lookup, command.through, turned=command.turned) is not None
    points = points_for(lookup, rules, command.who, command.mode, ((cost.total, hard),))
    return Price(cost, rest, max(0, rest - cost.total), vetoes, struck, points)


def journey_of(lookup: Lookup, rules: RuleSystem, command: Travel) -> Journey:
    """Return a move on the grid as it is about to begin."""
    body = lookup.need(Combatant, body_of(lookup, command.who))
    return Journey(
        command.who,
        path=command.path,
        heights=command.heights,
        mode=way_of(lookup, rules, command.who, command.mode),
        drags=command.drags,
        start=body.position,
    )


def travel_vetoes(lookup: Lookup, rules: RuleSystem, journey: Journey, plan: Plan) -> tuple[Veto, ...]:
    """Return why a move on the grid can't be made."""
    going = Going(0, journey.mode, drags=journey.drags)
    steps = steps_of(lookup, rules, journey.who, plan.legs)
    forbidden = vetoes_on(lookup, rules, journey.who, going, plan.cost, steps)
    if journey.heights and len(journey.heights) != len(journey.path):
        return (Veto("refused.no_path", rules.cite("turn.speed")),)
    return (*plan.vetoes, *forbidden)


class Route(msgspec.Struct, frozen=True):
    """A way to a square: the squares entered, what it costs and why, and what is left after it.

    `provokes` pairs the index of a square (in the path) with who may strike before it is entered; `vetoes` say why it
    can't be gone now.
    """

    path: tuple[Point, ...]
    cost: Figure
    after: int
    provokes: tuple[tuple[int, str], ...] = ()
    vetoes: tuple[Veto, ...] = ()
    points: int = 0


def route(lookup: Lookup, rules: RuleSystem, who: str, to: Point, mode: str = WALK) -> Route | None:
    """Return the cheapest way to a square, None where none leads there or there is no grid."""
    ground = entries(lookup, rules, who, mode)
    if ground is None:
        return None
    found = path(ground.grid, ground.space, ground.entry, to, diagonals=ground.diagonals)
    if found is None:
        return None
    return route_along(lookup, rules, Travel(who, found[1:], mode))


def route_along(lookup: Lookup, rules: RuleSystem, command: Travel) -> Route:
    """Return what a way costs and provokes that somebody has drawn."""
    journey = journey_of(lookup, rules, command)
    plan = plan_of(lookup, rules, journey)
    provokes: list[tuple[int, str]] = []
    at: Lookup = lookup
    for index, leg in enumerate(plan.legs):
        after = Elsewhere(at, leg.moved)
        known = {by for _, by in provokes}
        provokes += [
            (index, one.by) for one in openings(at, rules, command.who, after, command.drags) if one.by not in known
        ]
        at = after
    rest = left(lookup, rules, command.who, command.mode) or 0
    vetoes = travel_vetoes(lookup, rules, journey, plan)
    steps = steps_of(lookup, rules, command.who, plan.legs)
    points = points_for(lookup, rules, command.who, command.mode, steps)
    return Route(command.path, plan.cost, max(0, rest - plan.cost.total), tuple(provokes), vetoes, points)


class Reachable(msgspec.Struct, frozen=True):
    """Where somebody gets to on this turn: the feet to each square where they may end, the start left out.

    `left` is what they have; squares that cost more take a Dash, up to `hastened` feet in all.
    """

    squares: tuple[tuple[Point, int], ...]
    left: int
    hastened: int


def reach_of_move(lookup: Lookup, rules: RuleSystem, who: str, mode: str = WALK) -> Reachable:
    """Return where somebody gets to by a mode, and what only by hurrying; nowhere without a grid."""
    most = allowance(lookup, rules, who, mode)
    ground = entries(lookup, rules, who, mode)
    if most is None or ground is None or posture_vetoes(lookup, rules, who, mode):
        return Reachable((), 0, 0)
    have = left(lookup, rules, who, mode) or 0
    bought = bool(rules.catalogue.movement.bought)
    hastened = have if bought else max(0, most.total * haste(lookup, rules, who) - spent_of(lookup, who))
    found = reachable(
        ground.grid, ground.space, ground.entry, hastened, diagonals=ground.diagonals, may_end=ground.may_end
    )
    squares = tuple(
        (square, int(found.cost[square[1] - found.top, square[0] - found.left]))
        for square in found.squares()
        if square != ground.space.square
    )
    return Reachable(squares, have, hastened)


def staying_vetoes(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Veto, ...]:
    """Return why somebody can't end a turn where they are: another holds the place, and they could still leave it."""
    one = lookup.need(Combatant, who)
    if not rules.catalogue.places.leaves or one.position is None or one.rides or is_unable(lookup, who):
        return ()
    taken = positions.may_end(lookup, rules, who, one.position, one.elevation)
    if taken is None or taken.reason != "refused.occupied":
        return ()
    found = reach_of_move(lookup, rules, who)
    can_leave = any(cost <= found.left for _, cost in found.squares)
    params = (("who", one.label), ("other", dict(taken.params)["who"]))
    return (Veto("refused.stays_in_space", taken.rule, params),) if can_leave else ()


def standing_cost(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the feet that standing up takes."""
    return share(lookup, rules, own_speed(lookup, rules, who), rules.catalogue.movement.stand_over)


def mounting_cost(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the feet that getting on or off a mount takes."""
    lookup.need(Combatant, who)
    return share(lookup, rules, own_speed(lookup, rules, who), rules.catalogue.movement.mount_over)


def base_speeds(lookup: Lookup, rules: RuleSystem) -> tuple[int, int]:
    """Return the speeds on offer for a chase: the usual one, and that of the second slowest who takes part."""
    taking_part = [
        own_speed(lookup, rules, one.id)
        for one in lookup.all(Combatant)
        if not (one.dead or one.bystander or any(each.name == TOO_DISTANT for each in effects_on(lookup, one.id)))
    ]
    usual = rules.catalogue.movement.chase_speed
    return usual, sorted(taking_part)[1] if len(taking_part) > 1 else usual


class Posture(msgspec.Struct, frozen=True):
    """Something a combatant may do about how it stands or sits: `stand`, `drop-prone`, `dismount` or a mount's order.

    `feet` is the movement it takes; `veto` says why it can't be done now.
    """

    id: str
    feet: int = 0
    veto: Veto | None = None


def postures(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Posture, ...]:
    """Return what somebody may do about how it stands or sits, each with what is against it."""
    found = []
    lies, figures = bool(prone_effects(lookup, who)), rules.catalogue.movement
    by = figures.stand_by if lies else figures.drop_by
    if by:
        vetoes = refusals(lookup, rules, who, option_of(lookup, rules, who, by))
        found.append(Posture("stand" if lies else "drop-prone", veto=next(iter(vetoes), None)))
    elif lies:
        feet, rule = standing_cost(lookup, rules, who), rules.cite("prone.stand")
        found.append(Posture("stand", feet, _too_few_feet(lookup, rules, who, feet, "refused.cannot_stand", rule)))
    elif PRONE in rules.conditions:
        found.append(Posture("drop-prone"))
    if mount_of(lookup, who) is not None:
        feet, rule = mounting_cost(lookup, rules, who), rules.cite("mount.cost")
        once = next(iter(once_vetoes(lookup, rules, who)), None)
        few = _too_few_feet(lookup, rules, who, feet, "refused.cannot_mount", rule)
        found.append(Posture("dismount", feet, once or few))
    mount = mount_of(lookup, who)
    if mount is not None and obeys(lookup, who):
        found += [
            Posture(order, veto=next(iter(order_vetoes(lookup, rules, mount.id, order)), None))
            for order in (*figures.free_orders, *figures.paid_orders)
        ]
    return tuple(found)


def mounts_for(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[tuple[str, Veto | None], ...]:
    """Return whom somebody might mount, each with what is against it; those known to be out of reach are left out."""
    feet, rule = mounting_cost(lookup, rules, who), rules.cite("mount.cost")
    few = _too_few_feet(lookup, rules, who, feet, "refused.cannot_mount", rule)
    found = []
    for one in lookup.all(Combatant):
        apart = positions.distance(lookup, rules, who, one.id)
        near = apart is None or apart <= rules.catalogue.movement.mount_within
        if one.id != who and near and not one.dead and not lookup.need(Combatant, who).rides:
            vetoes = (*mounting_vetoes(lookup, rules, who, one.id), *once_vetoes(lookup, rules, who))
            found.append((one.id, next(iter(vetoes), few)))
    return tuple(found)


def _too_few_feet(lookup: Lookup, rules: RuleSystem, who: str, feet: int, reason: str, rule: str) -> Veto | None:
    rest = left(lookup, rules, who, WALK) or 0
    if rest >= feet > 0:
        return None
    return Veto(reason, rule, (("who", label_of(lookup, who)), ("cost", feet), ("left", rest)))
