"""The inputs for rolls: a row for each roll, and a row for each target of damage with saves.

Typed text is kept until the question is answered.
"""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QSizePolicy, QWidget

from turnwright.encounter.procedure_state.asks import FAILED, Reply
from turnwright.ui.look.style import GAP, SPACE, escaped_tooltip, number_word, scaled, tr
from turnwright.ui.widgets.fields import KeyButton, RollLine, Segments
from turnwright.ui.widgets.layout import ElidedLabel, fill, horizontal, vertical
from turnwright.ui.widgets.prompts.prompt_input import AskView, DamageOutcome, PromptInput, joined
from turnwright.ui.widgets.rules.why import WhyLabel
from turnwright.ui.widgets.text import plain_label, push_button, set_style, tool_button

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
FIGURE_MOST = 96  # px; maximum width of the dice or modifier column
STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class AutoFailButton(QWidget):
    """Accepts an automatic failure. `?` on the button or on the link next to it opens the rule.

    Emits `failAccepted` when the user accepts the failure.
    """

    failAccepted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.button = push_button("", self.failAccepted.emit, icon_name="close-octagon-outline")
        self.rule = WhyLabel(tr("ui.prompt.rule"), "caption", "muted")
        fill(horizontal(self, spacing=SPACE + 2), self.button, self.rule)
        self.hide()

    def show_ask(self, ask: AskView) -> None:
        """Show the rule that makes a roll fail, or hide the button if the dice decide."""
        text = tr("ui.prompt.fails", why=ask.auto_fail)
        tip = tr("ui.prompt.fails-tip")
        self.button.setText(text.replace("&", "&&"))
        self.button.setToolTip(escaped_tooltip(tip))
        self.button.setAccessibleName(joined(ask.who, text))
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


class RollRow(QFrame):
    """A pending roll: its name, its dice or modifier, the number needed, a field for the total, and buttons.

    Emits `submitted` on Enter, `rollRequested` from the roll button, `skipped` from ×, `failAccepted` when the user
    accepts an automatic failure, `entered` when the row gets the focus, and `stepped` when an arrow key leaves the row.
    `stacked`: show the number needed below the modifier.
    """

    submitted = Signal()
    rollRequested = Signal()
    skipped = Signal()
    failAccepted = Signal()
    entered = Signal()
    stepped = Signal(int)

    def __init__(self, *, stacked: bool = False) -> None:
        super().__init__()
        self.setProperty("row", True)
        self._ask: AskView | None = None
        self._name = ""
        self.who = ElidedLabel(role="strong", smaller="body", lines=2)
        self.who.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.who.setMinimumWidth(scaled(72))
        self.roll = WhyLabel("", "strong", "" if stacked else "accent")
        self.roll.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.roll.setMinimumWidth(scaled(32))
        self.note = ElidedLabel(role="caption", lines=2, tone="muted")
        self.line = RollLine()
        self.button = KeyButton(tr("ui.roll.roll"), self.rollRequested.emit, "", "", "dice-d20-outline")
        self.skip = tool_button("close", tr("ui.roll.skip"), self.skipped.emit)
        self.fail = AutoFailButton()
        self.fail.failAccepted.connect(self.failAccepted)
        row = fill(horizontal(), self.who)
        if stacked:
            self.who.setFixedWidth(scaled(88))
            row.addLayout(fill(vertical(spacing=0), self.roll, self.note), 1)
        else:
            fill(row, self.roll, (self.note, 1))
        fill(row, self.line, self.button, self.skip)
        fill(vertical(self, spacing=SPACE, margins=(12, 3, GAP, 3)), row, (self.fail, 0, Qt.AlignmentFlag.AlignRight))
        self.line.returnPressed.connect(self.submitted)
        self.line.textEdited.connect(lambda _text: self.mark(wrong=False))
        for inside in (self.line, self.button, self.skip, self.roll, self.fail.button):
            inside.installEventFilter(self)

    def show_ask(self, ask: AskView, common: str = "") -> None:
        """Show a question without the text that all rows share."""
        self._ask = ask
        self.who.setText(ask.who if common else ask.name)
        self.who.setVisible(bool(self.who.text()))
        self.show_roll(ask.figure or ask.roll, ask.note if common else ask.note or ask.against)
        self.roll.set_why(ask.why)
        self.button.setVisible(ask.dice)
        self.fail.show_ask(ask)
        self._name = joined(ask.who, ask.text, ask.roll, ask.against, ask.note)
        self.line.setPlaceholderText(tr("ui.roll.placeholder-faces" if ask.by_face else "ui.roll.placeholder"))
        self.line.setToolTip(tr("ui.roll.tip-faces" if ask.by_face else "ui.roll.tip"))
        for widget, word in ((self.line, ""), (self.button, "ui.roll.roll"), (self.skip, "ui.roll.skip")):
            widget.setAccessibleName(f"{tr(word)}: {self._name}" if word else self._name)

    def show_roll(self, figure: str, note: str) -> None:
        """Show the dice or modifier and the number needed."""
        self.roll.set_text(figure)
        self.roll.setMinimumWidth(max(scaled(32), min(self.roll.sizeHint().width(), scaled(FIGURE_MOST))))
        self.note.setText(note)
        self.note.keep_words_whole()

    def set_open(self, *, is_open: bool, can_type: bool = True) -> None:
        """Show or hide the field, enable the button if the row is open, and hide ×, which only prompts need."""
        self.line.setVisible(can_type)
        self.button.setEnabled(is_open)
        self.skip.hide()

    def set_current(self, *, is_current: bool) -> None:
        """Show the row's button as the primary one if Enter rolls for this row."""
        self.button.set_kind("primary" if is_current else "")
        self.button.set_keys("Enter" if is_current else "")
        self.button.set_icon("dice-d20-outline")
        set_style(self, "current", is_current)

    def typed(self) -> str:
        """Return the typed text without surrounding whitespace."""
        return self.line.text().strip()

    def problem(self) -> str:
        """Return the error in the typed text, or an empty string, and mark the field if there is an error."""
        problem = self._ask.problem(self.typed()) if self._ask is not None else ""
        self.mark(wrong=bool(problem))
        self.line.setAccessibleDescription(problem)
        return problem

    def mark(self, *, wrong: bool) -> None:
        """Mark the field as wrong, or remove the mark."""
        set_style(self.line, "wrong", wrong)

    def explain(self) -> bool:
        """Explain the roll. If the focus is on the automatic failure, explain its rule."""
        return self.fail.explain() if self.fail.button.hasFocus() else self.roll.explain()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in STEPS:
            self.stepped.emit(STEPS[Qt.Key(event.key())])
        elif event.key() in ENTER and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            event.accept()  # otherwise the card would also answer the next roll
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn:
            self.entered.emit()
        return super().eventFilter(watched, event)


class RollInput(PromptInput):
    """A row for each roll. Enter submits the typed results or rolls for its row. Shift+Enter does so for all rows."""

    def __init__(self) -> None:
        super().__init__()
        self._common = ""
        self.question_column.setSpacing(scaled(GAP))
        self.roll_all = KeyButton("", self.submit_all, "⇧Enter", "", "dice-multiple")
        self.add_buttons(self.roll_all)

    def common_text(self) -> str:
        return self._common

    def show_asks(self, asks: Sequence[AskView]) -> None:
        common = joined(asks[0].text, asks[0].against) if len({(ask.text, ask.against) for ask in asks}) == 1 else ""
        self._common = common if asks[0].who else ""
        super().show_asks(asks)
        self.roll_all.setText(tr("ui.prompt.roll-all", n=number_word(len(asks))))
        self.roll_all.setVisible(len(asks) > 1 and any(ask.dice for ask in asks))
        self.show_error("")
        self._make_current(next((row for row in self.rows.values() if row.property("current")), None))

    def make_row(self, ask: AskView) -> RollRow:
        row, id = RollRow(), ask.id
        row.submitted.connect(lambda: self.submit(id))
        row.rollRequested.connect(lambda: self.roll_one(id))
        row.skipped.connect(lambda: self.skip_one(id))
        row.failAccepted.connect(lambda: self.answered.emit((failed_answer(id),)))
        row.entered.connect(lambda: self._make_current(row))
        row.stepped.connect(lambda by: self._step(row, by))
        row.line.textEdited.connect(lambda _text: self.show_error(""))
        return row

    def show_ask(self, ask: AskView) -> None:
        self.rows[ask.id].show_ask(ask, self._common)

    def field(self, id: str) -> QLineEdit:
        """Return the field of a row."""
        return self.rows[id].line

    def first_row(self) -> RollRow:
        """Return the first row."""
        return next(iter(self.rows.values()))

    def first_field(self) -> QWidget:
        return self.first_row().line

    def explain(self) -> bool:
        """Explain the roll of the focused row. Return False if no row has the focus."""
        return any(row.isAncestorOf(self.focusWidget()) and row.explain() for row in self.rows.values())

    def submit(self, id: str) -> None:
        """Submit all typed results. If there are none, roll for one row."""
        row = self.rows[id]
        if row.typed():
            self._reply([ask for ask, row in self.rows.items() if row.typed()], ())
        elif self.asks[id].dice:
            self.roll_one(id)
        else:
            self.show_error(row.problem() or tr("ui.prompt.no-dice"), row.line)

    def submit_all(self) -> None:
        """Submit all typed results, and roll for the other rows if they have dice."""
        typed = [id for id, row in self.rows.items() if row.typed()]
        rolled = [ask.id for ask in self.asks.values() if ask.dice and ask.id not in typed]
        if typed or rolled:
            self._reply(typed, rolled)
        else:
            self.show_error(tr("ui.prompt.no-dice"))

    def roll_one(self, id: str) -> None:
        """Roll for one row."""
        self.answered.emit((Reply(id, roll=True),))

    def skip_one(self, id: str) -> None:
        """Skip the roll of one row."""
        self.answered.emit((Reply(id, skip=True),))

    def _step(self, row: RollRow, by: int) -> None:
        rows = list(self.rows.values())
        goal = rows[min(max(rows.index(row) + by, 0), len(rows) - 1)]
        goal.line.setFocus(Qt.FocusReason.OtherFocusReason)
        self.ensure_visible(goal)

    def _reply(self, typed: Sequence[str], rolled: Sequence[str]) -> None:
        for id in typed:
            if problem := self.rows[id].problem():
                self.show_error(problem, self.rows[id].line)
                return
        self.show_error("")
        answers = {id: Reply(id, typed=self.rows[id].typed()) for id in typed}
        answers |= {id: Reply(id, roll=True) for id in rolled}
        self.answered.emit(tuple(answers[id] for id in self.rows if id in answers))

    def _make_current(self, current: RollRow | None) -> None:
        goal = current if current is not None else self.first_row()
        for row in self.rows.values():
            row.set_current(is_current=row is goal)


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
        self._row = fill(horizontal(self, margins=(12, SPACE, 12, SPACE)), self.who, self.figure, self.line, self.note)
        fill(self._row, self.shares, self.result, self.left)

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
        set_style(self.note, "tone", tone)


class DamageInput(PromptInput):
    """Asks for the saves and the damage roll, then for the share of each target."""

    def __init__(self) -> None:
        super().__init__()
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
        if replies := self._replies():
            self.answered.emit(replies)

    def submit_all(self) -> None:
        rolling = not self.is_sharing
        self.confirm()
        if rolling:
            self.hurried.emit()

    def _show_outcomes(self) -> None:
        """Show the damage for the chosen shares, including resistance and other adjustments."""
        outcomes = next(iter(self.asks.values())).outcomes(self._replies()) if self.is_sharing else {}
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
