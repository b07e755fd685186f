"""The pending prompts as cards: the most urgent on top, each as high as it needs, within the height of the area."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.running import Dice
from turnwright.play.asking.commands.answer import Answer
from turnwright.play.queries.queries import can_offer_end_encounter, open_prompts, waiting_asks
from turnwright.play.table.commands.set_dice import SetDice
from turnwright.play.turns.commands.end_encounter import EndEncounter
from turnwright.ui.docks.turn.prompt_views import prompt_view
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.fonts import GAP, scaled
from turnwright.ui.widgets.cards import Card
from turnwright.ui.widgets.layout import FlowRow, frameless_scroll_area, vertical
from turnwright.ui.widgets.prompt_card import PromptCard, PromptView, holds_focus
from turnwright.ui.widgets.prompt_input import height_for
from turnwright.ui.widgets.tab_order import tab_through
from turnwright.ui.widgets.text import plain_label, push_button

FIELDS = (QLineEdit, QPlainTextEdit, QAbstractSpinBox, QComboBox)
MIN_HEIGHT = 132  # of a card with its head, one question and its buttons
HEAD_GAP = 5
NEXT_CARD_HEIGHT = 28  # the visible part of the next card


class PromptArea(QWidget):
    """The cards of all pending prompts, the automatic-roll switch, and the offer to end when one side is left.

    `focusReleased` on Esc, or when the last card has been answered. `resized` when the cards need another height; the
    layout then sets the available height by `limit_height`.
    """

    focusReleased = Signal()
    resized = Signal()

    def __init__(self, bridge: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._cards: dict[str, PromptCard] = {}
        self._offer: Card | None = None
        self._wanted = 0
        self._room = 0
        words = bridge.words
        column = vertical(self, spacing=HEAD_GAP)
        head = QHBoxLayout()
        self._heading = plain_label("", "strong")
        self.auto_roll = QCheckBox(words("ui.prompt.auto-roll"))
        self.auto_roll.setToolTip(words("ui.prompt.auto-roll-tip"))
        self.auto_roll.clicked.connect(self._switch)
        self._nothing = plain_label(words("ui.prompt.nothing"), tone="muted")
        self._nothing.setMinimumHeight(self._heading.sizeHint().height())
        head.addWidget(self._heading)
        head.addWidget(self._nothing)
        head.addStretch(1)
        head.addWidget(self.auto_roll)
        column.addLayout(head)
        self._inside = QWidget()
        self._column = vertical(self._inside, margins=(0, 0, 4, 0))
        self._column.addStretch(1)
        self._scroll = frameless_scroll_area(self._inside)
        self._scroll.viewport().installEventFilter(self)
        column.addWidget(self._scroll)
        self._head = head
        self.refresh()

    def cards(self) -> list[PromptCard]:
        """Return the cards, the most urgent first."""
        return list(self._cards.values())

    def refresh(self) -> None:
        """Show the pending prompts; when the focused card is answered, the focus moves to the next."""
        had_focus = self.has_focus()
        prompts = open_prompts(self._bridge.encounter)
        fresh = self._keep(prompts)
        count = sum(len(waiting_asks(prompt)) for prompt in prompts)
        self._heading.setText(self._bridge.words("ui.prompt.waiting", n=count) if count else "")
        self._heading.setVisible(bool(count))
        self._nothing.setVisible(not count)
        dice = self._bridge.encounter.get(Dice, "dice") or Dice()
        self.auto_roll.setChecked(dice.mode != "ask")
        self._offer_end()
        self._fit()
        if fresh:
            self._scroll.verticalScrollBar().setValue(0)
        if had_focus and not self._cards:
            self.focusReleased.emit()
        elif had_focus or (fresh and self._may_take_focus()):
            self.take_focus()

    def needed_height(self) -> int:
        """Return the height at which all cards are fully visible, in pixels."""
        head = self._head.sizeHint().height()
        return head + scaled(HEAD_GAP) + self._wanted if self._wanted else head

    def least_height(self) -> int:
        """Return the height at which the most urgent card can still be answered, in pixels."""
        return min(self.needed_height(), self._head.sizeHint().height() + scaled(HEAD_GAP + MIN_HEIGHT))

    def limit_height(self, height: int) -> None:
        """Set the height that the cards need, limited to `height` but never below `least_height`."""
        self._room = height
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._scroll.viewport() and event.type() == QEvent.Type.Resize:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Set each card's height; a card that needs more than there is scrolls inside and keeps its buttons visible."""
        width = self._scroll.viewport().width() - scaled(4)
        sizes = [(card, card.needed_height(width)) for card in self._cards.values()]
        offers = [(self._offer, height_for(self._offer, width))] if self._offer is not None else []
        parts: list[tuple[QWidget, int]] = [*sizes, *offers]
        wanted = sum(height for _, height in parts) + scaled(GAP) * max(0, len(parts) - 1)
        self._scroll.setVisible(bool(parts))
        changed, self._wanted = wanted != self._wanted, wanted
        place = (
            max(self.least_height(), min(self.needed_height(), self._room or self.needed_height()))
            - self.needed_height()
            + wanted
        )
        self._scroll.setFixedHeight(place)
        most = place if len(parts) == 1 else max(scaled(MIN_HEIGHT), place - scaled(GAP + NEXT_CARD_HEIGHT))
        for part, height in parts:
            part.setFixedHeight(min(height, most))
        if changed:
            self.resized.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._cards:
            self.focusReleased.emit()
        else:
            super().keyPressEvent(event)

    def has_focus(self) -> bool:
        """Return whether the focus is in one of the cards."""
        return any(holds_focus(card) for card in self._cards.values())

    def take_focus(self) -> bool:
        """Put the focus on the most urgent card; False where none is pending."""
        first = next(iter(self._cards.values()), None)
        if first is not None:
            first.take_focus()
        return first is not None

    def _keep(self, prompts: list[Prompt]) -> bool:
        """Update the cards, in order; return whether one is new."""
        before = self._cards
        wanted = {prompt.id for prompt in prompts}
        for id in [id for id in before if id not in wanted]:
            card = before.pop(id)
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        cards: dict[str, PromptCard] = {}
        for place, prompt in enumerate(prompts):
            view = prompt_view(self._bridge, prompt)
            card = before.get(prompt.id) or self._new_card(view)
            if card.view != view:
                card.set_view(view)
            if self._column.indexOf(card) != place:
                self._column.insertWidget(place, card)
                card.show()  # now, so that it can take the focus
            cards[prompt.id] = card
        fresh = any(id not in before for id in cards)
        self._cards = cards
        if fresh:
            tab_through(self.auto_roll, cards.values())
        return fresh

    def _new_card(self, view: PromptView) -> PromptCard:
        card = PromptCard(view, self._inside)
        card.answered.connect(self._answer)
        card.resized.connect(self._fit)
        return card

    def _may_take_focus(self) -> bool:
        """Return whether new cards may take the focus: not while a field elsewhere or another window has it."""
        focused = QApplication.focusWidget()
        if focused is None:
            return True
        if isinstance(focused, QLineEdit) and focused.text():
            return False
        dock = self.parentWidget()
        if dock is not None and dock.isAncestorOf(focused):
            return True
        return self.isVisible() and focused.window() is self.window() and not isinstance(focused, FIELDS)

    def _offer_end(self) -> None:
        offered = can_offer_end_encounter(self._bridge.encounter)
        if offered and self._offer is None:
            words = self._bridge.words
            self._offer = Card("heal")
            self._offer.body.addWidget(plain_label(words("ui.prompt.single-side"), wraps=True))
            row = FlowRow()
            row.add(push_button(words("ui.prompt.end"), lambda: self._bridge.execute(EndEncounter())))
            self._offer.body.addWidget(row)
            self._column.insertWidget(self._column.count() - 1, self._offer)
            self._offer.show()
        elif not offered and self._offer is not None:
            self._column.removeWidget(self._offer)
            self._offer.hide()
            self._offer.deleteLater()
            self._offer = None

    def _answer(self, prompt: str, replies: object, revision: int) -> None:
        if isinstance(replies, tuple):
            self._bridge.execute(Answer(prompt, replies, revision))

    def _switch(self, on: bool) -> None:
        self._bridge.execute(SetDice("roll" if on else "ask"))
        self.refresh()
