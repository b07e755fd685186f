"""Ready: a trigger and a response, the concentration that holds a readied spell, and its release or loss.

The response takes the reaction. Attacks and features are released by separate commands (`mark_released`), moves and
actions of the rule system here. An unused response ends at the start of its owner's next turn.
"""

import msgspec

from turnwright.encounter import field_specs, prepared
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ACTION, ActionInProgress
from turnwright.encounter.procedure_state.asks import Ask, Option
from turnwright.encounter.running import Combatant, Duration, Effect, Track, track_id
from turnwright.encounter.state import Lookup, effects_named, find_effect
from turnwright.play.asking.declaration import begin_action
from turnwright.play.effects.concentration import concentrate
from turnwright.play.kernel.events import CombatantEvent, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, choice_of, goto, withdraw_asks
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.state import action_economy, effect_records
from turnwright.rules.parts.actions import action_options
from turnwright.rules.parts.attacks.attack_targeting import is_spell
from turnwright.rules.parts.conditions.condition_rules import unmet_requirements
from turnwright.rules.parts.economy.limited_uses import is_on_turn, out_of_turn_vetoes, pool_vetoes, use_key
from turnwright.rules.system import RuleSystem, Veto, label_of
from turnwright.rules.system_data.numbers import ActionOption

READIED_MOVE = "readied-move"
RESPONSE = "response"  # the ask for the action that is the released response
READIED_ACTION = "readied-action"  # mark: an action may be taken out of turn, because it was readied
ANY_ACTION = "action"


@journal("journal.readied_untold", when={"trigger": "journal.readied"})
class ActionReadied(CombatantEvent, frozen=True):
    """A combatant readied a response to a trigger."""

    response: str
    trigger: str


@journal("journal.readied_wasted")
class ReadiedActionLost(CombatantEvent, frozen=True):
    """A readied action was lost; `why` is a word key."""

    response: str
    why: field_specs.WordKey


def readied_effect(lookup: Lookup, rules: RuleSystem, who: str) -> Effect | None:
    """Return a combatant's readied effect: `source` is the response, `end_condition` the trigger."""
    return find_effect(lookup, who, rules.role("readied"))


def require_move(tx: Transaction, who: str, turn_owner: str) -> None:
    """Refuse a move outside the turn of `turn_owner`, unless the move is readied or a feature allows it."""
    bought = tx.rules.actions.get(tx.rules.data.movement.bought)
    if effects_named(tx, who, READIED_MOVE):
        return
    if bought is not None:
        tx.forbid_by(out_of_turn_vetoes(tx, tx.rules, turn_owner, bought.cost))
    else:
        action_economy.require_turn(tx, turn_owner)


def release_vetoes(
    lookup: Lookup, rules: RuleSystem, who: str, feature: prepared.Feature, *, attack: bool = False
) -> tuple[Veto, ...]:
    """Return the vetoes against releasing a feature that isn't the readied response. `attack`: the feature attacks."""
    effect = readied_effect(lookup, rules, who)
    label, rule = lookup.need(Combatant, who).label, rules.rule_id("ready.reaction")
    if effect is None:
        return (Veto("refused.nothing_readied", rule, (("who", label),)),)
    if effect.source == feature.id or (
        not is_spell(feature) and effect.source == (action_options.ATTACK if attack else ANY_ACTION)
    ):
        return ()
    return (Veto("refused.other_readied", rule, (("who", label), ("what", response_name(lookup, rules, effect)))),)


def ready(tx: Transaction, procedure: Procedure, data: ActionInProgress, option: ActionOption) -> None:
    """Store the trigger and the response. A readied spell is cast now: it costs its slot and needs concentration."""
    before = readied_effect(tx, tx.rules, data.who)
    if before is not None:
        tx.remove(before)
    feature = action_options.feature_of(tx, data.who, data.choice)
    is_spell_held = feature is not None and is_spell(feature)
    if feature is not None and is_spell_held:
        tx.forbid_by(action_economy.use_vetoes(tx, tx.rules, data.who, feature))
        action_economy.spend_use(tx, data.who, use_key(feature), feature.name)
        concentrate(tx, data.who, feature.name)
    effect = Effect(
        tx.next_id("effect"),
        data.who,
        tx.role("readied"),
        source=data.choice,
        ends=Duration("turn-start", data.who),
        end_condition=data.note,
        concentrator=data.who if is_spell_held else "",
        level=action_economy.attacks_made(tx, tx.rules, data.who),
    )
    effect_records.put_effect(tx, effect)
    rule = option.rule("held") if is_spell_held else option.rule()
    tx.emit(ActionReadied(who=data.who, response=response_name(tx, tx.rules, effect), trigger=data.note, rule=rule))


def response_name(lookup: Lookup, rules: RuleSystem, effect: Effect) -> str:
    """Return the name of a readied response."""
    feature = action_options.feature_of(lookup, effect.target, effect.source)
    action = rules.actions.get(effect.source)
    ways = (choice for action in rules.data.actions if action.done == "ready" for choice in action.choices)
    names = {way.id: way.name for way in ways}
    return feature.name if feature else names.get(effect.source) or (action.name if action else effect.source)


def release_readied(tx: Transaction, procedure: Procedure, data: ActionInProgress, option: ActionOption) -> Next:
    """Release the readied response; its reaction is already spent.

    An action of the rule system begins now, or is asked for. A move's feet remain until this turn ends.
    """
    effect = readied_effect(tx, tx.rules, data.who)
    if effect is None:
        return None
    if effect.source == action_options.ATTACK or action_options.feature_of(tx, data.who, effect.source) is not None:
        params = {"who": label_of(tx, data.who), "what": response_name(tx, tx.rules, effect)}
        raise Refused("refused.released_by_itself", rule=option.rule(), params=params)
    _remove_readied(tx, effect)
    if effect.source == action_options.MOVE:
        tx.put(Effect(tx.next_id("effect"), data.who, READIED_MOVE, ends=Duration("turn"), shown=False))
        if not is_on_turn(tx, data.who):  # movement on the combatant's own turn doesn't count
            tx.put(Track(track_id(data.who, action_economy.MOVED), data.who, action_economy.MOVED))
    elif effect.source == ANY_ACTION:
        tx.put(Effect(tx.next_id("effect"), data.who, READIED_ACTION, ends=Duration("turn"), shown=False))
        actions = (
            one
            for one in tx.rules.data.actions
            if action_options.takes_an_action(one) and one.done not in (action_options.READY, action_options.ATTACK)
        )
        possible = (one for one in actions if not [*unmet_requirements(tx, tx.rules, data.who, one)])
        options = tuple(Option(one.id, one.name) for one in possible)
        asked = Ask(RESPONSE, "choice", "ask.readied_action", data.who, options=options, rule=option.rule())
        return ask(
            tx, goto(procedure, ACTION.begin_readied), "prompt.readied_action", [asked], subject=label_of(tx, data.who)
        )
    elif effect.source in tx.rules.actions:
        begin_action(tx, _paid_for(tx, ActionInProgress(data.who, effect.source, data.targets)), procedure.id)
    return None


def begin_readied(tx: Transaction, procedure: Procedure, data: ActionInProgress, answers: Answers) -> None:
    """Begin the action chosen as the released response, unless it was entered as a command or nothing was chosen."""
    action, released = choice_of(answers, RESPONSE), find_effect(tx, data.who, READIED_ACTION)
    if action and released is not None:
        tx.remove(released)
        begin_action(tx, _paid_for(tx, ActionInProgress(data.who, action)), procedure.parent)


def use_released_action(tx: Transaction, data: ActionInProgress) -> ActionInProgress:
    """Return an action as paid for if it is the combatant's released response, or else unchanged."""
    released = find_effect(tx, data.who, READIED_ACTION)
    option = tx.rules.actions.get(data.action)
    if released is None or option is None or not action_options.takes_an_action(option) or is_on_turn(tx, data.who):
        return data
    tx.remove(released)
    withdraw_asks(tx, lambda question: (question.id, question.who) == (RESPONSE, data.who))
    return _paid_for(tx, data)


def _paid_for(tx: Transaction, data: ActionInProgress) -> ActionInProgress:
    """Return an action that costs only its additional pools. Refuse it if it isn't possible."""
    option = tx.rules.actions[data.action]
    tx.forbid_by(action_options.requirement_vetoes(tx, tx.rules, data.who, option, data))
    tx.forbid_by(pool_vetoes(tx, tx.rules, data.who, option.id, option.spends))
    action_economy.deduct_pools(tx, data.who, option.id, option.spends)
    return msgspec.structs.replace(data, included=True)


def ignore_trigger(tx: Transaction, who: str, option: ActionOption) -> None:
    """Ignore the trigger: the readied response is lost, but not the reaction."""
    effect = readied_effect(tx, tx.rules, who)
    if effect is None:
        raise Refused("refused.nothing_readied", params={"who": label_of(tx, who)})
    _remove_readied(tx, effect)
    name = response_name(tx, tx.rules, effect)
    tx.emit(ReadiedActionLost(who=who, response=name, why="why.let_go_by", rule=option.rule("ignore")))


def mark_released(tx: Transaction, who: str) -> Effect | None:
    """Remove and return a combatant's readied effect, because another command has carried it out."""
    effect = readied_effect(tx, tx.rules, who)
    if effect is not None:
        _remove_readied(tx, effect)
    return effect


def is_holding_spell(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant holds a readied spell whose slot is already spent."""
    effect = readied_effect(lookup, rules, who)
    return effect is not None and bool(effect.concentrator)


def release_held_spell(tx: Transaction, who: str) -> bool:
    """Remove a combatant's readied effect. Return whether it was a held spell, which is already paid for."""
    effect = mark_released(tx, who)
    return effect is not None and bool(effect.concentrator)


def _remove_readied(tx: Transaction, effect: Effect) -> None:
    tx.remove(effect)
    holding = effect_records.concentration_of(tx, tx.rules, effect.concentrator) if effect.concentrator else None
    if holding is not None:
        effect_records.end_effect(tx, holding)
