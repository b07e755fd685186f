"""The questions of a prompt as plain data, and the inputs for questions without a roll, suggestions first."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent

from turnwright.encounter.field_specs import spec_of
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.ui.look.style import GAP, SPACE, escaped_tooltip, scaled, set_role, tr
from turnwright.ui.widgets.fields import ComboBox, KeyButton, NumberField, PickOption, PickRow
from turnwright.ui.widgets.layout import (
    ElidedLabel,
    FlowRow,
    fill,
    frameless_scroll_area,
    grid_layout,
    horizontal,
    vertical,
)
from turnwright.ui.widgets.rules.why import Explanation
from turnwright.ui.widgets.text import discard, named, plain_label, push_button, tool_button

ONLY_ASK = 60


@dataclass(frozen=True)
class AskOption:
    """A possible answer. `why` is a reason for or against it."""

    id: str
    label: str
    why: str = ""


@dataclass(frozen=True)
class DamageOutcome:
    """The damage that a target takes, its explanation, and the target's hit points before and after."""

    taken: int
    before: int
    after: int
    why: Explanation


@dataclass(frozen=True)
class AskView:
    """One question as shown on a card. `roll` describes the roll, and `against` is its target number.

    `figure` is the roll in short form (`+5`, `2d6 + 3`). `note` is the number needed, with the most important reasons.
    `by_face`: the user types the face of each die. `dice`: there are dice to roll; otherwise the user enters the
    result.

    `problem(text)` returns the error in a typed result, or an empty string. `auto_fail` is the reason why the roll
    fails automatically, or an empty string, and `auto_fail_why` explains its rule.

    For a share of damage, `failed` is whether the target failed its save, and `outcomes(replies)` returns the damage
    that each target would take.
    """

    id: str
    kind: str
    who: str = ""
    text: str = ""
    roll: str = ""
    against: str = ""
    figure: str = ""
    note: str = ""
    by_face: bool = False
    choices: tuple[AskOption, ...] = ()
    suggested: tuple[str, ...] = ()
    most: int = 0
    auto_fail: str = ""
    dice: bool = True
    why: Callable[[], Explanation] | None = field(default=None, compare=False)
    auto_fail_why: Callable[[], Explanation] | None = field(default=None, compare=False)
    problem: Callable[[str], str] = field(default=lambda _text: "", compare=False)
    failed: bool = False
    outcomes: Callable[[tuple[Reply, ...]], Mapping[str, DamageOutcome]] = field(default=lambda _: {}, compare=False)

    @property
    def name(self) -> str:
        """The combatant and the question."""
        return joined(self.who, self.text)


class _Part(QtWidgets.QWidget):
    """A column of widgets. Emits `changed` when its height may have changed."""

    changed = Signal()

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.column = vertical(self)

    def minimumSizeHint(self) -> QSize:
        """Return the height needed at the current width, not at the minimum width."""
        least = super().minimumSizeHint()
        return QSize(least.width(), min(least.height(), height_for(self, max(self.width(), least.width()))))

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.changed.emit()
        return done


class _Scrolled(QtWidgets.QScrollArea):
    """A scroll area that is as high as its contents if there is room, and always high enough for one question."""

    def sizeHint(self) -> QSize:
        inside = self.widget()
        return QSize(scaled(320), height_for(inside, self.viewport().width()) if inside is not None else 0)

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(160), min(scaled(ONLY_ASK), self.sizeHint().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the focused widget visible, because messages that appear below the questions make the area smaller."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()  # the height of the questions depends on the width
        inside, focused = self.widget(), QtWidgets.QApplication.focusWidget()
        if inside is not None and focused is not None and inside.isAncestorOf(focused):
            self.ensureWidgetVisible(focused)


class PromptInput(QtWidgets.QWidget):
    """The input of a card: questions that scroll if there are many, and buttons below them that stay visible.

    Each question has a row, which `make_row` creates and `show_ask` updates.

    Emits `answered(replies)` with a tuple of `Reply`, `changed` when its height may have changed, and `hurried` when
    the prompt that follows from the answer should be answered as suggested.
    """

    answered = Signal(object)
    changed = Signal()
    hurried = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.asks: dict[str, AskView] = {}
        self.rows: dict[str, Any] = {}
        self._asking, self._below = _Part(), _Part()
        self.question_column = self._asking.column
        self.button_column = self._below.column  # always visible
        self.questions = frameless_scroll_area(self._asking, kind=_Scrolled)
        for behind in (self.questions.viewport(), self._asking):  # so that the card's background shows
            behind.setAutoFillBackground(False)
        fill(vertical(self, spacing=SPACE + 2), (self.questions, 1), self._below)
        for part in (self._asking, self._below):
            part.changed.connect(self._tell)
        self._error = plain_label("", "caption", "harm", wraps=True)
        self._error.hide()
        self.button_column.addWidget(self._error)

    def common_text(self) -> str:
        """Return the text that all questions share, for the card's title, or an empty string if they show their own."""
        return ""

    def add_buttons(self, *buttons: QtWidgets.QPushButton) -> FlowRow:
        """Add buttons below the questions, followed by the button that skips them."""
        self.skip_all = KeyButton(tr("ui.roll.skip"), self.skip, "S", "quiet")
        row = fill(FlowRow(), *buttons, self.skip_all)
        self.button_column.addWidget(row)
        return row

    def show_asks(self, asks: Sequence[AskView]) -> None:
        """Set the open questions. Questions that remain keep their typed text."""
        self.asks = {ask.id: ask for ask in asks}
        self.remove_rows(id for id in list(self.rows) if id not in self.asks)
        for ask in asks:
            if ask.id not in self.rows:
                self.rows[ask.id] = self.make_row(ask)
                self.question_column.addWidget(self.rows[ask.id])
            self.show_ask(ask)

    def remove_rows(self, ids: Iterable[str]) -> None:
        """Remove the rows of questions."""
        for id in ids:
            row = self.rows.pop(id)
            self.question_column.removeWidget(row)
            discard(row)

    def make_row(self, ask: AskView) -> QtWidgets.QWidget:
        """Create the row of a question."""
        raise NotImplementedError

    def show_ask(self, ask: AskView) -> None:
        """Show the current state of a question in its row."""

    def skip(self) -> None:
        """Skip all questions."""
        self.answered.emit(tuple(Reply(id, skip=True) for id in self.asks))

    def error(self) -> str:
        """Return the error message, or an empty string if there is none."""
        return self._error.text()

    def show_error(self, text: str, field: QtWidgets.QWidget | None = None) -> None:
        """Show an error message and focus the field that has the error. An empty text hides the message."""
        self._error.setText(text)
        self._error.setVisible(bool(text))
        if text and field is not None:
            field.setFocus()
            self.ensure_visible(field)

    def confirm(self) -> None:
        """Submit an answer on Enter, unless a field or button handles the key."""

    def submit_all(self) -> None:
        """Submit an answer on Shift+Enter. By default it is the same as on Enter."""
        self.confirm()

    def has_key(self, key: str) -> bool:
        """Whether a digit or letter chooses an option."""
        return False

    def choose(self, key: str) -> None:
        """Choose the option with a key."""

    def first_field(self) -> QtWidgets.QWidget:
        """Return the widget that gets the focus first."""
        raise NotImplementedError

    def ensure_visible(self, widget: QtWidgets.QWidget) -> None:
        """Scroll to a widget in one of the questions."""
        self.questions.ensureWidgetVisible(widget)

    def _tell(self) -> None:
        self.questions.setVisible(not self.question_column.isEmpty())
        self.questions.updateGeometry()
        self.changed.emit()


def joined(*parts: str) -> str:
    """Join the parts that aren't empty with spaces."""
    return " ".join(part for part in parts if part)


def height_for(widget: QtWidgets.QWidget, width: int) -> int:
    """Return the height, in pixels, that a widget's layout needs at a width."""
    layout = widget.layout()
    if layout is None:
        return widget.sizeHint().height()
    if layout.isEmpty():
        return 0
    high = layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else 0
    return high if high > 0 else layout.totalSizeHint().height()


MAX_BUTTONS = 5  # maximum number of buttons per question, if there are several
KEYS = "123456789abcdefghijklmnopqrtuvwxyz"  # keys of answers; `s` skips the question
MOST_LETTERS = 48  # maximum length of a button's text; if it is longer, the reason is only in the tooltip
ID_ROLE = Qt.ItemDataRole.UserRole


class ChoiceInput(PromptInput):
    """One or more choices, the suggested answer first.

    For a single question, each answer has a button with a key. If there are several questions, each has a row of
    buttons, or a drop-down list if it has many answers.
    """

    def __init__(self) -> None:
        super().__init__()
        self._boxes: dict[str, ComboBox | PickRow] = {}
        self._inside: tuple[QtWidgets.QWidget, ...] = ()
        self.buttons: list[KeyButton] = []

    def show_asks(self, asks: Sequence[AskView]) -> None:
        if list(asks) == list(self.asks.values()):
            return
        self.asks = {ask.id: ask for ask in asks}
        for widget in self._inside:
            discard(widget)
        self._boxes, self.buttons = {}, []
        self._inside = self._answers(asks[0]) if len(asks) == 1 else self._lists()

    def box(self, id: str) -> ComboBox | PickRow:
        """Return the drop-down list or the row of buttons for a question."""
        return self._boxes[id]

    def first_field(self) -> QtWidgets.QWidget:
        return self._first

    def confirm(self) -> None:
        if self._boxes:
            self.answered.emit(tuple(Reply(id, chosen=_chosen(box)) for id, box in self._boxes.items()))

    def has_key(self, key: str) -> bool:
        return key in KEYS[: len(self.buttons)]

    def choose(self, key: str) -> None:
        if self.has_key(key):
            self.buttons[KEYS.index(key)].click()

    def _answers(self, ask: AskView) -> tuple[QtWidgets.QWidget, ...]:
        """Add a label for the question, if it has a text, and the row of answer buttons."""
        for place, choice in enumerate(_suggested_first(ask)):
            name = _name_of(choice)
            full_label = f"{name}  ({choice.why})" if choice.why else name
            label = full_label if len(full_label) <= MOST_LETTERS else name
            kind, keys = ("", KEYS[place : place + 1]) if place else ("primary", "Enter")
            reply = Reply(ask.id, chosen=(choice.id,))
            button = KeyButton(label.replace("&", "&&"), partial(self.answered.emit, (reply,)), keys, kind)
            button.setToolTip("" if label == full_label else escaped_tooltip(choice.why))
            self.buttons.append(button)
        self._first = self.buttons[0]
        buttons = self.add_buttons(*self.buttons)
        question = f"{ask.who}: {ask.text}" if ask.who and ask.text else ask.name
        if not question:
            return (buttons,)
        label_above = plain_label(question, wraps=True)
        self.question_column.addWidget(label_above)
        return (label_above, buttons)

    def _lists(self) -> tuple[QtWidgets.QWidget, ...]:
        """Add the rows of questions with their answers, and the buttons below them."""
        inside = QtWidgets.QWidget()
        grid = grid_layout(inside, down=SPACE)
        grid.setColumnStretch(1, 1)
        for row, ask in enumerate(self.asks.values()):
            box = named(_pick_row(ask) if len(ask.choices) <= MAX_BUTTONS else _combo_box(ask), ask.name)
            grid.addWidget(plain_label(ask.name, wraps=True), row, 0)
            grid.addWidget(box, row, 1)
            self._boxes[ask.id] = box
        self.question_column.addWidget(inside)
        self._first = KeyButton(tr("ui.prompt.choose"), self.confirm, "Enter", "primary", "check")
        return inside, self.add_buttons(self._first)


class TargetsInput(PromptInput):
    """Check boxes for any number of options. The suggested options are checked initially."""

    def __init__(self) -> None:
        super().__init__()
        self._ask: AskView | None = None
        self._ticks: dict[str, QtWidgets.QCheckBox] = {}
        self._text = plain_label("", wraps=True)
        self._list = FlowRow(gap=GAP)
        self.take = KeyButton(tr("ui.prompt.these"), self._hand_in, "Enter", "primary", "check")
        self.all_button = push_button(tr("ui.prompt.all"), lambda: self._tick_all(ticked=True), "quiet")
        self.none_button = push_button(tr("ui.prompt.none"), lambda: self._tick_all(ticked=False), "quiet")
        fill(self.question_column, self._text, self._list)
        self.add_buttons(self.take, self.all_button, self.none_button)

    def show_asks(self, asks: Sequence[AskView]) -> None:
        ask = asks[0]
        if ask == self._ask:
            return
        same = self._ask is not None and self._ask.id == ask.id
        ticked = set(self.chosen() if same else ask.suggested)
        self._ask, self.asks = ask, {ask.id: ask}
        self._text.setText(ask.text)
        self._list.clear()
        self._ticks = {}
        for choice in ask.choices:
            tick = QtWidgets.QCheckBox(choice.label.replace("&", "&&"))
            set_role(tick, "body")
            tick.setChecked(choice.id in ticked)
            tick.setToolTip(escaped_tooltip(choice.why))
            tick.toggled.connect(lambda on, id=choice.id: self._hold_to_most(id, on))
            self._ticks[choice.id] = tick
            self._list.add(tick)
        self.all_button.setVisible(ask.most == 0)
        self._tell_count()

    def tick(self, id: str) -> QtWidgets.QCheckBox:
        """Return the check box of an option."""
        return self._ticks[id]

    def chosen(self) -> tuple[str, ...]:
        """Return the checked ids, in list order."""
        return tuple(id for id, tick in self._ticks.items() if tick.isChecked())

    def confirm(self) -> None:
        self.take.click()

    def first_field(self) -> QtWidgets.QWidget:
        return self.take if self.chosen() else next(iter(self._ticks.values()), self.take)

    def _hold_to_most(self, id: str, on: bool) -> None:
        if on and self._ask is not None and self._ask.most == 1:
            for other, tick in self._ticks.items():
                if other != id:
                    tick.setChecked(False)
        self._tell_count()

    def _tell_count(self) -> None:
        count = len(self.chosen())
        self.take.setText(tr("ui.prompt.these", n=count) if count else tr("ui.prompt.no-target"))
        most = self._ask.most if self._ask else 0
        self.take.setEnabled(not most or count <= most)

    def _tick_all(self, *, ticked: bool) -> None:
        for tick in self._ticks.values():
            tick.setChecked(ticked)
        self.take.setFocus(Qt.FocusReason.OtherFocusReason)  # so that the next Enter submits

    def _hand_in(self) -> None:
        self.answered.emit(tuple(Reply(id, chosen=self.chosen()) for id in self.asks))


class NumbersInput(PromptInput):
    """Whole numbers, one per row, within the limits of their questions. Enter submits all numbers entered so far."""

    def __init__(self) -> None:
        super().__init__()
        self._fields: dict[str, NumberField] = {}
        self.question_column.setSpacing(scaled(SPACE))
        self.add_buttons(KeyButton(tr("ui.prompt.submit"), self._hand_in, "Enter", "primary", "check"))

    def field(self, id: str) -> NumberField:
        """Return the field of a row."""
        return self._fields[id]

    def first_field(self) -> QtWidgets.QWidget:
        return self._fields[next(iter(self.rows))]

    def make_row(self, ask: AskView) -> QtWidgets.QWidget:
        row = QtWidgets.QWidget()
        spec = spec_of(Reply, "number")
        hint = tr("ui.prompt.up-to", most=ask.most) if ask.most else tr("ui.turn.blank")
        number = self._fields[ask.id] = NumberField(spec.least, ask.most or spec.most, "", hint)
        number.set_number(None)
        number.selectAll()
        number.setFixedWidth(scaled(104))
        number.setAccessibleName(ask.name)
        number.lineEdit().returnPressed.connect(self._hand_in)
        fill(horizontal(row), (ElidedLabel(ask.name), 1), number)
        return row

    def _hand_in(self) -> None:
        numbers = {id: self._fields[id].number() for id in self.rows}
        if replies := tuple(Reply(id, number=number) for id, number in numbers.items() if number is not None):
            self.answered.emit(replies)
        else:
            empty = self.first_field()
            self.show_error(tr("ui.prompt.number-missing", what=empty.accessibleName()), empty)


class ReorderableList(QtWidgets.QListWidget):
    """A list that the user reorders by dragging, or with Alt and the arrow keys."""

    def __init__(self) -> None:
        super().__init__()
        self.setDragDropMode(QtWidgets.QAbstractItemView.DragDropMode.InternalMove)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleDescription(tr("ui.prompt.order-tip"))

    def show_choices(self, ask: AskView) -> None:
        """Show the options of a question in the suggested order."""
        self.clear()
        for choice in ask.choices:
            item = QtWidgets.QListWidgetItem(choice.label)
            item.setData(ID_ROLE, choice.id)
            item.setToolTip(escaped_tooltip(choice.why))
            self.addItem(item)
        self.setCurrentRow(0)
        self.setFixedHeight(sum(self.sizeHintForRow(row) for row in range(self.count())) + 2 * self.frameWidth())

    def ids(self) -> tuple[str, ...]:
        """Return the ids in the order shown."""
        return tuple(str(self.item(row).data(ID_ROLE)) for row in range(self.count()))

    def move_current(self, by: int) -> None:
        """Move the current line up or down."""
        row = self.currentRow()
        to = row + by
        if 0 <= row < self.count() and 0 <= to < self.count():
            self.insertItem(to, self.takeItem(row))
            self.setCurrentRow(to)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and event.key() in steps:
            self.move_current(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


class OrderInput(PromptInput):
    """One or more reorderable lists, with one button that accepts all of them."""

    def __init__(self) -> None:
        super().__init__()
        self._lists: dict[str, ReorderableList] = {}
        self.accept_button = KeyButton(tr("ui.prompt.take-order"), self._hand_in, "Enter", "primary", "check")
        self.add_buttons(self.accept_button)

    def show_asks(self, asks: Sequence[AskView]) -> None:
        if list(asks) != list(self.asks.values()):
            self.remove_rows(list(self.rows))
            super().show_asks(asks)

    def order(self, id: str) -> ReorderableList:
        """Return the list for a question."""
        return self._lists[id]

    def first_field(self) -> QtWidgets.QWidget:
        return self.accept_button

    def confirm(self) -> None:
        self.accept_button.click()

    def make_row(self, ask: AskView) -> QtWidgets.QWidget:
        """Return the question and its list, with two buttons that move the current line."""
        part = QtWidgets.QWidget()
        order = self._lists[ask.id] = ReorderableList()
        order.setAccessibleName(ask.text)
        order.show_choices(ask)
        up = tool_button("arrow-up", tr("ui.prompt.earlier"), lambda: order.move_current(-1))
        down = tool_button("arrow-down", tr("ui.prompt.later"), lambda: order.move_current(1))
        fill(vertical(part), plain_label(ask.name, wraps=True), fill(horizontal(), (order, 1), up, down))
        return part

    def _hand_in(self) -> None:
        self.answered.emit(tuple(Reply(id, chosen=self._lists[id].ids()) for id in self.rows))


def _pick_row(ask: AskView) -> PickRow:
    """Return a row of buttons for a question's answers, with the suggested one selected."""
    row = PickRow()
    answers = list(_suggested_first(ask))
    row.set_picks([PickOption(answer.id, _name_of(answer), answer.why) for answer in answers], [answers[0].id])
    return row


def _combo_box(ask: AskView) -> ComboBox:
    """Return a drop-down list of a question's answers."""
    box = ComboBox()
    for choice in _suggested_first(ask):
        box.addItem(_name_of(choice), choice.id)
        box.setItemData(box.count() - 1, escaped_tooltip(choice.why), Qt.ItemDataRole.ToolTipRole)
    return box


def _chosen(box: ComboBox | PickRow) -> tuple[str, ...]:
    return box.chosen() if isinstance(box, PickRow) else (str(box.currentData()),)


def _name_of(choice: AskOption) -> str:
    return choice.label[:1].upper() + choice.label[1:]


def _suggested_first(ask: AskView) -> Iterable[AskOption]:
    return sorted(ask.choices, key=lambda choice: choice.id not in ask.suggested)
