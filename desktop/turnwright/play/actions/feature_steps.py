"""The steps of a feature that names what it does: own attacks and features, spells, moves, actions, checks.

The feature has been paid for: what its steps do costs nothing more but uses of their own.
"""

from __future__ import annotations

from turnwright.dice.roll import Modifier
from turnwright.encounter.lookups import find_effect, track_value
from turnwright.encounter.prepared import ANY_CONDITION, Feature, FeatureStep
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import FEATURE_STEPS, ActionInProgress, FeatureSteps
from turnwright.encounter.procedure_state.asks import Ask, Option, choice_ask
from turnwright.encounter.procedure_state.attacks import ATTACK, SAVE_EFFECT, AttackInProgress, SaveEffect
from turnwright.encounter.procedure_state.turn_order import CALLED_CHECKS, CalledChecks
from turnwright.encounter.running import Combatant, Duration, Effect, Track, track_id
from turnwright.play.asking.action_parameters import begin_action
from turnwright.play.attacks.attack_request import target_vetoes
from turnwright.play.attacks.events import AttackFailed, FeatureUsed
from turnwright.play.effects.concentration import concentrate
from turnwright.play.effects.ready_action import READIED_MOVE
from turnwright.play.kernel.scheduler import (
    Answers,
    ask,
    begin,
    choice_of,
    choices_of,
    data_of,
    goto,
    stages_in,
)
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import MOVED
from turnwright.play.state.effect_records import end_condition, put_condition, put_effect
from turnwright.play.state.events import Skipped
from turnwright.play.state.limited_uses import recharge_features, spend_use, use_vetoes
from turnwright.play.state.movement_points import remember_stride
from turnwright.play.state.multiple_attack_penalty import count_attack
from turnwright.rules.parts import positions
from turnwright.rules.parts.actions.action_options import feature_of, feature_rule
from turnwright.rules.parts.actions.feature_steps import Way, steps_at, steps_of, ways_of
from turnwright.rules.parts.actions.triggered_features import heals_targets
from turnwright.rules.parts.attacks.weapon_kind import is_attack, is_stowed
from turnwright.rules.parts.combatants.incapacitation import cannot_act
from turnwright.rules.parts.combatants.speeds import WALK
from turnwright.rules.parts.economy.limited_uses import use_key
from turnwright.rules.parts.movement.riding import movement_payer
from turnwright.rules.parts.movement.strides import Stride, stride_action, stride_id
from turnwright.rules.system import RuleSystem, label_of

WAY, TARGETS, MOVE = "way", "who", "move"  # the asks
DONE = "done"


def next_step(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask which way the next step is done, where there are several."""
    data = data_of(procedure, FeatureSteps)
    feature = feature_of(tx, data.who, data.feature)
    steps = steps_of(feature) if feature is not None else ()
    if feature is None or data.place >= len(steps) or (cannot_act(tx, data.who) and not steps[data.place].ends):
        for _ in range(data.together):
            count_attack(tx, rules, data.who)
        return None
    ways = _usable_ways(tx, rules, data)
    if not ways:
        tx.emit(Skipped(purpose="ask.feature_step", who=data.who, detail=feature.name))
        return _after(tx, procedure)
    if len(ways) == 1:
        return ask_targets(tx, rules, goto(procedure, FEATURE_STEPS.ask_targets, way=ways[0].id), answers)
    rule = feature_rule(tx, rules, data.who, feature)
    options = tuple(Option(one.id, one.name, one.feature.text if one.feature is not None else "") for one in ways)
    asked = choice_ask(WAY, "ask.feature_step", options, data.who, feature.name, rule=rule)
    ask(tx, procedure, "prompt.feature_step", [asked], subject=feature.name)
    return goto(procedure, FEATURE_STEPS.ask_targets, way="")


def ask_targets(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask for the targets of the step, where it takes any that are not known yet."""
    data = data_of(procedure, FeatureSteps)
    chosen = data.way or choice_of(answers, WAY)
    way = next((one for one in _usable_ways(tx, rules, data) if one.id == chosen), None)
    if way is None or (cannot_act(tx, data.who) and not way.step.ends):
        return _after(tx, procedure)
    procedure = goto(procedure, FEATURE_STEPS.do_step, way=way.id)
    means = way.feature
    if means is None or not _takes_targets(means) or _known_targets(tx, rules, data, means):
        return do_step(tx, rules, procedure, {})
    options = tuple(Option(one.id, one.label) for one in _possible_targets(tx, rules, data, means))
    if not options:
        tx.emit(AttackFailed(who=data.who, weapon=means.name, reason="why.nobody_in_reach"))
        return _after(tx, procedure)
    most = 1 if is_attack(means) else 0
    likely = tuple(one.id for one in options if one.id in data.targets)[: most or None]
    asked = Ask(
        TARGETS, "targets", "ask.targets_one", data.who, means.name, options=options, max_choices=most, suggested=likely
    )
    return ask(tx, procedure, "prompt.feature_step", [asked], subject=means.name)


def do_step(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Do the step; with no target named for one that takes some it is passed over."""
    data = data_of(procedure, FeatureSteps)
    way = next((one for one in _usable_ways(tx, rules, data) if one.id == data.way), None)
    if way is None:
        return _after(tx, procedure)
    step, who = way.step, data.who
    if way.feature is not None:
        targets = choices_of(answers, TARGETS) or _known_targets(tx, rules, data, way.feature)
        if targets or not _takes_targets(way.feature):
            _use(tx, rules, procedure, way.feature, targets, step)
            if step.together and is_attack(way.feature):
                procedure = goto(procedure, FEATURE_STEPS.do_step, together=data.together + 1)
        else:
            tx.emit(Skipped(purpose="ask.feature_step", who=who, detail=way.feature.name))
    elif step.move:
        return _begin_move(tx, rules, procedure, way)
    elif step.action:
        begin_action(tx, rules, ActionInProgress(who, step.action, included=True), procedure.id)
    elif step.roll:
        begin(tx, CALLED_CHECKS.ask_called_check, CalledChecks((who,), step.roll), procedure.id)
    elif step.ends:
        end_condition(tx, rules, who, step.ends)
    elif step.recharges:
        recharge_features(tx, who, step.recharges, apart_from=data.feature)
    elif step.gains:
        _gain(tx, rules, data, step)
    return _after(tx, procedure)


def _gain(tx: Transaction, rules: RuleSystem, data: FeatureSteps, step: FeatureStep) -> None:
    """Put the condition of a step on the owner of its feature."""
    own = feature_of(tx, data.who, data.feature)
    ends = Duration(step.until, data.who) if step.until else Duration()
    source, rule = (own.name, feature_rule(tx, rules, data.who, own)) if own is not None else ("", "")
    put_condition(tx, rules, data.who, step.gains, value=step.value, ends=ends, source=source, rule=rule)


def _after(tx: Transaction, procedure: Procedure) -> Procedure:
    """Return the procedure at the step behind the present one and those in its place."""
    data = data_of(procedure, FeatureSteps)
    feature = feature_of(tx, data.who, data.feature)
    done = len(steps_at(steps_of(feature), data.place)) if feature is not None else 1
    return goto(procedure, FEATURE_STEPS.next_step, place=data.place + max(1, done), way="")


def _usable_ways(tx: Transaction, rules: RuleSystem, data: FeatureSteps) -> list[Way]:
    """Return the ways to do the present step for which there are uses left, and weapons in hand that reach the target."""
    feature = feature_of(tx, data.who, data.feature)
    steps = steps_at(steps_of(feature), data.place) if feature is not None else ()
    found = [way for step in steps for way in ways_of(tx, rules, data.who, step)]
    if len(found) > 1:  # what is on it already can only end, what isn't can only begin
        found = [one for one in found if not _is_so(tx, data.who, one.step)]
    return [one for one in found if one.feature is None or _is_usable(tx, rules, data, one.feature)]


def _is_so(tx: Transaction, who: str, step: FeatureStep) -> bool:
    if step.gains:
        return not step.value and find_effect(tx, who, step.gains) is not None
    return bool(step.ends) and step.ends != ANY_CONDITION and find_effect(tx, who, step.ends) is None


def _is_usable(tx: Transaction, rules: RuleSystem, data: FeatureSteps, means: Feature) -> bool:
    if means.id in (data.feature, *data.within) or is_stowed(rules.data, means):
        return False
    aimed = is_attack(means) and len(data.targets) == 1
    if aimed and not _known_targets(tx, rules, data, means):
        return False
    return not use_vetoes(tx, rules, data.who, means)


def _takes_targets(means: Feature) -> bool:
    if is_attack(means) or heals_targets(means):
        return True
    return bool(means.save or means.damage or means.afflictions or means.push or means.ongoing)


def _known_targets(tx: Transaction, rules: RuleSystem, data: FeatureSteps, means: Feature) -> tuple[str, ...]:
    """Return the one target known beforehand, where an attack may be made on it."""
    if not is_attack(means) or len(data.targets) != 1:
        return ()
    return tuple(one.id for one in _possible_targets(tx, rules, data, means) if one.id in data.targets)


def _possible_targets(tx: Transaction, rules: RuleSystem, data: FeatureSteps, means: Feature) -> list[Combatant]:
    """Return the possible targets of an attack; a feature without an attack roll may have any target.

    One that heals may be its owner's, and names its side first.
    """
    if heals_targets(means):
        here = (one for one in tx.all(Combatant) if not one.dead)
        return sorted(here, key=lambda one: positions.are_hostile(tx, data.who, one.id))
    found = [one for one in tx.all(Combatant) if one.id != data.who and not one.dead]
    if not is_attack(means):
        return found
    return [one for one in found if not target_vetoes(tx, rules, AttackInProgress(data.who, means, one.id))]


def _use(
    tx: Transaction,
    rules: RuleSystem,
    procedure: Procedure,
    means: Feature,
    targets: tuple[str, ...],
    step: FeatureStep,
) -> None:
    """Begin an attack, with what the step adds to its roll, or a feature: it costs nothing but a use of its own."""
    data = data_of(procedure, FeatureSteps)
    who = data.who
    spend_use(tx, who, use_key(means), means.name)
    if is_attack(means):
        own = feature_of(tx, who, data.feature)
        cited = feature_rule(tx, rules, who, own) if own is not None else ""
        added = (Modifier(step.bonus, own.name, cited),) if step.bonus and own is not None else ()
        made = AttackInProgress(who, means, targets[0], modifiers=added, together=step.together)
        begin(tx, ATTACK.declare, made, procedure.id)
        return
    if means.concentration:
        concentrate(tx, rules, who, means.name)
    if _takes_targets(means):
        effect = SaveEffect((who,), means, targets, save=means.save, dc=means.dc, half_on_save=means.half)
        begin(tx, SAVE_EFFECT.ask_saves, effect, procedure.id)
        return
    tx.emit(FeatureUsed(who=(who,), feature=means.name, rule=feature_rule(tx, rules, who, means)))
    if steps_of(means):
        inner = FeatureSteps(who, means.id, data.targets, within=(*data.within, data.feature))
        begin(tx, FEATURE_STEPS.next_step, inner, procedure.id)


# Moves -------------------------------------------------------------------------------------------------------------


def _begin_move(tx: Transaction, rules: RuleSystem, procedure: Procedure, way: Way) -> Procedure:
    """Let a combatant move part of its speed now, apart from the movement of its turn, until a person says it has."""
    data, mode = data_of(procedure, FeatureSteps), way.step.mode or WALK
    most = rules.allowance(tx, rules, data.who, mode)
    if most is None or not most.total:
        tx.emit(Skipped(purpose="ask.feature_step", who=data.who, detail=f"<speed.{mode}>"))
        return _after(tx, procedure)
    feet = most.total if way.step.move == "full" else rules.half(tx, most.total)
    payer = movement_payer(tx, data.who)
    before = track_value(tx, payer, MOVED)
    leave = Effect(tx.next_id("effect"), data.who, READIED_MOVE, ends=Duration("turn"), shown=False)
    put_effect(tx, rules, leave)
    bought = stride_action(rules, mode)
    if bought is not None:
        remember_stride(tx, payer, bought.id, Stride(feet), most.total)
    else:
        tx.put(Track(track_id(payer, MOVED), payer, MOVED, most.total - feet))
    options = (Option(DONE, "option.done_moving"),)
    asked = choice_ask(MOVE, "ask.feature_move", options, data.who, str(feet))
    ask(tx, procedure, "prompt.feature_move", [asked], subject=label_of(tx, data.who))
    return goto(procedure, FEATURE_STEPS.end_move, moved=before, leave=leave.id)


def end_move(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """End the move, and leave the movement of the turn as it was."""
    data = data_of(procedure, FeatureSteps)
    leave = tx.get(Effect, data.leave)
    if leave is not None:
        tx.remove(leave)
    if tx.get(Combatant, data.who) is not None:
        payer = movement_payer(tx, data.who)
        tx.discard(Effect, stride_id(payer))
        tx.put(Track(track_id(payer, MOVED), payer, MOVED, data.moved))
    return _after(tx, goto(procedure, FEATURE_STEPS.end_move, moved=0, leave=""))


STAGES = stages_in(globals(), FEATURE_STEPS)
