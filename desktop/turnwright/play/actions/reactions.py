"""The stack of declared actions, and the responses of an action's targets, who may follow one that withdraws.

After all reactions, declared actions are resolved newest first, and moves last.
"""

import msgspec

from turnwright.encounter import field_specs, prepared, state
from turnwright.encounter.procedure_state import Declaration, Procedure
from turnwright.encounter.procedure_state.actions import ACTION, REACTION_STACK, ActionInProgress, ReactionStack
from turnwright.encounter.procedure_state.asks import Ask, Option, choice_ask
from turnwright.encounter.procedure_state.attacks import ATTACK, SAVE_EFFECT, SaveEffect
from turnwright.encounter.procedure_state.movement import MoveInProgress
from turnwright.encounter.running import Combatant, Duration, Effect
from turnwright.play.asking.declaration import begin_action, resolve_declared
from turnwright.play.attacks.attack_request import attack_on, weapon_for
from turnwright.play.kernel.events import CombatantEvent, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, choice_of, choices_of, data_of, goto
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.move import begin_move
from turnwright.play.state import action_economy, effect_records, events
from turnwright.rules.parts.actions.action_options import action_vetoes, feature_of, possible_others, stat_block_options
from turnwright.rules.parts.attacks.attack_targeting import is_attack
from turnwright.rules.parts.economy import limited_uses
from turnwright.rules.parts.movement import move_legs, routes
from turnwright.rules.system import RuleSystem, label_of
from turnwright.rules.system_data.numbers import ActionOption

NO_REACTION = "nobody"
WHO, HOW, ANSWERED, TARGET = "who", "how", "answered", "whom"


def open_window(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> Procedure:
    """Ask which of the combatants that can react does so. If none can, resolve the declared actions."""
    candidates = (
        limited_uses.reactors(tx, tx.rules)
        if limited_uses.can_be_reacted_to(tx, tx.rules) and limited_uses.pending_declarations(tx)
        else ()
    )
    if not candidates:
        return goto(procedure, REACTION_STACK.resolve_newest)
    options = (*(Option(who, label_of(tx, who)) for who in candidates), Option(NO_REACTION, "option.reacts_nobody"))
    question = choice_ask(WHO, "ask.who_reacts", options, suggested=NO_REACTION, rule=tx.rule_id("reaction.trigger"))
    ask(tx, procedure, "prompt.stack", [question], subject=declared_summary(tx))
    return goto(procedure, REACTION_STACK.ask_reaction)


def declared_summary(lookup: state.Lookup) -> str:
    """Return a line that lists the declared actions in the order of declaration."""
    return " > ".join(
        f"{label_of(lookup, action.who)}: {action.name}" for action in limited_uses.pending_declarations(lookup)
    )


def ask_reaction(tx: Transaction, procedure: Procedure, data: ReactionStack, answers: Answers) -> Procedure:
    """Ask the reacting combatant for its reaction, and for the trigger if several actions are declared."""
    who = choice_of(answers, WHO, NO_REACTION)
    if who == NO_REACTION or tx.get(Combatant, who) is None:
        return goto(procedure, REACTION_STACK.resolve_newest)
    rule = tx.rule_id("round.off-turn")
    options = tuple(Option(id, name) for id, name in reaction_options(tx, who))
    asks = [Ask(HOW, "choice", "ask.reacts_how", who, label_of(tx, who), options=options, rule=rule)] if options else []
    declared = reversed(limited_uses.pending_declarations(tx))
    newest_first = tuple(Option(action.id, f"{label_of(tx, action.who)}: {action.name}") for action in declared)
    if asks and len(newest_first) > 1:
        rule = tx.rule_id("reaction.trigger")
        asks.append(choice_ask(ANSWERED, "ask.answers_what", newest_first, who, rule=rule))
    ask(tx, procedure, "prompt.stack", asks, subject=declared_summary(tx), rule=rule)
    return goto(procedure, REACTION_STACK.begin_reaction, data, reactor=who, trigger="")


def reaction_options(tx: Transaction, who: str) -> list[tuple[str, str]]:
    """Return the id and name of each reaction that a combatant can take: its own features first, then common actions.

    The list omits reactions that it can't pay for, actions that only convert a resource, and actions that need a note
    (they have a separate command).
    """
    own_options = [
        (option.id, option.name)
        for option, feature in stat_block_options(tx, tx.rules, who)
        if not action_vetoes(tx, tx.rules, who, option) and not action_economy.use_vetoes(tx, tx.rules, who, feature)
    ]
    listed = [action for action in tx.rules.data.actions if _is_way(tx, who, action)]
    return own_options + [(option.id, option.name) for option in listed]


def _is_way(tx: Transaction, who: str, option: ActionOption) -> bool:
    if option.gives or "note" in option.asks or action_vetoes(tx, tx.rules, who, option):
        return False
    return option.targets != "one" or bool(possible_others(tx, tx.rules, who, option, "target"))


def begin_reaction(tx: Transaction, procedure: Procedure, data: ReactionStack, answers: Answers) -> Procedure:
    """Begin a reaction. If it is an attack or a feature with a save, ask for its targets first."""
    how = choice_of(answers, HOW)
    if not how or tx.get(Combatant, data.reactor) is None:
        return goto(procedure, REACTION_STACK.open_window)
    answered = choice_of(answers, ANSWERED)
    feature = feature_of(tx, data.reactor, how) if how not in tx.rules.actions else None
    data = msgspec.structs.replace(data, trigger=answered, reaction=how)
    if feature is None or not needs_targets(feature):
        begin_action(tx, ActionInProgress(data.reactor, how), procedure.id)
        return goto(procedure, REACTION_STACK.open_window, data)
    trigger = tx.get(Declaration, answered) or limited_uses.pending_declarations(tx)[-1]
    options = tuple(
        Option(each.id, each.label) for each in tx.all(Combatant) if each.id != data.reactor and not each.dead
    )
    suggested = (trigger.who,) if trigger.who != data.reactor else ()
    most = 1 if is_attack(feature) else feature.targets
    question = Ask(
        TARGET,
        "targets",
        "ask.reacts_at",
        data.reactor,
        feature.name,
        options=options,
        suggested=suggested,
        max_choices=most,
        rule=tx.rule_id("round.off-turn"),
    )
    ask(tx, procedure, "prompt.stack", [question], subject=declared_summary(tx))
    return goto(procedure, REACTION_STACK.begin_targeted_reaction, data)


def needs_targets(feature: prepared.Feature) -> bool:
    """Return whether a feature needs targets: it is an attack, or it has a save."""
    return is_attack(feature) or bool(feature.save)


def begin_targeted_reaction(tx: Transaction, procedure: Procedure, data: ReactionStack, answers: Answers) -> Procedure:
    """Begin a reaction that has targets: an attack, or a feature with a save."""
    feature = feature_of(tx, data.reactor, data.reaction)
    targets = tuple(each for each in answers[TARGET].chosen if tx.get(Combatant, each)) if TARGET in answers else ()
    if feature is None or not targets:
        return goto(procedure, REACTION_STACK.open_window)
    if is_attack(feature):
        attack = attack_on(tx, tx.rules, data.reactor, targets[0], weapon_for(tx, tx.rules, data.reactor, feature.id))
        begin(tx, ATTACK.declare, attack, procedure.id)
    else:
        effect = SaveEffect((data.reactor,), feature, targets, feature.save, feature.dc, feature.half)
        begin(tx, SAVE_EFFECT.declare_feature, effect, procedure.id)
    return goto(procedure, REACTION_STACK.open_window)


def resolve_newest(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> Next:
    """Resolve the next declared action. If none remains, end the stack."""
    following = next(iter(limited_uses.resolution_order(tx)), None)
    if following is None:
        return None
    resolve_declared(tx, procedure, following)
    return goto(procedure, REACTION_STACK.resolve_newest)


FALL_BACK = "fall-back"
FOLLOW, STAY = "follow", "stay"


@journal("journal.fell_back_alone", when={"pursuer": "journal.fell_back"}, presser="pursuer")
class Withdrew(CombatantEvent, frozen=True):
    """A combatant withdrew from its pursuer by `feet`."""

    pursuer: field_specs.CombatantId
    feet: int


@journal("journal.followed")
class Pursued(CombatantEvent, frozen=True):
    """A combatant followed an enemy that withdrew, by `feet` that cost no movement."""

    after: field_specs.CombatantId
    feet: int


def ask_responses(tx: Transaction, procedure: Procedure, option: ActionOption) -> Next:
    """Ask the targets for their responses. If none can respond, end the action."""
    data = data_of(procedure, ActionInProgress)
    asks, detail = [], label_of(tx, data.who)
    for target in data.targets:
        if reactions := _reactions(tx, target, option):
            options = [Option(reaction.id, reaction.name) for reaction in reactions]
            asks.append(action_economy.reaction_ask(target, options, rule=reactions[0].rule(), detail=detail))
    if not asks:
        return None
    return ask(tx, goto(procedure, ACTION.after_responses, data), "prompt.reaction", asks, subject=option.name)


def _reactions(tx: Transaction, who: str, option: ActionOption) -> list[ActionOption]:
    """Return the reactions to an action that a combatant could take now."""
    if tx.get(Combatant, who) is None or not move_legs.can_react(tx, tx.rules, who):
        return []
    offered = [tx.rules.actions[id] for id in option.offers if id in tx.rules.actions]
    allowed = (reaction for reaction in offered if not action_vetoes(tx, tx.rules, who, reaction))
    return [reaction for reaction in allowed if can_retreat(tx, who, reaction)]


def can_retreat(tx: Transaction, who: str, option: ActionOption) -> bool:
    """Return whether there is a free square to retreat to. Always True for other reactions, or without a grid."""
    pursuer = pursuer_of(tx, who)
    if option.done != FALL_BACK or not pursuer or not routes.all_on_grid(tx, tx.rules, who, pursuer):
        return True
    return routes.one_step(tx, tx.rules, who, pursuer, away=True) is not None


def pursuer_of(tx: Transaction, who: str) -> str:
    """Return the id of a combatant's pursuer, or an empty string if it has none."""
    return next((effect.by for effect in tx.of(Effect, who) if effect.name == tx.role("pressed")), "")


def after_responses(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> Next:
    """Carry out the chosen reactions, and pay their costs."""
    withdrawn = []
    for who, action in action_economy.accepted_reactions(answers):
        option = tx.rules.actions.get(action)
        if option is None or action == action_economy.PASS or tx.get(Combatant, who) is None:
            continue
        action_economy.deduct(tx, who, option.cost)
        tx.emit(events.ActionTaken(who=who, action=option.name, cost=option.cost, rule=option.rule()))
        if option.done == FALL_BACK:
            retreat(tx, procedure, who, option)
            withdrawn.append(who)
    return goto(procedure, ACTION.ask_follow, failed=tuple(withdrawn)) if withdrawn else None


def withdraw(tx: Transaction, procedure: Procedure, data: ActionInProgress, option: ActionOption) -> Procedure:
    """Withdraw as an action. The pursuer may follow, as it may when a combatant withdraws as a reaction."""
    pursuer = pursuer_of(tx, data.who)
    retreat(tx, procedure, data.who, option)
    return goto(procedure, ACTION.ask_follow, data, who=pursuer or data.who, failed=(data.who,))


def retreat(tx: Transaction, procedure: Procedure, who: str, option: ActionOption) -> None:
    """Move a combatant straight away from its pursuer without opportunity attacks. Without a grid, only report it."""
    pursuer = pursuer_of(tx, who)
    to = routes.one_step(tx, tx.rules, who, pursuer, away=True) if pursuer else None
    id, name, ends = tx.next_id("effect"), tx.role("fell-back"), Duration("turn-start", pursuer or who)
    effect_records.put_effect(tx, Effect(id, who, name, source=option.name, ends=ends, by=pursuer))
    tx.emit(Withdrew(who=who, pursuer=pursuer, feet=routes.STEP, rule=option.rule("move")))
    if to is not None:
        _go(tx, who, to, procedure.id)


def _go(tx: Transaction, who: str, to: prepared.Point, parent: str) -> None:
    """Move a combatant to a square at no cost, and without opportunity attacks."""
    begin_move(tx, MoveInProgress(who, path=(to,), elevations=(tx.need(Combatant, who).elevation,), free=True), parent)


def ask_follow(tx: Transaction, procedure: Procedure, data: ActionInProgress, answers: Answers) -> Next:
    """Ask the pursuer whether to follow the combatant that withdrew, if there is room."""
    withdrawn = [id for id in data.failed if tx.get(Combatant, id) is not None]
    if tx.get(Combatant, data.who) is None or not withdrawn or withdrawn[0] == data.who:
        return None
    label = label_of(tx, withdrawn[0])
    placed = routes.all_on_grid(tx, tx.rules, data.who, withdrawn[0])
    if placed and routes.one_step(tx, tx.rules, data.who, withdrawn[0], away=False) is None:
        return None
    rule = _fall_back_option(tx.rules).rule("follow")
    options = (Option(FOLLOW, "option.follow"), Option(STAY, "option.stay"))
    question = choice_ask("follow", "ask.follow", options, data.who, label, suggested=STAY, rule=rule)
    return ask(tx, goto(procedure, ACTION.move_follower, data), "prompt.follow", [question], subject=label)


def move_follower(tx: Transaction, procedure: Procedure, data: ActionInProgress, answers: Answers) -> None:
    """Move the pursuer after the combatant that withdrew. It costs no movement, and provokes no opportunity attacks."""
    after = next((id for id in data.failed if tx.get(Combatant, id) is not None), "")
    if FOLLOW not in choices_of(answers, "follow") or not after or tx.get(Combatant, data.who) is None:
        return
    to = routes.one_step(tx, tx.rules, data.who, after, away=False)
    tx.emit(Pursued(who=data.who, after=after, feet=routes.STEP, rule=_fall_back_option(tx.rules).rule("follow")))
    if to is not None:
        _go(tx, data.who, to, procedure.id)


def _fall_back_option(rules: RuleSystem) -> ActionOption:
    return next((action for action in rules.data.actions if action.done == FALL_BACK), ActionOption("", ""))
