"""Those who have no place on the map yet, as buttons: pressing one takes its token in hand."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from turnwright.ui.docks.map.stage import Stage
from turnwright.ui.docks.map.tokens import Token
from turnwright.ui.fonts import SPACE, px
from turnwright.ui.say import say
from turnwright.ui.widgets.layout import FlowRow
from turnwright.ui.widgets.text import plain_label, push_button

MOST = 12


class Tray(QWidget):
    """`taken(token)` when a person presses somebody's button. Hidden while everybody stands on the map."""

    taken = Signal(object)

    def __init__(self, stage: Stage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stage = stage
        self._shown: tuple[tuple[str, str], ...] | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(px(2 * SPACE), px(SPACE), px(2 * SPACE), px(SPACE))
        self._row = FlowRow(self, SPACE)
        column.addWidget(self._row)
        self.refresh()

    def refresh(self) -> None:
        """Show who waits now."""
        waiting = list(self._stage.crowd.waiting())
        shown = tuple((one.id, one.label) for one in waiting)
        if shown == self._shown:
            return
        self._shown = shown
        self._row.clear()
        self.setVisible(bool(waiting))
        if not waiting:
            return
        self._row.add(plain_label(say("ui.map.waiting"), "caption", "muted"))
        for token in waiting[:MOST]:
            button = push_button(token.label, partial(self._take, token), "quiet")
            button.setAccessibleName(say("ui.map.put-down", who=token.label))
            self._row.add(button)
        if len(waiting) > MOST:
            self._row.add(plain_label(say("ui.map.more-waiting", n=len(waiting) - MOST), "caption", "muted"))

    def _take(self, token: Token) -> None:
        self.taken.emit(token)
