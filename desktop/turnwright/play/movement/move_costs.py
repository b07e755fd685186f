"""Costs of moves, and reasons why they aren't possible. Commands and previews use these read-only functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.encounter.procedure_state.movement import MoveInProgress
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import Veto
from turnwright.rules.parts.movement.allowance import base_speed, effective_mode, fraction_of_speed
from turnwright.rules.parts.movement.move_vetoes import move_vetoes
from turnwright.rules.parts.movement.riding import moving_body
from turnwright.rules.parts.movement.routes import MovePlan
from turnwright.rules.parts.movement.strides import step_costs
from turnwright.rules.system import MoveLeg, RuleSystem

if TYPE_CHECKING:
    from turnwright.play.movement.commands.move_feet import MoveFeet
    from turnwright.play.movement.commands.move_path import MovePath


def move_leg_of(command: MoveFeet) -> MoveLeg:
    """Convert a move without a grid to a leg."""
    return MoveLeg(
        command.feet,
        command.mode,
        command.through,
        command.turned,
        feet_up=command.up,
        dragged=command.drags,
        squeezing=command.squeezing,
        heading=command.heading,
    )


def planned_move(lookup: Lookup, rules: RuleSystem, command: MovePath) -> MoveInProgress:
    """Return the procedure data for a move on the grid."""
    body = lookup.need(Combatant, moving_body(lookup, command.who))
    return MoveInProgress(
        command.who,
        path=command.path,
        elevations=command.heights,
        mode=effective_mode(lookup, rules, command.who, command.mode),
        dragged=command.drags,
        start=body.position,
    )


def path_vetoes(lookup: Lookup, rules: RuleSystem, move: MoveInProgress, plan: MovePlan) -> tuple[Veto, ...]:
    """Return the reasons why a move on the grid can't be made."""
    going = MoveLeg(0, move.mode, dragged=move.dragged)
    steps = step_costs(lookup, rules, move.who, plan.legs)
    forbidden = move_vetoes(lookup, rules, move.who, going, plan.cost, steps)
    if move.elevations and len(move.elevations) != len(move.path):
        return (Veto("refused.no_path", rules.rule_id("turn.speed")),)
    return (*plan.vetoes, *forbidden)


def stand_up_cost(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the feet of movement that standing up costs: a share of the Speed, plus any extra cost in the rules."""
    movement = rules.data.movement
    return fraction_of_speed(lookup, rules, base_speed(lookup, rules, who), movement.stand_over) + movement.stand_extra


def mount_cost(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the feet of movement that mounting or dismounting costs."""
    lookup.need(Combatant, who)
    over = rules.data.movement.mount_over
    return fraction_of_speed(lookup, rules, base_speed(lookup, rules, who), over) if over else 0
