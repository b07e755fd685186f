"""The table view of every list in the window: rows of one height, no grid, keys to open, remove and move rows.

Tabbing through a list selects nothing in it: the first row is only framed until a key or click makes it current.
"""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QFrame,
    QHeaderView,
    QScrollArea,
    QTableView,
    QWidget,
)

from turnwright.ui.docks.shared.row_delegate import ROW_HEIGHT, draw_focus
from turnwright.ui.fonts import scaled
from turnwright.ui.models.row_list_model import HEADING, Index, RowListModel


class RowView(QTableView):
    """Rows of a `RowListModel`. `rowActivated(index)` on Enter or a double click, `removeRequested` on Delete.

    `moveRequested(±1)` on Ctrl+Up and Ctrl+Down. `fits_rows`: as high as its rows, inside a scroll area.
    """

    rowActivated = Signal(QModelIndex)
    removeRequested = Signal()
    moveRequested = Signal(int)
    resized = Signal()

    def __init__(self, parent: QWidget | None = None, *, fits_rows: bool = False, row_height: int = ROW_HEIGHT) -> None:
        super().__init__(parent)
        self._fitted = fits_rows
        self._row_height = row_height
        own = QWidget()  # one that Qt makes is of a class unknown to PySide6, which then makes every class of widgets
        own.setBackgroundRole(QPalette.ColorRole.Base)
        own.setAutoFillBackground(True)
        self.setViewport(own)
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().hide()
        self.horizontalHeader().setMinimumSectionSize(scaled(24))
        vertical = self.verticalHeader()
        vertical.hide()
        vertical.setMinimumSectionSize(scaled(row_height))
        vertical.setDefaultSectionSize(scaled(row_height))
        vertical.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        if fits_rows:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self.setSizeAdjustPolicy(QAbstractScrollArea.SizeAdjustPolicy.AdjustIgnored)

    def setModel(self, model) -> None:
        super().setModel(model)
        if model is None:
            return
        if model.columnCount() == 1:
            self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        if self._fitted:
            for signal in (model.rowsInserted, model.rowsRemoved, model.modelReset):
                signal.connect(self._refit)  # a method of this object, so that Qt lets go of it with the view
            self.fit()

    def _refit(self, *_changed: object) -> None:
        self.fit()

    def fit(self) -> None:
        """Set the height to that of all rows."""
        rows = self.model().rowCount() if self.model() is not None else 0
        self.setFixedHeight(max(1, rows * scaled(self._row_height)) + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(120), scaled(ROW_HEIGHT) * 2 if not self._fitted else self.minimumHeight())

    def sizeHint(self) -> QSize:
        return QSize(scaled(240), super().sizeHint().height())

    def rows(self) -> RowListModel:
        """Return the model of the rows; LookupError before one is set."""
        model = self.model()
        if not isinstance(model, RowListModel):
            raise LookupError("no rows yet")
        return model

    def go_to(self, row: int, *, show: bool = False) -> None:
        """Make a row the current one; `show` scrolls to it even where the view has no focus."""
        column = max(0, self.currentIndex().column())
        if row >= 0 and (row != self.currentIndex().row() or not self.selectionModel().hasSelection()):
            self.setCurrentIndex(self.model().index(row, column))
        if row >= 0 and show and self._fitted:
            self._show_in_scroll_area(self.currentIndex())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        if self.currentIndex().isValid():
            super().focusInEvent(event)
        else:  # what a table does here makes the first row the current one
            QAbstractScrollArea.focusInEvent(self, event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus() and not self.currentIndex().isValid():
            first = self._beside(-1, 1)
            if first.isValid():
                painter = QPainter(self.viewport())
                rect = self.visualRect(first)
                rect.setRight(self.viewport().width() - 1)
                rect.setLeft(0)
                draw_focus(painter, rect)
                painter.end()

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        goal = super().moveCursor(action, modifiers)
        if not self._is_heading(goal):
            return goal
        back = (
            QAbstractItemView.CursorAction.MoveUp,
            QAbstractItemView.CursorAction.MovePrevious,
            QAbstractItemView.CursorAction.MovePageUp,
        )
        step = -1 if action in back else 1
        found = self._beside(goal.row(), step, goal.column())
        return found if found.isValid() else self._beside(goal.row(), -step, goal.column())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.state() == QAbstractItemView.State.EditingState:
            super().keyPressEvent(event)
            return
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.rowActivated.emit(self.currentIndex())
        elif key == Qt.Key.Key_Delete:
            self.removeRequested.emit()
        elif control and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.moveRequested.emit(-1 if key == Qt.Key.Key_Up else 1)
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and self.state() != QAbstractItemView.State.EditingState:
            self.rowActivated.emit(index)

    def _is_heading(self, index: Index) -> bool:
        model = self.model()
        key = model.key_at(index) if isinstance(model, RowListModel) else None
        return key is not None and key[0] == HEADING

    def _beside(self, row: int, step: int, column: int = 0) -> QModelIndex:
        """Return the nearest row above or below `row` that is no heading; an invalid index where there is none."""
        model = self.model()
        place = row + step
        while model is not None and 0 <= place < model.rowCount():
            index = model.index(place, column)
            if not self._is_heading(index):
                return index
            place += step
        return QModelIndex()

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if self._fitted and current.isValid() and self.hasFocus():
            self._show_in_scroll_area(current)

    def _show_in_scroll_area(self, index: Index) -> None:
        parent = self.parentWidget()
        while parent is not None and not isinstance(parent, QScrollArea):
            parent = parent.parentWidget()
        inside = parent.widget() if parent is not None else None
        if parent is not None and inside is not None and self.isVisible():
            place = self.mapTo(inside, self.visualRect(index).center())
            parent.ensureVisible(place.x(), place.y(), 0, scaled(ROW_HEIGHT))
