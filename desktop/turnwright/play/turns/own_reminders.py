"""Reminders that the game master wrote: those due at a round, a turn or after a step, and the card that shows them."""

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
from turnwright.play.table.events import NoteAdded
from turnwright.play.turns.turn_triggers import APPLIED, WAIVED
from turnwright.rules.parts.positions.lasting_areas import is_in_area, standing_areas
from turnwright.rules.system import RuleSystem

HitPointTest = Callable[[Combatant], bool]


def begin_round_reminders(tx: Transaction, parent: str) -> None:
    """Show the reminders of this round; its start waits for them."""
    _begin(tx, [one for one in _waiting(tx) if one.at == "round"], parent)


def begin_turn_reminders(
    tx: Transaction, rules: RuleSystem, who: Iterable[str], moment: ReminderMoment, parent: str = ""
) -> None:
    """Show the reminders of the start or end of these combatants' turn, and of the lasting areas they are in."""
    here = [tx.need(Combatant, one) for one in who]
    due = [one for one in _waiting(tx) if one.at == moment and any(_is_meant(one, each) for each in here)]
    areas = [
        (area, one.id)
        for area in standing_areas(tx)
        if area.reminds == moment
        for one in here
        if is_in_area(tx, rules, one.id, area)
    ]
    _begin(tx, due, parent, areas)


def begin_event_reminders(tx: Transaction, rules: RuleSystem) -> bool:
    """Show the reminders of changes in this step: hit points lost, a countdown run down, a wave; return whether any."""
    watched = [one for one in _waiting(tx) if one.at not in ("round", "turn-start", "turn-end")]
    return _begin(tx, [one for one in watched if _has_happened(tx, one)], areas=_entered(tx, rules))


def _entered(tx: Transaction, rules: RuleSystem) -> list[tuple[LastingArea, str]]:
    """Return the lasting areas that a combatant has come into in this step, or that came over them."""
    if clock_of(tx).phase != "rounds":
        return []
    watched = [area for area in standing_areas(tx) if area.reminds == "entering"]
    return [
        (area, one.id)
        for area in watched
        for one in tx.all(Combatant)
        if is_in_area(tx, rules, one.id, area) and not _was_in(tx, rules, one.id, area)
    ]


def _was_in(tx: Transaction, rules: RuleSystem, who: str, area: LastingArea) -> bool:
    """Return whether a combatant was in an area before this step, or the area is new."""
    before = tx.base.get(LastingArea, area.id)
    return before is None or is_in_area(tx.base, rules, who, before)


def _waiting(tx: Transaction) -> list[Reminder]:
    """Return the reminders that may be shown in this round."""
    clock = clock_of(tx)
    if clock.phase != "rounds":
        return []
    return [
        one
        for one in tx.all(Reminder)
        if one.round <= clock.round and (one.each_time or tx.get(ReminderShown, one.id) is None)
    ]


def _begin(
    tx: Transaction, due: list[Reminder], parent: str = "", areas: list[tuple[LastingArea, str]] | None = None
) -> bool:
    now = clock_of(tx).round
    for one in due:
        tx.put(ReminderShown(one.id, now))
    entered = tuple((area.id, who) for area, who in areas or ())
    if due or entered:
        begin(tx, OWN_REMINDER.ask_own_reminders, DueReminders(tuple(one.id for one in due), entered), parent)
    return bool(due or entered)


def _is_meant(reminder: Reminder, one: Combatant) -> bool:
    return reminder.who in ("", one.id, one.roster, one.side)


def _has_happened(tx: Transaction, reminder: Reminder) -> bool:
    """Return whether the moment of a reminder has come in the present step."""
    if reminder.at == "countdown":
        was, now = tx.base.get(CountdownPool, reminder.countdown), tx.get(CountdownPool, reminder.countdown)
        return bool(was and now and was.dice > reminder.dice >= now.dice)
    if reminder.at == "wave":
        return tx.base.get(WaveArrived, reminder.wave) != tx.get(WaveArrived, reminder.wave) is not None
    is_so = _HIT_POINTS[reminder.at]
    return any(
        is_so(one) and (before := tx.base.get(Combatant, one.id)) is not None and not is_so(before)
        for one in tx.all(Combatant)
        if _is_meant(reminder, one)
    )


_HIT_POINTS: Mapping[str, HitPointTest] = MappingProxyType(
    {
        "half": lambda one: one.hp_max > 0 and 2 * one.hp <= one.hp_max,
        "drops": lambda one: one.dead or (one.hp_max > 0 and one.hp <= 0),
        "dies": lambda one: one.dead,
    }
)


def ask_own_reminders(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask of each reminder whether it is done with."""
    options = (Option(APPLIED, "option.applied"), Option(WAIVED, "option.waived"))
    due = [one for id in data_of(procedure, DueReminders).reminders if (one := tx.get(Reminder, id)) is not None]
    asks = [choice_ask(one.id, "ask.own_reminder", options, detail=_text(one)) for one in due]
    for area, who in data_of(procedure, DueReminders).areas:
        asks.append(choice_ask(f"{area}/{who}", "ask.in_area", options, who, detail=_area_name(tx, area)))
    return ask(tx, goto(procedure, OWN_REMINDER.record_own_reminders), "prompt.own_reminder", asks)


def record_own_reminders(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Note in the journal which reminders are done, and which were passed over."""
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
    found = tx.get(LastingArea, area)
    return found.name if found is not None else area


def _text(reminder: Reminder) -> str:
    return reminder.text or reminder.id


STAGES = stages_in(globals(), OWN_REMINDER)
