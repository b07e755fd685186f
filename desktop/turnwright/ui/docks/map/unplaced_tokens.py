"""Buttons for tokens without a square. Pressing a button starts placing its token."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from turnwright.ui.docks.map.map_canvas import MapCanvas
from turnwright.ui.look.style import SPACE, tr
from turnwright.ui.widgets.layout import FlowRow, vertical
from turnwright.ui.widgets.text import plain_label, push_button

MAX_BUTTONS = 12


class UnplacedTokens(QWidget):
    """The buttons of unplaced tokens. Emits `tokenPressed(token)`. Hidden while all tokens are on the map."""

    tokenPressed = Signal(object)

    def __init__(self, canvas: MapCanvas, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stage = canvas
        self._shown: tuple[tuple[str, str], ...] | None = None
        self._row = FlowRow(self, SPACE)
        vertical(self, margins=(2 * SPACE, SPACE, 2 * SPACE, SPACE)).addWidget(self._row)
        self.refresh()

    def refresh(self) -> None:
        """Show the unplaced tokens."""
        waiting = list(self._stage.tokens.unplaced())
        names = tuple((unplaced.id, unplaced.label) for unplaced in waiting)
        if names == self._shown:
            return
        self._shown = names
        self._row.clear()
        self.setVisible(bool(waiting))
        if not waiting:
            return
        self._row.add(plain_label(tr("ui.map.waiting"), "caption", "muted"))
        for token in waiting[:MAX_BUTTONS]:
            button = push_button(token.label, partial(self.tokenPressed.emit, token), "quiet")
            button.setAccessibleName(tr("ui.map.put-down", who=token.label))
            self._row.add(button)
        if len(waiting) > MAX_BUTTONS:
            self._row.add(plain_label(tr("ui.map.more-waiting", n=len(waiting) - MAX_BUTTONS), "caption", "muted"))
