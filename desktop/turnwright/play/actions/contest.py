"""Contests: an action's roll against its opponent's, and the effects of winning.

The side that acts wins an equal total, unless the action's data says that it yields. Where what holds somebody says
itself against what to get free of it, there is nobody to roll against: it is a check against that DC.
"""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import Modifier
from turnwright.encounter.lookups import effects_named
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ActionInProgress
from turnwright.encounter.procedure_state.asks import Ask, AskResult, Option
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.play.actions.events import CheckWaived
from turnwright.play.asking.check_result import result_of
from turnwright.play.kernel.scheduler import Answers, ask
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.forced_movement import push
from turnwright.play.state.effect_records import consume_effects, end_effect
from turnwright.play.state.events import Rolled, Skipped
from turnwright.rules.hooks import HookContext
from turnwright.rules.parts.checks.action_checks import action_check_roll
from turnwright.rules.parts.conditions.predicates import evaluate
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.rules.system_data.actions import ActionCheck, ActionChoice, ActionOption

OWN, THEIRS, CHOICE = "roll", "their-roll", "theirs"
PUSHED = "pushed"
CHECK = "ask.check"


def opponent_of(lookup: Lookup, data: ActionInProgress, trial: ActionCheck) -> str:
    """Return the opponent of a contest: its target, or the creator of the effect to break. Empty: none."""
    if trial.holder:
        found = (one.by for one in grapple_effects(lookup, data, trial) if lookup.get(Combatant, one.by) is not None)
        return next(found, "")
    return next((who for who in data.targets if lookup.get(Combatant, who) is not None), "")


def grapple_effects(lookup: Lookup, data: ActionInProgress, trial: ActionCheck) -> list[Effect]:
    """Return the effects that a contest is to break; of one holder alone where a target names it."""
    found = effects_named(lookup, data.who, trial.holder)
    return [one for one in found if one.by in data.targets] or found[:1]


def ask_choices(
    tx: Transaction,
    rules: RuleSystem,
    procedure: Procedure,
    data: ActionInProgress,
    option: ActionOption,
    trial: ActionCheck,
    answers: Answers,
) -> tuple[ActionInProgress, bool]:
    """Ask the opponent which check to roll, where it may choose; no roll where a rule waives it."""
    other = opponent_of(tx, data, trial)
    answer = answers.get(CHOICE)
    if answer is not None:
        data = msgspec.structs.replace(data, opposing_check=next(iter(answer.chosen), trial.theirs[0]))
    if (
        trial.waived
        and other
        and evaluate(tx, rules, data.who, trial.waived, HookContext(data.who, "trial", other=other))
    ):
        rule = dict(trial.ledgers).get("waived", trial.ledger)
        tx.emit(CheckWaived(who=data.who, action=option.name, by=other, why="why.defenceless", rule=rule))
        return msgspec.structs.replace(data, succeeded=(other,)), False
    if not other or data.opposing_check or len(trial.theirs) == 1:
        return msgspec.structs.replace(data, opposing_check=data.opposing_check or trial.theirs[0]), False
    options = tuple(Option(one, f"<{one}>") for one in trial.theirs)
    best = max(trial.theirs, key=lambda one: _bonus(tx, rules, other, one, data.who))
    asked = Ask(CHOICE, "choice", "ask.a_check", other, options=options, suggested=(best,), rule=trial.ledger)
    ask(tx, procedure, "prompt.contest", [asked], subject=option.name)
    return data, True


def _bonus(lookup: Lookup, rules: RuleSystem, who: str, what: str, other: str) -> int:
    spec = action_check_roll(lookup, rules, who, what, other).spec
    return sum(part.value for part in spec.modifiers if isinstance(part, Modifier))


def begin_contest(
    tx: Transaction,
    rules: RuleSystem,
    procedure: Procedure,
    data: ActionInProgress,
    option: ActionOption,
    trial: ActionCheck,
) -> ActionInProgress:
    """Ask both rolls, unless none is needed."""
    other = opponent_of(tx, data, trial)
    dc = _dc_of_hold(tx, data, trial)
    if not (other or dc) or data.succeeded:
        return data
    own = action_check_roll(tx, rules, data.who, data.check, other, trial.tags, trial.rules)
    if dc:
        asked = Ask(OWN, "roll", CHECK, data.who, f"<{data.check}>", own.spec, dc, rule=trial.ledger)
        ask(tx, procedure, "prompt.check", [asked], subject=option.name)
        return msgspec.structs.replace(data, dc=dc, consumed_effects=own.consumed_effects)
    theirs = action_check_roll(tx, rules, other, data.opposing_check, data.who, trial.tags)
    asks = (
        Ask(OWN, "roll", CHECK, data.who, f"<{data.check}>", own.spec, rule=trial.ledger),
        Ask(THEIRS, "roll", CHECK, other, f"<{data.opposing_check}>", theirs.spec, rule=trial.ledger),
    )
    ask(tx, procedure, "prompt.contest", asks, subject=option.name)
    return msgspec.structs.replace(data, consumed_effects=(*own.consumed_effects, *theirs.consumed_effects))


def _dc_of_hold(lookup: Lookup, data: ActionInProgress, trial: ActionCheck) -> int:
    """Return the DC of the effect that a contest is to break, 0 where its holder rolls instead."""
    return next((one.value for one in grapple_effects(lookup, data, trial)), 0) if trial.holder else 0


def finish_contest(
    tx: Transaction, rules: RuleSystem, data: ActionInProgress, trial: ActionCheck, answers: Answers
) -> ActionInProgress:
    """Hold the two totals against each other; a side passed over leaves everything as it is."""
    consume_effects(tx, rules, data.consumed_effects)
    if data.dc:
        return _settle_check(tx, rules, data, trial, answers)
    other = opponent_of(tx, data, trial)
    own, theirs = (_total(answers.get(id)) for id in (OWN, THEIRS))
    if own is None or theirs is None or not other:
        tx.emit(Skipped(purpose=CHECK, who=data.who, detail=f"<{data.check}>"))
        return data
    won = own > theirs or (own == theirs and not trial.yields)
    sides = ((other, THEIRS, data.opposing_check, 0, None, ""), (data.who, OWN, data.check, theirs, won, other))
    for who, id, what, against, passed, opponent in sides:
        thrown, rule, detail = answers[id].roll, trial.ledger, f"<{what}>"
        assert thrown is not None
        tx.emit(
            Rolled(
                who=who,
                purpose=CHECK,
                roll=thrown,
                detail=detail,
                dc=against,
                passed=passed,
                opponent=opponent,
                rule=rule,
            )
        )
    return msgspec.structs.replace(_end_hold(tx, rules, data, trial, won=won), total=own)


def _settle_check(
    tx: Transaction, rules: RuleSystem, data: ActionInProgress, trial: ActionCheck, answers: Answers
) -> ActionInProgress:
    """Compare the total with the DC of the hold; a skipped roll leaves the hold."""
    answer, detail = answers.get(OWN), f"<{data.check}>"
    won = answer is not None and result_of(tx, rules, answer, CHECK, data.who, detail, data.dc, trial.ledger)
    return _end_hold(tx, rules, data, trial, won=won)


def _end_hold(
    tx: Transaction, rules: RuleSystem, data: ActionInProgress, trial: ActionCheck, *, won: bool
) -> ActionInProgress:
    """End the hold where the contest was to break it, and note the winner."""
    for effect in grapple_effects(tx, data, trial) if won and trial.holder else ():
        end_effect(tx, rules, effect, trial.ledger)
    whom = data.targets or (data.who,)
    return msgspec.structs.replace(data, succeeded=whom if won else (), failed=() if won else whom)


def _total(answer: AskResult | None) -> int | None:
    return answer.roll.total if answer is not None and answer.roll is not None else None


def variant_of(option: ActionOption, choice: str) -> ActionChoice | None:
    """Return the variant of an action: the one chosen, or the only one where no choice is asked."""
    alone = option.choices[0] if len(option.choices) == 1 and "choice" not in option.asks else None
    return next((one for one in option.choices if one.id == choice), alone)


def variant_number(lookup: Lookup, rules: RuleSystem, who: str, variant: ActionChoice) -> int:
    """Return the number of a variant: its own, or a share of the combatant's ability."""
    if not variant.ability:
        return variant.value
    figure = rules.modifier_of(creature_of(lookup, lookup.need(Combatant, who)), variant.ability)
    return rules.half(lookup, figure) if variant.over == 2 else figure // variant.over


def apply_result(
    tx: Transaction, rules: RuleSystem, procedure: Procedure, data: ActionInProgress, option: ActionOption
) -> Procedure | None:
    """Push the loser of a contest away where that was the aim."""
    way = variant_of(option, data.choice)
    for target in data.succeeded:
        if tx.get(Combatant, target) is None:
            continue
        if way is not None and way.outcome == PUSHED:
            feet, rule = variant_number(tx, rules, data.who, way), option.rule("result")
            push(tx, rules, (target,), feet, source=option.name, pusher=data.who, rule=rule)
    return None
