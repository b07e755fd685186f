"""The questions of a prompt as plain data, and the base class of the inputs for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from turnwright.encounter.procedure_state.asks import Reply
from turnwright.ui.look.fonts import SPACE, scaled
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.layout import FlowRow, fill, vertical
from turnwright.ui.widgets.pick_row import KeyButton
from turnwright.ui.widgets.rules.why import Explanation
from turnwright.ui.widgets.text import discard, plain_label

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


class _Part(QWidget):
    """A column of widgets. Emits `changed` when its height may have changed."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
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


class _Scrolled(QScrollArea):
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
        inside, focused = self.widget(), QApplication.focusWidget()
        if inside is not None and focused is not None and inside.isAncestorOf(focused):
            self.ensureWidgetVisible(focused)


class PromptInput(QWidget):
    """The input of a card: questions that scroll if there are many, and buttons below them that stay visible.

    Each question has a row, which `make_row` creates and `show_ask` updates.

    Emits `answered(replies)` with a tuple of `Reply`, `changed` when its height may have changed, and `hurried` when
    the prompt that follows from the answer should be answered as suggested.
    """

    answered = Signal(object)
    changed = Signal()
    hurried = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.asks: dict[str, AskView] = {}
        self.rows: dict[str, Any] = {}
        self._asking, self._below = _Part(), _Part()
        self.questions = _Scrolled()
        self.questions.setWidgetResizable(True)
        self.questions.setFrameShape(QFrame.Shape.NoFrame)
        self.questions.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.questions.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.questions.setWidget(self._asking)
        for behind in (self.questions.viewport(), self._asking):  # so that the card's background shows
            behind.setAutoFillBackground(False)
        fill(vertical(self, spacing=SPACE + 2), (self.questions, 1), self._below)
        for part in (self._asking, self._below):
            part.changed.connect(self._tell)
        self._error = plain_label("", "caption", "harm", wraps=True)
        self._error.hide()
        self.button_column.addWidget(self._error)

    @property
    def question_column(self) -> QVBoxLayout:
        """The column of questions."""
        return self._asking.column

    @property
    def button_column(self) -> QVBoxLayout:
        """The column below the questions, which is always visible."""
        return self._below.column

    def common_text(self) -> str:
        """Return the text that all questions share, for the card's title, or an empty string if they show their own."""
        return ""

    def add_buttons(self, *buttons: QPushButton) -> FlowRow:
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

    def make_row(self, ask: AskView) -> QWidget:
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

    def show_error(self, text: str, field: QWidget | None = None) -> None:
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

    def first_field(self) -> QWidget:
        """Return the widget that gets the focus first."""
        raise NotImplementedError

    def ensure_visible(self, widget: QWidget) -> None:
        """Scroll to a widget in one of the questions."""
        self.questions.ensureWidgetVisible(widget)

    def _tell(self) -> None:
        self.questions.setVisible(not self.question_column.isEmpty())
        self.questions.updateGeometry()
        self.changed.emit()


def joined(*parts: str) -> str:
    """Join the parts that aren't empty with spaces."""
    return " ".join(part for part in parts if part)


def height_for(widget: QWidget, width: int) -> int:
    """Return the height, in pixels, that a widget's layout needs at a width."""
    layout = widget.layout()
    if layout is None:
        return widget.sizeHint().height()
    if layout.isEmpty():
        return 0
    high = layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else 0
    return high if high > 0 else layout.totalSizeHint().height()
