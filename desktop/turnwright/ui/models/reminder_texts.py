"""Texts of reminders in lists: the first line, and a description of when the reminder appears."""

from __future__ import annotations

from turnwright.encounter.prepared import Countdown, Creature, Reminder, RosterEntry
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter
from turnwright.encounter.wave_names import wave_name
from turnwright.ui.look.translations import tr
from turnwright.ui.models.display_names import roster_entry_name, side_name


def reminder_title(reminder: Reminder) -> str:
    """Return the first line of a reminder."""
    return reminder.title or tr("ui.reminder.new")


def reminder_text(encounter: Encounter, reminder: Reminder) -> str:
    """Describe when a reminder appears, including the first possible round."""
    if reminder.at == "round":
        key = "each-round" if reminder.each_time else "in-round"
        return tr(f"ui.reminder.{key}", n=max(reminder.round, 1))
    parts = [
        tr(f"ui.reminder.moment-{reminder.at}", who=_who(encounter, reminder.who), what=_what(encounter, reminder))
    ]
    if reminder.at == "countdown":
        parts.append(tr("ui.reminder.at-dice", n=reminder.dice) if reminder.dice else tr("ui.reminder.at-end"))
    parts += [tr("ui.roster.from-round", n=reminder.round)] if reminder.round > 1 else []
    parts += [tr("ui.reminder.again")] if reminder.each_time else []
    return ", ".join(parts)


def _who(encounter: Encounter, who: str) -> str:
    combatant, entry = encounter.get(Combatant, who), encounter.get(RosterEntry, who)
    if combatant is not None:
        return combatant.label
    if entry is not None:
        return roster_entry_name(entry, encounter.get(Creature, entry.creature))
    return side_name(who) if who else tr("ui.reminder.anyone")


def _what(encounter: Encounter, reminder: Reminder) -> str:
    if reminder.at == "wave":
        return wave_name(reminder.wave)
    countdown = encounter.get(Countdown, reminder.countdown)
    return countdown.name if countdown is not None else reminder.countdown
