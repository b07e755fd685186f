"""Action effects that are implemented in code, keyed by the value of `done` in the action's data."""

from collections.abc import Callable, Mapping

from turnwright.encounter.field_specs import CombatantId, WordKey
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ACTION, ActionInProgress
from turnwright.encounter.procedure_state.asks import Ask, Option, choice_ask
from turnwright.encounter.procedure_state.movement import ForcedMovement
from turnwright.encounter.running import Combatant, Effect, Track, track_id
from turnwright.encounter.state import active_slot
from turnwright.play.actions.contest import ESCAPES, apply_result, begin_escape, can_be_escaped
from turnwright.play.actions.reactions import withdraw
from turnwright.play.attacks.attack_request import start_attack_action
from turnwright.play.damage.zero_hit_points import stabilise
from turnwright.play.effects.conditions import extend_sustained, sustained_effects
from turnwright.play.effects.ready_action import ready, release_readied
from turnwright.play.kernel.events import CombatantEvent, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, choices_of, goto
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.movement.commanded_move import begin_path_choice
from turnwright.play.movement.forced_movement import DROP, PUSHED, STAND, drop, push, stand
from turnwright.play.state.action_economy import accepted_reactions, deduct, reaction_ask, remember_stride
from turnwright.play.state.effect_records import effect_id_for, put_condition, put_effect
from turnwright.play.state.events import ActionTaken, EffectGained
from turnwright.play.turn_order.surprise import put_off_turn
from turnwright.rules.parts.actions.action_options import action_option
from turnwright.rules.parts.checks.ability_checks import LADDER, known_number
from turnwright.rules.parts.combatants.facts import DISABLE, PROGRESS, disable_progress, is_working_device
from turnwright.rules.parts.conditions.condition_rules import is_immune_to
from turnwright.rules.parts.economy import limited_uses
from turnwright.rules.parts.economy.limited_uses import can_be_reacted_to, can_respond, is_on_turn
from turnwright.rules.parts.movement.move_legs import Stride, stride_action, stride_mode
from turnwright.rules.parts.positions.geometry import are_hostile
from turnwright.rules.system import label_of
from turnwright.rules.system_data.numbers import ActionOption

CATCH = "catch"
ActionEffect = Callable[[Transaction, Procedure, ActionInProgress, ActionOption], Next]
STRIDE, READY, DELAY = "stride", "ready", "delay"
NOTHING = "nothing"


@journal("journal.maneuver", about="target", what="maneuver")
class ManeuverResolved(CombatantEvent, frozen=True):
    """A maneuver had the outcome that the game master entered; `outcome` is a word key."""

    target: CombatantId
    maneuver: str
    outcome: WordKey


@journal("journal.worked_at")
class DeviceProgress(CombatantEvent, frozen=True):
    """A combatant made progress in disabling a device: `done` of the `need` successes required."""

    target: CombatantId
    done: int
    need: int


def sustain(tx: Transaction, procedure: Procedure, data: ActionInProgress, option: ActionOption) -> Next:
    """Extend a sustained effect to the end of its caster's next turn. If there are several, ask which."""
    effects = sustained_effects(tx, data.who)
    if not effects:
        tx.forbid("refused.nothing_sustained", option.rule(), who=label_of(tx, data.who))
        return None
    if len(effects) == 1:
        extend_sustained(tx, effects[0])
        return None
    options = tuple(Option(effect.id, effect.source or f"<condition.{effect.name}>") for effect in effects)
    question = Ask("which", "choice", "ask.sustained", data.who, options=options, rule=option.rule())
    return ask(tx, goto(procedure, ACTION.sustain_chosen, data), "prompt.action", [question], subject=option.name)


def sustain_chosen(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> None:
    """Extend the chosen effect."""
    for id in choices_of(answers, "which"):
        effect = tx.get(Effect, id)
        if effect is not None:
            extend_sustained(tx, effect)


def escape(tx: Transaction, procedure: Procedure, data: ActionInProgress, option: ActionOption) -> None:
    """Begin an attempt to escape the effect that a target of the action has caused, or else the first that allows it."""
    effects = [effect for effect in tx.of(Effect, data.who) if can_be_escaped(tx.rules, effect)]
    effect = next((effect for effect in effects if effect.by in data.targets), next(iter(effects), None))
    if effect is None:
        tx.forbid("refused.not_grappled", option.rule(), who=label_of(tx, data.who))
    else:
        begin_escape(tx, effect)


def offer_catch(tx: Transaction, procedure: Procedure, data: ActionInProgress, option: ActionOption) -> Next:
    """Ask each ally who can catch a thrown item whether to catch it."""
    rule = tx.rule_id("throw.catch")
    label = label_of(tx, data.who)
    asks = [
        reaction_ask(target, [Option(CATCH, "option.catch")], rule=rule, detail=label)
        for target in data.targets
        if can_catch(tx, data.who, target, option)
    ]
    if not asks:
        return None
    return ask(tx, goto(procedure, ACTION.finish_catch, data), "prompt.thrown", asks, subject=label_of(tx, asks[0].id))


def can_catch(tx: Transaction, who: str, ally: str, option: ActionOption) -> bool:
    """Return whether an ally can catch an item thrown by a combatant."""
    price = tx.rules.data.reactions.catch
    if not price or tx.get(Combatant, ally) is None or are_hostile(tx, who, ally):
        return False
    return can_respond(tx, tx.rules, ally) and not limited_uses.spending_vetoes(tx, tx.rules, ally, option.cost, price)


def finish_catch(tx: Transaction, procedure: Procedure, data: ActionInProgress, answers: Answers) -> None:
    """Spend the cost of the catch for each ally who catches the item."""
    option = action_option(tx, tx.rules, data.who, data.action)
    for who, _ in accepted_reactions(answers):
        if tx.get(Combatant, who) is not None:
            resource = limited_uses.paying_resource(tx, tx.rules, who, option.cost)
            deduct(tx, who, option.cost, tx.rules.data.reactions.catch)
            rule = tx.rule_id("throw.catch")
            price = limited_uses.counted_price(tx.rules, resource, tx.rules.data.reactions.catch)
            tx.emit(
                ActionTaken(who=who, action="<action.catch>", cost=resource, note=data.note, price=price, rule=rule)
            )


def disable(tx: Transaction, procedure: Procedure, data: ActionInProgress, option: ActionOption) -> None:
    """Count a success against a device, and stop the device after enough of them. A critical success may count more."""
    target = next((candidate for candidate in data.targets if tx.get(Combatant, candidate) is not None), "")
    if not target or not is_working_device(tx, tx.rules, target):
        return
    numbers = tx.rules.data.dying.devices
    before, need = disable_progress(tx, target)
    successes = min(before + (numbers.critical if data.degree == LADDER[-1] else 1), need)
    tx.emit(DeviceProgress(who=data.who, target=target, done=successes, need=need, rule=option.rule()))
    tx.put(Track(track_id(target, PROGRESS), target, PROGRESS, successes, need))
    if successes >= need:
        put_condition(tx, target, numbers.condition, rule=tx.rule_id("thing.stopped"))


def delay_turn(tx: Transaction, procedure: Procedure, data: ActionInProgress, option: ActionOption) -> None:
    """Delay the current turn, which must be the actor's."""
    slot = active_slot(tx)
    if slot is None or not is_on_turn(tx, data.who):
        raise Refused("refused.not_your_turn", rule=tx.rule_id("turn.delay"), params={"who": label_of(tx, data.who)})
    put_off_turn(tx, slot)


def stabilise_targets(tx: Transaction, procedure: Procedure, data: ActionInProgress, option: ActionOption) -> None:
    """Make the helped targets stable."""
    for target in data.targets:
        if tx.get(Combatant, target) is not None:
            stabilise(tx, target, option.rule("result"))


def ask_maneuver(tx: Transaction, procedure: Procedure, data: ActionInProgress, option: ActionOption) -> Procedure:
    """Ask the game master for the outcome of a maneuver against each target, because no rule here decides it."""
    variant = next((choice for choice in option.choices if choice.id == data.choice), None)
    suggested = variant.outcome if variant else NOTHING
    outcomes = list(dict.fromkeys((NOTHING, *(choice.outcome for choice in option.choices if choice.outcome))))
    options = tuple(
        Option(outcome, f"<condition.{outcome}>" if outcome in tx.rules.conditions else f"option.{outcome}")
        for outcome in outcomes
    )
    rule = option.rule("outcome")
    asks = [
        choice_ask(each, "ask.outcome", options, each, variant.name if variant else "", suggested=suggested, rule=rule)
        for each in data.targets
        if tx.get(Combatant, each) is not None
    ]
    ask(tx, procedure, "prompt.maneuver", asks, subject=variant.name if variant else option.name)
    return goto(procedure, ACTION.apply_maneuver, data)


def apply_maneuver(tx: Transaction, procedure: Procedure, data: ActionInProgress, answers: Answers) -> None:
    """Apply the maneuver outcomes that the game master chose."""
    option = action_option(tx, tx.rules, data.who, data.action)
    variant = next((choice for choice in option.choices if choice.id == data.choice), None)
    rule = option.rule()
    for target, answer in answers.items():
        outcome = next(iter(answer.chosen), NOTHING)
        if tx.get(Combatant, target) is None:
            continue
        outcome_key = f"condition.{outcome}" if outcome in tx.rules.conditions else f"option.{outcome}"
        name = variant.name if variant else option.name
        tx.emit(ManeuverResolved(who=data.who, target=target, maneuver=name, outcome=outcome_key, rule=rule))
        if outcome in tx.rules.conditions and not is_immune_to(tx, target, outcome):
            _bring_about(tx, data.who, target, outcome, name, rule)
        elif outcome == PUSHED and variant is not None and variant.value:
            move = ForcedMovement(PUSHED, variant.value, (target,), source=name, rule=rule, away_from=data.who)
            push(tx, move, procedure.id)


def _bring_about(tx: Transaction, who: str, target: str, outcome: str, source: str, rule: str) -> None:
    """Apply a maneuver's condition to its target. A check against the DC can end a restraining condition."""
    holds = outcome in dict(tx.rules.data.escapes)
    by = who if holds else ""
    dc = known_number(tx, tx.rules, who, tx.rules.data.checks.escape) or 0 if holds else 0
    put_effect(tx, Effect(effect_id_for(tx, target, outcome, by), target, outcome, source=source, value=dc, by=by))
    reported = EffectGained(target=target, name=outcome, value=dc, source=source, by=by, rule=rule, bookkeeping=True)
    tx.emit(reported)  # the maneuver's journal line reports it


def buy_stride(tx: Transaction, procedure: Procedure, data: ActionInProgress, option: ActionOption) -> None:
    """Start the movement paid for with the usual move action, or with another action that includes a move."""
    mode = stride_mode(tx.rules, option.id)
    most, usual = tx.rules.allowance(tx, tx.rules, data.who, mode), stride_action(tx.rules, mode)
    if most is not None and usual is not None:
        feet = min(option.feet or most.total, most.total)
        remember_stride(tx, data.who, usual.id, Stride(feet), most.total, option.id)
        if can_be_reacted_to(tx, tx.rules):
            begin_path_choice(tx, data.who, mode, procedure.id)


ACTION_EFFECTS: Mapping[str, ActionEffect] = {
    "attack": lambda tx, _procedure, data, _option: start_attack_action(tx, data.who),
    DELAY: delay_turn,
    "stabilise": stabilise_targets,
    "maneuver": ask_maneuver,
    READY: ready,
    "release": release_readied,
    "fall-back": withdraw,
    "opposed": apply_result,
    "sustain": sustain,
    STRIDE: buy_stride,
    "thrown": offer_catch,
    STAND: stand,
    DISABLE: disable,
    DROP: drop,
    ESCAPES: escape,
}
