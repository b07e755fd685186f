"""The handout inspector: a text or picture for the players, as it is printed."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from turnwright.encounter.prepared import Handout
from turnwright.encounter.state import Key
from turnwright.ui.docks.editing.inspector import InspectorDock, scroll_area
from turnwright.ui.docks.shared.library_transfer import add_handout
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.fonts import GAP, scaled
from turnwright.ui.forms.encounter_layouts import HANDOUT
from turnwright.ui.forms.form import Form
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.theme import ThemeSource
from turnwright.ui.translations import tr


class HandoutDock(InspectorDock):
    """Edits a handout."""

    def __init__(self, bridge: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(bridge, theme, parent, Handout, "handout", "email-outline")

    def build(self, parent: QWidget, column: QVBoxLayout) -> None:
        """Build the form."""
        area, whole, parts = scroll_area(parent, tr("ui.handout.title"), scaled(GAP))
        column.addWidget(area, 1)
        self.form = Form(HANDOUT, self.binding, FormContext.of(self.bridge), whole)
        parts.addWidget(self.form)

    def create_record(self) -> Key | None:
        """Put a new handout into the encounter."""
        return add_handout(self.bridge)

    def refresh_body(self) -> None:
        """Show the handout as it now stands."""
        self.form.refresh()

    def focus_first(self) -> None:
        """Put the cursor into the heading."""
        self.form.focus_first()
