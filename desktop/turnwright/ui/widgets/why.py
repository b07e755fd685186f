"""Why a number is what it is: totals with dots under them, and the card that explains each die and each modifier."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QEnterEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from turnwright.dice.roll import Die, Modifier, Roll
from turnwright.rules.figures import Figure
from turnwright.ui.fonts import GAP, SPACE, px, set_role
from turnwright.ui.say import say
from turnwright.ui.theme import current_theme
from turnwright.ui.widgets.cards import Rule
from turnwright.ui.widgets.layout import FlowRow
from turnwright.ui.widgets.paint import draw_die, draw_panel
from turnwright.ui.widgets.text import plain_label

HOVER_MS = 350


class WhyLine(msgspec.Struct, frozen=True):
    """A part of a total: its value as written (`+3`, `advantage`), its reason, its rule's id and words."""

    value: str
    reason: str
    rule: str = ""
    words: str = ""


class Why(msgspec.Struct, frozen=True):
    """What explains a total. `notes` say what was discarded and why; `dice` are drawn, kept or struck out."""

    title: str
    total: str
    lines: tuple[WhyLine, ...] = ()
    dice: tuple[Die, ...] = ()
    notes: tuple[str, ...] = ()


def signed(value: int) -> str:
    """Return a number with its sign, a true minus."""
    return f"−{-value}" if value < 0 else f"+{value}"


def why_of_roll(roll: Roll, title: str, rule_words: Callable[[str], str], names: Callable[[str], str] = say) -> Why:
    """Return what explains a roll; `rule_words` gives our words for a rule's id, `names` those for a reason."""
    lines = _modifier_lines(roll.modifiers, rule_words, names)
    lines += [WhyLine(say(f"ui.why.{e.kind}"), names(e.reason), e.rule, _words(e.rule, rule_words)) for e in roll.edges]
    notes = [say(f"ui.why.origin-{roll.origin}")] if roll.origin in ("typed", "scripted") else []
    total = say("ui.why.unknown") if roll.total is None else str(roll.total)
    return Why(title, total, tuple(lines), roll.dice, tuple(notes))


def why_of_figure(
    figure: Figure, title: str, rule_words: Callable[[str], str], names: Callable[[str], str] = say
) -> Why:
    """Return what explains a figure such as an AC or a speed; where a part replaces the rest, a note says so."""
    notes = (say("ui.why.replaced"),) if figure.replaced else ()
    return Why(title, str(figure.total), tuple(_modifier_lines(figure.parts, rule_words, names)), notes=notes)


def spoken(why: Why) -> str:
    """Return an explanation as one line of text, for ears."""
    dice = [f"d{die.sides} {die.face}" + ("" if die.kept else f" ({say('ui.why.dropped')})") for die in why.dice]
    lines = [f"{line.value} {line.reason}" for line in why.lines]
    return ", ".join([f"{why.title} {why.total}", *dice, *lines, *why.notes])


class WhyCard(QFrame):
    """The card itself; floats beside what it explains and takes no focus."""

    def __init__(self, why: Why, parent: QWidget | None = None, *, floating: bool = True) -> None:
        super().__init__(parent)
        if floating:
            self.setWindowFlag(Qt.WindowType.ToolTip)
            self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
            self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setAccessibleName(spoken(why))
        column = QVBoxLayout(self)
        column.setContentsMargins(px(12), px(GAP), px(12), px(GAP))
        column.setSpacing(px(GAP))
        column.addLayout(self._head(why))
        column.addWidget(Rule())
        if why.dice:
            column.addWidget(_dice(why.dice))
        if why.lines:
            column.addLayout(_lines(why.lines))
        for note in why.notes:
            column.addWidget(plain_label(note, "caption", "muted", wraps=True))
        self.setMinimumWidth(px(220))
        self.setMaximumWidth(px(380))

    def _head(self, why: Why) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(px(GAP * 2))
        row.addWidget(plain_label(why.title, "strong"))
        row.addStretch(1)
        row.addWidget(plain_label(why.total, "number", "accent"))
        return row

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        draw_panel(painter, QRectF(self.rect()), current_theme(), "edge")
        painter.end()

    def show_beside(self, widget: QWidget) -> None:
        """Show the card below a widget, or above it where there is no room below."""
        self.adjustSize()
        place = widget.mapToGlobal(QPoint(0, widget.height() + px(SPACE)))
        screen = widget.screen().availableGeometry()
        place.setX(max(screen.left(), min(place.x(), screen.right() - self.width())))
        if place.y() + self.height() > screen.bottom():
            place.setY(widget.mapToGlobal(QPoint(0, 0)).y() - self.height() - px(SPACE))
        self.move(place)
        self.show()


class WhyLabel(QWidget):
    """A total with dots under it. Hovering, `?` or Space opens the card; Esc or leaving closes it."""

    def __init__(self, text: str = "", role: str = "body", tone: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._tone = tone
        self._why: Callable[[], Why] | None = None
        self._card: WhyCard | None = None
        set_role(self, role)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._hover = QTimer(self)
        self._hover.setSingleShot(True)
        self._hover.setInterval(HOVER_MS)
        self._hover.timeout.connect(self.open_card)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        """Show another total."""
        self._text = text
        self._name()
        self.updateGeometry()
        self.update()

    def text(self) -> str:
        """Return the total as shown."""
        return self._text

    def set_why(self, why: Why | Callable[[], Why] | None) -> None:
        """Say what explains the total, or give a function that works it out when somebody asks."""
        self._why = (lambda: why) if isinstance(why, Why) else why
        asks = self._why is not None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if asks else Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.WhatsThisCursor if asks else Qt.CursorShape.ArrowCursor)
        self.close_card()
        self._name()
        self.update()

    def open_card(self) -> None:
        """Open the card that explains the total."""
        if self._why is None:
            return
        self.close_card()
        why = self._why()
        self.setAccessibleDescription(spoken(why))
        self._card = WhyCard(why, self)
        self._card.show_beside(self)

    def close_card(self) -> None:
        """Close the card."""
        self._hover.stop()
        if self._card is not None:
            self._card.hide()
            self._card.deleteLater()
            self._card = None

    def card(self) -> WhyCard | None:
        """Return the open card, if any."""
        return self._card

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self._text) + px(4), metrics.height() + px(3))

    def enterEvent(self, event: QEnterEvent) -> None:
        self._hover.start()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.close_card()
        super().leaveEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.close_card()
        self.update()
        super().focusOutEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.open_card()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Question, Qt.Key.Key_Space) and self._card is None:
            self.open_card()
        elif event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Question, Qt.Key.Key_Space) and self._card is not None:
            self.close_card()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = current_theme()
        metrics = self.fontMetrics()
        rect = QRectF(px(2), 0, self.width() - px(2), metrics.height())
        painter.setPen(theme.colour(self._tone or "text"))
        painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self._text)
        if self._why is not None:
            self._underline(painter, metrics.horizontalAdvance(self._text))
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.colour("focus"), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
        painter.end()

    def _underline(self, painter: QPainter, width: int) -> None:
        pen = QPen(current_theme().colour("accent"), max(1.5, px(1.5)), Qt.PenStyle.DotLine, Qt.PenCapStyle.RoundCap)
        pen.setDashPattern([0.1, 2.2])
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(pen)
        bottom = self.height() - px(2)
        painter.drawLine(px(2), bottom, px(2) + width, bottom)
        painter.restore()

    def _name(self) -> None:
        hint = say("ui.why.hint") if self._why is not None else ""
        self.setAccessibleName(f"{self._text} {hint}".strip())


class WhyDie(QWidget):
    """One die of a roll: drawn, struck out where it was dropped, its kind below it."""

    def __init__(self, die: Die, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._die = die
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        text = f"d{die.sides} {die.face}" + ("" if die.kept else f", {say('ui.why.dropped')}")
        self.setAccessibleName(text)
        self.setToolTip(text)

    def sizeHint(self) -> QSize:
        return QSize(px(26), px(26))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = current_theme()
        rect = QRectF(self.rect())
        draw_die(painter, rect, self._die.face, theme, "accent" if self._die.kept else "edge", sides=self._die.sides)
        if not self._die.kept:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.colour("harm"), px(2)))
            painter.drawLine(rect.topRight() + QPoint(-3, 3), rect.bottomLeft() + QPoint(3, -3))
        painter.end()


def _dice(dice: Iterable[Die]) -> QWidget:
    row = FlowRow(gap=SPACE)
    for die in dice:
        row.add(WhyDie(die))
    return row


def _lines(lines: Iterable[WhyLine]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(px(GAP))
    grid.setVerticalSpacing(px(2))
    grid.setColumnStretch(1, 1)
    row = 0
    for line in lines:
        figure = line.value[:1] in "+−-0123456789"
        value: QLabel = plain_label(line.value, "strong" if figure else "caption")
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        grid.addWidget(value, row, 0)
        grid.addWidget(plain_label(line.reason, wraps=True), row, 1)
        row += 1
        if line.words:
            grid.addWidget(plain_label(line.words, "caption", "muted", wraps=True), row, 1)
            row += 1
    return grid


def _modifier_lines(
    modifiers: Iterable[Modifier], rule_words: Callable[[str], str], names: Callable[[str], str]
) -> list[WhyLine]:
    return [WhyLine(signed(m.value), names(m.reason), m.rule, _words(m.rule, rule_words)) for m in modifiers]


def _words(rule: str, rule_words: Callable[[str], str]) -> str:
    return rule_words(rule) if rule else ""
