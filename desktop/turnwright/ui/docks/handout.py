"""The handout inspector: a printable text or picture for the players."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout

from turnwright.encounter.prepared import Handout
from turnwright.ui.docks.editing.inspector import InspectorDock
from turnwright.ui.forms.encounter_layouts import HANDOUT
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.text import tool_button


class HandoutDock(InspectorDock):
    """Edits a handout. Emits `sendRequested(handout)` to show it to the players."""

    sendRequested = Signal(object)
    kind = Handout
    name = "handout"
    form_layout = HANDOUT
    icon_name = "email-outline"

    def add_buttons(self, row: QHBoxLayout) -> None:
        super().add_buttons(row)
        self.send_button = tool_button("send", tr("ui.handout.send"), self._send)
        row.addWidget(self.send_button)

    def _send(self) -> None:
        handout = self.binding.value()
        if isinstance(handout, Handout):
            self.sendRequested.emit(handout)
