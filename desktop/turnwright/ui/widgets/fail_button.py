"""The button for a roll that a rule lets fail whatever the dice show, with that rule beside it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from turnwright.encounter.pending import FAILED
from turnwright.play.commands import Reply
from turnwright.ui.fonts import SPACE, px
from turnwright.ui.say import say
from turnwright.ui.widgets.ask_view import AskView
from turnwright.ui.widgets.text import literal_tip, push_button
from turnwright.ui.widgets.why import WhyLabel


class FailButton(QWidget):
    """`failed` when the table takes the roll as failed. `?` on the button, or on what stands beside it, opens the rule."""

    failed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(SPACE + 2))
        self.button = push_button("", self.failed.emit, icon_name="close-octagon-outline")
        self.rule = WhyLabel(say("ui.prompt.rule"), "caption", "muted")
        row.addWidget(self.button)
        row.addWidget(self.rule)
        self.hide()

    def show_ask(self, ask: AskView) -> None:
        """Offer what a rule says of a roll; nothing where the dice decide."""
        text = say("ui.prompt.fails", why=ask.fails)
        tip = say("ui.prompt.fails-tip")
        self.button.setText(text.replace("&", "&&"))
        self.button.setToolTip(literal_tip(tip))
        self.button.setAccessibleName(" ".join(part for part in (ask.who, text) if part))
        self.button.setAccessibleDescription(tip)
        self.rule.set_why(ask.fails_why)
        self.rule.setVisible(ask.fails_why is not None)
        self.setVisible(bool(ask.fails))

    def explain(self) -> bool:
        """Open the rule; False where there is none."""
        return self.rule.explain()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Question or not self.explain():
            super().keyPressEvent(event)


def failure(ask: str) -> Reply:
    """Return the answer that takes a roll as failed."""
    return Reply(ask, chosen=(FAILED,))
