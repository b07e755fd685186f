"""Triggers at the start and end of a turn: features that depend on them, and reminders."""

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
from turnwright.play.table.notes import NoteAdded
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


# Triggered features --------------------------------------------------------------------------------------------


def triggered_features(lookup: Lookup, rules: RuleSystem, who: str, moment: TurnMoment) -> list[Feature]:
    """Return features, other than automatic ones, that a combatant can use and pay for at this moment of its turn."""
    if cannot_act(lookup, who):
        return []
    creature = creature_of(lookup, lookup.need(Combatant, who))
    if not features_at(creature, moment):
        return []
    waiting = {trigger.feature for trigger in triggered(lookup, rules, who, moment, HookContext(who, "turn"))}
    return [
        feature
        for feature in features_at(creature, moment)
        if feature.id in waiting
        and not _is_begun(feature)
        and (feature.cost == TRAIT or not denial_vetoes(lookup, rules, who, feature.cost))
        and (feature.cost in (TRAIT, FREE) or not spending_vetoes(lookup, rules, who, feature.cost, feature.price))
    ]


def _is_begun(feature: Feature) -> bool:
    """Return whether a feature acts or reminds automatically when triggered, so it needn't be chosen."""
    return does_something(feature) or only_reminds(feature)


def acting_features(lookup: Lookup, rules: RuleSystem, who: str, moment: TurnMoment) -> tuple[TriggeredFeature, ...]:
    """Return a combatant's features that act or remind automatically at this moment of its turn."""
    combatant = lookup.need(Combatant, who)
    acting = {feature.id for feature in features_at(creature_of(lookup, combatant), moment) if _is_begun(feature)}
    if not acting:
        return ()
    triggers = triggered(lookup, rules, who, moment, HookContext(who, "turn"))
    return tuple(trigger for trigger in triggers if trigger.feature in acting)


def begin_triggers(tx: Transaction, rules: RuleSystem, who: Members, moment: TurnMoment, parent: str) -> None:
    """Begin each combatant's automatic features at this moment, and offer one of its other features."""
    for member in who:
        acting = acting_features(tx, rules, member, moment)
        if acting:
            begin(tx, FEATURE_TRIGGER.ask_use, FeatureTrigger(moment, acting), parent)
        if triggered_features(tx, rules, member, moment):
            begin(tx, TURN_TRIGGER.ask_trigger, TurnTrigger(member, moment), parent)


def ask_trigger(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask which feature a combatant uses, if any."""
    data = data_of(procedure, TurnTrigger)
    rule = rules.rule_id(f"turn.{data.moment.removeprefix('turn-')}-trigger")
    options = [
        Option(triggered_feature.id, triggered_feature.name, triggered_feature.text)
        for triggered_feature in triggered_features(tx, rules, data.who, data.moment)
    ]
    choices = (*options, Option(PASS, "option.pass"))
    question = choice_ask("which", "ask.triggered", choices, data.who, suggested=PASS, rule=rule)
    ask(tx, procedure, "prompt.triggered", [question] if options else [], subject=label_of(tx, data.who))
    return goto(procedure, TURN_TRIGGER.use_trigger)


def use_trigger(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Use the chosen feature."""
    data = data_of(procedure, TurnTrigger)
    usable = {triggered_feature.id for triggered_feature in triggered_features(tx, rules, data.who, data.moment)}
    for id in choices_of(answers, "which"):
        if id in usable:
            begin_action(tx, rules, ActionInProgress(data.who, id), procedure.parent)


# Reminders ------------------------------------------------------------------------------------------------------


def due_reminders(lookup: Lookup, who: Members, moment: str) -> list[Effect]:
    """Return the reminders due at this moment of a turn."""
    return [effect for effect in effects_in_play(lookup, who) if effect.reminder_at == moment]


def begin_reminders(tx: Transaction, who: Members, moment: TurnMoment, parent: str) -> None:
    """Begin asking whether each due reminder was applied or skipped."""
    due = tuple(due_reminder.id for due_reminder in due_reminders(tx, who, moment))
    if due:
        begin(tx, REMINDER.ask_reminders, TurnReminders(moment, due), parent)


def ask_reminders(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask whether each reminder was applied."""
    data = data_of(procedure, TurnReminders)
    rule = rules.rule_id(f"turn.{data.moment.removeprefix('turn-')}-note")
    options = (Option(APPLIED, "option.applied"), Option(WAIVED, "option.waived"))
    effects = [effect for id in data.effects if (effect := tx.get(Effect, id)) is not None]
    asks = [
        choice_ask(effect.id, "ask.due_note", options, effect.target, _text(effect), rule=rule) for effect in effects
    ]
    subject = labels_of(tx, (effect.target for effect in effects))
    return ask(tx, goto(procedure, REMINDER.record_reminders), "prompt.due_note", asks, subject=subject)


def record_reminders(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Record which reminders were applied and which were skipped."""
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
