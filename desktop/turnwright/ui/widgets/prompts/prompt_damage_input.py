"""The input for damage to several targets with saves: a row for each target, from its save to the damage it takes.

Enter rolls the open rolls. Pressing Enter again deals the damage shown. Shift+Enter does both.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget

from turnwright.play.asking.commands.answer import Reply
from turnwright.ui.look.fonts import SPACE, scaled
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.fields import RollLine
from turnwright.ui.widgets.key_button import KeyButton
from turnwright.ui.widgets.layout import ElidedLabel, horizontal
from turnwright.ui.widgets.prompts.prompt_input import AskView, DamageOutcome, PromptInput, joined
from turnwright.ui.widgets.prompts.prompt_roll_input import failed_answer
from turnwright.ui.widgets.rules.why import WhyLabel
from turnwright.ui.widgets.text import plain_label, restyle
from turnwright.ui.widgets.typed.line_chips import Segments

SHARE = "share"  # the kind of questions about shares of damage; the others are about the rolls
SHARES = ("full", "half", "none")
MOST_SHARES = ("double", *SHARES)


class TargetRow(QFrame):
    """A target: its save with a field for the result, then its share of the damage and the outcome."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("row", True)
        self.who = ElidedLabel(role="strong", smaller="body")
        self.figure = WhyLabel("", "body", "muted")
        self.line = RollLine()
        self.note = ElidedLabel(role="caption", lines=2)
        self.shares = Segments(tr("ui.damage.share"))
        self.result = WhyLabel("", "strong")
        self.left = plain_label("", "caption", "muted")
        self.left.setMinimumWidth(scaled(72))
        self._row = horizontal(self, margins=(12, SPACE, 12, SPACE))
        for part in (self.who, self.figure, self.line, self.note, self.shares, self.result, self.left):
            self._row.addWidget(part)

    def show_ask(self, ask: AskView) -> None:
        """Show the roll that a target has to make, the damage roll, or the suggested share for a target."""
        sharing = ask.kind == SHARE
        self.who.setText(ask.who or tr("ui.damage.roll"))
        self.figure.set_text(ask.figure or ask.roll)
        self.figure.set_why(ask.why)
        self.figure.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # so that Tab moves from field to field
        self.line.setVisible(not sharing)
        self._row.setStretchFactor(self.who, 3 if sharing else 2)
        self._row.setStretchFactor(self.note, 1 if sharing else 3)  # the note of a roll contains the reasons
        for widget in (self.shares, self.result, self.left):
            widget.setVisible(sharing)
        if not sharing:
            self.line.setPlaceholderText(tr("ui.damage.to-roll"))
            self.line.setAccessibleName(joined(ask.who, ask.text, ask.roll, ask.against))
            self._tell(ask.auto_fail or ask.note, "warn" if ask.auto_fail else "muted")
            return
        self._tell(tr("ui.damage.fails" if ask.failed else "ui.damage.saves"), "harm" if ask.failed else "heal")
        suggested = next(iter(ask.suggested), "full")
        options = MOST_SHARES if suggested == "double" else SHARES
        self.shares.set_options([(id, tr(f"option.share_{id}")) for id in options])
        self.shares.choose(suggested)

    def show_outcome(self, outcome: DamageOutcome | None) -> None:
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

    def _tell(self, text: str, tone: str) -> None:
        self.note.setText(text)
        self.note.keep_words_whole()
        self.note.setProperty("tone", tone)
        restyle(self.note)


class DamageInput(PromptInput):
    """Asks for the saves and the damage roll, then for the share of each target."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question_column.setSpacing(scaled(SPACE))
        self.button = KeyButton("", self.confirm, "Enter", "primary")
        self.both_button = KeyButton(tr("ui.damage.roll-and-deal"), self.submit_all, "⇧Enter", "quiet")
        self.add_buttons(self.button, self.both_button)

    @property
    def is_sharing(self) -> bool:
        """Whether the questions are about the shares of the damage."""
        return any(ask.kind == SHARE for ask in self.asks.values())

    def show_asks(self, asks: Sequence[AskView]) -> None:
        super().show_asks(asks)
        self.button.setText(tr("ui.damage.deal" if self.is_sharing else "ui.damage.roll-rest"))
        self.button.set_icon("check-bold" if self.is_sharing else "dice-d20-outline")
        self.both_button.setVisible(not self.is_sharing)
        self._show_outcomes()

    def make_row(self, ask: AskView) -> TargetRow:
        row = TargetRow()
        row.shares.picked.connect(lambda _id: self._show_outcomes())
        return row

    def show_ask(self, ask: AskView) -> None:
        self.rows[ask.id].show_ask(ask)

    def first_field(self) -> QWidget:
        row = next(iter(self.rows.values()))
        return row.shares.buttons[row.shares.chosen()] if self.is_sharing else row.line

    def confirm(self) -> None:
        replies = self._replies()
        if replies:
            self.answered.emit(replies)

    def submit_all(self) -> None:
        rolling = not self.is_sharing
        self.confirm()
        if rolling:
            self.hurried.emit()

    def _show_outcomes(self) -> None:
        """Show the damage for the chosen shares, including resistance and other adjustments."""
        ask = next(iter(self.asks.values()))
        outcomes = ask.outcomes(self._replies()) if self.is_sharing else {}
        for who, row in self.rows.items():
            row.show_outcome(outcomes.get(who))

    def _replies(self) -> tuple[Reply, ...]:
        """Return the current answers, or an empty tuple if a typed result is invalid."""
        if self.is_sharing:
            return tuple(Reply(who, chosen=(row.shares.chosen() or "full",)) for who, row in self.rows.items())
        replies = []
        for id, row in self.rows.items():
            typed, ask = row.line.text().strip(), self.asks[id]
            problem = ask.problem(typed) if typed else "" if ask.dice or ask.auto_fail else tr("ui.prompt.no-dice")
            self.show_error(problem, row.line)
            if problem:
                return ()
            rolls = failed_answer(id) if ask.auto_fail else Reply(id, roll=True)
            replies.append(Reply(id, typed=typed) if typed else rolls)
        return tuple(replies)
