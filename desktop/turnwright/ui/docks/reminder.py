"""The reminder inspector: the text of a reminder, and the moment in the fight when it appears."""

from __future__ import annotations

from turnwright.encounter.prepared import Countdown, Reminder, RosterEntry
from turnwright.play.kernel.steps import Changed
from turnwright.ui.docks.editing.inspector import InspectorDock
from turnwright.ui.forms.encounter_layouts import REMINDER


class ReminderDock(InspectorDock):
    """Edits a reminder."""

    kind = Reminder
    name = "reminder"
    form_layout = REMINDER
    icon_name = "bell-outline"

    def is_affected_by(self, changed: Changed) -> bool:
        """Whether a change affects this panel."""
        return changed.touches(Reminder.table, RosterEntry.table, Countdown.table)
