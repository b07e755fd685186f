"""Contests: an action's roll against one that whoever is opposed makes, and what comes of winning.

The side that acts wins an equal total, unless the action's data says that it yields. Where what holds somebody says
itself against what to get free of it, there is nobody to roll against: it is a check against that DC.
"""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import Modifier
from turnwright.encounter.pending import Answered, Ask, Deed, Option, Procedure
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.play.events import EffectGained, Rolled, Skipped, TrialSpared
from turnwright.play.harm import end_effect, use_up
from turnwright.play.procedures.hurled import push
from turnwright.play.procedures.loop import Answers, ask
from turnwright.play.procedures.trials import take_result
from turnwright.play.transaction import Transaction
from turnwright.rules.catalogue.actions import ActionOption, Choice, Trial
from turnwright.rules.hooks import Moment
from turnwright.rules.parts.action_rolls import trial_roll
from turnwright.rules.parts.predicates import truth
from turnwright.rules.parts.statements import effects_on
from turnwright.rules.system import RuleSystem, creature_of

OWN, THEIRS, CHOICE = "roll", "their-roll", "theirs"
PUSHED = "pushed"
CHECK = "ask.check"


def opponent_of(lookup: Lookup, data: Deed, trial: Trial) -> str:
    """Return who opposes a contest: its target, or whoever the effect comes from that it is to break. Empty: nobody."""
    if trial.holder:
        found = (one.by for one in held_by(lookup, data, trial) if lookup.get(Combatant, one.by) is not None)
        return next(found, "")
    return next((who for who in data.targets if lookup.get(Combatant, who) is not None), "")


def held_by(lookup: Lookup, data: Deed, trial: Trial) -> list[Effect]:
    """Return the effects that a contest is to break; of one holder alone where a target names it."""
    found = [one for one in effects_on(lookup, data.who) if one.name == trial.holder]
    return [one for one in found if one.by in data.targets] or found[:1]


def choices_asked(
    tx: Transaction,
    rules: RuleSystem,
    procedure: Procedure,
    data: Deed,
    option: ActionOption,
    trial: Trial,
    answers: Answers,
) -> tuple[Deed, bool]:
    """Let whoever is opposed say what they roll, where they may choose; no roll is needed where a rule waives it."""
    other = opponent_of(tx, data, trial)
    answer = answers.get(CHOICE)
    if answer is not None:
        data = msgspec.structs.replace(data, theirs=next(iter(answer.chosen), trial.theirs[0]))
    if trial.waived and other and truth(tx, rules, data.who, trial.waived, Moment(data.who, "trial", other=other)):
        rule = dict(trial.ledgers).get("waived", trial.ledger)
        tx.emit(TrialSpared(who=data.who, action=option.name, by=other, why="why.defenceless", rule=rule))
        return msgspec.structs.replace(data, made=(other,)), False
    if not other or data.theirs or len(trial.theirs) == 1:
        return msgspec.structs.replace(data, theirs=data.theirs or trial.theirs[0]), False
    options = tuple(Option(one, f"<{one}>") for one in trial.theirs)
    best = max(trial.theirs, key=lambda one: _bonus(tx, rules, other, one, data.who))
    asked = Ask(CHOICE, "choice", "ask.a_check", other, options=options, suggested=(best,), rule=trial.ledger)
    ask(tx, procedure, "prompt.contest", [asked], subject=option.name, rule=trial.ledger)
    return data, True


def _bonus(lookup: Lookup, rules: RuleSystem, who: str, what: str, other: str) -> int:
    spec = trial_roll(lookup, rules, who, what, other).spec
    return sum(part.value for part in spec.modifiers if isinstance(part, Modifier))


def begin_contest(
    tx: Transaction, rules: RuleSystem, procedure: Procedure, data: Deed, option: ActionOption, trial: Trial
) -> Deed:
    """Ask both rolls, unless none is needed."""
    other = opponent_of(tx, data, trial)
    dc = _dc_of_hold(tx, data, trial)
    if not (other or dc) or data.made:
        return data
    own = trial_roll(tx, rules, data.who, data.check, other, trial.tags, trial.rules)
    if dc:
        asked = Ask(OWN, "roll", CHECK, data.who, f"<{data.check}>", own.spec, dc, rule=trial.ledger)
        ask(tx, procedure, "prompt.check", [asked], subject=option.name, rule=trial.ledger)
        return msgspec.structs.replace(data, dc=dc, used=own.used)
    theirs = trial_roll(tx, rules, other, data.theirs, data.who, trial.tags)
    asks = (
        Ask(OWN, "roll", CHECK, data.who, f"<{data.check}>", own.spec, rule=trial.ledger),
        Ask(THEIRS, "roll", CHECK, other, f"<{data.theirs}>", theirs.spec, rule=trial.ledger),
    )
    ask(tx, procedure, "prompt.contest", asks, subject=option.name, rule=trial.ledger)
    return msgspec.structs.replace(data, used=(*own.used, *theirs.used))


def _dc_of_hold(lookup: Lookup, data: Deed, trial: Trial) -> int:
    """Return what DC the effect that a contest is to break has by itself, 0 where its holder rolls against it."""
    return next((one.value for one in held_by(lookup, data, trial)), 0) if trial.holder else 0


def settle_contest(tx: Transaction, rules: RuleSystem, data: Deed, trial: Trial, answers: Answers) -> Deed:
    """Hold the two totals against each other; a side passed over leaves everything as it is."""
    use_up(tx, rules, data.used)
    if data.dc:
        return _settle_check(tx, rules, data, trial, answers)
    other = opponent_of(tx, data, trial)
    own, theirs = (_total(answers.get(id)) for id in (OWN, THEIRS))
    if own is None or theirs is None or not other:
        tx.emit(Skipped(purpose=CHECK, who=data.who, detail=f"<{data.check}>"))
        return data
    won = own > theirs or (own == theirs and not trial.yields)
    sides = ((other, THEIRS, data.theirs, 0, None), (data.who, OWN, data.check, theirs, won))
    for who, id, what, against, passed in sides:
        thrown = answers[id].roll
        assert thrown is not None
        tx.emit(
            Rolled(
                who=who, purpose=CHECK, roll=thrown, detail=f"<{what}>", dc=against, passed=passed, rule=trial.ledger
            )
        )
    return msgspec.structs.replace(_end_hold(tx, rules, data, trial, won=won), total=own)


def _settle_check(tx: Transaction, rules: RuleSystem, data: Deed, trial: Trial, answers: Answers) -> Deed:
    """Hold the one total against the DC of what holds; passed over, it stays."""
    answer, detail = answers.get(OWN), f"<{data.check}>"
    won = answer is not None and take_result(tx, rules, answer, CHECK, data.who, detail, data.dc, trial.ledger)
    return _end_hold(tx, rules, data, trial, won=won)


def _end_hold(tx: Transaction, rules: RuleSystem, data: Deed, trial: Trial, *, won: bool) -> Deed:
    """End what was to be broken, where that was it, and note who has won."""
    for effect in held_by(tx, data, trial) if won and trial.holder else ():
        end_effect(tx, rules, effect, trial.ledger)
    whom = data.targets or (data.who,)
    return msgspec.structs.replace(data, made=whom if won else (), failed=() if won else whom)


def _total(answer: Answered | None) -> int | None:
    return answer.roll.total if answer is not None and answer.roll is not None else None


def way_of(option: ActionOption, choice: str) -> Choice | None:
    """Return the way in which an action is done: the one chosen, or the only one where nobody is asked."""
    alone = option.choices[0] if len(option.choices) == 1 and "choice" not in option.asks else None
    return next((one for one in option.choices if one.id == choice), alone)


def figure_of(lookup: Lookup, rules: RuleSystem, who: str, way: Choice) -> int:
    """Return the figure of a way of doing something: its own, or a share of the doer's in an ability."""
    if not way.ability:
        return way.value
    figure = rules.modifier_of(creature_of(lookup, lookup.need(Combatant, who)), way.ability)
    return rules.half(lookup, figure) if way.over == 2 else figure // way.over


def brought_about(
    tx: Transaction, rules: RuleSystem, procedure: Procedure, data: Deed, option: ActionOption
) -> Procedure | None:
    """Say what winning has left on whoever lost; push them away where that was the aim."""
    left = [one for one in option.leaves if one.on == "target" and one.only in ("", data.choice)]
    way = way_of(option, data.choice)
    for target in data.made:
        if tx.get(Combatant, target) is None:
            continue
        for one in left:
            tx.emit(EffectGained(target=target, name=one.effect, source=option.name, rule=option.rule("result")))
        if way is not None and way.outcome == PUSHED:
            rule = option.rule("result")
            push(tx, rules, (target,), figure_of(tx, rules, data.who, way), source=option.name, by=data.who, rule=rule)
    return None
