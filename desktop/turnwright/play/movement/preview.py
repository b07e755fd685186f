"""Read-only previews of moves: costs, opportunity attacks, reachable squares, postures and mounts."""

from __future__ import annotations

import msgspec

from turnwright.battlemap.paths import path, reachable
from turnwright.encounter.prepared import Point
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.commanded_move import MoveFeet, MovePath, move_leg_of, path_vetoes, planned_move
from turnwright.rules.explained_number import ExplainedNumber
from turnwright.rules.hooks import Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.combatants.facts import WALK, cannot_act
from turnwright.rules.parts.environment.entries import ground_cost
from turnwright.rules.parts.movement.move_legs import (
    allowance,
    movement_cost,
    points_for_steps,
    remaining_movement,
    speed_multiplier,
    step_costs,
)
from turnwright.rules.parts.movement.move_vetoes import mode_vetoes, move_vetoes, movement_spent
from turnwright.rules.parts.movement.movement_grid import movement_grid
from turnwright.rules.parts.movement.opportunity_attacks import opportunity_attacks
from turnwright.rules.parts.movement.routes import plan_move
from turnwright.rules.parts.positions.geometry import MovedLookup
from turnwright.rules.system import RuleSystem


class MovePreview(msgspec.Struct, frozen=True):
    """A preview of a move: its cost, the movement left before and after it, its vetoes, and possible attackers.

    `points` is the cost in points, in games in which movement costs points.
    """

    cost: ExplainedNumber
    left: int
    left_after: int
    vetoes: tuple[Veto, ...] = ()
    provokes: tuple[str, ...] = ()
    points: int = 0


def preview_move(lookup: Lookup, rules: RuleSystem, command: MoveFeet) -> MovePreview:
    """Preview the cost of a move without a grid and the opportunity attacks it provokes."""
    going = move_leg_of(command)
    cost = movement_cost(lookup, rules, command.who, going)
    remaining = remaining_movement(lookup, rules, command.who, command.mode) or 0
    attacks = opportunity_attacks(lookup, rules, command.who, dragged=command.drags, mode=command.mode)
    attackers = tuple(attack.attacker for attack in attacks if attack.attacker in command.leaves)
    vetoes = move_vetoes(lookup, rules, command.who, going, cost)
    hard = ground_cost(lookup, command.through, turned=command.turned) is not None
    points = points_for_steps(lookup, rules, command.who, command.mode, ((cost.total, hard),))
    return MovePreview(cost, remaining, max(0, remaining - cost.total), vetoes, attackers, points)


class Route(msgspec.Struct, frozen=True):
    """A route to a square: the squares entered, the cost with its reasons, and the movement left afterwards.

    `provokes` pairs the index of a square in the path with a combatant who may attack before it is entered. `vetoes`
    are the reasons why the move can't be made now.
    """

    path: tuple[Point, ...]
    cost: ExplainedNumber
    left_after: int
    provokes: tuple[tuple[int, str], ...] = ()
    vetoes: tuple[Veto, ...] = ()
    points: int = 0


def cheapest_route(lookup: Lookup, rules: RuleSystem, who: str, to: Point, mode: str = WALK) -> Route | None:
    """Return the cheapest route to a square, or None if there is no route or no grid."""
    ground = movement_grid(lookup, rules, who, mode)
    if ground is None:
        return None
    squares = path(ground.grid, ground.space, ground.entry_cost, to, diagonals=ground.diagonals)
    return preview_route(lookup, rules, MovePath(who, squares[1:], mode)) if squares is not None else None


def preview_route(lookup: Lookup, rules: RuleSystem, command: MovePath) -> Route:
    """Preview the cost of a drawn path and the opportunity attacks it provokes."""
    move = planned_move(lookup, rules, command)
    plan = plan_move(lookup, rules, move)
    provokes: list[tuple[int, str]] = []
    at: Lookup = lookup
    for index, leg in enumerate(plan.legs):
        after = MovedLookup(at, leg.moved)
        attackers = {by for _, by in provokes}
        provokes += [
            (index, attack.attacker)
            for attack in opportunity_attacks(at, rules, command.who, after, command.drags, command.mode)
            if attack.attacker not in attackers
        ]
        at = after
    remaining = remaining_movement(lookup, rules, command.who, command.mode) or 0
    vetoes = path_vetoes(lookup, rules, move, plan)
    steps = step_costs(lookup, rules, command.who, plan.legs)
    points = points_for_steps(lookup, rules, command.who, command.mode, steps)
    return Route(command.path, plan.cost, max(0, remaining - plan.cost.total), tuple(provokes), vetoes, points)


class Reachable(msgspec.Struct, frozen=True):
    """Squares that a combatant can reach this turn, with their costs in feet. The current square isn't included.

    `left` is the remaining movement. Squares that cost more require a Dash, which allows up to `dash_feet` feet in all.
    """

    squares: tuple[tuple[Point, int], ...]
    left: int
    dash_feet: int


def reachable_squares(lookup: Lookup, rules: RuleSystem, who: str, mode: str = WALK) -> Reachable:
    """Return the squares reachable in a mode of movement, with and without a Dash. Without a grid there are none."""
    most = allowance(lookup, rules, who, mode)
    ground = movement_grid(lookup, rules, who, mode)
    if most is None or ground is None or mode_vetoes(lookup, rules, who, mode):
        return Reachable((), 0, 0)
    remaining = remaining_movement(lookup, rules, who, mode) or 0
    is_bought = bool(rules.data.movement.bought)
    dash_feet = (
        remaining
        if is_bought
        else max(0, most.total * speed_multiplier(lookup, rules, who) - movement_spent(lookup, who))
    )
    area = reachable(
        ground.grid, ground.space, ground.entry_cost, dash_feet, diagonals=ground.diagonals, may_end=ground.may_end
    )
    squares = tuple(
        (square, int(area.cost[square[1] - area.top, square[0] - area.left]))
        for square in area.squares()
        if square != ground.space.square
    )
    return Reachable(squares, remaining, dash_feet)


def stay_vetoes(tx: Transaction, who: str) -> tuple[Veto, ...]:
    """Return the reason why a combatant must leave the space it shares before its turn ends, if it can leave."""
    combatant = tx.need(Combatant, who)
    if not tx.rules.data.places.leaves or combatant.position is None or combatant.rides or cannot_act(tx, who):
        return ()
    veto = positions.stay_veto(tx, tx.rules, who, combatant.position, combatant.elevation)
    if veto is None or veto.reason != "refused.occupied":
        return ()
    in_reach = reachable_squares(tx, tx.rules, who)
    can_leave = any(cost <= in_reach.left for _, cost in in_reach.squares)
    params = (("who", combatant.label), ("other", dict(veto.params)["who"]))
    return (Veto("refused.stays_in_space", veto.rule, params),) if can_leave else ()
