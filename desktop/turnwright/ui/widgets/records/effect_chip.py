"""Chips for conditions and for facts.

A condition as a chip: icon, name, when it ends, and buttons that end it early.

A chip for a fact. It cycles through the answers (unknown, yes, no; or degrees of cover) and shows their origin.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStyle, QStyleOptionButton, QStylePainter, QWidget

from turnwright.ui.look.style import SPACE, current_theme, escaped_tooltip, scaled, set_role, tr
from turnwright.ui.widgets.layout import ElidedLabel, FlowRow, fill, horizontal
from turnwright.ui.widgets.paint import smoothly
from turnwright.ui.widgets.rules.why import Explanation, WhyLabel
from turnwright.ui.widgets.text import IconLabel, push_button, set_style, tool_button


@dataclass(frozen=True)
class EffectView:
    """An effect as shown on a chip.

    `break_free` is the cost of breaking free, and `wakes` the cost of ending it for a creature next to the target. Each is
    an empty string if that is impossible. `of_another`: the chip is about a creature next to the shown one.
    """

    id: str
    name: str
    icon: str
    ends: str = ""
    break_free: str = ""
    wakes: str = ""
    of_another: bool = False
    why: Callable[[], Explanation] | None = field(default=None, compare=False)


class EffectRow(FlowRow):
    """A row of chips. They switch to a short form instead of wrapping to a second line."""

    def fit(self) -> None:
        """Choose the full or short form of the chips, depending on the available width."""
        children = self.findChildren(EffectChip, options=Qt.FindChildOption.FindDirectChildrenOnly)
        chips = [chip for chip in children if not chip.isHidden()]
        for brief in (False, True):
            for chip in chips:
                chip.set_brief(brief=brief)
            gaps = self.gap * max(0, len(chips) - 1)
            if sum(chip.sizeHint().width() for chip in chips) + gaps <= self.width():
                break
        self._flow.invalidate()
        self.keep_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()


class EffectChip(QWidget):
    """A chip for one effect.

    Emits `endRequested(id)` when the user ends the effect, `breakFreeRequested(id)` when the target breaks free, and
    `wakeRequested(id)` when another creature ends it.
    """

    endRequested = Signal(str)
    breakFreeRequested = Signal(str)
    wakeRequested = Signal(str)

    def __init__(self, view: EffectView) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"{view.name} {view.ends}".strip())
        name = WhyLabel(view.name, "body")
        name.set_why(view.why)
        self._ends = ElidedLabel(view.ends, "caption", tone="muted")
        self._ends.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._ends.setVisible(bool(view.ends))
        glyph = IconLabel(view.icon, "warn", 16)
        row = fill(horizontal(self, spacing=SPACE, margins=(8, 1, 3, 1)), glyph, name, self._ends)
        if view.break_free:
            free = push_button(tr("ui.turn.break-free"), lambda: self.breakFreeRequested.emit(view.id), "quiet")
            free.setToolTip(escaped_tooltip(tr("ui.turn.break-free-tip", cost=view.break_free)))
            row.addWidget(free)
        if view.wakes:
            wake = push_button(tr("ui.turn.wake"), lambda: self.wakeRequested.emit(view.id), "quiet")
            wake.setToolTip(escaped_tooltip(tr("ui.turn.wake-tip", cost=view.wakes)))
            row.addWidget(wake)
        if view.of_another:
            return
        end = tr("ui.turn.end-effect", what=view.name)
        row.addWidget(tool_button("close", end, lambda: self.endRequested.emit(view.id)))

    def set_brief(self, *, brief: bool) -> None:
        """Show or hide the time of the end after the effect's name. If hidden, it is in the tooltip."""
        self._ends.setVisible(bool(self._ends.text()) and not brief)
        self.setToolTip(escaped_tooltip(self._ends.text()) if brief else "")
        self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        with QPainter(self) as painter, smoothly(painter):
            painter.setPen(QPen(theme.colour("warn"), 1))
            painter.setBrush(theme.colour("warn_soft"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), scaled(8), scaled(8))


NARROWEST = 160  # width of a chip whose text is elided, in pixels
UNSAID = ("", "")  # the answer of a fact that is no longer answered
SIGNS = {"": "?", "yes": "✓", "no": "✕"}


@dataclass(frozen=True)
class StateChipView:
    """A fact. `answers` are pairs of id and label, in click order. `state` is the current answer, or empty if unknown.

    If a click can also clear the answer (`UNSAID`), the label says everything.
    `origin` is the source of the answer. `is_needed`: a roll depends on the fact. `is_switch`: the fact is either on
    (`yes`) or off.
    """

    id: str
    label: str
    state: str = ""
    answers: tuple[tuple[str, str], ...] = (("yes", ""), ("no", ""))
    origin: str = ""
    tip: str = ""
    is_needed: bool = False
    is_switch: bool = False


class StateChip(QPushButton):
    """A chip that shows a fact. A text that is too long is elided.

    Emits `answerRequested(id, answer)`: a click or Space requests the next answer, a right-click or Shift+Space the
    previous one.
    """

    answerRequested = Signal(str, str)

    def __init__(self, view: StateChipView) -> None:
        super().__init__(autoDefault=False)
        self.setProperty("kind", "pick")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        set_role(self, "body")
        self.view = view
        self.clicked.connect(lambda _on=False: self._go(1))
        self.set_view(view)

    def set_view(self, view: StateChipView) -> None:
        """Show the current state of the fact."""
        self.view = view
        word = dict(view.answers).get(view.state, "")
        answer = word or ("" if UNSAID in view.answers else SIGNS.get(view.state, view.state))
        self.setText((view.label if view.is_switch else f"{view.label}  {answer}".strip()).replace("&", "&&"))
        self.setCheckable(view.is_switch)
        self.setChecked(view.is_switch and view.state == "yes")
        fallback = "no" if view.is_switch else "unknown"
        answer_name = word or (tr(f"ui.attack.answer-{view.state or fallback}"))
        self.setAccessibleName(f"{view.label}: {answer_name}")
        tip = "\n".join(part for part in (view.tip, view.origin) if part)
        self.setToolTip(escaped_tooltip(tip))
        self.setAccessibleDescription(tip)
        state = "unknown" if not view.state and not view.is_switch else "known"
        set_style(self, "fact", "matters" if view.is_needed and not view.state else state)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint().boundedTo(QSize(scaled(NARROWEST), 1 << 24))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), QStyleOptionButton()
        self.initStyleOption(option)
        hidden, metrics = self.sizeHint().width() - self.width(), self.fontMetrics()
        if hidden > 0:
            room = metrics.horizontalAdvance(option.text) - hidden
            option.text = metrics.elidedText(option.text, Qt.TextElideMode.ElideRight, room)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
        elif event.key() == Qt.Key.Key_Space and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._go(-1)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.RightButton:
            self._go(-1)
        else:
            super().mousePressEvent(event)

    def _go(self, by: int) -> None:
        answers = [id for id, _ in self.view.answers]
        here = answers.index(self.view.state) if self.view.state in answers else -1
        self.answerRequested.emit(self.view.id, answers[0 if here < 0 and by > 0 else (here + by) % len(answers)])


def update_chips(chips: dict[str, StateChip], views: Sequence[StateChipView]) -> bool:
    """Update existing chips. If they belong to other facts, change nothing and return False."""
    if [view.id for view in views] != list(chips):
        return False
    for view in views:
        chips[view.id].set_view(view)
    return True
