"""A condition on a chip: icon, name, when it ends, and the buttons that end it sooner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from turnwright.ui.fonts import SPACE, px
from turnwright.ui.say import say
from turnwright.ui.theme import current_theme
from turnwright.ui.widgets.glyph import Glyph
from turnwright.ui.widgets.text import plain_label, push_button, tool_button
from turnwright.ui.widgets.why import Why, WhyLabel


@dataclass(frozen=True)
class EffectView:
    """An effect as a chip shows it; `break_free` names what may be spent to be rid of it, empty for nothing."""

    id: str
    name: str
    icon: str
    ends: str = ""
    break_free: str = ""
    why: Callable[[], Why] | None = field(default=None, compare=False)


class EffectChip(QWidget):
    """`ended(id)` when a person ends the effect, `broken_free(id)` when somebody pays to be rid of it."""

    ended = Signal(str)
    broken_free = Signal(str)

    def __init__(self, view: EffectView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"{view.name} {view.ends}".strip())
        row = QHBoxLayout(self)
        row.setContentsMargins(px(8), px(1), px(3), px(1))
        row.setSpacing(px(SPACE))
        row.addWidget(Glyph(view.icon, "warn", 16))
        name = WhyLabel(view.name, "body")
        name.set_why(view.why)
        row.addWidget(name)
        if view.ends:
            row.addWidget(plain_label(view.ends, "caption", "muted"))
        if view.break_free:
            free = push_button(say("ui.turn.break-free"), lambda: self.broken_free.emit(view.id), "quiet")
            free.setToolTip(say("ui.turn.break-free-tip", cost=view.break_free))
            row.addWidget(free)
        row.addWidget(tool_button("close", say("ui.turn.end-effect", what=view.name), lambda: self.ended.emit(view.id)))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = current_theme()
        painter.setPen(QPen(theme.colour("warn"), 1))
        painter.setBrush(theme.colour("warn_soft"))
        rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(rect, px(8), px(8))
        painter.end()
