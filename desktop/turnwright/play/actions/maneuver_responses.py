"""Immediate responses of an action's targets, and withdrawing from a pursuer who may follow."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.prepared import Point
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ACTION, ActionInProgress
from turnwright.encounter.procedure_state.asks import Option, choice_ask
from turnwright.encounter.procedure_state.movement import MoveInProgress
from turnwright.encounter.running import Combatant, Duration, Effect
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.scheduler import Answers, ask, choices_of, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.move import begin_move
from turnwright.play.state.action_economy import PASS, accepted_reactions, deduct, reaction_ask
from turnwright.play.state.effect_records import put_effect
from turnwright.play.state.events import ActionTaken
from turnwright.rules.parts.actions.action_options import action_vetoes
from turnwright.rules.parts.movement.one_square_steps import STEP, all_on_grid, one_step
from turnwright.rules.parts.movement.opportunity_attacks import can_react
from turnwright.rules.system import RuleSystem, label_of
from turnwright.rules.system_data.actions import ActionOption

FALL_BACK = "fall-back"
FOLLOW, STAY = "follow", "stay"


@journal("journal.fell_back_alone", when={"pursuer": "journal.fell_back"}, presser="pursuer")
class Withdrew(Event, frozen=True):
    """A combatant withdrew from its pursuer by `feet`."""

    who: CombatantId
    pursuer: CombatantId
    feet: int


@journal("journal.followed")
class Pursued(Event, frozen=True):
    """A combatant followed an enemy that withdrew, by `feet` that cost no movement."""

    who: CombatantId
    after: CombatantId
    feet: int


def ask_responses(tx: Transaction, rules: RuleSystem, procedure: Procedure, option: ActionOption) -> Procedure | None:
    """Ask the targets for their responses. If none can respond, end the action."""
    data = data_of(procedure, ActionInProgress)
    asks = []
    for target in data.targets:
        reactions = _reactions(tx, rules, target, option)
        if reactions:
            options = [Option(reaction.id, reaction.name) for reaction in reactions]
            asks.append(reaction_ask(target, options, rule=reactions[0].rule(), detail=label_of(tx, data.who)))
    if not asks:
        return None
    return ask(tx, goto(procedure, ACTION.after_responses, data), "prompt.reaction", asks, subject=option.name)


def _reactions(tx: Transaction, rules: RuleSystem, who: str, option: ActionOption) -> list[ActionOption]:
    """Return the reactions to an action that a combatant could take now."""
    if tx.get(Combatant, who) is None or not can_react(tx, rules, who):
        return []
    offered = [rules.actions[id] for id in option.offers if id in rules.actions]
    return [
        reaction
        for reaction in offered
        if not action_vetoes(tx, rules, who, reaction) and can_retreat(tx, rules, who, reaction)
    ]


def can_retreat(lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption) -> bool:
    """Return whether there is a free square to retreat to. Always True for other reactions, or without a grid."""
    pursuer = pursuer_of(lookup, rules, who)
    if option.done != FALL_BACK or not pursuer or not all_on_grid(lookup, rules, who, pursuer):
        return True
    return one_step(lookup, rules, who, pursuer, away=True) is not None


def pursuer_of(lookup: Lookup, rules: RuleSystem, who: str) -> str:
    """Return the id of a combatant's pursuer, or an empty string if it has none."""
    return next((effect.by for effect in lookup.of(Effect, who) if effect.name == rules.role("pressed")), "")


def after_responses(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Carry out the chosen reactions, and pay their costs."""
    withdrawn = []
    for who, action in accepted_reactions(answers):
        option = rules.actions.get(action)
        if option is None or action == PASS or tx.get(Combatant, who) is None:
            continue
        deduct(tx, rules, who, option.cost)
        tx.emit(ActionTaken(who=who, action=option.name, cost=option.cost, rule=option.rule()))
        if option.done == FALL_BACK:
            retreat(tx, rules, procedure, who, option)
            withdrawn.append(who)
    if not withdrawn:
        return None
    return goto(procedure, ACTION.ask_follow, failed=tuple(withdrawn))


def withdraw(
    tx: Transaction, rules: RuleSystem, procedure: Procedure, data: ActionInProgress, option: ActionOption
) -> Procedure:
    """Withdraw as an action. The pursuer may follow, as it may when a combatant withdraws as a reaction."""
    pursuer = pursuer_of(tx, rules, data.who)
    retreat(tx, rules, procedure, data.who, option)
    return goto(procedure, ACTION.ask_follow, data, who=pursuer or data.who, failed=(data.who,))


def retreat(tx: Transaction, rules: RuleSystem, procedure: Procedure, who: str, option: ActionOption) -> None:
    """Move a combatant straight away from its pursuer without opportunity attacks. Without a grid, only report it."""
    pursuer = pursuer_of(tx, rules, who)
    to = one_step(tx, rules, who, pursuer, away=True) if pursuer else None
    id, name, ends = tx.next_id("effect"), rules.role("fell-back"), Duration("turn-start", pursuer or who)
    put_effect(tx, rules, Effect(id, who, name, source=option.name, ends=ends, by=pursuer))
    tx.emit(Withdrew(who=who, pursuer=pursuer, feet=STEP, rule=option.rule("move")))
    if to is not None:
        _go(tx, rules, who, to, procedure.id)


def _go(tx: Transaction, rules: RuleSystem, who: str, to: Point, parent: str) -> None:
    """Move a combatant to a square at no cost, and without opportunity attacks."""
    elevation = tx.need(Combatant, who).elevation
    begin_move(tx, rules, MoveInProgress(who, path=(to,), elevations=(elevation,), free=True), parent)


def ask_follow(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask the pursuer whether to follow the combatant that withdrew, if there is room."""
    data = data_of(procedure, ActionInProgress)
    withdrawn = [id for id in data.failed if tx.get(Combatant, id) is not None]
    if tx.get(Combatant, data.who) is None or not withdrawn or withdrawn[0] == data.who:
        return None
    placed = all_on_grid(tx, rules, data.who, withdrawn[0])
    if placed and one_step(tx, rules, data.who, withdrawn[0], away=False) is None:
        return None
    rule = _fall_back_option(rules).rule("follow")
    options = (Option(FOLLOW, "option.follow"), Option(STAY, "option.stay"))
    question = choice_ask(
        "follow", "ask.follow", options, data.who, label_of(tx, withdrawn[0]), suggested=STAY, rule=rule
    )
    return ask(
        tx, goto(procedure, ACTION.move_follower, data), "prompt.follow", [question], subject=label_of(tx, withdrawn[0])
    )


def move_follower(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Move the pursuer after the combatant that withdrew. It costs no movement, and provokes no opportunity attacks."""
    data = data_of(procedure, ActionInProgress)
    after = next((id for id in data.failed if tx.get(Combatant, id) is not None), "")
    if FOLLOW not in choices_of(answers, "follow") or not after or tx.get(Combatant, data.who) is None:
        return
    to = one_step(tx, rules, data.who, after, away=False)
    rule = _fall_back_option(rules).rule("follow")
    tx.emit(Pursued(who=data.who, after=after, feet=STEP, rule=rule))
    if to is not None:
        _go(tx, rules, data.who, to, procedure.id)


def _fall_back_option(rules: RuleSystem) -> ActionOption:
    return next((action for action in rules.data.actions if action.done == FALL_BACK), ActionOption("", ""))


STAGES = stages_in(globals(), ACTION)
