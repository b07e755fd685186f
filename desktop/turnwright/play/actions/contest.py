"""Contests and checks of actions: an action's roll against a DC or its opponent's roll, and escaping an effect.

The acting side wins ties, unless the action's data gives ties to the opponent. If the effect to break has a DC, the
contest becomes a check against that DC, and no opponent rolls. Numbers missing from stat blocks are asked for once per
type of creature, and stored for the fight.
"""

import msgspec

from turnwright.dice.expression import Modifier, RollSpec
from turnwright.encounter.field_specs import CombatantId, EffectId, WordKey
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ESCAPE, ActionInProgress, EscapeAttempt
from turnwright.encounter.procedure_state.asks import FAILURE, SUCCESS, Ask, AskResult, Option, choice_ask
from turnwright.encounter.procedure_state.movement import ForcedMovement
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup, active_slot, effects_named, is_out_of_play
from turnwright.play.asking.checks import (
    add_fatigue,
    catch_breath,
    degree_of,
    exertion_check_dc,
    is_free_turn,
    record_check,
    result_of,
)
from turnwright.play.asking.declaration import store_number
from turnwright.play.kernel.events import CombatantEvent, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, choices_of, data_of, goto
from turnwright.play.kernel.transaction import Command, Transaction, command, require
from turnwright.play.movement.forced_movement import PUSHED, push
from turnwright.play.state.action_economy import ATTACK_TRAIT, count_attack, deduct, spend
from turnwright.play.state.effect_records import end_effect
from turnwright.play.state.events import ActionTaken, Rolled, Skipped
from turnwright.rules.parts.actions.spell_features import caster_at
from turnwright.rules.parts.checks.ability_checks import (
    ability_dc,
    action_check_roll,
    degree_if_used,
    is_success,
    known_number,
    succeeds,
)
from turnwright.rules.parts.conditions.condition_rules import data_rules_on
from turnwright.rules.parts.conditions.predicates import evaluate
from turnwright.rules.parts.economy.limited_uses import counted_price, spending_vetoes
from turnwright.rules.parts.environment.entries import conditions_ended_with, enabled_options
from turnwright.rules.parts.positions import geometry, sight
from turnwright.rules.system import HookContext, RuleSystem, creature_of, label_of
from turnwright.rules.system_data.numbers import ActionCheck, ActionChoice, ActionOption

HIDERS = "hidden"  # a search is compared with the rolls of hidden creatures
DC = "dc."  # begins a side of a contest that doesn't roll: its DC is based on an ability
ALLOW, RESIST = "let", "resist"
ROLL = "roll"


@journal("journal.noticed_by", other="observer", joins=("other",))
class HideResolved(CombatantEvent, frozen=True):
    """A hider's total was compared with an observer's passive score; `hidden` if the hider stayed unseen."""

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
class SearchResolved(CombatantEvent, frozen=True):
    """A search was compared with a hider's roll; `found` if it succeeded."""

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
    check = _roll_of(data.check) if data.check else ""
    if option.exertion is not None:
        catch_breath(tx, data.who, option)
        if is_free_turn(tx, data.who, option):
            return msgspec.structs.replace(data, check="")
        record_check(tx, data.who)
    if not check or (option.trial is not None and option.trial.against and not _opposed(tx, data, option)):
        return data
    spec = _trial_roll(tx, data, option, check)
    kind, detail = check.partition(".")[0], f"<{check}>"
    question = Ask(ROLL, "roll", f"ask.{kind}", data.who, detail, spec, dc, rule=rule)
    ask(tx, procedure, "prompt.check", [question], subject=option.name)
    return msgspec.structs.replace(data, check=check, dc=dc)


def _trial_roll(tx: Transaction, data: ActionInProgress, option: ActionOption, what: str) -> RollSpec:
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
        return max(trial.dc, known_number(tx, tx.rules, data.targets[0], trial.against) or 0), trial.ledger
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
        failed, total = () if passed else targets, (answer.roll.total if answer.roll is not None else 0) or 0
        return msgspec.structs.replace(data, succeeded=succeeded, failed=failed, degree=shown_degree, total=total)
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
    bonuses = (sight.cover_bonus(tx, tx.rules, observer, data.who, trial.tags, on=tag) for tag in trial.tags)
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
    others = (one for one in tx.all(Effect) if one.name == tx.role("hidden") and one.target != who)
    return [one for one in others if one.by in ("", who)]


def _uncover(tx: Transaction, hider: str, observer: str, rule: str) -> None:
    """Reveal a hider to one observer; it stays hidden from other observers."""
    hiding = [one for one in tx.of(Effect, hider) if one.name == tx.role("hidden") and one.by in ("", observer)]
    for effect in hiding:
        if not effect.by:
            for other in [combatant.id for combatant in tx.all(Combatant) if combatant.id not in (hider, observer)]:
                tx.put(msgspec.structs.replace(effect, id=tx.next_id("effect"), by=other))
        end_effect(tx, effect, rule)


def takes_effect(option: ActionOption, data: ActionInProgress) -> bool:
    """Return whether an action takes effect: it needs no check, or the check succeeded."""
    return option.trial is None or option.exertion is not None or bool(data.succeeded)


OWN, THEIRS, CHOICE = "roll", "their-roll", "theirs"
CHECK = "ask.check"


@journal("journal.trial_spared")
class CheckWaived(CombatantEvent, frozen=True):
    """An action needed no roll: its target let it succeed, or a rule waived the roll. `why` is a word key."""

    action: str
    by: CombatantId
    why: WordKey


def opponent_of(lookup: Lookup, data: ActionInProgress, trial: ActionCheck) -> str:
    """Return the opponent in a contest: the target, or the creator of the effect to break. Empty if there is none."""
    if trial.holder:
        creators = (one.by for one in grapple_effects(lookup, data, trial) if lookup.get(Combatant, one.by) is not None)
        return next(creators, "")
    return next((who for who in data.targets if lookup.get(Combatant, who) is not None), "")


def grapple_effects(lookup: Lookup, data: ActionInProgress, trial: ActionCheck) -> list[Effect]:
    """Return the effects that a contest tries to break. If the action has targets, only their effects count."""
    effects = effects_named(lookup, data.who, trial.holder)
    return [effect for effect in effects if effect.by in data.targets] or effects[:1]


def ask_choices(
    tx: Transaction,
    procedure: Procedure,
    data: ActionInProgress,
    option: ActionOption,
    trial: ActionCheck,
    answers: Answers,
) -> tuple[ActionInProgress, bool]:
    """Ask the opponent which check to roll if there are several, unless a rule waives the roll."""
    other = opponent_of(tx, data, trial)
    answer = answers.get(CHOICE)
    if answer is not None:
        data = msgspec.structs.replace(data, opposing_check=next(iter(answer.chosen), trial.theirs[0]))
    about = HookContext(data.who, "trial", other=other)
    if trial.waived and other and evaluate(tx, tx.rules, data.who, trial.waived, about):
        rule = dict(trial.ledgers).get("waived", trial.ledger)
        tx.emit(CheckWaived(who=data.who, action=option.name, by=other, why="why.defenceless", rule=rule))
        return msgspec.structs.replace(data, succeeded=(other,)), False
    if not other or data.opposing_check or len(trial.theirs) == 1:
        return msgspec.structs.replace(data, opposing_check=data.opposing_check or trial.theirs[0]), False
    options = tuple(Option(their, f"<{their}>") for their in trial.theirs)
    best = max(trial.theirs, key=lambda check: _bonus(tx, other, check, data.who))
    question = Ask(CHOICE, "choice", "ask.a_check", other, options=options, suggested=(best,), rule=trial.ledger)
    ask(tx, procedure, "prompt.contest", [question], subject=option.name)
    return data, True


def _bonus(tx: Transaction, who: str, what: str, other: str) -> int:
    spec = action_check_roll(tx, tx.rules, who, what, other)
    return sum(part.value for part in spec.modifiers if isinstance(part, Modifier))


def begin_contest(
    tx: Transaction, procedure: Procedure, data: ActionInProgress, option: ActionOption, trial: ActionCheck
) -> ActionInProgress:
    """Ask for both rolls, or for one roll against the DC of the effect or of the side that doesn't roll."""
    other = opponent_of(tx, data, trial)
    dc = next((effect.value for effect in grapple_effects(tx, data, trial)), 0) if trial.holder else 0
    if not (other or dc) or data.succeeded:
        return data
    if data.check.startswith(DC):
        dc = ability_dc(tx, tx.rules, data.who, data.check.removeprefix(DC))
        kind = data.opposing_check.partition(".")[0]
        save = action_check_roll(tx, tx.rules, other, data.opposing_check, data.who, trial.tags)
        question = Ask(OWN, "roll", f"ask.{kind}", other, f"<{data.opposing_check}>", save, dc, rule=trial.ledger)
        ask(tx, procedure, "prompt.contest", [question], subject=option.name)
        return msgspec.structs.replace(data, dc=dc, total=dc)
    if not dc and data.opposing_check.startswith(DC):
        dc = ability_dc(tx, tx.rules, other, data.opposing_check.removeprefix(DC))
    own = action_check_roll(tx, tx.rules, data.who, data.check, other, trial.tags, trial.rules)
    if dc:
        question = Ask(OWN, "roll", CHECK, data.who, f"<{data.check}>", own, dc, rule=trial.ledger)
        ask(tx, procedure, "prompt.check", [question], subject=option.name)
        return msgspec.structs.replace(data, dc=dc)
    theirs = action_check_roll(tx, tx.rules, other, data.opposing_check, data.who, trial.tags)
    asks = (
        Ask(OWN, "roll", CHECK, data.who, f"<{data.check}>", own, rule=trial.ledger),
        Ask(THEIRS, "roll", CHECK, other, f"<{data.opposing_check}>", theirs, rule=trial.ledger),
    )
    ask(tx, procedure, "prompt.contest", asks, subject=option.name)
    return data


def finish_contest(tx: Transaction, data: ActionInProgress, trial: ActionCheck, answers: Answers) -> ActionInProgress:
    """Compare the two totals. Change nothing if either roll was skipped."""
    if data.dc:
        return _settle_check(tx, data, trial, answers)
    other = opponent_of(tx, data, trial)
    own, theirs = (_total(answers.get(id)) for id in (OWN, THEIRS))
    if own is None or theirs is None or not other:
        tx.emit(Skipped(purpose=CHECK, who=data.who, detail=f"<{data.check}>"))
        return data
    won = own > theirs or (own == theirs and not trial.yields)
    sides = ((other, THEIRS, data.opposing_check, 0, None, ""), (data.who, OWN, data.check, theirs, won, other))
    for who, id, what, against, passed, foe in sides:
        roll, rule, detail = answers[id].roll, trial.ledger, f"<{what}>"
        assert roll is not None
        tx.emit(
            Rolled(who=who, purpose=CHECK, roll=roll, detail=detail, dc=against, passed=passed, opponent=foe, rule=rule)
        )
    return msgspec.structs.replace(_end_hold(tx, data, trial, won=won), total=own)


def _settle_check(tx: Transaction, data: ActionInProgress, trial: ActionCheck, answers: Answers) -> ActionInProgress:
    """Compare the total with the effect's DC. If the roll was skipped, the effect remains."""
    answer, who, what = answers.get(OWN), data.who, data.check
    resists = what.startswith(DC)
    if resists:
        who, what = opponent_of(tx, data, trial), data.opposing_check
    label = f"ask.{what.partition('.')[0]}"
    passed = answer is not None and result_of(tx, answer, label, who, f"<{what}>", data.dc, trial.ledger)
    won = passed if not resists else answer is not None and not (passed or answer.skipped)
    return _end_hold(tx, data, trial, won=won)


def _end_hold(tx: Transaction, data: ActionInProgress, trial: ActionCheck, *, won: bool) -> ActionInProgress:
    """Record the winner. If the actor won a contest to break an effect, end that effect."""
    for effect in grapple_effects(tx, data, trial) if won and trial.holder else ():
        end_effect(tx, effect, trial.ledger)
    targets = data.targets or (data.who,)
    return msgspec.structs.replace(data, succeeded=targets if won else (), failed=() if won else targets)


def _total(answer: AskResult | None) -> int | None:
    return answer.roll.total if answer is not None and answer.roll is not None else None


def variant_of(option: ActionOption, choice: str) -> ActionChoice | None:
    """Return the chosen variant of an action, or its only variant if there is nothing to choose."""
    only_variant = option.choices[0] if len(option.choices) == 1 and "choice" not in option.asks else None
    return next((variant for variant in option.choices if variant.id == choice), only_variant)


def variant_number(tx: Transaction, who: str, variant: ActionChoice) -> int:
    """Return a variant's number: a fixed value, or a fraction of the combatant's ability modifier."""
    if not variant.ability:
        return variant.value
    modifier = tx.rules.modifier_of(creature_of(tx, tx.need(Combatant, who)), variant.ability)
    return tx.rules.half(tx, modifier) if variant.over == 2 else modifier // variant.over


def apply_result(tx: Transaction, procedure: Procedure, data: ActionInProgress, option: ActionOption) -> Next:
    """Push the losers away if that was the aim of the contest."""
    variant = variant_of(option, data.choice)
    for target in data.succeeded:
        if tx.get(Combatant, target) is None:
            continue
        if variant is not None and variant.outcome == PUSHED:
            feet, rule = variant_number(tx, data.who, variant), option.rule("result")
            push(tx, ForcedMovement(PUSHED, feet, (target,), source=option.name, rule=rule, away_from=data.who))
    return None


ENDS, STAYS = "ends", "stays"
ESCAPES = "escape"  # an action that attempts to escape an effect


def can_be_escaped(rules: RuleSystem, effect: Effect) -> bool:
    """Return whether a check against a DC can end an effect."""
    return bool(effect.escape) or effect.name in dict(rules.data.escapes)


def escape_action(rules: RuleSystem) -> ActionOption | None:
    """Return the action that attempts an escape, or None in games without one."""
    return next((option for option in rules.data.actions if option.done == ESCAPES), None)


def begin_escape(tx: Transaction, effect: Effect, cost: str = "", by: str = "") -> None:
    """Begin an attempt to escape an effect. Its cost is paid once the check is chosen."""
    begin(tx, ESCAPE.ask_check, EscapeAttempt(effect.id, cost=cost, by=by))


def ask_check(tx: Transaction, procedure: Procedure, data: EscapeAttempt, answers: Answers) -> Next:
    """Ask the game master which check to make against the effect's DC, and for the DC if it is unknown."""
    effect = _effect(tx, procedure)
    if effect is None:
        return None
    if _needs_no_check(tx, effect):
        _pay(tx, effect, data.cost, data.by or effect.target)
        return _escape(tx, procedure, effect)
    if not effect.value and tx.get(Combatant, effect.by) is not None:
        dc = known_number(tx, tx.rules, effect.by, tx.rules.data.checks.escape) if tx.rules.data.checks.escape else 0
        if effect.source in {spell.name for spell in tx.rules.data.spells}:
            dc = caster_at(tx, tx.rules, effect.by).dc
        effect = tx.update(effect, value=dc or 0)
    rule = _rule(tx.rules, effect)
    usual = (effect.escape,) if effect.escape else dict(tx.rules.data.escapes)[effect.name]
    every = (*usual, *(f"{skill.ability}:{skill.id}" for skill in tx.rules.data.skills))
    checks = dict.fromkeys((*every, *(ability.id for ability in tx.rules.data.abilities)))
    options = tuple(Option(check, f"<{_roll_of(check)}>") for check in checks)
    question = Ask(
        "check", "choice", "ask.which_check", dc=effect.value, options=options, suggested=usual[:1], rule=rule
    )
    asks = [question] if effect.value else [Ask("dc", "number", "ask.dc", rule=rule), question]
    return ask(tx, goto(procedure, ESCAPE.ask_roll), "prompt.escape", asks, subject=label_of(tx, effect.target))


def _needs_no_check(tx: Transaction, effect: Effect) -> bool:
    """Return whether another effect, of at least the same level, lets its target escape this one without a check."""
    about = HookContext(effect.target, "check", tags=(ATTACK_TRAIT,))
    freeing = data_rules_on(tx, tx.rules, effect.target, "hit", "check", about)
    return any(each.context.effect is not None and each.context.effect.level >= effect.level for each in freeing)


def _roll_of(check: str) -> str:
    """Return the roll for a check, such as `check.str:athletics`, or for a save such as `save.wis`."""
    return check if check.startswith(("check.", "save.")) else f"check.{check}"


def ask_roll(tx: Transaction, procedure: Procedure, data: EscapeAttempt, answers: Answers) -> Next:
    """Ask for the roll of the chosen check."""
    effect = _effect(tx, procedure)
    answer, dc = answers.get("check"), answers.get("dc")
    if effect is not None and dc is not None and dc.number:
        effect = tx.update(effect, value=dc.number)
    if effect is None or answer is None or not answer.chosen or not effect.value:
        return None
    who, rule = data.by or effect.target, _rule(tx.rules, effect)
    _pay(tx, effect, data.cost, who)
    check, kind = _roll_of(answer.chosen[0]), _roll_of(answer.chosen[0]).partition(".")[0]
    spec = action_check_roll(tx, tx.rules, who, check, "", (ATTACK_TRAIT if kind == "check" else "magic",))
    question = Ask("roll", "roll", f"ask.{kind}", who, f"<{check}>", spec, effect.value, rule=rule)
    ask(tx, procedure, "prompt.escape", [question], subject=label_of(tx, effect.target))
    return goto(procedure, ESCAPE.after_roll, data, check=check)


def after_roll(tx: Transaction, procedure: Procedure, data: EscapeAttempt, answers: Answers) -> Next:
    """End the effect after a successful check. Ask about linked effects if the rules leave them open."""
    effect = _effect(tx, procedure)
    answer = answers.get("roll")
    if effect is None or answer is None:
        return None
    who, label, detail = data.by or effect.target, f"ask.{data.check.partition('.')[0]}", f"<{data.check}>"
    count_attack(tx, who)
    degree = degree_of(tx, answer, label, who, detail, effect.value, _rule(tx.rules, effect))
    if degree == SUCCESS and effect.uses_left > 1:  # it takes more than one success, or a critical one
        tx.update(effect, uses_left=effect.uses_left - 1)
    elif is_success(degree or FAILURE):
        return _escape(tx, procedure, effect)
    return None


def _escape(tx: Transaction, procedure: Procedure, effect: Effect) -> Next:
    """End an effect, and others of the same cause that can be escaped. Ask about those that the rules leave open."""
    end_effect(tx, effect)
    for other in [each for each in tx.of(Effect, effect.target) if can_be_escaped(tx.rules, each)]:
        if effect.source and (other.source, other.by) == (effect.source, effect.by):
            end_effect(tx, other)
    return _ask_what_ends_too(tx, procedure, effect)


def _ask_what_ends_too(tx: Transaction, procedure: Procedure, ended: Effect) -> Next:
    linked_conditions = conditions_ended_with(tx, tx.rules, ended.name)
    alike = (each for each in tx.of(Effect, ended.target) if each.source == ended.source)
    linked_effects = [each for each in alike if each.name in linked_conditions]
    if not linked_effects:
        return None
    rule = next((option.ledger[0] for option in enabled_options(tx, tx.rules) if option.may_end and option.ledger), "")
    options = (Option(ENDS, "option.ends"), Option(STAYS, "option.stays"))
    asks = [
        Ask(one.id, "choice", "ask.ends_too", ended.target, f"<condition.{one.name}>", options=options, rule=rule)
        for one in linked_effects
    ]
    ask(tx, procedure, "prompt.escape", asks, subject=label_of(tx, ended.target))
    return goto(procedure, ESCAPE.end_linked_effects)


def end_linked_effects(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> None:
    """End the linked effects that the game master chose."""
    for id, answer in answers.items():
        effect = tx.get(Effect, id)
        if effect is not None and ENDS in answer.chosen:
            end_effect(tx, effect)


def _effect(lookup: Lookup, procedure: Procedure) -> Effect | None:
    return lookup.get(Effect, data_of(procedure, EscapeAttempt).effect)


def _rule(rules: RuleSystem, effect: Effect) -> str:
    condition = rules.conditions.get(effect.name)
    return condition.ledger[0] if condition is not None and condition.ledger else ""


@command(script="wake {effect} [by {by}]")
class Wake(Command, frozen=True):
    """Spend the action of a creature next to the target to end an effect, such as sleep. `by` is that creature.

    By default it is the active combatant, or for the active combatant itself, an ally next to it.
    """

    effect: EffectId
    by: CombatantId = ""

    def handle(self, tx: Transaction) -> None:
        """Pay the cost of the creature next to the target, and end the effect."""
        effect = tx.need(Effect, self.effect)
        require(effect.wakes, "refused.no_waking", who=label_of(tx, effect.target))
        by = self.by or next(iter(_wakers(tx, effect.target)), "")
        require(by and by != effect.target, "refused.nobody_near", who=label_of(tx, effect.target))
        if geometry.is_within(tx, tx.rules, by, effect.target, tx.rules.data.grid.reach) is False:
            tx.forbid("refused.not_adjacent", "", who=label_of(tx, by), what=label_of(tx, effect.target))
        if effect.escape:
            tx.forbid_by(spending_vetoes(tx, tx.rules, by, effect.wakes))
            begin_escape(tx, effect, effect.wakes, by)
            return
        spend(tx, by, effect.wakes)
        price = counted_price(tx.rules, effect.wakes, 1)
        tx.emit(ActionTaken(who=by, action="<action.wake>", cost=effect.wakes, price=price))
        end_effect(tx, effect)


def _wakers(lookup: Transaction, target: str) -> list[str]:
    """Return the combatants that can wake another: the active one, or its allies that may be near enough."""
    slot, side = active_slot(lookup), lookup.need(Combatant, target).side
    others = [one for one in lookup.all(Combatant) if one.id != target and not is_out_of_play(lookup, one.id)]
    active = [one.id for one in others if slot is not None and one.id in slot.members]
    allies = (one.id for one in others if one.side == side and one.hp > 0)
    reach = lookup.rules.data.grid.reach
    near = [who for who in allies if geometry.is_within(lookup, lookup.rules, who, target, reach) is not False]
    return [*active, *near]


@command(script="break free {effect}")
class BreakFree(Command, frozen=True):
    """Pay the cost to end an effect."""

    effect: EffectId

    def handle(self, tx: Transaction) -> None:
        """Pay the cost that ends an effect, and end it."""
        effect, action = tx.need(Effect, self.effect), escape_action(tx.rules)
        escapable = can_be_escaped(tx.rules, effect)
        require(effect.break_free or escapable, "refused.no_way_free", what=f"<condition.{effect.name}>")
        cost = effect.break_free or (action.cost if action is not None else "")
        tx.forbid_by(spending_vetoes(tx, tx.rules, effect.target, cost))
        if effect.escape or (escapable and not effect.break_free):
            begin_escape(tx, effect, cost)
        else:
            _pay(tx, effect, cost, effect.target)
            end_effect(tx, effect)


def _pay(tx: Transaction, effect: Effect, cost: str, who: str) -> None:
    """Pay for an attempt to escape an effect, unless it costs nothing."""
    if not cost:
        return
    action = None if effect.break_free else escape_action(tx.rules)
    deduct(tx, who, cost)
    name = "<action.break_free>" if action is None else action.name
    tx.emit(ActionTaken(who=who, action=name, cost=cost, price=counted_price(tx.rules, cost, 1)))
