"""The questions of a prompt as plain data, and the base class of the inputs for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QVBoxLayout, QWidget

from turnwright.ui.look.fonts import SPACE, scaled
from turnwright.ui.widgets.layout import vertical
from turnwright.ui.widgets.rules.explanation import Explanation

ONLY_ASK = 60


@dataclass(frozen=True)
class AskOption:
    """A possible answer. `why` is a reason for or against it."""

    id: str
    label: str
    why: str = ""


@dataclass(frozen=True)
class AskView:
    """One question as shown on a card. `roll` describes the roll, and `against` is its target number.

    `figure` is the roll in short form (`+5`, `2d6 + 3`). `note` is the number needed, with the most important reasons.
    `by_face`: the user types the face of each die. `dice`: there are dice to roll; otherwise the user enters the
    result.

    `problem(text)` returns the error in a typed result, or an empty string. `auto_fail` is the reason why the roll
    fails automatically, or an empty string, and `auto_fail_why` explains its rule.
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

    Emits `answered(replies)` with a tuple of `Reply`, and `changed` when its height may have changed.
    """

    answered = Signal(object)
    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._asking, self._below = _Part(), _Part()
        self.questions = _Scrolled()
        self.questions.setWidgetResizable(True)
        self.questions.setFrameShape(QFrame.Shape.NoFrame)
        self.questions.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.questions.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.questions.setWidget(self._asking)
        for behind in (self.questions.viewport(), self._asking):  # so that the card's background shows
            behind.setAutoFillBackground(False)
        column = vertical(self, spacing=SPACE + 2)
        column.addWidget(self.questions, 1)
        column.addWidget(self._below)
        for part in (self._asking, self._below):
            part.changed.connect(self._tell)

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

    def show_asks(self, asks: Sequence[AskView]) -> None:
        """Set the open questions. Questions that remain keep their typed text."""
        raise NotImplementedError

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


def height_for(widget: QWidget, width: int) -> int:
    """Return the height, in pixels, that a widget's layout needs at a width."""
    layout = widget.layout()
    if layout is None:
        return widget.sizeHint().height()
    if layout.isEmpty():
        return 0
    high = layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else 0
    return high if high > 0 else layout.totalSizeHint().height()
