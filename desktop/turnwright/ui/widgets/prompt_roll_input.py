"""Inputs for rolls: one with its field, or a compact row for each of many. Typed text stays until the answer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget

from turnwright.play.asking.commands.answer import Reply
from turnwright.ui.fonts import GAP, SPACE, scaled
from turnwright.ui.translations import tr
from turnwright.ui.widgets.auto_fail_button import AutoFailButton, failed_answer
from turnwright.ui.widgets.fields import RollField, RollLine
from turnwright.ui.widgets.layout import ElidedLabel, horizontal
from turnwright.ui.widgets.prompt_input import AskView, PromptInput
from turnwright.ui.widgets.text import plain_label, push_button, restyle, tool_button
from turnwright.ui.widgets.why import WhyLabel


class SingleRollInput(PromptInput):
    """A single roll: the roller, the roll spelled out, and the field to roll, type or skip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ask: AskView | None = None
        row = horizontal()
        self._who = plain_label("", "strong")
        self._text = ElidedLabel()
        self._roll = WhyLabel()
        row.addWidget(self._who)
        row.addWidget(self._text, 1)
        row.addWidget(self._roll)
        self.question_column.addLayout(row)
        self.field = RollField()
        self.field.rolled.connect(lambda: self._reply(roll=True))
        self.field.skipped.connect(lambda: self._reply(skip=True))
        self.field.typed.connect(self._typed)
        self.fail = AutoFailButton()
        self.fail.failAccepted.connect(self._take_as_failed)
        self.field.row.insertWidget(1, self.fail)
        self.button_column.addWidget(self.field)

    def show_asks(self, asks: Sequence[AskView]) -> None:
        ask = asks[0]
        if self._ask is not None and self._ask.id != ask.id:
            self.field.clear()
        self._ask = ask
        self._who.setText(ask.who)
        self._who.setVisible(bool(ask.who))
        self._text.setText(ask.text)
        self._roll.set_text(_joined(ask.roll, ask.against))
        self._roll.set_why(ask.why)
        self.fail.show_ask(ask)
        self.field.set_can_roll(can_roll=ask.dice)
        self.field.line.setPlaceholderText(ask.hint or tr("ui.roll.placeholder"))
        self.field.line.setAccessibleName(_joined(ask.who, ask.text, ask.roll, ask.against))

    def first_field(self) -> QWidget:
        return self.field.line

    def explain(self) -> bool:
        """Show the rule by which the roll fails where the focus is on it, else the parts of the roll."""
        return self.fail.explain() if self.fail.button.hasFocus() else self._roll.explain()

    def _typed(self, text: str) -> None:
        if self._ask is None:
            return
        problem = self._ask.problem(text)
        self.field.show_error(problem)
        if not problem:
            self._reply(typed=text)

    def _take_as_failed(self) -> None:
        if self._ask is not None:
            self.answered.emit((failed_answer(self._ask.id),))

    def _reply(self, *, roll: bool = False, skip: bool = False, typed: str = "") -> None:
        if self._ask is not None:
            self.answered.emit((Reply(self._ask.id, roll=roll, typed=typed, skip=skip),))


class MultiRollInput(PromptInput):
    """Many rolls, one compact row each. Enter in an empty field rolls all open rolls; typed results are submitted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: dict[str, _RollRow] = {}
        self._common = ""
        self._rolled: tuple[str, ...] = ()
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(scaled(GAP))
        self._grid.setVerticalSpacing(scaled(SPACE))
        self._grid.setColumnStretch(0, 100)
        self._grid.setColumnStretch(5, 1)  # room that names do not need in a wide window
        self.question_column.addLayout(self._grid)
        self._error = plain_label("", "caption", "harm", wraps=True)
        self._error.hide()
        self.button_column.addWidget(self._error)
        buttons = horizontal()
        self.roll_all = push_button(tr("ui.prompt.roll-all"), self._roll_all, "primary", "dice-multiple")
        self.skip_all = push_button(tr("ui.prompt.skip-all"), self._skip_all, "quiet")
        buttons.addWidget(self.roll_all)
        buttons.addWidget(self.skip_all)
        buttons.addStretch(1)
        self.button_column.addLayout(buttons)

    def common_text(self) -> str:
        return self._common

    def show_asks(self, asks: Sequence[AskView]) -> None:
        wanted = {ask.id for ask in asks}
        for id in [id for id in self.rows if id not in wanted]:
            self.rows.pop(id).leave(self._grid)
        common = _joined(asks[0].text, asks[0].against) if len({(ask.text, ask.against) for ask in asks}) == 1 else ""
        self._common = common if asks[0].who else ""
        for ask in asks:
            if ask.id not in self.rows:
                self.rows[ask.id] = _RollRow(self._grid, self._grid.rowCount(), self)
            self.rows[ask.id].show_ask(ask, self._common)
        self.roll_all.setVisible(any(ask.dice for ask in asks))
        self._rolled = tuple(ask.id for ask in asks if ask.dice)
        self._say("")

    def field(self, id: str) -> QLineEdit:
        """Return the field of a row."""
        return self.rows[id].line

    def first_field(self) -> QWidget:
        return next(iter(self.rows.values())).line

    def explain(self) -> bool:
        """Show the parts of the focused row's roll; return False where no row has the focus."""
        return any(row.explain() for row in self.rows.values())

    def error(self) -> str:
        """Return the error message, empty for none."""
        return self._error.text()

    def submit(self) -> None:
        """Submit every typed result, or roll all open rolls where nothing is typed."""
        filled = [row for row in self.rows.values() if row.line.text().strip()]
        if not filled:
            self._roll_all()
            return
        for row in filled:
            problem = row.problem()
            row.mark(wrong=bool(problem))
            if problem:
                self._say(problem)
                row.line.setFocus()
                self.ensure_visible(row.line)
                return
        self._say("")
        self.answered.emit(tuple(Reply(row.id, typed=row.line.text().strip()) for row in filled))

    def roll_one(self, id: str) -> None:
        """Roll for one row."""
        self.answered.emit((Reply(id, roll=True),))

    def skip_one(self, id: str) -> None:
        """Skip the roll of one row."""
        self.answered.emit((Reply(id, skip=True),))

    def fail_one(self, id: str) -> None:
        """Take the roll of one row as failed."""
        self.answered.emit((failed_answer(id),))

    def _roll_all(self) -> None:
        if self._rolled:
            self.answered.emit(tuple(Reply(id, roll=True) for id in self._rolled))
        else:
            self._say(tr("ui.prompt.no-dice"))

    def _skip_all(self) -> None:
        self.answered.emit(tuple(Reply(id, skip=True) for id in self.rows))

    def _say(self, text: str) -> None:
        self._error.setText(text)
        self._error.setVisible(bool(text))


class _RollRow:
    """The widgets of one row of `MultiRollInput`, in one line of its grid."""

    def __init__(self, grid: QGridLayout, at: int, body: MultiRollInput) -> None:
        self.id = ""
        self._ask: AskView | None = None
        self.who = ElidedLabel()
        self.who.setMinimumWidth(scaled(80))
        self.who.setMaximumWidth(scaled(240))
        self.roll = WhyLabel()
        self.line = RollLine()
        self.line.setFixedWidth(scaled(100))
        self.line.returnPressed.connect(body.submit)
        self.line.textEdited.connect(lambda _text: self.mark(wrong=False))
        self.dice = tool_button("dice-5", tr("ui.roll.roll"), lambda: body.roll_one(self.id))
        self.skip = tool_button("close", tr("ui.roll.skip"), lambda: body.skip_one(self.id))
        self._widgets = (self.who, self.roll, self.line, self.dice, self.skip)
        for column, widget in enumerate(self._widgets):
            grid.addWidget(widget, at, column)
        self.fail = AutoFailButton()
        self.fail.failAccepted.connect(lambda: body.fail_one(self.id))
        grid.addWidget(self.fail, at + 1, 1, 1, len(self._widgets) - 1, Qt.AlignmentFlag.AlignRight)

    def show_ask(self, ask: AskView, common: str) -> None:
        """Set the question of this row, without the text that all rows have in common."""
        self.id = ask.id
        self._ask = ask
        self.who.setText(ask.who if common else _joined(ask.who, ask.text))
        self.roll.set_text(ask.roll if common else _joined(ask.roll, ask.against))
        self.roll.set_why(ask.why)
        self.dice.setVisible(ask.dice)
        self.fail.show_ask(ask)
        name = _joined(ask.who, ask.text, ask.roll, ask.against)
        self.line.setAccessibleName(name)
        self.line.setPlaceholderText(ask.hint or tr("ui.roll.placeholder"))
        self.dice.setAccessibleName(f"{tr('ui.roll.roll')}: {name}")
        self.skip.setAccessibleName(f"{tr('ui.roll.skip')}: {name}")

    def problem(self) -> str:
        """Return what is wrong with the typed text."""
        return self._ask.problem(self.line.text().strip()) if self._ask else ""

    def mark(self, *, wrong: bool) -> None:
        """Mark the field as wrong, or not."""
        if bool(self.line.property("wrong")) != wrong:
            self.line.setProperty("wrong", wrong)
            restyle(self.line)

    def explain(self) -> bool:
        """Show the explanation of the focused widget in this row; return False where none has the focus."""
        if self.fail.button.hasFocus():
            return self.fail.explain()
        return any(widget.hasFocus() for widget in self._widgets) and self.roll.explain()

    def leave(self, grid: QGridLayout) -> None:
        """Remove the row."""
        for widget in (*self._widgets, self.fail):
            grid.removeWidget(widget)
            widget.hide()
            widget.deleteLater()


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)
