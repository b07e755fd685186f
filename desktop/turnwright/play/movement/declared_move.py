"""Declared moves: the path is chosen only when the move resolves, since reactions may have changed the situation."""

from __future__ import annotations

import msgspec

from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option, Prompt, choice_ask
from turnwright.encounter.procedure_state.movement import DECLARED_MOVE, MoveInProgress
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.asking.declaration import (
    REACTED_ALREADY,
    declare_action,
    has_reactions,
    needs_declaration,
    reserved_for,
)
from turnwright.play.kernel.scheduler import Answers, ask, begin, choices_of, close_prompt, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.move import begin_move
from turnwright.play.movement.move_costs import path_vetoes
from turnwright.play.state.action_economy import deduct
from turnwright.play.state.events import ActionTaken
from turnwright.play.state.movement_points import remember_stride
from turnwright.rules.hooks import Veto
from turnwright.rules.parts.economy import resources
from turnwright.rules.parts.environment.entries import ground_cost
from turnwright.rules.parts.movement.allowance import movement_cost
from turnwright.rules.parts.movement.move_vetoes import move_vetoes
from turnwright.rules.parts.movement.riding import movement_payer
from turnwright.rules.parts.movement.routes import plan_move
from turnwright.rules.parts.movement.strides import StepCost, Stride, points_for_steps, stride_action_for
from turnwright.rules.system import MoveLeg, RuleSystem, label_of

AS_ANNOUNCED, NO_FARTHER, FEET = "as-announced", "no-farther", "feet"


def begin_declared_move(
    tx: Transaction, rules: RuleSystem, move: MoveInProgress, step_costs: tuple[StepCost, ...]
) -> bool:
    """Declare a move that costs points, or continue a resolving one. Return False if no declaration is needed."""
    points = points_for_steps(tx, rules, move.who, move.mode, step_costs)
    resolving = move_in_progress(tx, move.who)
    if resolving is not None:
        _resolve_by_other_path(tx, rules, resolving, move, points)
        return True
    option = stride_action_for(tx, rules, move.who, move.mode)
    if not points or option is None or not needs_declaration(tx, rules, Procedure("", *DECLARED_MOVE.start, move)):
        return False
    waiting = begin(tx, DECLARED_MOVE.start, msgspec.structs.replace(move, unreported_cost=points))
    reserved = reserved_for(tx, rules, movement_payer(tx, move.who), option.cost, points)
    payer = movement_payer(tx, move.who)
    tx.put(
        declare_action(tx, rules, waiting, payer, option.name, reserved, is_move=True, insisted=move.rules_overridden)
    )
    return True


def move_in_progress(lookup: Lookup, who: str) -> Procedure | None:
    """Return a combatant's resolving move if its path can still be chosen, or None."""
    prompting = {prompt.procedure for prompt in lookup.all(Prompt)}
    procedures = (
        procedure
        for procedure in lookup.all(Procedure)
        if procedure.kind == DECLARED_MOVE.name and procedure.id in prompting
    )
    return next(
        (
            procedure
            for procedure in procedures
            if isinstance(procedure.data, MoveInProgress) and procedure.data.who == who
        ),
        None,
    )


def _resolve_by_other_path(
    tx: Transaction, rules: RuleSystem, resolving: Procedure, journey: MoveInProgress, points: int
) -> None:
    """Resolve a declared move along another path, within the declared points."""
    announced = data_of(resolving, MoveInProgress)
    if points > announced.unreported_cost:
        _forbid_farther(tx, rules, announced, points)
    close_prompt(tx, resolving.id)
    tx.put(goto(resolving, DECLARED_MOVE.resolve, announced, path=(), elevations=(), feet=0))
    begin_move(tx, rules, journey, resolving.id)


def _forbid_farther(tx: Transaction, rules: RuleSystem, announced: MoveInProgress, need: int) -> None:
    who, rule = label_of(tx, announced.who), rules.rule_id("move.replanned")
    tx.forbid("refused.farther_than_announced", rule, who=who, n=announced.unreported_cost, need=need)


def start(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Deduct the points for one stride, then begin the move. If there were reactions to it, ask for the path first."""
    data = data_of(procedure, MoveInProgress)
    option, payer = stride_action_for(tx, rules, data.who, data.mode), movement_payer(tx, data.who)
    most = rules.allowance(tx, rules, data.who, data.mode)
    if option is None or most is None:
        return None
    deduct(tx, rules, payer, option.cost, option.price)
    resource = resources.paying_resource(tx, rules, payer, option.cost)
    price = resources.counted_price(rules, resource, option.price)
    tx.emit(ActionTaken(who=payer, action=option.name, cost=resource, price=price, rule=option.rule()))
    remember_stride(tx, payer, option.id, Stride(most.total), most.total)
    if not has_reactions(tx):
        begin_move(tx, rules, msgspec.structs.replace(data, unreported_cost=0), procedure.id)
        return goto(procedure, DECLARED_MOVE.resolve)
    remaining = msgspec.structs.replace(data, unreported_cost=max(0, data.unreported_cost - option.price))
    return ask_path(tx, rules, goto(procedure, DECLARED_MOVE.ask_path, remaining), answers)


def ask_path(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask whether to follow the declared path, if it is still possible, or stop. A command can give any other path."""
    data = data_of(procedure, MoveInProgress)
    rule, label = rules.rule_id("move.replanned"), label_of(tx, data.who)
    if tx.need(Combatant, data.who).position is None:
        question = Ask(FEET, "number", "ask.announced_feet", data.who, str(data.feet), rule=rule)
    else:
        ways = [Option(AS_ANNOUNCED, "option.as_announced")] if data.path and not is_prevented(tx, rules, data) else []
        options = (*ways, Option(NO_FARTHER, "option.done_moving"))
        question = choice_ask("way", "ask.announced_way", options, data.who, label, rule=rule)
    return ask(tx, goto(procedure, DECLARED_MOVE.resolve, data), "prompt.announced_way", [question], subject=label)


def is_prevented(tx: Transaction, rules: RuleSystem, data: MoveInProgress) -> bool:
    """Return whether the declared path is no longer possible."""
    return not data.rules_overridden and bool(
        vetoes_when_resolving(path_vetoes(tx, rules, data, plan_move(tx, rules, data)))
    )


def vetoes_when_resolving(vetoes: tuple[Veto, ...]) -> tuple[Veto, ...]:
    """Return vetoes without the one about an earlier reaction, which doesn't apply to a resolving move."""
    return tuple(veto for veto in vetoes if veto.reason != REACTED_ALREADY)


def resolve(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Begin the move along the chosen path."""
    data = data_of(procedure, MoveInProgress)
    if FEET in answers:
        feet = answers[FEET].number or 0
        if feet:
            going = MoveLeg(feet, data.mode, data.ground, feet_up=min(data.feet_up, feet))
            price = movement_cost(tx, rules, data.who, going)
            tx.forbid_by(vetoes_when_resolving(move_vetoes(tx, rules, data.who, going, price)))
            hard = ground_cost(tx, data.ground, turned=False) is not None
            points = points_for_steps(tx, rules, data.who, data.mode, ((price.total, hard),))
            if points > data.unreported_cost:
                _forbid_farther(tx, rules, data, points)
            journey = msgspec.structs.replace(
                data,
                feet=feet,
                feet_up=going.feet_up,
                cost=price.total,
                unreported_cost_parts=price.parts,
                unreported_cost=0,
            )
            begin_move(tx, rules, journey, procedure.id)
    elif AS_ANNOUNCED in choices_of(answers, "way"):
        begin_move(tx, rules, msgspec.structs.replace(data, unreported_cost=0), procedure.id)


def begin_path_choice(tx: Transaction, rules: RuleSystem, who: str, mode: str, parent: str) -> None:
    """Ask for the path of a combatant that paid for a stride off turn or after reactions."""
    if has_reactions(tx) or not resources.is_on_turn(tx, who):
        begin(tx, DECLARED_MOVE.ask_path, MoveInProgress(who, mode=mode), parent)


STAGES = stages_in(globals(), DECLARED_MOVE)
