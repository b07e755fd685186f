"""Triggers of a turn's start and end: a feature that waits for it, and reminders."""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.prepared import Feature
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ActionInProgress
from turnwright.encounter.procedure_state.asks import Option, choice_ask
from turnwright.encounter.procedure_state.attacks import FEATURE_TRIGGER, FeatureTrigger, TriggeredFeature
from turnwright.encounter.procedure_state.turns import REMINDER, TURN_TRIGGER, TurnReminders, TurnTrigger
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.play.asking.action_parameters import begin_action
from turnwright.play.effects.durations import effects_in_play
from turnwright.play.kernel.scheduler import Answers, ask, begin, choices_of, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import Skipped
from turnwright.play.table.events import NoteAdded
from turnwright.rules.hooks import HookContext
from turnwright.rules.parts.actions.action_options import FREE
from turnwright.rules.parts.actions.triggered_features import TRAIT, does_something, only_reminds, triggered
from turnwright.rules.parts.combatants.feature_triggers import features_at
from turnwright.rules.parts.combatants.incapacitation import cannot_act
from turnwright.rules.parts.economy.resources import denial_vetoes, spending_vetoes
from turnwright.rules.system import RuleSystem, creature_of, label_of, labels_of

PASS = "pass"
APPLIED, WAIVED = "applied", "waived"
Members = tuple[str, ...]
TurnMoment = Literal["turn-start", "turn-end"]


# Features that wait for it ---------------------------------------------------------------------------------------


def triggered_features(lookup: Lookup, rules: RuleSystem, who: str, moment: TurnMoment) -> list[Feature]:
    """Return the features without figures that a combatant may use at this moment of its turn, and can pay for."""
    if cannot_act(lookup, who):
        return []
    creature = creature_of(lookup, lookup.need(Combatant, who))
    if not features_at(creature, moment):
        return []
    waiting = {one.feature for one in triggered(lookup, rules, who, moment, HookContext(who, "turn"))}
    return [
        one
        for one in features_at(creature, moment)
        if one.id in waiting
        and not _is_begun(one)
        and (one.cost == TRAIT or not denial_vetoes(lookup, rules, who, one.cost))
        and (one.cost in (TRAIT, FREE) or not spending_vetoes(lookup, rules, who, one.cost, one.price))
    ]


def _is_begun(feature: Feature) -> bool:
    """Return whether a feature acts or reminds at its moment, so that nothing is ordered."""
    return does_something(feature) or only_reminds(feature)


def acting_features(lookup: Lookup, rules: RuleSystem, who: str, moment: TurnMoment) -> tuple[TriggeredFeature, ...]:
    """Return the features of a combatant that act, or remind, at this moment of its turn."""
    combatant = lookup.need(Combatant, who)
    acting = {one.id for one in features_at(creature_of(lookup, combatant), moment) if _is_begun(one)}
    if not acting:
        return ()
    found = triggered(lookup, rules, who, moment, HookContext(who, "turn"))
    return tuple(one for one in found if one.feature in acting)


def begin_triggers(tx: Transaction, rules: RuleSystem, who: Members, moment: TurnMoment, parent: str) -> None:
    """Begin the features of each combatant that act now, and offer one of those it may use."""
    for one in who:
        acting = acting_features(tx, rules, one, moment)
        if acting:
            begin(tx, FEATURE_TRIGGER.ask_use, FeatureTrigger(moment, acting), parent)
        if triggered_features(tx, rules, one, moment):
            begin(tx, TURN_TRIGGER.ask_trigger, TurnTrigger(one, moment), parent)


def ask_trigger(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask which, if any."""
    data = data_of(procedure, TurnTrigger)
    rule = rules.rule_id(f"turn.{data.moment.removeprefix('turn-')}-trigger")
    options = [Option(one.id, one.name, one.text) for one in triggered_features(tx, rules, data.who, data.moment)]
    choices = (*options, Option(PASS, "option.pass"))
    asked = choice_ask("which", "ask.triggered", choices, data.who, suggested=PASS, rule=rule)
    ask(tx, procedure, "prompt.triggered", [asked] if options else [], subject=label_of(tx, data.who))
    return goto(procedure, TURN_TRIGGER.use_trigger)


def use_trigger(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Use the chosen feature."""
    data = data_of(procedure, TurnTrigger)
    known = {one.id for one in triggered_features(tx, rules, data.who, data.moment)}
    for id in choices_of(answers, "which"):
        if id in known:
            begin_action(tx, rules, ActionInProgress(data.who, id), procedure.parent)


# Reminders ------------------------------------------------------------------------------------------------------


def due_reminders(lookup: Lookup, who: Members, moment: str) -> list[Effect]:
    """Return the reminders due at this moment of a turn."""
    return [one for one in effects_in_play(lookup, who) if one.reminder_at == moment]


def begin_reminders(tx: Transaction, who: Members, moment: TurnMoment, parent: str) -> None:
    """Ask about each due reminder: applied, or passed over."""
    due = tuple(one.id for one in due_reminders(tx, who, moment))
    if due:
        begin(tx, REMINDER.ask_reminders, TurnReminders(moment, due), parent)


def ask_reminders(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask of each whether it was applied."""
    data = data_of(procedure, TurnReminders)
    rule = rules.rule_id(f"turn.{data.moment.removeprefix('turn-')}-note")
    options = (Option(APPLIED, "option.applied"), Option(WAIVED, "option.waived"))
    effects = [one for id in data.effects if (one := tx.get(Effect, id)) is not None]
    asks = [choice_ask(one.id, "ask.due_note", options, one.target, _text(one), rule=rule) for one in effects]
    subject = labels_of(tx, (one.target for one in effects))
    return ask(tx, goto(procedure, REMINDER.record_reminders), "prompt.due_note", asks, subject=subject)


def record_reminders(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Record which reminders were applied and which passed over."""
    data = data_of(procedure, TurnReminders)
    rule = rules.rule_id(f"turn.{data.moment.removeprefix('turn-')}-note")
    for id, answer in answers.items():
        effect = tx.get(Effect, id)
        if effect is None:
            continue
        if APPLIED in answer.chosen:
            tx.emit(NoteAdded(text=_text(effect), rule=rule))
        else:
            tx.emit(Skipped(purpose="ask.due_note", who=effect.target, detail=_text(effect)))


def _text(effect: Effect) -> str:
    return effect.note or effect.source or f"<condition.{effect.name}>"


STAGES = stages_in(globals(), TURN_TRIGGER, REMINDER)
