"""Payment for movement: feet spent on other activities, and strides bought with points."""

from __future__ import annotations

from turnwright.encounter.running import Duration, Effect, Track, track_id
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import MOVED, deduct
from turnwright.play.state.events import ActionTaken
from turnwright.rules.parts.combatants.speeds import WALK
from turnwright.rules.parts.economy import resources
from turnwright.rules.parts.movement.remaining import remaining_movement
from turnwright.rules.parts.movement.riding import movement_payer
from turnwright.rules.parts.movement.strides import (
    STRIDE,
    StepCost,
    Stride,
    costs_more_on_difficult,
    current_stride,
    stride_action_for,
    stride_cost,
    stride_id,
)
from turnwright.rules.system import RuleSystem, label_of


def spend_movement(tx: Transaction, rules: RuleSystem, who: str, feet: int, refusal: str, rule: str) -> None:
    """Spend feet of movement on another activity. Refuse it if too few are left."""
    remaining = remaining_movement(tx, rules, who, WALK) or 0
    if remaining < feet or not feet:
        tx.forbid(refusal, rule, who=label_of(tx, who), cost=feet, left=remaining)
    deduct_movement(tx, who, feet)


def deduct_movement(tx: Transaction, who: str, feet: int) -> None:
    """Deduct feet of movement without checks."""
    payer = movement_payer(tx, who)
    track = tx.get(Track, track_id(payer, MOVED)) or Track(track_id(payer, MOVED), payer, MOVED)
    tx.update(track, value=track.value + feet)


def pay_for_step(tx: Transaction, rules: RuleSystem, who: str, mode: str, step: StepCost) -> None:
    """Deduct a step from the current stride. Buy as many strides as needed."""
    option = stride_action_for(tx, rules, who, mode)
    most = rules.allowance(tx, rules, who, mode)
    if option is None or most is None:
        return
    payer = movement_payer(tx, who)
    points, piece = stride_cost(rules, option, current_stride(tx, rules, who, mode), most.total, step)
    if points:
        deduct(tx, rules, payer, option.cost, points)
        resource = resources.paying_resource(tx, rules, payer, option.cost)
        rule = rules.rule_id("move.hard-price") if step[1] and costs_more_on_difficult(rules, option) else option.rule()
        price = resources.counted_price(rules, resource, points)
        tx.emit(ActionTaken(who=payer, action=option.name, cost=resource, price=price, rule=rule))
    mark = tx.get(Effect, stride_id(payer))
    remember_stride(tx, payer, option.id, piece, most.total, mark.note if mark is not None and not points else "")


def remember_stride(
    tx: Transaction, who: str, action: str, stride: Stride, stride_feet: int, bought_as: str = ""
) -> None:
    """Record the current stride: the feet used, and whether its difficult terrain has been paid for.

    `bought_as` is the action that bought it, if it isn't the usual action.
    """
    mark = Effect(
        stride_id(who),
        who,
        STRIDE,
        source=action,
        value=int(stride.difficult_paid),
        ends=Duration("turn"),
        shown=False,
        note=bought_as,
    )
    tx.put(mark)
    tx.put(Track(track_id(who, MOVED), who, MOVED, max(0, stride_feet - stride.remaining)))
