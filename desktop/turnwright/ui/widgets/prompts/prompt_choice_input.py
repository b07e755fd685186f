"""Inputs for questions that don't need a roll: choices, targets and numbers. The suggested answer comes first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from turnwright.encounter.field_specs import spec_of
from turnwright.play.asking.answer import Reply
from turnwright.ui.look.fonts import GAP, SPACE, scaled, set_role
from turnwright.ui.look.tooltips import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.combo_box import ComboBox
from turnwright.ui.widgets.fields import NumberField
from turnwright.ui.widgets.key_button import KeyButton
from turnwright.ui.widgets.layout import ElidedLabel, FlowRow, horizontal
from turnwright.ui.widgets.pick_row import PickOption, PickRow
from turnwright.ui.widgets.prompts.prompt_input import AskOption, AskView, PromptInput
from turnwright.ui.widgets.text import plain_label, push_button

MAX_BUTTONS = 5  # maximum number of buttons per question, if there are several
KEYS = "123456789abcdefghijklmnopqrtuvwxyz"  # keys of answers; `s` skips the question
MOST_LETTERS = 48  # maximum length of a button's text; if it is longer, the reason is only in the tooltip


class ChoiceInput(PromptInput):
    """One or more choices, the suggested answer first.

    For a single question, each answer has a button with a key. If there are several questions, each has a row of
    buttons, or a drop-down list if it has many answers.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._asks: tuple[AskView, ...] = ()
        self._boxes: dict[str, ComboBox | PickRow] = {}
        self._inside: tuple[QWidget, ...] = ()
        self.buttons: list[KeyButton] = []
        self._first: QWidget = self

    def show_asks(self, asks: Sequence[AskView]) -> None:
        if tuple(asks) == self._asks:
            return
        self._asks = tuple(asks)
        for widget in self._inside:
            widget.hide()
            widget.deleteLater()
        self._boxes, self.buttons = {}, []
        asking, below = self._answers() if len(self._asks) == 1 else self._lists()
        if asking is not None:
            self.question_column.addWidget(asking)
        self.button_column.addWidget(below)
        self._inside = (below,) if asking is None else (asking, below)

    def box(self, id: str) -> ComboBox | PickRow:
        """Return the drop-down list or the row of buttons for a question."""
        return self._boxes[id]

    def first_field(self) -> QWidget:
        return self._first

    def confirm(self) -> None:
        if self._boxes:
            self._choose_all()

    def has_key(self, key: str) -> bool:
        return key in KEYS[: len(self.buttons)]

    def choose(self, key: str) -> None:
        if self.has_key(key):
            self.buttons[KEYS.index(key)].click()

    def _answers(self) -> tuple[QWidget | None, QWidget]:
        """Create a label for the question, if it has a text, and the row of answer buttons."""
        ask = self._asks[0]
        question = f"{ask.who}: {ask.text}" if ask.who and ask.text else ask.who or ask.text
        row = FlowRow()
        for place, choice in enumerate(_suggested_first(ask)):
            name = choice.label[:1].upper() + choice.label[1:]
            full_label = f"{name}  ({choice.why})" if choice.why else name
            label = full_label if len(full_label) <= MOST_LETTERS else name
            choose = self._chooser(ask.id, choice.id)
            is_first = place == 0
            kind, keys = ("primary", "Enter") if is_first else ("", KEYS[place : place + 1])
            button = KeyButton(label.replace("&", "&&"), choose, keys, kind)
            button.setToolTip("" if label == full_label else escaped_tooltip(choice.why))
            self.buttons.append(button)
            row.add(button)
        self._first = self.buttons[0]
        row.add(self._skip_button())
        return plain_label(question, wraps=True) if question else None, row

    def _lists(self) -> tuple[QWidget, QWidget]:
        """Create the rows of questions with their answers, and the buttons below them."""
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(scaled(GAP))
        grid.setVerticalSpacing(scaled(SPACE))
        grid.setColumnStretch(1, 1)
        for row, ask in enumerate(self._asks):
            box = _pick_row(ask) if len(ask.choices) <= MAX_BUTTONS else _combo_box(ask)
            box.setAccessibleName(" ".join(part for part in (ask.who, ask.text) if part))
            grid.addWidget(plain_label(box.accessibleName(), wraps=True), row, 0)
            grid.addWidget(box, row, 1)
            self._boxes[ask.id] = box
        row_of_buttons = FlowRow()
        choose = KeyButton(tr("ui.prompt.choose"), self._choose_all, "Enter", "primary", "check")
        row_of_buttons.add(choose)
        row_of_buttons.add(self._skip_button())
        self._first = choose
        return inside, row_of_buttons

    def _skip_button(self) -> KeyButton:
        return KeyButton(tr("ui.roll.skip"), self._skip, "S", "quiet")

    def _chooser(self, ask: str, id: str) -> Callable[[], None]:
        return lambda: self._choose(ask, id)

    def _choose(self, ask: str, id: str) -> None:
        self.answered.emit((Reply(ask, chosen=(id,)),))

    def _choose_all(self) -> None:
        self.answered.emit(tuple(Reply(id, chosen=_chosen(box)) for id, box in self._boxes.items()))

    def _skip(self) -> None:
        self.answered.emit(tuple(Reply(ask.id, skip=True) for ask in self._asks))


class TargetsInput(PromptInput):
    """Check boxes for any number of options. The suggested options are checked initially."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ask: AskView | None = None
        self._ticks: dict[str, QCheckBox] = {}
        self._text = plain_label("", wraps=True)
        self._list = FlowRow(gap=GAP)
        self._buttons = FlowRow()
        self.take = KeyButton(tr("ui.prompt.these"), self._hand_in, "Enter", "primary", "check")
        self.all_button = push_button(tr("ui.prompt.all"), lambda: self._tick_all(ticked=True), "quiet")
        self.none_button = push_button(tr("ui.prompt.none"), lambda: self._tick_all(ticked=False), "quiet")
        self.skip = KeyButton(tr("ui.roll.skip"), self._pass_over, "S", "quiet")
        for button in (self.take, self.all_button, self.none_button, self.skip):
            self._buttons.add(button)
        self.question_column.addWidget(self._text)
        self.question_column.addWidget(self._list)
        self.button_column.addWidget(self._buttons)

    def show_asks(self, asks: Sequence[AskView]) -> None:
        ask = asks[0]
        if ask == self._ask:
            return
        same = self._ask is not None and self._ask.id == ask.id
        ticked = {id for id, tick in self._ticks.items() if tick.isChecked()} if same else set(ask.suggested)
        self._ask = ask
        self._text.setText(ask.text)
        self._list.clear()
        self._ticks = {}
        for choice in ask.choices:
            tick = QCheckBox(choice.label.replace("&", "&&"))
            set_role(tick, "body")
            tick.setChecked(choice.id in ticked)
            tick.setToolTip(escaped_tooltip(choice.why))
            tick.toggled.connect(lambda on, id=choice.id: self._hold_to_most(id, on))
            self._ticks[choice.id] = tick
            self._list.add(tick)
        self.all_button.setVisible(ask.most == 0)
        self._tell()

    def tick(self, id: str) -> QCheckBox:
        """Return the check box of an option."""
        return self._ticks[id]

    def chosen(self) -> tuple[str, ...]:
        """Return the checked ids, in list order."""
        return tuple(id for id, tick in self._ticks.items() if tick.isChecked())

    def confirm(self) -> None:
        self.take.click()

    def first_field(self) -> QWidget:
        return self.take if self.chosen() else next(iter(self._ticks.values()), self.take)

    def _hold_to_most(self, id: str, on: bool) -> None:
        most = self._ask.most if self._ask else 0
        if on and most == 1:
            for other, tick in self._ticks.items():
                if other != id:
                    tick.setChecked(False)
        self._tell()

    def _tell(self) -> None:
        count = len(self.chosen())
        self.take.setText(tr("ui.prompt.these", n=count) if count else tr("ui.prompt.no-target"))
        most = self._ask.most if self._ask else 0
        self.take.setEnabled(not most or count <= most)

    def _tick_all(self, *, ticked: bool) -> None:
        for tick in self._ticks.values():
            tick.setChecked(ticked)
        self.take.setFocus(Qt.FocusReason.OtherFocusReason)  # so that the next Enter submits

    def _hand_in(self) -> None:
        if self._ask is not None:
            self.answered.emit((Reply(self._ask.id, chosen=self.chosen()),))

    def _pass_over(self) -> None:
        if self._ask is not None:
            self.answered.emit((Reply(self._ask.id, skip=True),))


class NumbersInput(PromptInput):
    """Whole numbers, one per row, within the limits of their questions. Enter submits all numbers entered so far."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: dict[str, tuple[NumberField, QWidget]] = {}
        self.question_column.setSpacing(scaled(SPACE))
        self._error = plain_label("", "caption", "harm", wraps=True)
        self._error.hide()
        self.button_column.addWidget(self._error)
        self._buttons = FlowRow()
        self._buttons.add(KeyButton(tr("ui.prompt.submit"), self._hand_in, "Enter", "primary", "check"))
        self._buttons.add(KeyButton(tr("ui.roll.skip"), self._skip, "S", "quiet"))
        self.button_column.addWidget(self._buttons)

    def show_asks(self, asks: Sequence[AskView]) -> None:
        for id in [id for id in self._rows if id not in {ask.id for ask in asks}]:
            _, row = self._rows.pop(id)
            row.hide()
            row.deleteLater()
        for ask in asks:
            if ask.id not in self._rows:
                self._rows[ask.id] = self._row(ask)

    def field(self, id: str) -> NumberField:
        """Return the field of a row."""
        return self._rows[id][0]

    def first_field(self) -> QWidget:
        return next(iter(self._rows.values()))[0]

    def _row(self, ask: AskView) -> tuple[NumberField, QWidget]:
        row = QWidget()
        layout = horizontal(row)
        name = " ".join(part for part in (ask.who, ask.text) if part)
        spec = spec_of(Reply, "number")
        hint = tr("ui.prompt.up-to", most=ask.most) if ask.most else tr("ui.turn.blank")
        number = NumberField(spec.least, ask.most or spec.most, "", hint)
        number.set_number(None)
        number.selectAll()
        number.setFixedWidth(scaled(104))
        number.setAccessibleName(name)
        number.lineEdit().returnPressed.connect(self._hand_in)
        layout.addWidget(ElidedLabel(name), 1)
        layout.addWidget(number)
        self.question_column.addWidget(row)
        return number, row

    def _hand_in(self) -> None:
        numbers = {id: number.number() for id, (number, _row) in self._rows.items()}
        replies = tuple(Reply(id, number=number) for id, number in numbers.items() if number is not None)
        if replies:
            self.answered.emit(replies)
            return
        empty = self.first_field()
        self._error.setText(tr("ui.prompt.number-missing", what=empty.accessibleName()))
        self._error.show()
        empty.setFocus()

    def error(self) -> str:
        """Return the error message, or an empty string if there is none."""
        return self._error.text()

    def _skip(self) -> None:
        self.answered.emit(tuple(Reply(id, skip=True) for id in self._rows))


def _pick_row(ask: AskView) -> PickRow:
    """Return a row of buttons for a question's answers, with the suggested one selected."""
    row = PickRow()
    answers = list(_suggested_first(ask))
    row.set_picks(
        [PickOption(answer.id, answer.label[:1].upper() + answer.label[1:], answer.why) for answer in answers],
        [answers[0].id],
    )
    return row


def _combo_box(ask: AskView) -> ComboBox:
    """Return a drop-down list of a question's answers."""
    box = ComboBox()
    for choice in _suggested_first(ask):
        box.addItem(choice.label[:1].upper() + choice.label[1:], choice.id)
        box.setItemData(box.count() - 1, escaped_tooltip(choice.why), Qt.ItemDataRole.ToolTipRole)
    return box


def _chosen(box: ComboBox | PickRow) -> tuple[str, ...]:
    return box.chosen() if isinstance(box, PickRow) else (str(box.currentData()),)


def _suggested_first(ask: AskView) -> Iterable[AskOption]:
    return sorted(ask.choices, key=lambda choice: choice.id not in ask.suggested)
