"""The card for damage to several targets with saves: a row for each target, from its save to the damage it takes.

It replaces the prompts for the rolls and for the shares of damage. Enter rolls the open rolls. Pressing Enter again
deals the damage shown. Shift+Enter does both.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.procedure_state.damage import SavedDamage
from turnwright.play.asking.answer import Answer, DismissPrompt, Reply
from turnwright.play.kernel.events import JournalLine
from turnwright.play.kernel.steps import Step
from turnwright.play.kernel.transaction import Refused
from turnwright.play.queries.queries import open_prompts, waiting_asks
from turnwright.play.state.events import DamageTaken
from turnwright.rules.system import label_of
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.turn.line_words import line_words
from turnwright.ui.docks.turn.prompt_views import prompt_view
from turnwright.ui.look.fonts import SPACE, scaled
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.auto_fail_button import failed_answer
from turnwright.ui.widgets.cards import Card
from turnwright.ui.widgets.fields import RollLine
from turnwright.ui.widgets.icon_label import IconLabel
from turnwright.ui.widgets.key_button import KeyButton
from turnwright.ui.widgets.layout import ElidedLabel, FlowRow, horizontal, vertical
from turnwright.ui.widgets.prompts.prompt_card import holds_focus
from turnwright.ui.widgets.prompts.prompt_input import AskView
from turnwright.ui.widgets.rules.explanation import Explanation
from turnwright.ui.widgets.rules.why import WhyLabel
from turnwright.ui.widgets.text import plain_label, restyle
from turnwright.ui.widgets.typed.line_chips import ChipView, LineChips, Segments, save_text

SHARES = ("full", "half", "none")
MOST_SHARES = ("double", *SHARES)


@dataclass(frozen=True)
class _Outcome:
    """The damage that a target takes, its explanation, and the target's hit points before and after."""

    taken: int
    before: int
    after: int
    why: Explanation


class _Row(QFrame):
    """A target: its save with a field for the result, then its share of the damage and the outcome."""

    def __init__(self, card: DamageCard) -> None:
        super().__init__()
        self.setProperty("row", True)
        self.who = ElidedLabel(role="strong", smaller="body")
        self.figure = WhyLabel("", "body", "muted")
        self.line = RollLine()
        self.line.setFixedWidth(scaled(72))
        self.note = ElidedLabel(role="caption", lines=2)
        self.shares = Segments(tr("ui.damage.share"))
        self.shares.picked.connect(lambda _id: card.refresh_results())
        self.result = WhyLabel("", "strong")
        self.left = plain_label("", "caption", "muted")
        self.left.setMinimumWidth(scaled(72))
        self._row = row = horizontal(self, margins=(12, SPACE, 12, SPACE))
        row.addWidget(self.who)
        row.addWidget(self.figure)
        row.addWidget(self.line)
        row.addWidget(self.note)
        row.addWidget(self.shares)
        row.addWidget(self.result)
        row.addWidget(self.left)

    def show_roll(self, ask: AskView) -> None:
        """Show the roll that a target has to make, or the damage roll."""
        self.who.setText(ask.who or tr("ui.damage.roll"))
        self.figure.set_text(ask.figure or ask.roll)
        self.figure.set_why(ask.why)
        self.figure.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # so that Tab moves from field to field
        self.line.setVisible(True)
        self.line.setPlaceholderText(tr("ui.damage.to-roll"))
        self.line.setAccessibleName(" ".join(part for part in (ask.who, ask.text, ask.roll, ask.against) if part))
        self._share_room(2, 3)  # the note needs more room, because it contains the reasons
        self._tell(ask.auto_fail or ask.note, "warn" if ask.auto_fail else "muted")
        for widget in (self.shares, self.result, self.left):
            widget.hide()

    def show_share(self, who: str, *, failed: bool, suggested: str) -> None:
        """Show the suggested share for a target."""
        self.who.setText(who)
        self.figure.set_text("")
        self.line.hide()
        self._share_room(3, 1)
        self._tell(tr("ui.damage.fails" if failed else "ui.damage.saves"), "harm" if failed else "heal")
        options = MOST_SHARES if suggested == "double" else SHARES
        self.shares.set_options([(id, tr(f"option.share_{id}")) for id in options])
        self.shares.choose(suggested)
        for widget in (self.shares, self.result, self.left):
            widget.show()

    def show_outcome(self, outcome: _Outcome | None) -> None:
        """Show the damage that the target takes, its explanation, and the remaining hit points."""
        self.result.set_why(outcome.why if outcome is not None else None)
        if outcome is None:
            self.result.set_text("0")
            self.left.setText("")
            return
        self.result.set_text(str(outcome.taken))
        after = str(outcome.after) if outcome.after > 0 else tr("ui.damage.down")
        self.left.setText(tr("ui.damage.leaves", before=outcome.before, after=after))

    def explain(self) -> bool:
        """Explain the requested roll, or the damage that the target takes."""
        return (self.result if self.line.isHidden() else self.figure).explain()

    def _share_room(self, who: int, note: int) -> None:
        """Divide the free width between the name and the note."""
        self._row.setStretchFactor(self.who, who)
        self._row.setStretchFactor(self.note, note)

    def _tell(self, text: str, tone: str) -> None:
        self.note.setText(text)
        self.note.keep_words_whole()
        self.note.setProperty("tone", tone)
        restyle(self.note)


class DamageCard(Card):
    """Asks for the saves and deals the damage. Emits `submitted` right before it answers a prompt.

    Emits `focusReleased` when the focus should leave the card.
    """

    focusReleased = Signal()
    submitted = Signal()

    def __init__(self, document: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__("harm", parent)
        self._document = document
        self._prompt: Prompt | None = None
        self._asks: dict[str, AskView] = {}
        self.rows: dict[str, _Row] = {}
        self.body.setContentsMargins(scaled(20), scaled(12), scaled(20), scaled(12))
        head = horizontal()
        head.addWidget(IconLabel("sword", "harm", 24))
        self._title = ElidedLabel(role="strong")
        head.addWidget(self._title, 1)
        self.body.addLayout(head)
        self.chips = LineChips()
        self.body.addWidget(self.chips)
        self._column = vertical(spacing=SPACE)
        self.body.addLayout(self._column)
        self._error: QLabel = plain_label("", "caption", "harm", wraps=True)
        self._error.hide()
        self.body.addWidget(self._error)
        foot = FlowRow(roomy=True)
        self.button = KeyButton("", self.confirm, "Enter", "primary")
        self.both_button = KeyButton(tr("ui.damage.roll-and-deal"), self._roll_and_deal, "⇧Enter", "quiet")
        self.skip_button = KeyButton(tr("ui.roll.skip"), self.skip, "S", "quiet")
        for button in (self.button, self.both_button, self.skip_button):
            foot.add(button)
        self.body.addWidget(foot)
        self.hide()

    @property
    def is_needed(self) -> bool:
        """Whether this card shows the most urgent prompt."""
        return self._prompt is not None

    @property
    def prompt_id(self) -> str:
        """The id of the prompt shown, or an empty string if there is none."""
        return self._prompt.id if self._prompt is not None else ""

    @property
    def _is_sharing(self) -> bool:
        return self._prompt is not None and self._prompt.title == "prompt.shares"

    def refresh(self, *, continues: bool = False) -> None:
        """Show the most urgent prompt, if this card can. If `continues`, it follows from the user's last input."""
        had_focus, previous = holds_focus(self), self._prompt
        self._prompt = self._current_prompt()
        if self._prompt is None:
            if previous is not None and had_focus:
                self.focusReleased.emit()
            self._clear()
            return
        if previous is None or previous.id != self._prompt.id:
            self._clear()
        self._show_prompt(self._prompt)
        if previous is None or previous.id != self._prompt.id:
            self.setVisible(True)
            if had_focus or continues:
                self.take_focus()

    def take_focus(self) -> bool:
        """Put the focus on the first field or on the share of the first target. Return False if there are no rows."""
        row = next(iter(self.rows.values()), None)
        if row is None:
            return False
        share = next((button for button in row.shares.buttons.values() if button.isChecked()), None)
        (share if self._is_sharing and share is not None else row.line).setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def confirm(self) -> bool:
        """Roll the open rolls, or deal the damage shown. Return False if a typed result is invalid."""
        prompt, replies = self._prompt, self._replies()
        if prompt is None or not replies:
            return False
        self.submitted.emit()
        return self._document.execute(Answer(prompt.id, replies, prompt.revision))

    def skip(self) -> None:
        """Skip all rolls or shares, so that no damage is dealt."""
        if self._prompt is not None:
            self._document.execute(DismissPrompt(self._prompt.id))

    def refresh_results(self) -> None:
        """Show the damage for the chosen shares, including resistance and other adjustments."""
        prompt = self._prompt
        if prompt is None or not self._is_sharing:
            return
        try:
            step: Step | None = self._document.source.session.preview(
                Answer(prompt.id, self._replies(), prompt.revision)
            )
        except Refused:
            step = None
        events = [event for event in step.events if isinstance(event, DamageTaken)] if step is not None else []
        lines = {line.subject[1]: line for line in step.lines if line.why or line.roll} if step is not None else {}
        outcomes = {damage.target: self._outcome(damage, lines.get(damage.target)) for damage in events}
        for who, row in self.rows.items():
            row.show_outcome(outcomes.get(who))

    def _outcome(self, damage: DamageTaken, line: JournalLine | None) -> _Outcome:
        explain = explainer(self._document)
        explanation = explain.explain_journal_line(line) if line is not None else Explanation("", "")
        why = msgspec.structs.replace(
            explanation, title=label_of(self._document.encounter, damage.target), total=str(damage.taken)
        )
        return _Outcome(damage.taken, damage.hp_before, damage.hp_after, why)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.focusReleased.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._roll_and_deal()
            else:
                self.confirm()
        elif event.key() == Qt.Key.Key_S and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self.skip()
        else:
            super().keyPressEvent(event)

    # Parts of the card -------------------------------------------------------------------------------------------

    def _current_prompt(self) -> Prompt | None:
        """Return the most urgent prompt, or None if this card can't show it.

        The card shows prompts that ask only for the rolls of damage with saves, or for the shares of that damage.
        """
        prompt = next(iter(open_prompts(self._document.encounter)), None)
        if prompt is None or self._damage_of(prompt) is None:
            return None
        shares = prompt.title == "prompt.shares"
        kinds = {ask.kind for ask in waiting_asks(prompt)}
        return prompt if shares or (prompt.title == "prompt.saved_damage" and kinds == {"roll"}) else None

    def _damage_of(self, prompt: Prompt) -> SavedDamage | None:
        procedure = self._document.encounter.get(Procedure, prompt.procedure)
        data = procedure.data if procedure is not None else None
        return data if isinstance(data, SavedDamage) else None

    def _show_prompt(self, prompt: Prompt) -> None:
        data = self._damage_of(prompt)
        assert data is not None
        self._title.setText(tr("ui.damage.title", n=len(data.targets)))
        self.setAccessibleName(self._title.text())
        self._show_chips(data)
        self.button.setText(tr("ui.damage.deal" if self._is_sharing else "ui.damage.roll-rest"))
        self.button.set_icon("check-bold" if self._is_sharing else "dice-d20-outline")
        self.both_button.setVisible(not self._is_sharing)
        asks = {ask.id: ask for ask in waiting_asks(prompt)}
        for id in [id for id in self.rows if id not in asks]:
            row = self.rows.pop(id)
            row.hide()
            row.deleteLater()
        for id in asks:
            if id not in self.rows:
                self.rows[id] = _Row(self)
                self._column.addWidget(self.rows[id])
        if self._is_sharing:
            for id, ask in asks.items():
                suggested = next(iter(ask.suggested), "full")
                who = label_of(self._document.encounter, id)
                self.rows[id].show_share(who, failed=id in data.failed, suggested=suggested)
            self.refresh_results()
        else:
            self._asks = {ask.id: ask for ask in prompt_view(self._document, prompt).asks}
            for id, view in self._asks.items():
                self.rows[id].show_roll(view)

    def _show_chips(self, data: SavedDamage) -> None:
        words = line_words(self._document)
        total = data.rolled.total if data.rolled is not None else None
        damage = data.damage if total is None else tr("ui.damage.rolled", dice=data.damage, n=total)
        chips = [
            ChipView(damage, "accent", "dice-5"),
            ChipView(save_text(data.save, data.dc, words), "", "shield-outline"),
            ChipView(tr("ui.damage.half-on-save" if data.half else "ui.damage.none-on-save")),
        ]
        word = next((condition for condition in words.conditions if condition.id == data.condition), None)
        if word is not None:
            chips.append(ChipView(tr("ui.damage.who-fails", what=word.name.lower()), "", word.icon))
        self.chips.show_chips(chips)

    def _replies(self) -> tuple[Reply, ...]:
        """Return the current answers, or an empty tuple if a typed result is invalid."""
        if self._is_sharing:
            return tuple(Reply(who, chosen=(self._share_of(row),)) for who, row in self.rows.items())
        replies = []
        for id, row in self.rows.items():
            typed, ask = row.line.text().strip(), self._asks[id]
            problem = ask.problem(typed) if typed else "" if ask.dice or ask.auto_fail else tr("ui.prompt.no-dice")
            self._error.setText(problem)
            self._error.setVisible(bool(problem))
            if problem:
                row.line.setFocus(Qt.FocusReason.OtherFocusReason)
                return ()
            rolls = failed_answer(id) if ask.auto_fail else Reply(id, roll=True)
            replies.append(Reply(id, typed=typed) if typed else rolls)
        return tuple(replies)

    def _share_of(self, row: _Row) -> str:
        return next((id for id, button in row.shares.buttons.items() if button.isChecked()), "full")

    def _roll_and_deal(self) -> None:
        if (self._is_sharing or self.confirm()) and self._is_sharing:
            self.confirm()

    def _clear(self) -> None:
        for row in self.rows.values():
            row.hide()
            row.deleteLater()
        self.rows.clear()
        self._error.hide()
