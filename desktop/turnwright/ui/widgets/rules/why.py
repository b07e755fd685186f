"""Why-labels: totals with a dotted underline that open a card with an explanation.

A card shows the dice of a total, and its parts with the reasons. Parts with a rule open the rule. A card never has the
focus. While it is open, it handles the keys of the focused widget: Up and Down choose a rule, Enter opens the chosen
rule, and Esc closes the card.
"""

from collections.abc import Callable, Iterable, Sequence

import msgspec
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFocusEvent, QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QFrame, QGridLayout, QLabel, QSizePolicy, QWidget

from turnwright.dice.expression import Die
from turnwright.ui.look.style import GAP, SPACE, current_theme, scaled, set_role, tr
from turnwright.ui.services.workers import single_shot_timer
from turnwright.ui.widgets.layout import FlowRow, HorizontalLine, fill, grid_layout, horizontal, vertical
from turnwright.ui.widgets.paint import draw_die, draw_focus, draw_panel, smoothly
from turnwright.ui.widgets.text import IconLabel, discard, name_and_tip, plain_label


class ExplanationLine(msgspec.Struct, frozen=True):
    """A part of a total: its value as displayed (`+3`, `advantage`), its reason, and the id and text of its rule."""

    value: str
    reason: str
    rule: str = ""
    words: str = ""


class Explanation(msgspec.Struct, frozen=True):
    """The explanation of a total.

    `notes` list the discarded parts with the reasons. `dice` are displayed, with dropped dice crossed out.
    """

    title: str
    total: str
    lines: tuple[ExplanationLine, ...] = ()
    dice: tuple[Die, ...] = ()
    notes: tuple[str, ...] = ()


def accessible_text(why: Explanation) -> str:
    """Return an explanation as one line of text for screen readers."""
    dice = [f"d{die.sides} {die.face}" + ("" if die.kept else f" ({tr('ui.why.dropped')})") for die in why.dice]
    lines = [f"{line.value} {line.reason}" for line in why.lines]
    return ", ".join([f"{why.title} {why.total}", *dice, *lines, *why.notes])


class RuleLine(QFrame):
    """A reason that links to a rule. A click opens the rule; a frame marks the rule that Enter opens."""

    clicked = Signal()

    def __init__(self, line: ExplanationLine, words: str) -> None:
        super().__init__()
        self.rule = line.rule
        self._chosen = False
        self._hovered = False
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(tr("ui.rules.open", title=line.reason))
        labels, mark = _labels(line.reason, words), IconLabel("chevron-right", "accent", 16)
        for part in (*labels, mark):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row = horizontal(self, spacing=SPACE, margins=(SPACE, 2, SPACE, 2))
        fill(row, (fill(vertical(spacing=2), *labels), 1), (mark, 0, Qt.AlignmentFlag.AlignTop))

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
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.colour("focus"), 2) if self._chosen else Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("sunken") if self._hovered else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), scaled(4), scaled(4))


class WhyCard(QFrame):
    """The explanation of a total. It floats next to its widget and never has the focus.

    Emits `ruleRequested(rule)` when the user opens a rule, and `pointerLeft` when the pointer leaves the card.
    """

    ruleRequested = Signal(str)
    pointerLeft = Signal()

    def __init__(self, why: Explanation, parent: QWidget | None = None, *, takes_keys: bool = True) -> None:
        """Set up the card. `takes_keys`: Enter opens the framed line."""
        super().__init__(parent)
        self.setWindowFlags(Qt.WindowType.ToolTip | Qt.WindowType.WindowDoesNotAcceptFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setAccessibleName(accessible_text(why))
        self._rules: list[RuleLine] = []
        title = plain_label(why.title, "strong", wraps=len(why.title) > 32)
        head = fill(horizontal(spacing=GAP * 2), (title, 1), plain_label(why.total, "number", "accent"))
        column = fill(vertical(self, margins=(12, GAP, 12, GAP)), head, HorizontalLine())
        if why.dice:
            column.addWidget(fill(FlowRow(gap=SPACE), *map(WhyDie, why.dice)))
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
        with QPainter(self) as painter:
            draw_panel(painter, QRectF(self.rect()), current_theme(), "edge")

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

    def _lines(self, lines: Iterable[ExplanationLine]) -> QGridLayout:
        """Lay out the parts. If several parts cite the same rule, show its text only with the first."""
        grid = grid_layout(across=SPACE, down=2)
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

    def __init__(self, die: Die) -> None:
        super().__init__()
        self._die = die
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        text = f"d{die.sides} {die.face}" + ("" if die.kept else f", {tr('ui.why.dropped')}")
        name_and_tip(self, text)

    def sizeHint(self) -> QSize:
        return QSize(scaled(26), scaled(26))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, rect, die = current_theme(), QRectF(self.rect()), self._die
        with QPainter(self) as painter:
            draw_die(painter, rect, die.face, theme, "accent" if die.kept else "edge", sides=die.sides)
            if not die.kept:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(theme.colour("harm"), scaled(2)))
                painter.drawLine(rect.topRight() + QPoint(-3, 3), rect.bottomLeft() + QPoint(3, -3))


def _plain_line(line: ExplanationLine) -> QWidget:
    frame = QFrame()
    fill(vertical(frame, spacing=2, margins=(SPACE, 2, SPACE, 2)), *_labels(line.reason, line.words))
    return frame


def _labels(reason: str, words: str) -> list[QLabel]:
    labels: list[QLabel] = [plain_label(reason, wraps=True)]
    return [*labels, plain_label(words, "caption", "muted", wraps=True)] if words else labels


GRACE_MS = 300
_MODIFIERS = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr)
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def request_rule(widget: QWidget, rule: str) -> bool:
    """Ask a widget's window, or the nearest parent window that can, to open a rule. Return False if none can."""
    current: QWidget | None = widget
    while current is not None:
        window = current.window()
        if hasattr(window, "ruleRequested"):
            window.ruleRequested.emit(rule)
            return True
        current = window.parentWidget()
    return False


class WhyPopup(QObject):
    """The card of one widget. It closes on Esc, when the focus moves away, or when the pointer leaves both."""

    def __init__(self, widget: QWidget, closing: tuple[Qt.Key, ...] = (Qt.Key.Key_Question,)) -> None:
        """Set up the popup. `closing` are keys that open the card and, like Esc, close it."""
        super().__init__(widget)
        self._widget = widget
        self._keys: QWidget = widget
        self._closing = (Qt.Key.Key_Escape, *closing)
        self._card: WhyCard | None = None
        self._hovered = False
        self._leaving = single_shot_timer(self, self._leave, GRACE_MS)

    def card(self) -> WhyCard | None:
        """Return the open card, or None."""
        return self._card

    def open(
        self, why: Explanation, part: QRect | None = None, next_to: QWidget | None = None, *, hovered: bool = False
    ) -> None:
        """Open the card next to the widget, a part of it, or a child. A `hovered` card handles only Esc."""
        self.close()
        card = self._card = WhyCard(why, self._widget, takes_keys=not hovered)
        self._hovered = hovered
        card.ruleRequested.connect(self._open_rule)
        card.pointerLeft.connect(self._leaving.start)
        card.show_next_to(next_to or self._widget, part)
        focused = QApplication.focusWidget()
        here = focused is not None and focused.window() is self._widget.window()
        self._keys = focused if focused is not None and here and not hovered else self._widget
        for watched in {self._widget, self._keys}:
            watched.installEventFilter(self)

    def close(self) -> None:
        """Close the card."""
        self._leaving.stop()
        if self._card is not None:
            for watched in {self._widget, self._keys}:
                watched.removeEventFilter(self)
            card, self._card = self._card, None
            discard(card)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self._card is None:
            return False
        kind = event.type()
        if watched is self._keys and isinstance(event, QKeyEvent):
            if kind == QEvent.Type.ShortcutOverride and self._takes(event):
                event.accept()
                return True
            return kind == QEvent.Type.KeyPress and self._press(event)
        if isinstance(event, QHideEvent) or (watched is self._keys and kind == QEvent.Type.FocusOut):
            self.close()
        elif watched is self._widget and kind == QEvent.Type.Leave:
            self._leaving.start()
        return False

    def _takes(self, event: QKeyEvent) -> bool:
        key, count = Qt.Key(event.key()), len(self._card.rules()) if self._card is not None else 0
        if self._hovered:
            return key == Qt.Key.Key_Escape
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            return count > 1
        return key in self._closing or (key in _ENTER and count > 0)

    def _press(self, event: QKeyEvent) -> bool:
        """Handle a key for the card. Return whether it had an effect."""
        key = Qt.Key(event.key())
        if key in _MODIFIERS:
            return False
        if not self._takes(event):
            self.close()
            return False
        if self._card is not None and key in _ENTER:
            self._open_rule(self._card.chosen())
        elif self._card is not None and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._card.step(1 if key == Qt.Key.Key_Down else -1)
        else:
            self.close()
        return True

    def _open_rule(self, rule: str) -> None:
        self.close()
        request_rule(self._widget, rule)

    def _leave(self) -> None:
        if self._card is not None and not self._card.underMouse() and not self._widget.underMouse():
            self.close()


HOVER_MS = 350


class WhyLabel(QWidget):
    """A total with a dotted underline. Hovering, `?` or Space opens the card, Esc closes it, and Enter opens a rule."""

    def __init__(self, text: str = "", role: str = "body", tone: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._tone = tone
        self._why: Callable[[], Explanation] | None = None
        self._popup = WhyPopup(self, (Qt.Key.Key_Question, Qt.Key.Key_Space))
        set_role(self, role)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._entered = False
        self.setMouseTracking(True)
        self._hover = single_shot_timer(self, lambda: self.open_card(hovered=not self.hasFocus()), HOVER_MS)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        """Set the total."""
        self._text = text
        self._name()
        self.updateGeometry()
        self.update()

    def text(self) -> str:
        """Return the total as shown."""
        return self._text

    def set_why(self, why: Explanation | Callable[[], Explanation] | None) -> None:
        """Set the explanation of the total, or a function that returns it when needed."""
        self._why = (lambda: why) if isinstance(why, Explanation) else why
        asks = self._why is not None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if asks else Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.WhatsThisCursor if asks else Qt.CursorShape.ArrowCursor)
        self.close_card()
        self._name()
        self.update()

    def open_card(self, *, hovered: bool = False) -> None:
        """Open the card that explains the total."""
        if self._why is None:
            return
        self._hover.stop()
        why = self._why()
        self.setAccessibleDescription(accessible_text(why))
        self._popup.open(why, hovered=hovered)

    def explain(self) -> bool:
        """Open the card. Return False if there is nothing to explain."""
        self.open_card()
        return self._why is not None

    def close_card(self) -> None:
        """Close the card."""
        self._hover.stop()
        self._popup.close()

    def card(self) -> WhyCard | None:
        """Return the open card, or None."""
        return self._popup.card()

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self._text) + scaled(4), metrics.height() + scaled(3))

    def enterEvent(self, event: QEnterEvent) -> None:
        self._entered = True
        super().enterEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Open the card after a delay, once per visit. Nothing opens if the label appears under a resting pointer."""
        if self._entered and self.card() is None:
            self._hover.start()
        self._entered = False
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover.stop()
        super().leaveEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.close_card()
        self.update()
        super().focusOutEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.open_card()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Question, Qt.Key.Key_Space):
            self.open_card()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        metrics = self.fontMetrics()
        rect = QRectF(scaled(2), 0, self.width() - scaled(2), metrics.height())
        text = metrics.elidedText(self._text, Qt.TextElideMode.ElideRight, round(rect.width()))
        with QPainter(self) as painter:
            painter.setPen(current_theme().colour(self._tone or "text"))
            painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
            if self._why is not None:
                self._underline(painter, metrics.horizontalAdvance(text))
            if self.hasFocus():
                draw_focus(painter, QRectF(self.rect()))

    def _underline(self, painter: QPainter, width: int) -> None:
        pen = QPen(current_theme().colour("accent"), max(1.5, scaled(1.5)))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setDashPattern([0.1, 2.2])
        bottom = self.height() - scaled(2)
        with smoothly(painter):
            painter.setPen(pen)
            painter.drawLine(scaled(2), bottom, scaled(2) + width, bottom)

    def _name(self) -> None:
        hint = tr("ui.why.hint") if self._why is not None else ""
        self.setAccessibleName(f"{self._text} {hint}".strip())
