"""Action effects that are implemented in code, keyed by the value of `done` in the action's data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from turnwright.encounter.lookups import active_slot
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ACTION, ActionInProgress
from turnwright.encounter.procedure_state.asks import Option, choice_ask
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.actions.catch_thrown_item import offer_catch
from turnwright.play.actions.contest import apply_result
from turnwright.play.actions.disable_device import disable
from turnwright.play.actions.escape import ESCAPE_DC
from turnwright.play.actions.events import ManeuverResolved
from turnwright.play.actions.maneuver_responses import withdraw
from turnwright.play.actions.sustain_effect import sustain
from turnwright.play.attacks.attack_cost import start_attack_action
from turnwright.play.damage.death_saves import stabilise
from turnwright.play.effects.ready_action import ready, release_readied
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.scheduler import Answers, ask, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.declared_move import begin_path_choice
from turnwright.play.movement.forced_movement import push
from turnwright.play.movement.prone import DROP, STAND, drop, stand
from turnwright.play.state.effect_records import effect_id_for, put_effect
from turnwright.play.state.events import EffectGained
from turnwright.play.state.movement_points import remember_stride
from turnwright.play.turn_order.delay import put_off_turn
from turnwright.rules.parts.actions.action_options import action_option
from turnwright.rules.parts.checks.action_checks import known_number
from turnwright.rules.parts.combatants.disable_device import DISABLE
from turnwright.rules.parts.conditions.condition_rules import is_immune_to
from turnwright.rules.parts.economy.declared import can_be_reacted_to
from turnwright.rules.parts.economy.resources import is_on_turn
from turnwright.rules.parts.movement.strides import Stride, stride_action, stride_mode
from turnwright.rules.system import RuleSystem, label_of
from turnwright.rules.system_data.actions import ActionOption

ActionEffect = Callable[[Transaction, RuleSystem, Procedure, ActionInProgress, ActionOption], Procedure | None]
STRIDE, READY, DELAY = "stride", "ready", "delay"
NOTHING, PUSHED = "nothing", "pushed"


def delay_turn(
    tx: Transaction, rules: RuleSystem, procedure: Procedure, data: ActionInProgress, option: ActionOption
) -> None:
    """Delay the current turn, which must be the actor's."""
    slot = active_slot(tx)
    if slot is None or not is_on_turn(tx, data.who):
        params = {"who": label_of(tx, data.who)}
        raise Refused("refused.not_your_turn", rule=rules.rule_id("turn.delay"), params=params)
    put_off_turn(tx, rules, slot)


def stabilise_targets(
    tx: Transaction, rules: RuleSystem, procedure: Procedure, data: ActionInProgress, option: ActionOption
) -> None:
    """Make the helped targets stable."""
    for target in data.targets:
        if tx.get(Combatant, target) is not None:
            stabilise(tx, rules, target, option.rule("result"))


def ask_maneuver(
    tx: Transaction, rules: RuleSystem, procedure: Procedure, data: ActionInProgress, option: ActionOption
) -> Procedure:
    """Ask the game master for the outcome of a maneuver against each target, because no rule here decides it."""
    variant = next((choice for choice in option.choices if choice.id == data.choice), None)
    suggested = variant.outcome if variant else NOTHING
    outcomes = list(dict.fromkeys((NOTHING, *(choice.outcome for choice in option.choices if choice.outcome))))
    options = tuple(
        Option(outcome, f"<condition.{outcome}>" if outcome in rules.conditions else f"option.{outcome}")
        for outcome in outcomes
    )
    rule = option.rule("outcome")
    asks = [
        choice_ask(
            target, "ask.outcome", options, target, variant.name if variant else "", suggested=suggested, rule=rule
        )
        for target in data.targets
        if tx.get(Combatant, target) is not None
    ]
    ask(tx, procedure, "prompt.maneuver", asks, subject=variant.name if variant else option.name)
    return goto(procedure, ACTION.apply_maneuver, data)


def apply_maneuver(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Apply the maneuver outcomes that the game master chose."""
    data = data_of(procedure, ActionInProgress)
    option = action_option(tx, rules, data.who, data.action)
    variant = next((choice for choice in option.choices if choice.id == data.choice), None)
    rule = option.rule()
    for target, answer in answers.items():
        outcome = next(iter(answer.chosen), NOTHING)
        if tx.get(Combatant, target) is None:
            continue
        outcome_key = f"condition.{outcome}" if outcome in rules.conditions else f"option.{outcome}"
        name = variant.name if variant else option.name
        tx.emit(ManeuverResolved(who=data.who, target=target, maneuver=name, outcome=outcome_key, rule=rule))
        if outcome in rules.conditions and not is_immune_to(tx, target, outcome):
            _bring_about(tx, rules, data.who, target, outcome, name, rule)
        elif outcome == PUSHED and variant is not None and variant.value:
            push(tx, rules, (target,), variant.value, source=name, pusher=data.who, rule=rule, parent=procedure.id)


def _bring_about(
    tx: Transaction, rules: RuleSystem, who: str, target: str, outcome: str, source: str, rule: str
) -> None:
    """Apply a maneuver's condition to its target. A check against the DC can end a restraining condition."""
    holds = outcome in dict(rules.data.escapes)
    by = who if holds else ""
    dc = known_number(tx, rules, who, ESCAPE_DC) or 0 if holds else 0
    put_effect(
        tx, rules, Effect(effect_id_for(tx, target, outcome, by), target, outcome, source=source, value=dc, by=by)
    )
    reported = EffectGained(target=target, name=outcome, value=dc, source=source, by=by, rule=rule, bookkeeping=True)
    tx.emit(reported)  # the maneuver's journal line reports it


def buy_stride(
    tx: Transaction, rules: RuleSystem, procedure: Procedure, data: ActionInProgress, option: ActionOption
) -> None:
    """Start the movement paid for with the usual move action, or with another action that includes a move."""
    mode = stride_mode(rules, option.id)
    most, usual = rules.allowance(tx, rules, data.who, mode), stride_action(rules, mode)
    if most is not None and usual is not None:
        feet = min(option.feet or most.total, most.total)
        remember_stride(tx, data.who, usual.id, Stride(feet), most.total, option.id)
        if can_be_reacted_to(tx, rules):
            begin_path_choice(tx, rules, data.who, mode, procedure.id)


ACTION_EFFECTS: Mapping[str, ActionEffect] = MappingProxyType(
    {
        "attack": lambda tx, _rules, _procedure, data, _option: start_attack_action(tx, data.who),
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
    }
)


STAGES = stages_in(globals(), ACTION)
