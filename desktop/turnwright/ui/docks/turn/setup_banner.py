"""The banner while no combatant acts: the world's step or a step of set-up, with the text to read aloud."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.prepared import Scene
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.widgets.cards import Card
from turnwright.ui.widgets.icon_label import IconLabel
from turnwright.ui.widgets.layout import horizontal, vertical
from turnwright.ui.widgets.text import plain_label, restyle


class SetupBanner(QWidget):
    """The banner of the world's step or of a step of set-up, with its title and description."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = vertical(self, margins=(24, 12, 24, 12))
        row = horizontal()
        self._glyph = IconLabel("earth", "world", 28)
        self.title = plain_label("", "banner", "world")
        row.addWidget(self._glyph)
        row.addWidget(self.title, 1)
        column.addLayout(row)
        self.text = plain_label("", tone="muted", wraps=True)
        column.addWidget(self.text)
        self.card = Card("accent")
        self.read_aloud = plain_label("", wraps=True)
        self.conditions = plain_label("", tone="muted", wraps=True)
        for label in (self.read_aloud, self.conditions):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self.card.body.addWidget(label)
        for label in (self.text, self.read_aloud, self.conditions):
            label.setMinimumHeight(1)  # so that the height for the width counts, not the minimum
        column.addWidget(self.card)

    def show_current_step(self, bridge: DocumentModel) -> None:
        """Show the present step of set-up, else the world's step."""
        words, now = bridge.words, clock_of(bridge.encounter)
        if now.phase != "set-up":
            self.show_step("earth", words("ui.turn.world"), words("ui.turn.world-text", round=now.round), "world")
            self.show_scene("", "")
            return
        title, text = words(f"ui.turn.step-{now.setup_step}"), words(f"ui.turn.step-{now.setup_step}-text")
        self.show_step("flag-checkered", title, text, "accent")
        scene = bridge.encounter.get(Scene, "scene") if now.setup_step == "scene" else None
        self.show_scene(scene.read_aloud.strip() if scene else "", scene.conditions if scene else "")

    def show_scene(self, read_aloud: str, conditions: str) -> None:
        """Show the text to read aloud and the conditions of the scene; two empty texts hide the card."""
        for label, text in ((self.read_aloud, read_aloud), (self.conditions, conditions)):
            label.setText(text)
            label.setVisible(bool(text))
        self.card.setVisible(bool(read_aloud or conditions))

    def show_step(self, icon: str, title: str, text: str, tone: str) -> None:
        """Show the icon, title and description of a step."""
        self._glyph.set_icon(icon, tone)
        self.title.setText(title)
        self.title.setProperty("tone", tone)
        restyle(self.title)
        self.text.setText(text)
