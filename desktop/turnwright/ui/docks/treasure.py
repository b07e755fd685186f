"""The treasure inspector: items that the characters can find, printable as a card."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from turnwright.encounter.prepared import Treasure
from turnwright.encounter.state import Key
from turnwright.ui.docks.editing.inspector import InspectorDock
from turnwright.ui.docks.shared.library_transfer import add_treasure
from turnwright.ui.forms.encounter_layouts import TREASURE
from turnwright.ui.forms.form import Form
from turnwright.ui.forms.kinds import FormContext


class TreasureDock(InspectorDock):
    """Edits treasure."""

    kind = Treasure
    name = "treasure"
    icon_name = "treasure-chest-outline"

    def build(self, context: FormContext, parent: QWidget) -> tuple[Form]:
        """Return the form."""
        self.form = Form(TREASURE, self.binding, context, parent)
        return (self.form,)

    def create_record(self) -> Key | None:
        """Add new treasure to the encounter and return its key."""
        return add_treasure(self.document)
