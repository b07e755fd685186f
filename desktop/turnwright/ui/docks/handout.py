"""The handout inspector: a text or picture for the players, as it is printed."""

from __future__ import annotations

from typing import get_args

from PySide6.QtWidgets import QVBoxLayout, QWidget

from turnwright.encounter.prepared import Handout, HandoutStyle
from turnwright.encounter.state import Key
from turnwright.ui.docks.editing.fields import ChoiceField, MultiLineTextField, TextField
from turnwright.ui.docks.editing.form import Form
from turnwright.ui.docks.editing.inspector import InspectorDock, scroll_area
from turnwright.ui.docks.shared.library_transfer import add_handout
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.fonts import GAP, scaled
from turnwright.ui.theme import ThemeSource
from turnwright.ui.translations import tr

TEXT_LINES = (8, 24)


class HandoutDock(InspectorDock):
    """Edits a handout."""

    def __init__(self, bridge: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(bridge, theme, parent, Handout, "handout", "email-outline")

    def build(self, parent: QWidget, column: QVBoxLayout) -> None:
        """Build the form."""
        area, whole, parts = scroll_area(parent, tr("ui.handout.title"), scaled(GAP))
        column.addWidget(area, 1)
        self.form = Form(self.binding, whole)
        parts.addWidget(self.form)
        self.form.add_row(("title", "ui.handout.heading", TextField(tr("ui.handout.heading-hint"))))
        styles = [(style, tr(f"ui.handout.style-{style}")) for style in get_args(HandoutStyle)]
        self.form.add_row(("style", "ui.handout.style", ChoiceField(styles)))
        self.form.add_row(("text", "ui.handout.text", MultiLineTextField(tr("ui.handout.text-hint"), *TEXT_LINES)))
        self.form.add_row(("signed", "ui.handout.signed", TextField(tr("ui.handout.signed-hint"))))
        self.form.add_row(("picture", "ui.handout.picture", TextField(tr("ui.handout.picture-hint"))))

    def create_record(self) -> Key | None:
        """Put a new handout into the encounter."""
        return add_handout(self.bridge, "handout")

    def refresh_body(self) -> None:
        """Show the handout as it now stands."""
        self.form.refresh()

    def focus_first(self) -> None:
        """Put the cursor into the heading."""
        self.form.focus_first()
