"""Reminders written by the game master: finding those due in a round, on a turn or after a step, and showing them.

Triggers at the start and end of a turn: features that depend on them, and reminders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Literal

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.prepared import Feature, Reminder, ReminderMoment
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ActionInProgress
from turnwright.encounter.procedure_state.asks import Option, choice_ask
from turnwright.encounter.procedure_state.attacks import FEATURE_TRIGGER, FeatureTrigger, TriggeredFeature
from turnwright.encounter.procedure_state.turns import (
    OWN_REMINDER,
    REMINDER,
    TURN_TRIGGER,
    DueReminders,
    TurnReminders,
    TurnTrigger,
)
from turnwright.encounter.running import Combatant, CountdownPool, Effect, LastingArea, ReminderShown, WaveArrived
from turnwright.encounter.state import Lookup
from turnwright.play.asking.action_parameters import begin_action
from turnwright.play.effects.conditions import effects_in_play
from turnwright.play.kernel.scheduler import Answers, ask, begin, choices_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import Skipped
from turnwright.play.table.game_master import NoteAdded
from turnwright.rules.hooks import HookContext
from turnwright.rules.parts.actions.action_options import FREE
from turnwright.rules.parts.actions.triggered_features import TRAIT, does_something, only_reminds, triggered
from turnwright.rules.parts.combatants.facts import cannot_act
from turnwright.rules.parts.combatants.phases import features_at
from turnwright.rules.parts.economy.resources import denial_vetoes, spending_vetoes
from turnwright.rules.parts.positions.map_geometry import is_in_area, standing_areas
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


def begin_triggers(tx: Transaction, who: Members, moment: TurnMoment, parent: str) -> None:
    """Begin each combatant's automatic features at this moment, and offer one of its other features."""
    for member in who:
        acting = acting_features(tx, tx.rules, member, moment)
        if acting:
            begin(tx, FEATURE_TRIGGER.ask_use, FeatureTrigger(moment, acting), parent)
        if triggered_features(tx, tx.rules, member, moment):
            begin(tx, TURN_TRIGGER.ask_trigger, TurnTrigger(member, moment), parent)


def ask_trigger(tx: Transaction, procedure: Procedure, data: TurnTrigger, answers: Answers) -> Procedure:
    """Ask which feature a combatant uses, if any."""
    rule = tx.rule_id(f"turn.{data.moment.removeprefix('turn-')}-trigger")
    options = [
        Option(feature.id, feature.name, feature.text)
        for feature in triggered_features(tx, tx.rules, data.who, data.moment)
    ]
    choices = (*options, Option(PASS, "option.pass"))
    question = choice_ask("which", "ask.triggered", choices, data.who, suggested=PASS, rule=rule)
    ask(tx, procedure, "prompt.triggered", [question] if options else [], subject=label_of(tx, data.who))
    return goto(procedure, TURN_TRIGGER.use_trigger)


def use_trigger(tx: Transaction, procedure: Procedure, data: TurnTrigger, answers: Answers) -> None:
    """Use the chosen feature."""
    usable = {triggered_feature.id for triggered_feature in triggered_features(tx, tx.rules, data.who, data.moment)}
    for id in choices_of(answers, "which"):
        if id in usable:
            begin_action(tx, ActionInProgress(data.who, id), procedure.parent)


# Reminders ------------------------------------------------------------------------------------------------------


def due_reminders(lookup: Lookup, who: Members, moment: str) -> list[Effect]:
    """Return the reminders due at this moment of a turn."""
    return [effect for effect in effects_in_play(lookup, who) if effect.reminder_at == moment]


def begin_reminders(tx: Transaction, who: Members, moment: TurnMoment, parent: str) -> None:
    """Begin asking whether each due reminder was applied or skipped."""
    due = tuple(due_reminder.id for due_reminder in due_reminders(tx, who, moment))
    if due:
        begin(tx, REMINDER.ask_reminders, TurnReminders(moment, due), parent)


def ask_reminders(tx: Transaction, procedure: Procedure, data: TurnReminders, answers: Answers) -> Procedure:
    """Ask whether each reminder was applied."""
    rule = tx.rule_id(f"turn.{data.moment.removeprefix('turn-')}-note")
    options = (Option(APPLIED, "option.applied"), Option(WAIVED, "option.waived"))
    effects = [effect for id in data.effects if (effect := tx.get(Effect, id)) is not None]
    asks = [
        choice_ask(effect.id, "ask.due_note", options, effect.target, _text(effect), rule=rule) for effect in effects
    ]
    subject = labels_of(tx, (effect.target for effect in effects))
    return ask(tx, goto(procedure, REMINDER.record_reminders), "prompt.due_note", asks, subject=subject)


def record_reminders(tx: Transaction, procedure: Procedure, data: TurnReminders, answers: Answers) -> None:
    """Record which reminders were applied and which were skipped."""
    rule = tx.rule_id(f"turn.{data.moment.removeprefix('turn-')}-note")
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


HitPointTest = Callable[[Combatant], bool]
_HIT_POINTS: Mapping[str, HitPointTest] = MappingProxyType(
    {
        "half": lambda one: one.hp_max > 0 and 2 * one.hp <= one.hp_max,
        "drops": lambda one: one.dead or (one.hp_max > 0 and one.hp <= 0),
        "dies": lambda one: one.dead,
    }
)


def begin_round_reminders(tx: Transaction, parent: str) -> None:
    """Show the reminders for this round. The round waits for them."""
    _begin(tx, [reminder for reminder in _waiting(tx) if reminder.at == "round"], parent)


def begin_turn_reminders(tx: Transaction, who: Iterable[str], moment: ReminderMoment, parent: str = "") -> None:
    """Show reminders at the start or end of these combatants' turns, including those of lasting areas they are in."""
    members = [tx.need(Combatant, id) for id in who]
    due = [
        reminder
        for reminder in _waiting(tx)
        if reminder.at == moment and any(_is_meant(reminder, combatant) for combatant in members)
    ]
    areas = [
        (area, member.id)
        for area in standing_areas(tx)
        if area.reminds == moment
        for member in members
        if is_in_area(tx, tx.rules, member.id, area)
    ]
    _begin(tx, due, parent, areas)


def begin_event_reminders(tx: Transaction) -> bool:
    """Show reminders of changes in this step (hit points, countdowns, waves, areas). Return whether any was due."""
    watched = [reminder for reminder in _waiting(tx) if reminder.at not in ("round", "turn-start", "turn-end")]
    return _begin(tx, [reminder for reminder in watched if _has_happened(tx, reminder)], areas=_entered(tx))


def _entered(tx: Transaction) -> list[tuple[LastingArea, str]]:
    """Return lasting areas that a combatant entered in this step, or that spread over it."""
    if clock_of(tx).phase != "rounds":
        return []
    watched = [area for area in standing_areas(tx) if area.reminds == "entering"]
    return [
        (area, combatant.id)
        for area in watched
        for combatant in tx.all(Combatant)
        if is_in_area(tx, tx.rules, combatant.id, area) and not _was_in(tx, combatant.id, area)
    ]


def _was_in(tx: Transaction, who: str, area: LastingArea) -> bool:
    """Return whether a combatant was in an area before this step, or whether the area is new."""
    before = tx.base.get(LastingArea, area.id)
    return before is None or is_in_area(tx.base, tx.rules, who, before)


def _waiting(tx: Transaction) -> list[Reminder]:
    """Return the reminders that may be shown in this round."""
    clock = clock_of(tx)
    if clock.phase != "rounds":
        return []
    return [
        reminder
        for reminder in tx.all(Reminder)
        if reminder.round <= clock.round and (reminder.each_time or tx.get(ReminderShown, reminder.id) is None)
    ]


def _begin(
    tx: Transaction, due: list[Reminder], parent: str = "", areas: list[tuple[LastingArea, str]] | None = None
) -> bool:
    current_round = clock_of(tx).round
    for reminder in due:
        tx.put(ReminderShown(reminder.id, current_round))
    entered = tuple((area.id, who) for area, who in areas or ())
    if due or entered:
        begin(tx, OWN_REMINDER.ask_own_reminders, DueReminders(tuple(reminder.id for reminder in due), entered), parent)
    return bool(due or entered)


def _is_meant(reminder: Reminder, combatant: Combatant) -> bool:
    return reminder.who in ("", combatant.id, combatant.roster, combatant.side)


def _has_happened(tx: Transaction, reminder: Reminder) -> bool:
    """Return whether the event of a reminder has happened in the current step."""
    if reminder.at == "countdown":
        previous, current = tx.base.get(CountdownPool, reminder.countdown), tx.get(CountdownPool, reminder.countdown)
        return bool(previous and current and previous.dice > reminder.dice >= current.dice)
    if reminder.at == "wave":
        return tx.base.get(WaveArrived, reminder.wave) != tx.get(WaveArrived, reminder.wave) is not None
    is_so = _HIT_POINTS[reminder.at]
    return any(
        is_so(combatant) and (before := tx.base.get(Combatant, combatant.id)) is not None and not is_so(before)
        for combatant in tx.all(Combatant)
        if _is_meant(reminder, combatant)
    )


def ask_own_reminders(tx: Transaction, procedure: Procedure, data: DueReminders, answers: Answers) -> Procedure:
    """Ask whether each reminder was applied or skipped."""
    options = (Option(APPLIED, "option.applied"), Option(WAIVED, "option.waived"))
    due = [reminder for id in data.reminders if (reminder := tx.get(Reminder, id)) is not None]
    asks = [choice_ask(reminder.id, "ask.own_reminder", options, detail=_reminder_text(reminder)) for reminder in due]
    for area, who in data.areas:
        asks.append(choice_ask(f"{area}/{who}", "ask.in_area", options, who, detail=_area_name(tx, area)))
    return ask(tx, goto(procedure, OWN_REMINDER.record_own_reminders), "prompt.own_reminder", asks)


def record_own_reminders(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> None:
    """Note in the journal which reminders were applied and which were skipped."""
    for id, answer in answers.items():
        reminder = tx.get(Reminder, id)
        area, _, who = id.partition("/")
        if who:
            combatant = tx.get(Combatant, who)
            text = f"{combatant.label}: {_area_name(tx, area)}" if combatant is not None else _area_name(tx, area)
            tx.emit(
                NoteAdded(text=text, rule="")
                if APPLIED in answer.chosen
                else Skipped(purpose="ask.due_note", detail=text)
            )
        elif reminder is not None and APPLIED in answer.chosen:
            tx.emit(NoteAdded(text=_reminder_text(reminder), rule=""))
        elif reminder is not None:
            tx.emit(Skipped(purpose="ask.due_note", detail=_reminder_text(reminder)))


def _area_name(tx: Transaction, area: str) -> str:
    record = tx.get(LastingArea, area)
    return record.name if record is not None else area


def _reminder_text(reminder: Reminder) -> str:
    return reminder.text or reminder.id


STAGES = stages_in(globals(), TURN_TRIGGER, REMINDER, OWN_REMINDER)
