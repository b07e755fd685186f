"""A card that explains a total: its dice, and its parts with the reasons. Parts with a rule open the rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QEnterEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QWidget

from turnwright.dice.roll import Die
from turnwright.ui.look.fonts import GAP, SPACE, scaled
from turnwright.ui.look.theme import current_theme
from turnwright.ui.look.tooltips import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.cards import HorizontalLine
from turnwright.ui.widgets.icon_label import IconLabel
from turnwright.ui.widgets.layout import FlowRow, horizontal, vertical
from turnwright.ui.widgets.paint import draw_die, draw_panel
from turnwright.ui.widgets.rules.explanation import Explanation, ExplanationLine, accessible_text
from turnwright.ui.widgets.text import plain_label


class RuleLine(QFrame):
    """A reason that links to a rule. A click opens the rule; a frame marks the rule that Enter opens."""

    clicked = Signal()

    def __init__(self, line: ExplanationLine, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rule = line.rule
        self._chosen = False
        self._hovered = False
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(tr("ui.rules.open", title=line.reason))
        row = horizontal(self, spacing=SPACE, margins=(SPACE, 2, SPACE, 2))
        column = vertical(spacing=2)
        column.addWidget(_still(plain_label(line.reason, wraps=True)))
        if words:
            column.addWidget(_still(plain_label(words, "caption", "muted", wraps=True)))
        row.addLayout(column, 1)
        mark = IconLabel("chevron-right", "accent", 16)
        mark.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)

    def is_chosen(self) -> bool:
        """Whether Enter would open this rule."""
        return self._chosen

    def choose(self, chosen: bool) -> None:
        """Show or remove the frame."""
        self._chosen = chosen
        self.update()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._hovered = True
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = False
        self.update()
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.colour("focus"), 2) if self._chosen else Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("sunken") if self._hovered else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), scaled(4), scaled(4))
        painter.end()


class WhyCard(QFrame):
    """The explanation of a total. It floats next to its widget and never has the focus.

    Emits `ruleRequested(rule)` when the user opens a rule, and `pointerLeft` when the pointer leaves the card.
    """

    ruleRequested = Signal(str)
    pointerLeft = Signal()

    def __init__(
        self, why: Explanation, parent: QWidget | None = None, *, floating: bool = True, takes_keys: bool = True
    ) -> None:
        """Set up the card. `takes_keys`: Enter opens the framed line."""
        super().__init__(parent)
        if floating:
            self.setWindowFlags(Qt.WindowType.ToolTip | Qt.WindowType.WindowDoesNotAcceptFocus)
            self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
            self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setAccessibleName(accessible_text(why))
        self._rules: list[RuleLine] = []
        column = vertical(self, margins=(12, GAP, 12, GAP))
        column.addLayout(self._head(why))
        column.addWidget(HorizontalLine())
        if why.dice:
            column.addWidget(_dice(why.dice))
        if why.lines:
            column.addLayout(self._lines(why.lines))
        for note in why.notes:
            column.addWidget(plain_label(note, "caption", "muted", wraps=True))
        if self._rules and takes_keys:
            self._rules[0].choose(True)
            hint = "ui.rules.hint-open" if len(self._rules) == 1 else "ui.rules.hint-choose"
            column.addWidget(plain_label(tr(hint), "caption", "accent"))
        self.setMinimumWidth(scaled(220))
        self.setMaximumWidth(scaled(380))

    def rules(self) -> Sequence[RuleLine]:
        """Return the lines that open a rule, top to bottom."""
        return self._rules

    def chosen(self) -> str:
        """Return the id of the rule that Enter opens, or an empty string if there is none."""
        return next((line.rule for line in self._rules if line.is_chosen()), "")

    def step(self, by: int) -> None:
        """Choose the next or previous rule, cyclically."""
        index = next((place for place, line in enumerate(self._rules) if line.is_chosen()), 0)
        for place, line in enumerate(self._rules):
            line.choose(place == (index + by) % len(self._rules))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointerLeft.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        draw_panel(painter, QRectF(self.rect()), current_theme(), "edge")
        painter.end()

    def show_next_to(self, widget: QWidget, part: QRect | None = None) -> None:
        """Show the card below a widget or part of it, or above it if there is no room below."""
        self.adjustSize()
        self.resize(self.width(), self.heightForWidth(self.width()))
        around = part or widget.rect()
        place = widget.mapToGlobal(around.bottomLeft() + QPoint(0, scaled(SPACE)))
        screen = widget.screen().availableGeometry()
        place.setX(max(screen.left(), min(place.x(), screen.right() - self.width())))
        if place.y() + self.height() > screen.bottom():
            place.setY(max(screen.top(), widget.mapToGlobal(around.topLeft()).y() - self.height() - scaled(SPACE)))
        self.move(place)
        self.show()

    def _head(self, why: Explanation) -> QHBoxLayout:
        row = horizontal(spacing=GAP * 2)
        row.addWidget(plain_label(why.title, "strong", wraps=len(why.title) > 32), 1)
        row.addWidget(plain_label(why.total, "number", "accent"))
        return row

    def _lines(self, lines: Iterable[ExplanationLine]) -> QGridLayout:
        """Lay out the parts. If several parts cite the same rule, show its text only with the first."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(scaled(SPACE))
        grid.setVerticalSpacing(scaled(2))
        grid.setColumnStretch(1, 1)
        shown_words: set[str] = set()
        for row, line in enumerate(lines):
            is_number = line.value[:1] in "+−-0123456789"
            value: QLabel = plain_label(line.value, "strong" if is_number else "caption")
            value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            value.setContentsMargins(0, scaled(2), 0, 0)
            grid.addWidget(value, row, 0, Qt.AlignmentFlag.AlignTop)
            words = "" if line.words in shown_words else line.words
            shown_words.add(line.words)
            grid.addWidget(self._rule_line(line, words) if line.rule and line.words else _plain_line(line), row, 1)
        return grid

    def _rule_line(self, line: ExplanationLine, words: str) -> RuleLine:
        rule_line = RuleLine(line, words)
        rule_line.clicked.connect(lambda: self.ruleRequested.emit(line.rule))
        self._rules.append(rule_line)
        return rule_line


class WhyDie(QWidget):
    """One die of a roll, crossed out if it was dropped."""

    def __init__(self, die: Die, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._die = die
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        text = f"d{die.sides} {die.face}" + ("" if die.kept else f", {tr('ui.why.dropped')}")
        self.setAccessibleName(text)
        self.setToolTip(escaped_tooltip(text))

    def sizeHint(self) -> QSize:
        return QSize(scaled(26), scaled(26))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = current_theme()
        rect = QRectF(self.rect())
        draw_die(painter, rect, self._die.face, theme, "accent" if self._die.kept else "edge", sides=self._die.sides)
        if not self._die.kept:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.colour("harm"), scaled(2)))
            painter.drawLine(rect.topRight() + QPoint(-3, 3), rect.bottomLeft() + QPoint(3, -3))
        painter.end()


def _dice(dice: Iterable[Die]) -> QWidget:
    row = FlowRow(gap=SPACE)
    for die in dice:
        row.add(WhyDie(die))
    return row


def _plain_line(line: ExplanationLine) -> QWidget:
    frame = QFrame()
    column = vertical(frame, spacing=2, margins=(SPACE, 2, SPACE, 2))
    column.addWidget(plain_label(line.reason, wraps=True))
    if line.words:
        column.addWidget(plain_label(line.words, "caption", "muted", wraps=True))
    return frame


def _still(label: QLabel) -> QLabel:
    label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    return label
