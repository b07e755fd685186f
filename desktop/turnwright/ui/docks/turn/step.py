"""The banner where nobody acts: the world's step or a step of set-up, with what is read aloud there."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from turnwright.ui.fonts import GAP, px
from turnwright.ui.widgets.cards import Card
from turnwright.ui.widgets.glyph import Glyph
from turnwright.ui.widgets.text import plain_label, restyle


class StepHead(QWidget):
    """A banner where nobody acts: the world's step, or a step of set-up, with a line that says what happens there."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(GAP))
        row = QHBoxLayout()
        row.setSpacing(px(GAP))
        self._glyph = Glyph("earth", "world", 28)
        self.title = plain_label("", "banner", "world")
        row.addWidget(self._glyph)
        row.addWidget(self.title, 1)
        column.addLayout(row)
        self.text = plain_label("", tone="muted", wraps=True)
        column.addWidget(self.text)
        self.card = Card("accent")
        self.aloud = plain_label("", wraps=True)
        self.lasting = plain_label("", tone="muted", wraps=True)
        for label in (self.aloud, self.lasting):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self.card.body.addWidget(label)
        for label in (self.text, self.aloud, self.lasting):
            label.setMinimumHeight(1)  # the height for the width counts, not that of its narrowest
        column.addWidget(self.card)

    def show_scene(self, aloud: str, lasting: str) -> None:
        """Show what is read aloud and what holds for the whole scene; two empty texts take the card away."""
        for label, text in ((self.aloud, aloud), (self.lasting, lasting)):
            label.setText(text)
            label.setVisible(bool(text))
        self.card.setVisible(bool(aloud or lasting))

    def show_step(self, icon: str, title: str, text: str, tone: str) -> None:
        """Show a step."""
        self._glyph.set_icon(icon, tone)
        self.title.setText(title)
        self.title.setProperty("tone", tone)
        restyle(self.title)
        self.text.setText(text)
