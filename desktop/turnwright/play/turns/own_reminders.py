"""Reminders written by the game master: finding those due in a round, on a turn or after a step, and showing them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.prepared import Reminder, ReminderMoment
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Option, choice_ask
from turnwright.encounter.procedure_state.turns import OWN_REMINDER, DueReminders
from turnwright.encounter.running import Combatant, CountdownPool, LastingArea, ReminderShown, WaveArrived
from turnwright.play.kernel.scheduler import Answers, ask, begin, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import Skipped
from turnwright.play.table.notes import NoteAdded
from turnwright.play.turns.turn_triggers import APPLIED, WAIVED
from turnwright.rules.parts.positions.lasting_areas import is_in_area, standing_areas
from turnwright.rules.system import RuleSystem

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


def begin_turn_reminders(
    tx: Transaction, rules: RuleSystem, who: Iterable[str], moment: ReminderMoment, parent: str = ""
) -> None:
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
        if is_in_area(tx, rules, member.id, area)
    ]
    _begin(tx, due, parent, areas)


def begin_event_reminders(tx: Transaction, rules: RuleSystem) -> bool:
    """Show reminders of changes in this step (hit points, countdowns, waves, areas). Return whether any was due."""
    watched = [reminder for reminder in _waiting(tx) if reminder.at not in ("round", "turn-start", "turn-end")]
    return _begin(tx, [reminder for reminder in watched if _has_happened(tx, reminder)], areas=_entered(tx, rules))


def _entered(tx: Transaction, rules: RuleSystem) -> list[tuple[LastingArea, str]]:
    """Return lasting areas that a combatant entered in this step, or that spread over it."""
    if clock_of(tx).phase != "rounds":
        return []
    watched = [area for area in standing_areas(tx) if area.reminds == "entering"]
    return [
        (area, combatant.id)
        for area in watched
        for combatant in tx.all(Combatant)
        if is_in_area(tx, rules, combatant.id, area) and not _was_in(tx, rules, combatant.id, area)
    ]


def _was_in(tx: Transaction, rules: RuleSystem, who: str, area: LastingArea) -> bool:
    """Return whether a combatant was in an area before this step, or whether the area is new."""
    before = tx.base.get(LastingArea, area.id)
    return before is None or is_in_area(tx.base, rules, who, before)


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


def ask_own_reminders(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask whether each reminder was applied or skipped."""
    options = (Option(APPLIED, "option.applied"), Option(WAIVED, "option.waived"))
    due = [
        reminder for id in data_of(procedure, DueReminders).reminders if (reminder := tx.get(Reminder, id)) is not None
    ]
    asks = [choice_ask(reminder.id, "ask.own_reminder", options, detail=_text(reminder)) for reminder in due]
    for area, who in data_of(procedure, DueReminders).areas:
        asks.append(choice_ask(f"{area}/{who}", "ask.in_area", options, who, detail=_area_name(tx, area)))
    return ask(tx, goto(procedure, OWN_REMINDER.record_own_reminders), "prompt.own_reminder", asks)


def record_own_reminders(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
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
            tx.emit(NoteAdded(text=_text(reminder), rule=""))
        elif reminder is not None:
            tx.emit(Skipped(purpose="ask.due_note", detail=_text(reminder)))


def _area_name(tx: Transaction, area: str) -> str:
    record = tx.get(LastingArea, area)
    return record.name if record is not None else area


def _text(reminder: Reminder) -> str:
    return reminder.text or reminder.id


STAGES = stages_in(globals(), OWN_REMINDER)
