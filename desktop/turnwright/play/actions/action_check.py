"""The check of an action: its DC, the roll, and the targets against which it succeeds.

A figure that no stat block gives is asked once, of one of each kind of creature, and remembered.
"""

from __future__ import annotations

import msgspec

from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ActionInProgress
from turnwright.encounter.procedure_state.asks import FAILURE, Ask, Option, choice_ask
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.actions.contest import ask_choices, begin_contest, finish_contest
from turnwright.play.actions.events import CheckWaived, HideResolved, SearchResolved
from turnwright.play.asking.action_parameters import store_number
from turnwright.play.asking.check_result import degree_of
from turnwright.play.asking.exertion import add_fatigue, catch_breath, exertion_check_dc, is_free_turn, record_check
from turnwright.play.kernel.scheduler import Answers, ask, choices_of
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import consume_effects, end_effect
from turnwright.play.state.events import Rolled, Skipped
from turnwright.play.state.multiple_attack_penalty import ATTACK_TRAIT, count_attack
from turnwright.rules.hooks import HookContext
from turnwright.rules.parts import positions
from turnwright.rules.parts.checks.action_checks import CheckRoll, action_check_roll, known_number, succeeds
from turnwright.rules.parts.checks.degrees import degree_if_used, is_success
from turnwright.rules.parts.conditions.predicates import evaluate
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.actions import ActionCheck, ActionOption

HIDERS = "hidden"  # what a search is held against
ALLOW, RESIST = "let", "resist"
ROLL = "roll"


def ask_numbers(
    tx: Transaction,
    rules: RuleSystem,
    procedure: Procedure,
    data: ActionInProgress,
    option: ActionOption,
    answers: Answers,
) -> tuple[ActionInProgress, bool]:
    """Store the numbers answered and ask for those still unknown; return whether any is awaited."""
    trial = option.trial
    if trial is not None and trial.theirs:
        return ask_choices(tx, rules, procedure, data, option, trial, answers)
    if trial is None or not trial.against:
        return data, False
    _take_figures(tx, trial, answers)
    if trial.against == HIDERS:
        untold = [
            one for one in hidden_effects(tx, rules, data.who) if not one.value and f"total.{one.id}" not in answers
        ]
        asks = [_total_ask(option, effect) for effect in untold]
    else:
        data = _spared(tx, rules, data, option, trial, answers)
        if any(id.startswith(f"{ALLOW}.") for id in answers):  # asked once, and not again after the figures
            data = _decided(data)
        open_ones = [who for who in data.targets if who not in data.succeeded]
        asks = [
            _let_ask(who, trial) for who in open_ones if trial.lets and not data.choice and f"let.{who}" not in answers
        ]
        asks = asks or _unknown(tx, rules, trial, [who for who in open_ones if f"figure.{who}" not in answers])
    ask(tx, procedure, "prompt.figures", asks, subject=option.name, rule=trial.ledger)
    return (data, True) if asks else (_decided(data), False)


def _decided(data: ActionInProgress) -> ActionInProgress:
    return msgspec.structs.replace(data, choice=data.choice or RESIST)


def _take_figures(tx: Transaction, trial: ActionCheck, answers: Answers) -> None:
    for id, answer in answers.items():
        word, _, who = id.partition(".")
        if answer.number is None:
            continue
        effect = tx.get(Effect, who)
        if word == "total" and effect is not None:
            tx.update(effect, value=answer.number)
        if word == "figure" and tx.get(Combatant, who) is not None:
            kind = tx.need(Combatant, who).creature
            for one in list(tx.all(Combatant)):
                if one.creature == kind:
                    store_number(tx, one.id, trial.against, answer.number)


def _total_ask(option: ActionOption, effect: Effect) -> Ask:
    return Ask(f"total.{effect.id}", "number", "ask.hidden_total", effect.target, rule=option.rule())


def _let_ask(who: str, trial: ActionCheck) -> Ask:
    options = (Option(RESIST, "option.resist"), Option(ALLOW, "option.let"))
    rule = dict(trial.ledgers).get("lets", trial.ledger)
    return choice_ask(f"let.{who}", "ask.let", options, who, rule=rule)


def _unknown(tx: Transaction, rules: RuleSystem, trial: ActionCheck, whom: list[str]) -> list[Ask]:
    """Return an ask for the number of each kind of creature without it."""
    kinds: dict[str, str] = {}
    for who in whom:
        if tx.get(Combatant, who) is not None and known_number(tx, rules, who, trial.against) is None:
            kinds.setdefault(tx.need(Combatant, who).creature, who)
    rule = dict(trial.ledgers).get("asked", trial.ledger)
    label = f"ask.figure_{trial.against.partition('.')[0]}"
    return [Ask(f"figure.{who}", "number", label, who, rule=rule) for who in kinds.values()]


def _spared(
    tx: Transaction,
    rules: RuleSystem,
    data: ActionInProgress,
    option: ActionOption,
    trial: ActionCheck,
    answers: Answers,
) -> ActionInProgress:
    """Note the targets that need no roll: a rule waives it, or they let it succeed."""
    made = list(data.succeeded)
    for who in data.targets:
        if who in made:
            continue
        why = ""
        if trial.waived and evaluate(tx, rules, data.who, trial.waived, HookContext(data.who, "trial", other=who)):
            why = "waived"
        elif data.choice == ALLOW or ALLOW in choices_of(answers, f"let.{who}"):
            why = "lets"
        if why:
            made.append(who)
            rule = dict(trial.ledgers).get(why, trial.ledger)
            tx.emit(CheckWaived(who=data.who, action=option.name, by=who, why=f"why.{why}", rule=rule))
    return msgspec.structs.replace(data, succeeded=tuple(made))


# The roll --------------------------------------------------------------------------------------------------------


def begin_check(
    tx: Transaction, rules: RuleSystem, procedure: Procedure, data: ActionInProgress, option: ActionOption
) -> ActionInProgress:
    """Ask the roll of an action's trial, where there is one and it is needed."""
    if option.trial is not None and option.trial.theirs:
        return begin_contest(tx, rules, procedure, data, option, option.trial)
    dc, rule = _held_against(tx, rules, data, option)
    what = data.check if data.check.startswith(("check.", "save.")) else f"check.{data.check}" if data.check else ""
    if option.exertion is not None:
        catch_breath(tx, data.who, option)
        if is_free_turn(tx, rules, data.who, option):
            return msgspec.structs.replace(data, check="")
        record_check(tx, data.who)
    if not what or (option.trial is not None and option.trial.against and not _opposed(tx, data, option)):
        return data
    rolled = _trial_roll(tx, rules, data, option, what)
    kind, detail = what.partition(".")[0], f"<{what}>"
    asked = Ask(ROLL, "roll", f"ask.{kind}", data.who, detail, rolled.spec, dc, rule=rule)
    ask(tx, procedure, "prompt.check", [asked], subject=option.name)
    return msgspec.structs.replace(data, check=what, dc=dc, consumed_effects=rolled.consumed_effects)


def _trial_roll(
    tx: Transaction, rules: RuleSystem, data: ActionInProgress, option: ActionOption, what: str
) -> CheckRoll:
    trial = option.trial
    other = data.targets[0] if trial is not None and trial.against and len(data.targets) == 1 else ""
    tags = trial.tags if trial is not None else (f"task:{data.note}",)
    return action_check_roll(tx, rules, data.who, what, other, tags, trial.rules if trial is not None else ())


def _held_against(tx: Transaction, rules: RuleSystem, data: ActionInProgress, option: ActionOption) -> tuple[int, str]:
    """Return the one DC of a trial, 0 where it is held against each on their own, and the rule that asks for it."""
    trial = option.trial
    if trial is None:
        return data.dc, option.rule()
    if option.exertion is not None:
        dc = exertion_check_dc(tx, rules, data.who, option, trial)
        return dc.total, dc.parts[-1].rule
    if trial.against and not trial.ties and len(data.targets) == 1:
        return known_number(tx, rules, data.targets[0], trial.against) or 0, trial.ledger
    return trial.dc, trial.ledger


def _opposed(tx: Transaction, data: ActionInProgress, option: ActionOption) -> list[str]:
    """Return the targets against which the roll is still needed."""
    if option.trial is not None and option.trial.against == HIDERS:
        return [data.who]
    return [who for who in data.targets if who not in data.succeeded and tx.get(Combatant, who) is not None]


def finish_check(
    tx: Transaction, rules: RuleSystem, data: ActionInProgress, option: ActionOption, answers: Answers
) -> ActionInProgress:
    """Sort the targets by the roll's success; without a roll nothing changes."""
    answer = answers.get(ROLL)
    trial = option.trial
    if answer is None:
        return data
    if trial is not None and trial.theirs:
        return finish_contest(tx, rules, data, trial, answers)
    consume_effects(tx, rules, data.consumed_effects)
    if trial is not None and ATTACK_TRAIT in trial.tags:
        count_attack(tx, rules, data.who)
    label, detail = f"ask.{data.check.partition('.')[0]}", f"<{data.check}>"
    rule = trial.ledger if trial else option.rule()
    if data.dc or (trial is not None and trial.dc):
        degree = degree_of(tx, rules, answer, label, data.who, detail, data.dc, rule) or FAILURE
        passed = is_success(degree)
        if option.exertion is not None and not passed and not answer.skipped:
            add_fatigue(tx, data.who, option)
        whom = data.targets if trial is not None and trial.against else (data.who,)
        done = (*data.succeeded, *whom) if passed else data.succeeded
        told = "" if answer.skipped else degree_if_used(rules, degree)
        return msgspec.structs.replace(data, succeeded=done, failed=() if passed else whom, degree=told)
    if answer.roll is None or answer.roll.total is None:
        tx.emit(Skipped(purpose=label, who=data.who, detail=detail))
        return data
    tx.emit(Rolled(who=data.who, purpose=label, roll=answer.roll, detail=detail, rule=rule))
    data = msgspec.structs.replace(data, total=answer.roll.total)
    if trial is None or not trial.against:
        return msgspec.structs.replace(data, succeeded=(data.who,))
    return _searched(tx, rules, data, trial) if trial.against == HIDERS else _compared(tx, rules, data, trial)


def _compared(tx: Transaction, rules: RuleSystem, data: ActionInProgress, trial: ActionCheck) -> ActionInProgress:
    """Hold a total against the score of each on their own."""
    made, failed = list(data.succeeded), list[str]()
    for who in data.targets:
        score = known_number(tx, rules, who, trial.against) if tx.get(Combatant, who) is not None else None
        if score is None:
            continue
        total = data.total + _shelter(tx, rules, data, trial, who)
        good = succeeds(tx, rules, trial, total, score)
        (made if good else failed).append(who)
        rule = _rule_for(trial, total, score)
        tx.emit(HideResolved(who=data.who, observer=who, total=total, score=score, hidden=good, rule=rule))
        if not good:
            _uncover(tx, rules, data.who, who, rule)
    return msgspec.structs.replace(data, succeeded=tuple(made), failed=tuple(failed))


def _shelter(tx: Transaction, rules: RuleSystem, data: ActionInProgress, trial: ActionCheck, observer: str) -> int:
    """Return the bonus of cover against one of several observers; against a single one the roll includes it."""
    if len(data.targets) == 1:
        return 0
    found = (positions.cover_bonus(tx, rules, observer, data.who, trial.tags, on=tag) for tag in trial.tags)
    return next((one.value for one in found if one is not None), 0)


def _searched(tx: Transaction, rules: RuleSystem, data: ActionInProgress, trial: ActionCheck) -> ActionInProgress:
    """Compare a search with each hider's roll; a hider found is no longer hidden from the searcher."""
    made, failed = list[str](), list[str]()
    for effect in hidden_effects(tx, rules, data.who):
        good = succeeds(tx, rules, trial, data.total, effect.value)
        rule = _rule_for(trial, data.total, effect.value)
        found = SearchResolved(
            who=data.who, hider=effect.target, total=data.total, score=effect.value, found=good, rule=rule
        )
        tx.emit(found)
        (made if good else failed).append(effect.target)
        if good:
            _uncover(tx, rules, effect.target, data.who, rule)
    return msgspec.structs.replace(data, succeeded=tuple(made), failed=tuple(failed))


def _rule_for(trial: ActionCheck, total: int, score: int) -> str:
    return dict(trial.ledgers).get("tie", trial.ledger) if total == score else trial.ledger


def hidden_effects(tx: Transaction, rules: RuleSystem, who: str) -> list[Effect]:
    """Return the effects that hide others from a combatant."""
    return [
        one for one in tx.all(Effect) if one.name == rules.role("hidden") and one.target != who and one.by in ("", who)
    ]


def _uncover(tx: Transaction, rules: RuleSystem, hider: str, observer: str, rule: str) -> None:
    """Reveal a hider to one observer; it stays hidden from other observers."""
    for effect in [
        one for one in tx.of(Effect, hider) if one.name == rules.role("hidden") and one.by in ("", observer)
    ]:
        if not effect.by:
            for other in [one.id for one in tx.all(Combatant) if one.id not in (hider, observer)]:
                tx.put(msgspec.structs.replace(effect, id=tx.next_id("effect"), by=other))
        end_effect(tx, rules, effect, rule)


def takes_effect(option: ActionOption, data: ActionInProgress) -> bool:
    """Return whether an action takes effect: it needs no check, or the check succeeded."""
    return option.trial is None or option.exertion is not None or bool(data.succeeded)
