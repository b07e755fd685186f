"""A condition as a chip: icon, name, when it ends, and buttons that end it early."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from turnwright.ui.look.fonts import SPACE, scaled
from turnwright.ui.look.theme import current_theme
from turnwright.ui.look.tooltips import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.icon_label import IconLabel
from turnwright.ui.widgets.layout import ElidedLabel, FlowRow, horizontal
from turnwright.ui.widgets.rules.explanation import Explanation
from turnwright.ui.widgets.rules.why import WhyLabel
from turnwright.ui.widgets.text import push_button, tool_button


@dataclass(frozen=True)
class EffectView:
    """An effect as shown on a chip. `break_free` is the cost of breaking free, or an empty string if impossible."""

    id: str
    name: str
    icon: str
    ends: str = ""
    break_free: str = ""
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

    Emits `endRequested(id)` when the user ends the effect, and `breakFreeRequested(id)` when the target breaks free.
    """

    endRequested = Signal(str)
    breakFreeRequested = Signal(str)

    def __init__(self, view: EffectView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"{view.name} {view.ends}".strip())
        row = horizontal(self, spacing=SPACE, margins=(8, 1, 3, 1))
        row.addWidget(IconLabel(view.icon, "warn", 16))
        name = WhyLabel(view.name, "body")
        name.set_why(view.why)
        row.addWidget(name)
        self._ends = ElidedLabel(view.ends, "caption")
        self._ends.setProperty("tone", "muted")
        self._ends.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._ends.setVisible(bool(view.ends))
        row.addWidget(self._ends)
        if view.break_free:
            free = push_button(tr("ui.turn.break-free"), lambda: self.breakFreeRequested.emit(view.id), "quiet")
            free.setToolTip(escaped_tooltip(tr("ui.turn.break-free-tip", cost=view.break_free)))
            row.addWidget(free)
        row.addWidget(
            tool_button("close", tr("ui.turn.end-effect", what=view.name), lambda: self.endRequested.emit(view.id))
        )

    def set_brief(self, *, brief: bool) -> None:
        """Show or hide the time of the end after the effect's name. If hidden, it is in the tooltip."""
        self._ends.setVisible(bool(self._ends.text()) and not brief)
        self.setToolTip(escaped_tooltip(self._ends.text()) if brief else "")
        self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = current_theme()
        painter.setPen(QPen(theme.colour("warn"), 1))
        painter.setBrush(theme.colour("warn_soft"))
        rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(rect, scaled(8), scaled(8))
        painter.end()
