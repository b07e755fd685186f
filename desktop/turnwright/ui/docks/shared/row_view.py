"""The table view for all lists of the window. Rows have equal heights and can be opened, removed and moved by keys.

Moving the focus to a list with Tab selects nothing. The first row is only framed until a key or click selects a row.
Rows are 28 pixels high, with a name, muted details, and underlined headings.
"""

from PySide6 import QtGui
from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QObject, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QFrame,
    QHeaderView,
    QLineEdit,
    QScrollArea,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from turnwright.ui.look.icons import draw_icon, icon
from turnwright.ui.look.style import GAP, SPACE, current_theme, role_font, role_metrics, scaled
from turnwright.ui.models import row_list_model
from turnwright.ui.models.world import DICE_ROLE
from turnwright.ui.widgets.layout import ancestors
from turnwright.ui.widgets.paint import draw_dice, draw_focus

ROW_HEIGHT = 28
LEAST_DETAIL = 72
LEFT, RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
ONE_LINE = Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextSingleLine.value


class RowDelegate(QStyledItemDelegate):
    """Paints rows from the roles of their model. `detail_right` aligns the details to the right edge of the row."""

    def __init__(self, parent: QObject | None = None, *, detail_right: bool = False) -> None:
        super().__init__(parent)
        self._detail_right = detail_right

    def sizeHint(self, option: QStyleOptionViewItem, index: row_list_model.Index) -> QSize:
        text = index.data(Qt.ItemDataRole.DisplayRole) or ""
        width = role_metrics("body").horizontalAdvance(text) + scaled(GAP * 2)
        return QSize(width, scaled(ROW_HEIGHT))

    def paint(self, painter: QtGui.QPainter, option: QStyleOptionViewItem, index: row_list_model.Index) -> None:
        with QtGui.QPainterStateGuard(painter):
            if is_heading(index):
                self.draw_heading(painter, option.rect, index)
            else:
                draw_background(painter, option, index)
                self.draw_row(painter, option, index)

    def draw_heading(self, painter: QtGui.QPainter, rect: QRect, index: row_list_model.Index) -> None:
        """Paint a heading: bold text, then muted details, and a line below."""
        painter.setPen(QtGui.QPen(current_theme().colour("line"), 1))
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        room = rect.adjusted(scaled(SPACE), 0, -scaled(SPACE), 0)
        room.setLeft(room.left() + draw_text(painter, room, index.data(), "strong", "text") + scaled(GAP))
        align = RIGHT if self._detail_right else LEFT
        room.setRight(room.right() - scaled(SPACE))
        draw_text(painter, room, index.data(row_list_model.DETAIL_ROLE) or "", "caption", "muted", align=align)

    def draw_row(self, painter: QtGui.QPainter, option: QStyleOptionViewItem, index: row_list_model.Index) -> None:
        """Paint an ordinary row: check mark, icon, name, dice, details."""
        selected = QStyle.StateFlag.State_Selected in option.state
        tone = index.data(row_list_model.TONE_ROLE) or ""
        quiet = "muted" if not selected else "selection_text"
        token = quiet if index.data(row_list_model.QUIET_ROLE) else "selection_text" if selected else tone or "text"
        room = option.rect.adjusted(scaled(GAP), 0, -scaled(GAP), 0)
        if (check := index.data(Qt.ItemDataRole.CheckStateRole)) is not None:
            _draw_check(painter, check_rect(option.rect), on=Qt.CheckState(check) == Qt.CheckState.Checked)
            room.setLeft(check_rect(option.rect).right() + scaled(GAP))
        if name := index.data(row_list_model.ICON_ROLE):
            side = scaled(16)
            area = QRect(room.left(), room.center().y() - side // 2, side, side)
            draw_icon(painter, name, area, current_theme().colour(token if tone else quiet))
            room.setLeft(area.right() + scaled(GAP))
        detail = index.data(row_list_model.DETAIL_ROLE) or ""
        if detail and self._detail_right:
            width = min(role_metrics("body").horizontalAdvance(detail), room.width() * 6 // 10)
            end = QRect(room.right() - width, room.top(), width + 1, room.height())
            draw_text(painter, end, detail, "body", quiet, align=RIGHT)
            room.setRight(end.left() - scaled(GAP))
            detail = ""
        used = draw_text(painter, room, index.data() or "", "body", token, align=_alignment(index))
        room.setLeft(room.left() + used + scaled(GAP))
        room.setLeft(room.left() + _draw_pool(painter, room, index))
        if room.width() >= min(role_metrics("body").horizontalAdvance(detail), scaled(LEAST_DETAIL)):
            draw_text(painter, room, detail, "body", quiet)

    def editorEvent(
        self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: row_list_model.Index
    ) -> bool:
        """Toggle the check mark when the user presses Space or clicks it."""
        if index.data(Qt.ItemDataRole.CheckStateRole) is None:
            return super().editorEvent(event, model, option, index)
        if isinstance(event, QtGui.QMouseEvent):
            if event.type() == QEvent.Type.MouseButtonPress:
                return False
            if not self.check_area(option.rect, index).contains(event.position().toPoint()):
                return False
            return event.type() == QEvent.Type.MouseButtonDblClick or toggle_checked(model, index)
        if isinstance(event, QtGui.QKeyEvent) and event.key() == Qt.Key.Key_Space:
            return toggle_checked(model, index)
        return False

    def check_area(self, rect: QRect, index: row_list_model.Index) -> QRect:
        """Return the area in which a click toggles the check mark."""
        return check_rect(rect).adjusted(-scaled(SPACE), -scaled(SPACE), scaled(SPACE), scaled(SPACE))


def toggle_checked(model: QAbstractItemModel, index: row_list_model.Index) -> bool:
    """Toggle a row's check mark. Return whether the model accepted it."""
    checked = Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole)) == Qt.CheckState.Checked
    state = Qt.CheckState.Unchecked if checked else Qt.CheckState.Checked
    return model.setData(index, state, Qt.ItemDataRole.CheckStateRole)


def is_heading(index: row_list_model.Index) -> bool:
    """Whether a row is a heading."""
    key = index.data(row_list_model.KEY_ROLE)
    return isinstance(key, tuple) and key[0] == row_list_model.HEADING


def draw_background(painter: QtGui.QPainter, option: QStyleOptionViewItem, index: row_list_model.Index) -> None:
    """Fill the background of a row that is selected or under the pointer, and frame the cell with the focus."""
    theme, state = current_theme(), option.state
    if QStyle.StateFlag.State_Selected in state:
        painter.fillRect(option.rect, theme.colour("selection"))
    elif QStyle.StateFlag.State_MouseOver in state:
        painter.fillRect(option.rect, theme.colour("sunken"))
    if QStyle.StateFlag.State_HasFocus in state:
        draw_focus(painter, QRectF(option.rect))


def draw_text(
    painter: QtGui.QPainter, rect: QRect, text: str, role: str, token: str, *, align: Qt.AlignmentFlag = LEFT
) -> int:
    """Draw one line of text, shortened to fit the rectangle. Return the width used."""
    if not text or rect.width() <= 0:
        return 0
    metrics = role_metrics(role)
    shown = metrics.elidedText(text.replace("\n", " "), Qt.TextElideMode.ElideRight, rect.width())
    painter.setFont(role_font(role))
    painter.setPen(current_theme().colour(token))
    painter.drawText(rect, align.value | ONE_LINE, shown)
    return metrics.horizontalAdvance(shown)


def check_rect(rect: QRect) -> QRect:
    """Return the rectangle of a row's check mark."""
    side = scaled(16)
    return QRect(rect.left() + scaled(GAP), rect.center().y() - side // 2, side, side)


def _draw_check(painter: QtGui.QPainter, rect: QRect, *, on: bool) -> None:
    name, token = ("checkbox-marked", "accent") if on else ("checkbox-blank-outline", "edge")
    draw_icon(painter, name, rect, current_theme().colour(token))


def _draw_pool(painter: QtGui.QPainter, room: QRect, index: row_list_model.Index) -> int:
    count = index.data(DICE_ROLE)
    if not count:
        return 0
    side = scaled(18)
    area = QRectF(room.left(), room.center().y() - side / 2 + 0.5, room.width(), side)
    faces = tuple(6 - die % 6 for die in range(count))  # the pool is unrolled: the faces vary but are not results
    return round(draw_dice(painter, area, faces, current_theme())) + scaled(GAP)


def _alignment(index: row_list_model.Index) -> Qt.AlignmentFlag:
    value = index.data(Qt.ItemDataRole.TextAlignmentRole)
    right = value is not None and RIGHT in Qt.AlignmentFlag(value)
    return RIGHT if right else LEFT


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
        # PySide6 does not know the class of the default viewport and would load all widget classes
        viewport = QWidget()
        viewport.setBackgroundRole(QtGui.QPalette.ColorRole.Base)
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

    def rows(self) -> row_list_model.RowListModel:
        """Return the model of the rows. Raise LookupError if none is set."""
        model = self.model()
        if not isinstance(model, row_list_model.RowListModel):
            raise LookupError("the view has no model yet")
        return model

    def go_to(self, row: int, *, show: bool = False) -> None:
        """Make a row the current one. `show` scrolls to it even if the view doesn't have the focus."""
        column = max(0, self.currentIndex().column())
        if row >= 0 and (row != self.currentIndex().row() or not self.selectionModel().hasSelection()):
            self.setCurrentIndex(self.model().index(row, column))
        if row >= 0 and show and self._fitted:
            self._show_in_scroll_area(self.currentIndex())

    def step(self, by: int) -> None:
        """Make the next row up or down the current one, skipping headings. Begins with the first row."""
        current = self.currentIndex()
        self.go_to(self._beside(current.row(), by if current.isValid() else 1).row())

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        if self.currentIndex().isValid():
            super().focusInEvent(event)
        else:  # the method of QTableView would make the first row the current one
            QAbstractScrollArea.focusInEvent(self, event)
        self.viewport().update()

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus() and not self.currentIndex().isValid():
            first = self._beside(-1, 1)
            if first.isValid():
                rect = self.visualRect(first)
                rect.setRight(self.viewport().width() - 1)
                rect.setLeft(0)
                with QtGui.QPainter(self.viewport()) as painter:
                    draw_focus(painter, QRectF(rect))

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        actions = QAbstractItemView.CursorAction
        if action in (actions.MoveHome, actions.MoveEnd) and self.model().columnCount() == 1:
            modifiers |= Qt.KeyboardModifier.ControlModifier  # otherwise they stay in the row
        target = super().moveCursor(action, modifiers)
        if not self._is_heading(target):
            return target
        step = -1 if action in (actions.MoveUp, actions.MovePrevious, actions.MovePageUp) else 1
        neighbour = self._beside(target.row(), step, target.column())
        return neighbour if neighbour.isValid() else self._beside(target.row(), -step, target.column())

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if self.state() == QAbstractItemView.State.EditingState:
            super().keyPressEvent(event)
            return
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if (key := event.key()) in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.rowActivated.emit(self.currentIndex())
        elif key == Qt.Key.Key_Delete:
            self.removeRequested.emit()
        elif control and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.moveRequested.emit(-1 if key == Qt.Key.Key_Up else 1)
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and self.state() != QAbstractItemView.State.EditingState:
            self.rowActivated.emit(index)

    def _is_heading(self, index: row_list_model.Index) -> bool:
        model = self.model()
        key = model.key_at(index) if isinstance(model, row_list_model.RowListModel) else None
        return key is not None and key[0] == row_list_model.HEADING

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

    def currentChanged(self, current: row_list_model.Index, previous: row_list_model.Index) -> None:
        super().currentChanged(current, previous)
        if self._fitted and current.isValid() and self.hasFocus():
            self._show_in_scroll_area(current)

    def _show_in_scroll_area(self, index: row_list_model.Index) -> None:
        parent = next((parent for parent in ancestors(self) if isinstance(parent, QScrollArea)), None)
        inside = parent.widget() if parent is not None else None
        if parent is not None and inside is not None and self.isVisible():
            centre = self.mapTo(inside, self.visualRect(index).center())
            parent.ensureVisible(centre.x(), centre.y(), 0, scaled(ROW_HEIGHT))


class SearchField(QLineEdit):
    """Searches a list. The arrow keys move through the list."""

    def __init__(self, name: str, view: RowView) -> None:
        super().__init__(placeholderText=name, clearButtonEnabled=True)
        self.setAccessibleName(name)
        self._view = view
        self.addAction(icon("magnify", "muted"), QLineEdit.ActionPosition.LeadingPosition)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._view.step(1 if event.key() == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)
