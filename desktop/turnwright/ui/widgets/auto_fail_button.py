"""A button for a roll that fails automatically because of a rule, with a link to the rule."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from turnwright.encounter.procedure_state.asks import FAILED
from turnwright.play.asking.answer import Reply
from turnwright.ui.look.fonts import SPACE
from turnwright.ui.look.tooltips import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.layout import horizontal
from turnwright.ui.widgets.prompts.prompt_input import AskView
from turnwright.ui.widgets.rules.why import WhyLabel
from turnwright.ui.widgets.text import push_button


class AutoFailButton(QWidget):
    """Accepts an automatic failure. `?` on the button or on the link next to it opens the rule.

    Emits `failAccepted` when the user accepts the failure.
    """

    failAccepted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = horizontal(self, spacing=SPACE + 2)
        self.button = push_button("", self.failAccepted.emit, icon_name="close-octagon-outline")
        self.rule = WhyLabel(tr("ui.prompt.rule"), "caption", "muted")
        row.addWidget(self.button)
        row.addWidget(self.rule)
        self.hide()

    def show_ask(self, ask: AskView) -> None:
        """Show the rule that makes a roll fail, or hide the button if the dice decide."""
        text = tr("ui.prompt.fails", why=ask.auto_fail)
        tip = tr("ui.prompt.fails-tip")
        self.button.setText(text.replace("&", "&&"))
        self.button.setToolTip(escaped_tooltip(tip))
        self.button.setAccessibleName(" ".join(part for part in (ask.who, text) if part))
        self.button.setAccessibleDescription(tip)
        self.rule.set_why(ask.auto_fail_why)
        self.rule.setVisible(ask.auto_fail_why is not None)
        self.setVisible(bool(ask.auto_fail))

    def explain(self) -> bool:
        """Open the rule. Return False if there is none."""
        return self.rule.explain()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Question or not self.explain():
            super().keyPressEvent(event)


def failed_answer(ask: str) -> Reply:
    """Return the reply that counts a roll as failed."""
    return Reply(ask, chosen=(FAILED,))
