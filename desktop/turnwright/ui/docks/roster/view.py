"""The roster's list, with keys for the count and the side of an entry."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from turnwright.ui.docks.shared.row_view import RowView

MORE_KEYS = (Qt.Key.Key_Plus,)
ENCOUNTER_ROW = 32
FEWER_KEYS = (Qt.Key.Key_Minus, Qt.Key.Key_Underscore)


class RosterView(RowView):
    """The rows of the roster.

    Emits `countChangeRequested(±1)` on + and −, and `sideChangeRequested(±1)` on Ctrl+Left and Ctrl+Right.
    """

    countChangeRequested = Signal(int)
    sideChangeRequested = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, fits_rows=True, row_height=ENCOUNTER_ROW)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, editing = event.key(), self.state() == QAbstractItemView.State.EditingState
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if editing or not self.currentIndex().isValid():
            super().keyPressEvent(event)
        elif control and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.sideChangeRequested.emit(-1 if key == Qt.Key.Key_Left else 1)
        elif not control and key in (*MORE_KEYS, *FEWER_KEYS):
            self.countChangeRequested.emit(1 if key in MORE_KEYS else -1)
        else:
            super().keyPressEvent(event)
