"""The pending prompts: the most urgent as a card, with the number of the others in its title."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.play.asking.answer import Answer, DismissPrompt
from turnwright.play.queries.queries import can_offer_end_encounter, open_prompts
from turnwright.play.turns.encounter_end import EndEncounter
from turnwright.ui.docks.turn.prompt_views import prompt_view
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.cards import Card
from turnwright.ui.widgets.layout import FlowRow, vertical
from turnwright.ui.widgets.prompts.prompt_card import PromptCard, PromptView, holds_focus
from turnwright.ui.widgets.prompts.prompt_roll_input import SHARE
from turnwright.ui.widgets.text import discard, plain_label, push_button


class PromptArea(QWidget):
    """The cards of all pending prompts, of which only the most urgent is shown, and the offer to end a one-sided fight.

    Cards don't take the focus on their own. Emits `focusReleased` on Esc or when the last card has been answered.
    """

    focusReleased = Signal()

    def __init__(self, document: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._cards: dict[str, PromptCard] = {}
        self._column = vertical(self)
        words = document.words
        self._offer = Card("heal")
        self._offer.body.addWidget(plain_label(words("ui.prompt.single-side"), wraps=True))
        row = FlowRow()
        row.add(push_button(words("ui.prompt.end"), lambda: self._document.execute(EndEncounter())))
        self._offer.body.addWidget(row)
        self._column.addWidget(self._offer)
        self.refresh()

    def cards(self) -> list[PromptCard]:
        """Return the cards, the most urgent first."""
        return list(self._cards.values())

    def refresh(self, *, continues: bool = False, without: str = "") -> None:
        """Show the pending prompts. When the focused card is answered, the focus moves to the next.

        If `continues`, the prompts follow from the user's input in this panel and take the focus. `without` is the id
        of a prompt that is shown elsewhere.
        """
        had_focus = self.has_focus()
        fresh = self._keep(
            [open_prompt for open_prompt in open_prompts(self._document.encounter) if open_prompt.id != without]
        )
        self._offer.setVisible(can_offer_end_encounter(self._document.encounter))
        if had_focus and not self._cards:
            self.focusReleased.emit()
        elif had_focus or (fresh and continues):
            self.take_focus()

    def is_needed(self) -> bool:
        """Whether a prompt is pending or the end of the fight is offered."""
        return bool(self._cards) or not self._offer.isHidden()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._cards:
            self.focusReleased.emit()
        elif event.key() == Qt.Key.Key_S and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self.skip()
        else:
            super().keyPressEvent(event)

    def skip(self) -> None:
        """Skip the most urgent prompt with all its questions."""
        first = next(iter(self._cards), "")
        if first:
            self._document.execute(DismissPrompt(first))

    def has_focus(self) -> bool:
        """Whether the focus is in one of the cards."""
        return any(holds_focus(card) for card in self._cards.values())

    def take_focus(self) -> bool:
        """Put the focus on the most urgent card. Return False if none is pending."""
        first = next(iter(self._cards.values()), None)
        if first is not None:
            first.take_focus()
        return first is not None

    def _keep(self, prompts: list[Prompt]) -> bool:
        """Update the cards to match the prompts, in order. Return whether one of them is new."""
        before = self._cards
        for id in before.keys() - {prompt.id for prompt in prompts}:
            card = before.pop(id)
            self._column.removeWidget(card)
            discard(card)
        cards: dict[str, PromptCard] = {}
        for place, prompt in enumerate(prompts):
            view = prompt_view(self._document, prompt)
            card = before.get(prompt.id) or self._new_card(view)
            card.set_place(1 if place == 0 else 0, len(prompts))
            if card.view != view:
                card.set_view(view)
            if self._column.indexOf(card) != place:
                self._column.insertWidget(place, card)
            card.setVisible(place == 0)
            cards[prompt.id] = card
        fresh = any(id not in before for id in cards)
        self._cards = cards
        return fresh

    def _new_card(self, view: PromptView) -> PromptCard:
        card = PromptCard(view, self)
        card.answered.connect(self._answer)
        card.hurried.connect(self._accept_shares)
        return card

    def _accept_shares(self) -> None:
        """Deal the damage as suggested, if the most urgent prompt asks for its shares."""
        first = next(iter(self._cards.values()), None)
        if first is not None and first.view.asks[0].kind == SHARE:
            first.prompt_input.confirm()

    def _answer(self, prompt: str, replies: object, revision: int) -> None:
        if isinstance(replies, tuple):
            self._document.execute(Answer(prompt, replies, revision))
