"""The reminder inspector: the text of a reminder, and the moment in the fight when it appears."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from turnwright.encounter.prepared import Countdown, Reminder, RosterEntry
from turnwright.encounter.state import Key
from turnwright.play.kernel.steps import Changed
from turnwright.ui.docks.editing.inspector import InspectorDock
from turnwright.ui.docks.shared.library_transfer import add_reminder
from turnwright.ui.forms.encounter_layouts import REMINDER
from turnwright.ui.forms.form import Form
from turnwright.ui.forms.kinds import FormContext


class ReminderDock(InspectorDock):
    """Edits a reminder."""

    kind = Reminder
    name = "reminder"
    icon_name = "bell-outline"

    def build(self, context: FormContext, parent: QWidget) -> tuple[Form]:
        """Return the form."""
        self.form = Form(REMINDER, self.binding, context, parent)
        return (self.form,)

    def create_record(self) -> Key | None:
        """Add a new reminder to the encounter and return its key."""
        return add_reminder(self.document)

    def is_affected_by(self, changed: Changed) -> bool:
        """Whether a change affects this panel."""
        return changed.touches(Reminder.table, RosterEntry.table, Countdown.table)
