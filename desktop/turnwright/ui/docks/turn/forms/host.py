"""The card that replaces the list of actions: an attack, a condition, or the form of another action. Esc closes it."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from turnwright.battlemap.paths import shape_in
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.transaction import Command
from turnwright.ui.docks.turn.cards.attack_card import AttackCard
from turnwright.ui.docks.turn.cards.result_strip import FormCard
from turnwright.ui.docks.turn.forms.action_form import ActionForm
from turnwright.ui.docks.turn.forms.condition_form import ConditionForm, MoveForm
from turnwright.ui.docks.turn.turn_actions import ActionRequest, AttackCardRequest
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.layout import fill, holds_focus, vertical


class ActionFormHost(QWidget):
    """Shows one card at a time. Emits `changed` when a card opens or closes.

    Emits `submitted` right before the command of a card is executed, `focusReleased` when the focus should leave the
    panel, and `areaOpened` when a form opens whose area can be placed on the map.
    """

    changed = Signal()
    focusReleased = Signal()
    areaOpened = Signal()
    submitted = Signal()

    def __init__(self, document: DocumentModel) -> None:
        super().__init__()
        self._document = document
        self.attack_card = AttackCard(document)
        self.form_card = FormCard(document)
        self.condition_card = FormCard(document, "", shows_keys=True)
        self.move_card = FormCard(document)
        self._move = MoveForm(document, "")
        self._forms = (self.form_card, self.condition_card, self.move_card)
        fill(vertical(self), self.attack_card, *self._forms)
        for card in (self.attack_card, *self._forms):
            card.hide()
            card.closed.connect(self._put_aside)
        self.attack_card.attacked.connect(self.submitted)
        for card in (self.form_card, self.condition_card):
            card.submitted.connect(partial(self._submit, card))
        document.combatantsSelected.connect(lambda _who: self.condition_card.refresh())
        document.documentChanged.connect(self._forget_move)
        self.hide()

    @property
    def is_open(self) -> bool:
        """Whether a card other than the one for a move is open."""
        return bool(self.attack_card.who) or self.form_card.is_open or self.condition_card.is_open

    @property
    def claimed_prompt(self) -> str:
        """The id of the prompt that the attack card shows as one of its rows, or an empty string if there is none."""
        return self.attack_card.claimed_prompt

    def open_request(self, who: str, request: ActionRequest) -> None:
        """Execute an action's command, or open its card first if it needs input."""
        if isinstance(request, Command):
            self._document.execute(request)
        elif isinstance(request, AttackCardRequest):
            self.open_attack(request.who or who, request.weapon, request.purpose, request.target, request.bonus)
        else:
            self._open_form(self.form_card, request)

    def open_attack(self, who: str, weapon: str = "", purpose: str = "", target: str = "", bonus: int = 0) -> None:
        """Open the attack card. `bonus` is a modifier by the game master's ruling."""
        self._clear()
        self.attack_card.open_for(who, weapon, target, purpose, bonus)
        self._show(self.attack_card)

    def open_condition(self) -> None:
        """Open the card for a condition."""
        self._open_form(self.condition_card, ConditionForm(self._document))

    def toggle_move(self, who: str) -> None:
        """Open the card for a move, as it was if it is for the same combatant, or close it."""
        if self.move_card.is_open or not who:
            self.close_card()
            return
        if self._move.who != who:
            self._move = MoveForm(self._document, who)
        self._open_form(self.move_card, self._move)

    def mode_of(self, who: str) -> str:
        """Return the mode of movement that was chosen last for a combatant, or an empty string if none was."""
        return str(self._move.draft.value().mode) if who and self._move.who == who else ""

    def aim_at(self, target: str) -> None:
        """Set the target of an open attack card."""
        if self.attack_card.who and self.attack_card.who != target:
            self.attack_card.aim_at(target)

    @property
    def form_with_area(self) -> ActionForm | None:
        """The open form, if its targets can be taken from an area on the map, or None."""
        act = self.form_card.act
        return act if act is not None and shape_in(words.text if (words := act.area()) else "") else None

    def refresh(self) -> None:
        """Update an open card, or close it if its combatant no longer exists."""
        open_for = [self.attack_card.who, *(card.act.who for card in self._forms if card.act is not None)]
        if any(who and self._document.encounter.get(Combatant, who) is None for who in open_for):
            self.close_card()
            return
        for card in (self.attack_card, *self._forms):
            card.refresh()

    def close_card(self) -> None:
        """Close an open card without releasing the focus."""
        if self.is_open or self.move_card.is_open:
            self._clear()
            self.changed.emit()

    def explain(self) -> bool:
        """Explain the open card."""
        if holds_focus(self.move_card):
            return self.move_card.explain()
        return self.is_open and (self.attack_card.explain() if self.attack_card.who else self.form_card.explain())

    def _forget_move(self) -> None:
        self._move = MoveForm(self._document, "")

    def _open_form(self, card: FormCard, act: ActionForm) -> None:
        self._clear()
        card.open_form(act)
        self._show(card)
        here = self._document.encounter.get(Combatant, act.who) if act.who else None
        if self.form_with_area is not None and here is not None and here.position is not None:
            self.areaOpened.emit()

    def _show(self, card: AttackCard | FormCard) -> None:
        card.show()
        self.changed.emit()
        card.take_focus()

    def _submit(self, card: FormCard, command: Command, override: bool) -> None:
        act = card.act
        self._put_aside()
        self.submitted.emit()
        if act is not None and not self._document.execute(command, override=override):
            card.act = act
            self._show(card)

    def _put_aside(self) -> None:
        self.focusReleased.emit()  # before hiding the card, or Qt would move the focus
        self._clear()
        self.changed.emit()

    def _clear(self) -> None:
        self.attack_card.close_card()
        self.attack_card.hide()
        for card in self._forms:
            card.close_card()
