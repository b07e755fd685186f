"""Movement bought in strides: the remaining allowance of a stride, and the points that a route costs.

A stride is an allowance for one mode of movement. It is paid for as the action that the game's data names. The rest of
a stride can be used for the next move in a mode that the same action buys. It is lost when anything else is paid for.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from turnwright.encounter.lookups import track_value
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.economy import resources
from turnwright.rules.parts.environment.scene_effects import extra_points
from turnwright.rules.parts.movement import allowance
from turnwright.rules.parts.movement.allowance import is_easy_ground
from turnwright.rules.parts.movement.move_legs import PricedLeg
from turnwright.rules.parts.movement.riding import movement_payer, moving_body
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.actions import ActionOption

STRIDE = "bought-movement"
StepCost = tuple[int, bool]  # a step's cost in feet, and whether it leaves or enters difficult terrain


class Stride(msgspec.Struct, frozen=True):
    """A bought stride: its remaining allowance, and whether difficult terrain has been paid for."""

    remaining: int = 0
    difficult_paid: bool = False


def stride_id(who: str) -> str:
    """Return the id of a combatant's mark for bought movement. Its `source` is the action that bought it."""
    return f"{STRIDE}-of-{who}"


def stride_action(rules: RuleSystem, mode: str) -> ActionOption | None:
    """Return the action that buys movement in a mode, or None if movement is included in the turn."""
    settings = rules.data.movement
    return rules.actions.get(dict(settings.bought_by).get(mode, settings.bought))


def stride_action_for(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> ActionOption | None:
    """Return the action that a combatant spends to move in its current mode, with the price at its location."""
    option = stride_action(rules, allowance.effective_mode(lookup, rules, who, mode))
    more = extra_points(lookup, rules, moving_body(lookup, who), option) if option is not None else 0
    return msgspec.structs.replace(option, price=option.price + more) if option is not None and more else option


def stride_mode(rules: RuleSystem, action: str) -> str:
    """Return the mode of movement that an action buys."""
    return next((mode for mode, buyer in rules.data.movement.bought_by if buyer == action), "walk")


def current_stride(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> Stride:
    """Return the unused part of a combatant's stride in a mode, or an empty stride if there is none."""
    option, payer = stride_action_for(lookup, rules, who, mode), movement_payer(lookup, who)
    mark = lookup.get(Effect, stride_id(payer))
    if option is None or mark is None or mark.source != option.id:
        return Stride()
    spent = track_value(lookup, payer, allowance.MOVED)
    return Stride(max(0, _stride_feet(lookup, rules, who, mode) - spent), bool(mark.value))


def costs_more_on_difficult(rules: RuleSystem, option: ActionOption) -> bool:
    """Return whether difficult terrain raises an action's price. It does so only for regular movement."""
    return option.id == rules.data.movement.bought


def stride_cost(
    rules: RuleSystem, option: ActionOption, stride: Stride, allowance: int, step: StepCost
) -> tuple[int, Stride]:
    """Return the points that a step costs, and the rest of the stride after it."""
    cost, hard = step
    extra = rules.data.movement.hard_price if hard and costs_more_on_difficult(rules, option) else 0
    rest, paid, points = stride.remaining, stride.difficult_paid, 0
    if extra and cost and rest and not paid:
        points, paid = extra, True
    while cost > rest and allowance > 0:
        cost -= rest
        points += option.price + extra
        rest, paid = allowance, bool(extra)
    return points, Stride(max(0, rest - cost), paid)


def points_for_steps(lookup: Lookup, rules: RuleSystem, who: str, mode: str, steps: Iterable[StepCost]) -> int:
    """Return the points that a sequence of steps costs."""
    option = stride_action_for(lookup, rules, who, mode)
    if option is None:
        return 0
    piece, each, total = current_stride(lookup, rules, who, mode), _stride_feet(lookup, rules, who, mode), 0
    for step in steps:
        points, piece = stride_cost(rules, option, piece, each, step)
        total += points
    return total


def affordable_feet(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> int | None:
    """Return the distance in feet that all of a combatant's points buy on normal terrain, or None without that mode."""
    option = stride_action_for(lookup, rules, who, mode)
    if option is None or rules.allowance(lookup, rules, who, mode) is None:
        return None
    rest = current_stride(lookup, rules, who, mode).remaining
    payer = movement_payer(lookup, who)
    if resources.spending_vetoes(lookup, rules, payer, option.cost, max(1, option.price)):
        return rest
    have = resources.remaining(lookup, payer, resources.paying_resource(lookup, rules, payer, option.cost)) // max(
        1, option.price
    )
    pieces = min(1, have) if _is_once(lookup, rules, payer) else have
    return rest + pieces * _stride_feet(lookup, rules, who, mode)


def _is_once(lookup: Lookup, rules: RuleSystem, payer: str) -> bool:
    """Return whether only one stride can be bought now because a turn allows only one reaction."""
    return rules.data.reactions.once and not resources.is_on_turn(lookup, payer)


def point_vetoes(
    lookup: Lookup, rules: RuleSystem, who: str, mode: str, steps: tuple[StepCost, ...], cost: int
) -> tuple[Veto, ...]:
    """Return the vetoes on paying for steps that are too far or too expensive."""
    option = stride_action_for(lookup, rules, who, mode)
    if option is None:
        return ()
    payer = movement_payer(lookup, who)
    points = points_for_steps(lookup, rules, who, mode, steps)
    vetoes = resources.spending_vetoes(lookup, rules, payer, option.cost, points) if points else ()
    farthest = affordable_feet(lookup, rules, who, mode) or 0
    if not vetoes and points and cost > farthest and _is_once(lookup, rules, payer):
        return (_too_far(lookup, rules, who, mode, farthest, cost),)
    if not vetoes or cost <= farthest or farthest == current_stride(lookup, rules, who, mode).remaining:
        return vetoes
    return (_too_far(lookup, rules, who, mode, farthest, cost),)


def _too_far(lookup: Lookup, rules: RuleSystem, who: str, mode: str, farthest: int, cost: int) -> Veto:
    rule, label = rules.rule_id(f"move.{mode}-speed"), lookup.need(Combatant, who).label
    return Veto("refused.too_far", rule, (("left", farthest), ("cost", cost), ("who", label)))


def step_costs(lookup: Lookup, rules: RuleSystem, who: str, legs: Iterable[PricedLeg]) -> tuple[StepCost, ...]:
    """Return the costs of a route leg by leg, starting at the combatant's position."""
    hard, costs = is_on_difficult_ground(lookup, rules, who), list[StepCost]()
    for leg in legs:
        costs.append((leg.price.total, hard or leg.is_difficult))
        hard = leg.is_difficult
    return tuple(costs)


def is_on_difficult_ground(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant is on difficult terrain on the map."""
    body = lookup.need(Combatant, moving_body(lookup, who))
    if body.position is None:
        return False
    ground = positions.ground_cost_at(lookup, rules, body.id, body.position)
    return ground is not None and not is_easy_ground(lookup, rules, who, ground)


def _stride_feet(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> int:
    most = rules.allowance(lookup, rules, who, mode)
    return most.total if most is not None else 0
