"""What is announced and not yet done: who, what, in answer to what and for how much, in the order in which it will be done.

Each can be taken back to before it was announced, and with it all that came after.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QGridLayout, QToolButton, QVBoxLayout, QWidget

from turnwright.encounter.pending import Announcement
from turnwright.rules.parts.announced import in_turn
from turnwright.rules.system import label_of
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.explain import explainer
from turnwright.ui.fonts import GAP, SPACE, px
from turnwright.ui.say import say
from turnwright.ui.widgets.cards import Card
from turnwright.ui.widgets.text import plain_label, tool_button
from turnwright.ui.widgets.why import WhyLabel


class PendingList(Card):
    """The stack of announcements, the first to be done on top. It is there only while something is announced."""

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._bridge = bridge
        self._shown: list[tuple[Announcement, str]] = []
        self._buttons: dict[str, QToolButton] = {}
        self._rows = QWidget()
        margins = self.body.contentsMargins()
        self.body.setContentsMargins(margins.left(), px(GAP), margins.right(), px(GAP))
        self.body.setSpacing(px(SPACE))
        self._heading = WhyLabel(say("ui.turn.pending"), "caption", "muted")
        self.body.addWidget(self._heading)
        self._column = QVBoxLayout()
        self._column.setContentsMargins(0, 0, 0, 0)
        self.body.addLayout(self._column)
        self.setAccessibleName(say("ui.turn.pending"))
        self.hide()

    def refresh(self) -> None:
        """Show what is announced now."""
        found = in_turn(self._bridge.encounter)
        shown = [(one, self.text_of(one)) for one in found]
        if shown != self._shown:
            self._shown = shown
            self._explain()
            self._fill()
        self.setVisible(bool(shown))

    def texts(self) -> list[str]:
        """Return what is announced in words, the first to be done first."""
        return [text for _, text in self._shown]

    def button(self, id: str) -> QToolButton:
        """Return the button that takes an announcement back; KeyError where there is no such announcement."""
        return self._buttons[id]

    def text_of(self, one: Announcement) -> str:
        """Return an announcement in words: who, what, and in answer to whom."""
        lookup = self._bridge.encounter
        text = say("ui.turn.pending-one", who=label_of(lookup, one.who), what=one.name)
        answered = lookup.get(Announcement, one.answers) if one.answers else None
        if answered is None:
            return text
        return say("ui.turn.pending-answer", one=text, who=label_of(lookup, answered.who), what=answered.name)

    def price_of(self, one: Announcement) -> str:
        """Return what is kept for an announcement, as the game writes prices; empty for nothing."""
        shown = self._bridge.rules.catalogue.presentation
        return ", ".join(price for pool, amount in one.reserved if (price := shown.price(pool, amount)))

    def take_back(self, id: str) -> None:
        """Undo step by step until an announcement has not been made."""
        while self._bridge.encounter.get(Announcement, id) is not None:
            before = self._bridge.encounter
            self._bridge.undo()
            if self._bridge.encounter is before:
                return

    def _explain(self) -> None:
        explain = explainer(self._bridge)
        rule = explain.rule_on("reaction.order")
        self._heading.set_why((lambda: explain.of_rule(rule, say("ui.turn.pending"))) if rule else None)

    def _fill(self) -> None:
        self._column.removeWidget(self._rows)
        self._rows.hide()
        self._rows.deleteLater()
        self._rows, self._buttons = QWidget(), {}
        grid = QGridLayout(self._rows)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(px(GAP))
        grid.setVerticalSpacing(px(2))
        grid.setColumnStretch(1, 1)
        for row, (one, text) in enumerate(self._shown):
            button = tool_button("undo", say("ui.turn.pending-back", what=text), partial(self.take_back, one.id))
            grid.addWidget(plain_label(f"{row + 1}.", tone="muted"), row, 0)
            grid.addWidget(plain_label(text, "strong" if row == 0 else "body", wraps=True), row, 1)
            grid.addWidget(plain_label(self.price_of(one), "caption", "muted"), row, 2)
            grid.addWidget(button, row, 3)
            self._buttons[one.id] = button
        self._column.addWidget(self._rows)
        self._rows.show()


__all__ = ["PendingList"]
