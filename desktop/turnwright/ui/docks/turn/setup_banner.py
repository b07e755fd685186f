"""The banner shown while no combatant acts: the world's turn or the set-up."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from turnwright.encounter.lookups import clock_of, scene_of
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.icon_label import IconLabel
from turnwright.ui.widgets.layout import ElidedLabel, horizontal, vertical
from turnwright.ui.widgets.text import plain_label, restyle


class SetupBanner(QWidget):
    """The banner of the world's turn or of set-up, with title and description."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = vertical(self, margins=(24, 12, 24, 12))
        row = horizontal()
        self._glyph = IconLabel("earth", "world", 28)
        self.title = ElidedLabel(role="banner", smaller="number", lines=2)
        row.addWidget(self._glyph)
        row.addWidget(self.title, 1)
        column.addLayout(row)
        self.text = plain_label("", tone="muted", wraps=True)
        column.addWidget(self.text)

    def show_current_step(self, document: DocumentModel) -> None:
        """Show the set-up if it isn't finished, or the world's turn."""
        words, clock = document.words, clock_of(document.encounter)
        if clock.phase != "set-up":
            self.show_step("earth", words("ui.turn.world"), words("ui.turn.world-text", round=clock.round), "world")
            return
        scene = scene_of(document.encounter)
        title = scene.title or words("ui.window.untitled")
        self.show_step("flag-checkered", title, "", "accent")

    def show_step(self, icon: str, title: str, text: str, tone: str) -> None:
        """Show the icon, title and description of a step."""
        self._glyph.set_icon(icon, tone)
        self.title.setText(title)
        self.title.setProperty("tone", tone)
        restyle(self.title)
        self.text.setText(text)
        self.text.setVisible(bool(text))
