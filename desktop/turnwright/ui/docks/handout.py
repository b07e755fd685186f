"""The handout inspector: what the players are given to read or to look at, as it stands on the paper."""

from __future__ import annotations

from typing import get_args

from PySide6.QtWidgets import QVBoxLayout, QWidget

from turnwright.encounter.prepared import Handout, HandoutStyle
from turnwright.encounter.state import Key
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.bringing_in import add_handout
from turnwright.ui.docks.editing.fields import ChoiceField, LongTextField, TextField
from turnwright.ui.docks.editing.form import Form
from turnwright.ui.docks.editing.inspector import InspectorDock, scrolling
from turnwright.ui.fonts import GAP, px
from turnwright.ui.say import say
from turnwright.ui.theme import ThemeSource

TEXT_LINES = (8, 24)


class HandoutDock(InspectorDock):
    """Edits a handout."""

    def __init__(self, bridge: Bridge, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(bridge, theme, parent, Handout, "handout", "email-outline")

    def build(self, parent: QWidget, column: QVBoxLayout) -> None:
        """Build the form."""
        area, whole, parts = scrolling(parent, say("ui.handout.title"), px(GAP))
        column.addWidget(area, 1)
        self.form = Form(self.subject, whole)
        parts.addWidget(self.form)
        self.form.row(("title", "ui.handout.heading", TextField(say("ui.handout.heading-hint"))))
        styles = [(style, say(f"ui.handout.style-{style}")) for style in get_args(HandoutStyle)]
        self.form.row(("style", "ui.handout.style", ChoiceField(styles)))
        self.form.row(("text", "ui.handout.text", LongTextField(say("ui.handout.text-hint"), *TEXT_LINES)))
        self.form.row(("signed", "ui.handout.signed", TextField(say("ui.handout.signed-hint"))))
        self.form.row(("picture", "ui.handout.picture", TextField(say("ui.handout.picture-hint"))))

    def make(self) -> Key | None:
        """Put a new handout into the encounter."""
        return add_handout(self.bridge, "handout")

    def refresh_body(self) -> None:
        """Show the handout as it now stands."""
        self.form.refresh()

    def focus_first(self) -> None:
        """Put the cursor into the heading."""
        self.form.focus_first()
