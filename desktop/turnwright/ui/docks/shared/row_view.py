"""The table view for all lists of the window. Rows have equal heights and can be opened, removed and moved by keys.

Moving the focus to a list with Tab selects nothing. The first row is only framed until a key or click selects a row.
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
from turnwright.ui.look.fonts import scaled
from turnwright.ui.models.row_list_model import HEADING, Index, RowListModel


class RowView(QTableView):
    """Shows the rows of a `RowListModel`.

    Emits `rowActivated(index)` on Enter or a double click, `removeRequested` on Delete, and `moveRequested(±1)` on
    Ctrl+Up and Ctrl+Down. With `fits_rows` the view is as high as its rows, for use in a scroll area.
    """

    rowActivated = Signal(QModelIndex)
    removeRequested = Signal()
    moveRequested = Signal(int)
    resized = Signal()

    def __init__(self, parent: QWidget | None = None, *, fits_rows: bool = False, row_height: int = ROW_HEIGHT) -> None:
        super().__init__(parent)
        self._fitted = fits_rows
        self._row_height = row_height
        viewport = (
            QWidget()
        )  # PySide6 does not know the class of the default viewport and would load all widget classes
        viewport.setBackgroundRole(QPalette.ColorRole.Base)
        viewport.setAutoFillBackground(True)
        self.setViewport(viewport)
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
                signal.connect(self._refit)  # a bound method, so that Qt disconnects it when the view is deleted
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
        """Return the model of the rows. Raise LookupError if none is set."""
        model = self.model()
        if not isinstance(model, RowListModel):
            raise LookupError("the view has no model yet")
        return model

    def go_to(self, row: int, *, show: bool = False) -> None:
        """Make a row the current one. `show` scrolls to it even if the view doesn't have the focus."""
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
        else:  # the method of QTableView would make the first row the current one
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
        target = super().moveCursor(action, modifiers)
        if not self._is_heading(target):
            return target
        back = (
            QAbstractItemView.CursorAction.MoveUp,
            QAbstractItemView.CursorAction.MovePrevious,
            QAbstractItemView.CursorAction.MovePageUp,
        )
        step = -1 if action in back else 1
        neighbour = self._beside(target.row(), step, target.column())
        return neighbour if neighbour.isValid() else self._beside(target.row(), -step, target.column())

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
        """Return the nearest row above or below `row` that isn't a heading, or an invalid index if there is none."""
        model = self.model()
        position = row + step
        while model is not None and 0 <= position < model.rowCount():
            index = model.index(position, column)
            if not self._is_heading(index):
                return index
            position += step
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
            centre = self.mapTo(inside, self.visualRect(index).center())
            parent.ensureVisible(centre.x(), centre.y(), 0, scaled(ROW_HEIGHT))
