"""Immediate responses of an action's targets, and withdrawing before a pursuer who may follow."""

from __future__ import annotations

from turnwright.encounter.prepared import Point
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ACTION, ActionInProgress
from turnwright.encounter.procedure_state.asks import Option, choice_ask
from turnwright.encounter.procedure_state.movement import MoveInProgress
from turnwright.encounter.running import Combatant, Duration, Effect
from turnwright.encounter.state import Lookup
from turnwright.play.actions.events import Pursued, Withdrew
from turnwright.play.kernel.scheduler import Answers, ask, choices_of, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.move import begin_move
from turnwright.play.state.action_economy import deduct
from turnwright.play.state.effect_records import put_effect
from turnwright.play.state.events import ActionTaken
from turnwright.play.state.reactions import PASS, accepted_reactions, reaction_ask
from turnwright.rules.parts.actions.action_options import action_vetoes
from turnwright.rules.parts.movement.one_square_steps import STEP, all_on_grid, one_step
from turnwright.rules.parts.movement.opportunity_attacks import can_react
from turnwright.rules.system import RuleSystem, label_of
from turnwright.rules.system_data.actions import ActionOption

FALL_BACK = "fall-back"
FOLLOW, STAY = "follow", "stay"


def ask_responses(tx: Transaction, rules: RuleSystem, procedure: Procedure, option: ActionOption) -> Procedure | None:
    """Ask the targets that can respond how they do; where none can, the action is over."""
    data = data_of(procedure, ActionInProgress)
    asks = []
    for target in data.targets:
        found = _reactions(tx, rules, target, option)
        if found:
            options = [Option(one.id, one.name) for one in found]
            asks.append(reaction_ask(target, options, rule=found[0].rule(), detail=label_of(tx, data.who)))
    if not asks:
        return None
    return ask(tx, goto(procedure, ACTION.after_responses, data), "prompt.reaction", asks, subject=option.name)


def _reactions(tx: Transaction, rules: RuleSystem, who: str, option: ActionOption) -> list[ActionOption]:
    """Return the reactions to an action that a combatant could take now."""
    if tx.get(Combatant, who) is None or not can_react(tx, rules, who):
        return []
    known = [rules.actions[id] for id in option.offers if id in rules.actions]
    return [one for one in known if not action_vetoes(tx, rules, who, one) and can_retreat(tx, rules, who, one)]


def can_retreat(lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption) -> bool:
    """Return whether there is a square to retreat to, where a reaction is a retreat and there is a grid."""
    presser = pursuer_of(lookup, rules, who)
    if option.done != FALL_BACK or not presser or not all_on_grid(lookup, rules, who, presser):
        return True
    return one_step(lookup, rules, who, presser, away=True) is not None


def pursuer_of(lookup: Lookup, rules: RuleSystem, who: str) -> str:
    """Return the pursuer of a combatant, empty where there is none."""
    return next((one.by for one in lookup.of(Effect, who) if one.name == rules.role("pressed")), "")


def after_responses(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Carry out the reactions taken, each for its cost."""
    back = []
    for who, action in accepted_reactions(answers):
        option = rules.actions.get(action)
        if option is None or action == PASS or tx.get(Combatant, who) is None:
            continue
        deduct(tx, rules, who, option.cost)
        tx.emit(ActionTaken(who=who, action=option.name, cost=option.cost, rule=option.rule()))
        if option.done == FALL_BACK:
            retreat(tx, rules, procedure, who, option)
            back.append(who)
    if not back:
        return None
    return goto(procedure, ACTION.ask_follow, failed=tuple(back))


def withdraw(
    tx: Transaction, rules: RuleSystem, procedure: Procedure, data: ActionInProgress, option: ActionOption
) -> Procedure:
    """Withdraw by one's own command: the pursuer may follow as well."""
    presser = pursuer_of(tx, rules, data.who)
    retreat(tx, rules, procedure, data.who, option)
    return goto(procedure, ACTION.ask_follow, data, who=presser or data.who, failed=(data.who,))


def retreat(tx: Transaction, rules: RuleSystem, procedure: Procedure, who: str, option: ActionOption) -> None:
    """Move a combatant straight away from its pursuer, provoking nothing; without a grid only report it."""
    presser = pursuer_of(tx, rules, who)
    to = one_step(tx, rules, who, presser, away=True) if presser else None
    id, name, ends = tx.next_id("effect"), rules.role("fell-back"), Duration("turn-start", presser or who)
    put_effect(tx, rules, Effect(id, who, name, source=option.name, ends=ends, by=presser))
    tx.emit(Withdrew(who=who, pursuer=presser, feet=STEP, rule=option.rule("move")))
    if to is not None:
        _go(tx, rules, who, to, procedure.id)


def _go(tx: Transaction, rules: RuleSystem, who: str, to: Point, parent: str) -> None:
    """Put a combatant on a square at no cost, provoking no opportunity attacks."""
    elevation = tx.need(Combatant, who).elevation
    begin_move(tx, rules, MoveInProgress(who, path=(to,), elevations=(elevation,), free=True), parent)


def ask_follow(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask the pursuer whether to follow the withdrawn, where there is room."""
    data = data_of(procedure, ActionInProgress)
    back = [one for one in data.failed if tx.get(Combatant, one) is not None]
    if tx.get(Combatant, data.who) is None or not back or back[0] == data.who:
        return None
    placed = all_on_grid(tx, rules, data.who, back[0])
    if placed and one_step(tx, rules, data.who, back[0], away=False) is None:
        return None
    rule = _fall_back_option(rules).rule("follow")
    options = (Option(FOLLOW, "option.follow"), Option(STAY, "option.stay"))
    asked = choice_ask("follow", "ask.follow", options, data.who, label_of(tx, back[0]), suggested=STAY, rule=rule)
    return ask(tx, goto(procedure, ACTION.move_follower, data), "prompt.follow", [asked], subject=label_of(tx, back[0]))


def move_follower(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Move the pursuer after the withdrawn: its movement is not spent, and it provokes nothing."""
    data = data_of(procedure, ActionInProgress)
    after = next((one for one in data.failed if tx.get(Combatant, one) is not None), "")
    if FOLLOW not in choices_of(answers, "follow") or not after or tx.get(Combatant, data.who) is None:
        return
    to = one_step(tx, rules, data.who, after, away=False)
    rule = _fall_back_option(rules).rule("follow")
    tx.emit(Pursued(who=data.who, after=after, feet=STEP, rule=rule))
    if to is not None:
        _go(tx, rules, data.who, to, procedure.id)


def _fall_back_option(rules: RuleSystem) -> ActionOption:
    return next((one for one in rules.data.actions if one.done == FALL_BACK), ActionOption("", ""))


STAGES = stages_in(globals(), ACTION)
