"""The handout inspector: a printable text or picture for the players."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from turnwright.encounter.prepared import Handout
from turnwright.encounter.state import Key
from turnwright.ui.docks.dock_connections import WindowSlots
from turnwright.ui.docks.editing.inspector import InspectorDock
from turnwright.ui.docks.shared.library_transfer import add_handout
from turnwright.ui.forms.encounter_layouts import HANDOUT
from turnwright.ui.forms.form import Form
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.text import tool_button


class HandoutDock(InspectorDock):
    """Edits a handout."""

    kind = Handout
    name = "handout"
    icon_name = "email-outline"

    def build(self, context: FormContext, parent: QWidget) -> tuple[Form]:
        """Return the form."""
        self.form = Form(HANDOUT, self.binding, context, parent)
        return (self.form,)

    def connect_slots(self, slots: WindowSlots) -> None:
        """Store the window's slots, which are used to send handouts to the players' screen."""
        self._slots = slots

    def add_buttons(self, row: QHBoxLayout) -> None:
        super().add_buttons(row)
        self.send_button = tool_button("send", tr("ui.handout.send"), self._send)
        row.addWidget(self.send_button)

    def _send(self) -> None:
        handout = self.binding.value()
        if isinstance(handout, Handout):
            self._slots.players().send_handout(handout)

    def create_record(self) -> Key | None:
        """Add a new handout to the encounter and return its key."""
        return add_handout(self.document)
