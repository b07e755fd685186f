"""A chip for a fact. It cycles through the answers (unknown, yes, no; or degrees of cover) and shows their origin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QPushButton, QWidget

from turnwright.ui.look.fonts import set_role
from turnwright.ui.look.tooltips import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.text import set_style

SIGNS = {"": "?", "yes": "✓", "no": "✕"}


@dataclass(frozen=True)
class StateChipView:
    """A fact. `answers` are pairs of id and label, in click order. `state` is the current answer, or empty if unknown.

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
    """A chip that shows a fact.

    Emits `answerRequested(id, answer)`: a click or Space requests the next answer, a right-click or Shift+Space the
    previous one.
    """

    answerRequested = Signal(str, str)

    def __init__(self, view: StateChipView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAutoDefault(False)
        self.setProperty("kind", "pick")
        set_role(self, "body")
        self.view = view
        self.clicked.connect(lambda _on=False: self._go(1))
        self.set_view(view)

    def set_view(self, view: StateChipView) -> None:
        """Show the current state of the fact."""
        self.view = view
        word = dict(view.answers).get(view.state, "")
        answer = word or SIGNS.get(view.state, view.state)
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
        tone = "matters" if view.is_needed and not view.state else state
        set_style(self, "fact", tone)

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
        goal = 0 if here < 0 and by > 0 else (here + by) % len(answers)
        self.answerRequested.emit(self.view.id, answers[goal])


def update_chips(chips: dict[str, StateChip], views: Sequence[StateChipView]) -> bool:
    """Update existing chips. If they belong to other facts, change nothing and return False."""
    if [view.id for view in views] != list(chips):
        return False
    for view in views:
        chips[view.id].set_view(view)
    return True
