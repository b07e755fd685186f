"""The check of an action: its DC, the roll, and the targets against which it succeeds.

Numbers missing from stat blocks are asked for once per type of creature, and stored for the fight.
"""

from __future__ import annotations

import msgspec

from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ActionInProgress
from turnwright.encounter.procedure_state.asks import FAILURE, Ask, Option, choice_ask
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.actions.contest import CheckWaived, ask_choices, begin_contest, finish_contest
from turnwright.play.asking.checks import (
    add_fatigue,
    catch_breath,
    degree_of,
    exertion_check_dc,
    is_free_turn,
    record_check,
)
from turnwright.play.asking.declaration import store_number
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.scheduler import Answers, ask, choices_of
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import ATTACK_TRAIT, count_attack
from turnwright.play.state.effect_records import consume_effects, end_effect
from turnwright.play.state.events import Rolled, Skipped
from turnwright.rules.parts import positions
from turnwright.rules.parts.checks.ability_checks import (
    CheckRoll,
    action_check_roll,
    degree_if_used,
    is_success,
    known_number,
    succeeds,
)
from turnwright.rules.parts.conditions.predicates import evaluate
from turnwright.rules.system import HookContext
from turnwright.rules.system_data.numbers import ActionCheck, ActionOption

HIDERS = "hidden"  # a search is compared with the rolls of hidden creatures
ALLOW, RESIST = "let", "resist"
ROLL = "roll"


@journal("journal.noticed_by", other="observer", joins=("other",))
class HideResolved(Event, frozen=True):
    """A hider's total was compared with an observer's passive score; `hidden` if the hider stayed unseen."""

    who: CombatantId
    observer: CombatantId
    total: int
    score: int
    hidden: bool

    @property
    def journal_key(self) -> str:
        """Return the word key for the outcome. Ties have a separate key."""
        key = "journal.hid_from" if self.hidden else "journal.noticed_by"
        return key + ("_tie" if self.total == self.score else "")


@journal("journal.search_missed", other="hider")
class SearchResolved(Event, frozen=True):
    """A search was compared with a hider's roll; `found` if it succeeded."""

    who: CombatantId
    hider: CombatantId
    total: int
    score: int
    found: bool

    @property
    def journal_key(self) -> str:
        """Return the word key for the outcome. Ties have a separate key."""
        key = "journal.search_found" if self.found else "journal.search_missed"
        return key + ("_tie" if self.total == self.score else "")


def ask_numbers(
    tx: Transaction, procedure: Procedure, data: ActionInProgress, option: ActionOption, answers: Answers
) -> tuple[ActionInProgress, bool]:
    """Store the entered numbers, ask for the missing ones, and return whether any are still missing."""
    trial = option.trial
    if trial is not None and trial.theirs:
        return ask_choices(tx, procedure, data, option, trial, answers)
    if trial is None or not trial.against:
        return data, False
    _take_figures(tx, trial, answers)
    if trial.against == HIDERS:
        unknown = [effect for effect in hidden_effects(tx, data.who) if not effect.value]
        asks = [_total_ask(option, effect) for effect in unknown if f"total.{effect.id}" not in answers]
    else:
        data = _spared(tx, data, option, trial, answers)
        if any(id.startswith(f"{ALLOW}.") for id in answers):  # don't ask again after the numbers
            data = _decided(data)
        undecided = [who for who in data.targets if who not in data.succeeded]
        asks = [
            _let_ask(who, trial) for who in undecided if trial.lets and not data.choice and f"let.{who}" not in answers
        ]
        asks = asks or _unknown(tx, trial, [who for who in undecided if f"figure.{who}" not in answers])
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
            for combatant in list(tx.all(Combatant)):
                if combatant.creature == kind:
                    store_number(tx, combatant.id, trial.against, answer.number)


def _total_ask(option: ActionOption, effect: Effect) -> Ask:
    return Ask(f"total.{effect.id}", "number", "ask.hidden_total", effect.target, rule=option.rule())


def _let_ask(who: str, trial: ActionCheck) -> Ask:
    options = (Option(RESIST, "option.resist"), Option(ALLOW, "option.let"))
    return choice_ask(f"let.{who}", "ask.let", options, who, rule=dict(trial.ledgers).get("lets", trial.ledger))


def _unknown(tx: Transaction, trial: ActionCheck, targets: list[str]) -> list[Ask]:
    """Return an ask for each type of creature whose number is unknown."""
    kinds: dict[str, str] = {}
    for who in targets:
        if tx.get(Combatant, who) is not None and known_number(tx, tx.rules, who, trial.against) is None:
            kinds.setdefault(tx.need(Combatant, who).creature, who)
    rule = dict(trial.ledgers).get("asked", trial.ledger)
    label = f"ask.figure_{trial.against.partition('.')[0]}"
    return [Ask(f"figure.{who}", "number", label, who, rule=rule) for who in kinds.values()]


def _spared(
    tx: Transaction, data: ActionInProgress, option: ActionOption, trial: ActionCheck, answers: Answers
) -> ActionInProgress:
    """Count targets that need no roll as successes: a rule waives the roll, or they let the action succeed."""
    succeeded = list(data.succeeded)
    for who in data.targets:
        if who in succeeded:
            continue
        why = ""
        if trial.waived and evaluate(tx, tx.rules, data.who, trial.waived, HookContext(data.who, "trial", other=who)):
            why = "waived"
        elif data.choice == ALLOW or ALLOW in choices_of(answers, f"let.{who}"):
            why = "lets"
        if why:
            succeeded.append(who)
            rule = dict(trial.ledgers).get(why, trial.ledger)
            tx.emit(CheckWaived(who=data.who, action=option.name, by=who, why=f"why.{why}", rule=rule))
    return msgspec.structs.replace(data, succeeded=tuple(succeeded))


# The roll --------------------------------------------------------------------------------------------------------


def begin_check(
    tx: Transaction, procedure: Procedure, data: ActionInProgress, option: ActionOption
) -> ActionInProgress:
    """Ask for the roll of an action's check, unless the action needs no check."""
    if option.trial is not None and option.trial.theirs:
        return begin_contest(tx, procedure, data, option, option.trial)
    dc, rule = _held_against(tx, data, option)
    check = data.check if data.check.startswith(("check.", "save.")) else f"check.{data.check}" if data.check else ""
    if option.exertion is not None:
        catch_breath(tx, data.who, option)
        if is_free_turn(tx, data.who, option):
            return msgspec.structs.replace(data, check="")
        record_check(tx, data.who)
    if not check or (option.trial is not None and option.trial.against and not _opposed(tx, data, option)):
        return data
    rolled = _trial_roll(tx, data, option, check)
    kind, detail = check.partition(".")[0], f"<{check}>"
    question = Ask(ROLL, "roll", f"ask.{kind}", data.who, detail, rolled.spec, dc, rule=rule)
    ask(tx, procedure, "prompt.check", [question], subject=option.name)
    return msgspec.structs.replace(data, check=check, dc=dc, consumed_effects=rolled.consumed_effects)


def _trial_roll(tx: Transaction, data: ActionInProgress, option: ActionOption, what: str) -> CheckRoll:
    trial = option.trial
    other = data.targets[0] if trial is not None and trial.against and len(data.targets) == 1 else ""
    tags = trial.tags if trial is not None else (f"task:{data.note}",)
    return action_check_roll(tx, tx.rules, data.who, what, other, tags, trial.rules if trial is not None else ())


def _held_against(tx: Transaction, data: ActionInProgress, option: ActionOption) -> tuple[int, str]:
    """Return the DC of a check (0 if each target has a separate score) and the ledger rule that sets it."""
    trial = option.trial
    if trial is None:
        return data.dc, option.rule()
    if option.exertion is not None:
        dc = exertion_check_dc(tx, data.who, option, trial)
        return dc.total, dc.parts[-1].rule
    if trial.against and not trial.ties and len(data.targets) == 1:
        return known_number(tx, tx.rules, data.targets[0], trial.against) or 0, trial.ledger
    return trial.dc, trial.ledger


def _opposed(tx: Transaction, data: ActionInProgress, option: ActionOption) -> list[str]:
    """Return the targets against which a roll is still needed."""
    if option.trial is not None and option.trial.against == HIDERS:
        return [data.who]
    return [who for who in data.targets if who not in data.succeeded and tx.get(Combatant, who) is not None]


def finish_check(tx: Transaction, data: ActionInProgress, option: ActionOption, answers: Answers) -> ActionInProgress:
    """Sort the targets by success or failure. Change nothing if there was no roll."""
    answer = answers.get(ROLL)
    trial = option.trial
    if answer is None:
        return data
    if trial is not None and trial.theirs:
        return finish_contest(tx, data, trial, answers)
    consume_effects(tx, data.consumed_effects)
    if trial is not None and ATTACK_TRAIT in trial.tags:
        count_attack(tx, data.who)
    label, detail = f"ask.{data.check.partition('.')[0]}", f"<{data.check}>"
    rule = trial.ledger if trial else option.rule()
    if data.dc or (trial is not None and trial.dc):
        degree = degree_of(tx, answer, label, data.who, detail, data.dc, rule) or FAILURE
        passed = is_success(degree)
        if option.exertion is not None and not passed and not answer.skipped:
            add_fatigue(tx, data.who, option)
        targets = data.targets if trial is not None and trial.against else (data.who,)
        succeeded = (*data.succeeded, *targets) if passed else data.succeeded
        shown_degree = "" if answer.skipped else degree_if_used(tx.rules, degree)
        return msgspec.structs.replace(data, succeeded=succeeded, failed=() if passed else targets, degree=shown_degree)
    if answer.roll is None or answer.roll.total is None:
        tx.emit(Skipped(purpose=label, who=data.who, detail=detail))
        return data
    tx.emit(Rolled(who=data.who, purpose=label, roll=answer.roll, detail=detail, rule=rule))
    data = msgspec.structs.replace(data, total=answer.roll.total)
    if trial is None or not trial.against:
        return msgspec.structs.replace(data, succeeded=(data.who,))
    return _searched(tx, data, trial) if trial.against == HIDERS else _compared(tx, data, trial)


def _compared(tx: Transaction, data: ActionInProgress, trial: ActionCheck) -> ActionInProgress:
    """Compare a check's total with each target's score."""
    succeeded, failed = list(data.succeeded), list[str]()
    for who in data.targets:
        score = known_number(tx, tx.rules, who, trial.against) if tx.get(Combatant, who) is not None else None
        if score is None:
            continue
        total = data.total + _shelter(tx, data, trial, who)
        success = succeeds(tx, tx.rules, trial, total, score)
        (succeeded if success else failed).append(who)
        rule = _rule_for(trial, total, score)
        tx.emit(HideResolved(who=data.who, observer=who, total=total, score=score, hidden=success, rule=rule))
        if not success:
            _uncover(tx, data.who, who, rule)
    return msgspec.structs.replace(data, succeeded=tuple(succeeded), failed=tuple(failed))


def _shelter(tx: Transaction, data: ActionInProgress, trial: ActionCheck, observer: str) -> int:
    """Return the cover bonus against one of several observers. With a single observer, the roll already includes it."""
    if len(data.targets) == 1:
        return 0
    bonuses = (positions.cover_bonus(tx, tx.rules, observer, data.who, trial.tags, on=tag) for tag in trial.tags)
    return next((bonus.value for bonus in bonuses if bonus is not None), 0)


def _searched(tx: Transaction, data: ActionInProgress, trial: ActionCheck) -> ActionInProgress:
    """Compare a search with each hider's roll. Hiders that are found are no longer hidden from the searcher."""
    succeeded, failed = list[str](), list[str]()
    for effect in hidden_effects(tx, data.who):
        success = succeeds(tx, tx.rules, trial, data.total, effect.value)
        rule = _rule_for(trial, data.total, effect.value)
        result = SearchResolved(
            who=data.who, hider=effect.target, total=data.total, score=effect.value, found=success, rule=rule
        )
        tx.emit(result)
        (succeeded if success else failed).append(effect.target)
        if success:
            _uncover(tx, effect.target, data.who, rule)
    return msgspec.structs.replace(data, succeeded=tuple(succeeded), failed=tuple(failed))


def _rule_for(trial: ActionCheck, total: int, score: int) -> str:
    return dict(trial.ledgers).get("tie", trial.ledger) if total == score else trial.ledger


def hidden_effects(tx: Transaction, who: str) -> list[Effect]:
    """Return the effects that hide others from a combatant."""
    return [
        effect
        for effect in tx.all(Effect)
        if effect.name == tx.role("hidden") and effect.target != who and effect.by in ("", who)
    ]


def _uncover(tx: Transaction, hider: str, observer: str, rule: str) -> None:
    """Reveal a hider to one observer; it stays hidden from other observers."""
    for effect in [
        hiding for hiding in tx.of(Effect, hider) if hiding.name == tx.role("hidden") and hiding.by in ("", observer)
    ]:
        if not effect.by:
            for other in [combatant.id for combatant in tx.all(Combatant) if combatant.id not in (hider, observer)]:
                tx.put(msgspec.structs.replace(effect, id=tx.next_id("effect"), by=other))
        end_effect(tx, effect, rule)


def takes_effect(option: ActionOption, data: ActionInProgress) -> bool:
    """Return whether an action takes effect: it needs no check, or the check succeeded."""
    return option.trial is None or option.exertion is not None or bool(data.succeeded)
