"""The table of combatants: selection by mouse and keys, editing in place, and moving rows by dragging.

Keys act on the current row; selected rows are the targets of the next command. Moving the current row selects nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QStyleOptionViewItem, QWidget

from turnwright.ui.docks.shared.row_view import toggle_checked
from turnwright.ui.docks.turn_order import row_painter
from turnwright.ui.look.style import GAP, current_theme, role_metrics, scaled, set_role, tr
from turnwright.ui.models.turn_order import EDITORS, SWITCHES, TEXTS, TurnOrderColumn, TurnOrderModel, TurnOrderRow
from turnwright.ui.widgets.paint import draw_focus, smoothly
from turnwright.ui.widgets.text import claims_key

COUNTS = (-99, 999)
DROP_GAP = 64
SCROLL_EDGE = 24
WIDTHS = {TurnOrderColumn.LEAD: row_painter.LEAD_WIDTH, TurnOrderColumn.COUNT: row_painter.COUNT_WIDTH}
ENEMIES = "enemies"
STEPS = (Qt.Key.Key_Up, Qt.Key.Key_Down)
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
Index = QModelIndex | QPersistentModelIndex
Flag = QtCore.QItemSelectionModel.SelectionFlag


class Drop(msgspec.Struct, frozen=True):
    """The destination of a dragged row: before or `after` a neighbour, and above the row number `row` of the view."""

    who: str
    neighbour: str
    after: bool
    row: int


class TurnOrderDelegate(QtWidgets.QStyledItemDelegate):
    """Paints one cell of the turn order, and edits labels and check marks.

    Emits `deathSaveClicked(who, track, value)` when the user clicks a box of the death saves.
    """

    deathSaveClicked = Signal(str, str, int)

    def __init__(self, view: TurnOrderView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(scaled(40), scaled(row_painter.ROW_HEIGHT))

    def paint(self, painter: QtGui.QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        if not isinstance(model, TurnOrderModel):
            return
        look, rect = self._view.look_of(index.row()), self._view.without_gap(index.row(), option.rect)
        with smoothly(painter):
            if self._view.is_dragged(index.row()):
                painter.setOpacity(0.3)
            row_painter.paint_ground(painter, rect, look)
            row_painter.paint_cell(painter, rect, look, TurnOrderColumn(index.column()))

    def editorEvent(
        self, event: QEvent, model: QtCore.QAbstractItemModel, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        if not isinstance(model, TurnOrderModel):
            return False
        clicked = event.type() == QEvent.Type.MouseButtonRelease
        if clicked and index.column() == TurnOrderColumn.WHO:
            return isinstance(event, QtGui.QMouseEvent) and self._click_box(
                event, option.rect, model.row_at(index.row())
            )
        if not index.flags() & Qt.ItemFlag.ItemIsUserCheckable:
            return False
        is_key = event.type() == QEvent.Type.KeyPress
        if not clicked and not (is_key and isinstance(event, QtGui.QKeyEvent) and event.key() == Qt.Key.Key_Space):
            return event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
        return toggle_checked(model, index)

    def helpEvent(
        self, event: QtGui.QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        """Show the tooltip of a row. Over the hit points, add a hint that a click changes them."""
        text = index.data(Qt.ItemDataRole.ToolTipRole)
        if event.type() != QEvent.Type.ToolTip or not text or not self._view.is_on_points(index, event.pos()):
            return super().helpEvent(event, view, option, index)
        end = "<br>" if text.startswith("<qt>") else "\n"
        QtWidgets.QToolTip.showText(event.globalPos(), f"{text}{end}{tr('ui.turn-order.points-tip')}", view)
        return True

    def _click_box(self, event: QtGui.QMouseEvent, rect: QRect, row: TurnOrderRow) -> bool:
        """Tick a death save, or untick a ticked one. Return whether the click hit a box."""
        for track, box, number, ticked in row_painter.death_save_boxes(rect, row):
            if box.adjusted(-2, -4, 2, 4).contains(event.position()):
                self.deathSaveClicked.emit(row.id, track, number - 1 if ticked else number)
                return True
        return False

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        if index.column() == TurnOrderColumn.COUNT:
            editor.setValidator(QtGui.QIntValidator(*COUNTS, editor))
            editor.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            editor.setProperty("compact", True)
        set_role(editor, "body")
        editor.setAccessibleName(tr(EDITORS[TurnOrderColumn(index.column())].name))
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        if isinstance(editor, QLineEdit):
            value = index.data(Qt.ItemDataRole.EditRole)
            editor.setText("" if value is None else str(value))
            editor.selectAll()

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        height = scaled(32)
        box = QRect(option.rect.left(), option.rect.center().y() - height // 2, option.rect.width(), height)
        editor.setGeometry(box)


class TurnOrderView(QtWidgets.QTableView):
    """The table of combatants. The name column takes the remaining width, so the table never scrolls sideways.

    Emits `dragMoved(Drop or None)` while a row is dragged, and `dropped(Drop)` at the end.
    Emits `countEdited(row)` when the user starts to edit an initiative, and `countEdited(-1)` when done.
    Emits `pointsClicked` when the user clicks the hit points of a row, which also selects the row.
    Emits `targetChosen(who)` when the user types the letter in front of a row.
    Emits `opened(row)` on Enter (`beginRequested` during set-up), `goRequested` on G, and `left` on Esc.
    """

    dragMoved = Signal(object)
    dropped = Signal(object)
    countEdited = Signal(int)
    pointsClicked = Signal()
    targetChosen = Signal(str)
    goRequested = Signal()
    beginRequested = Signal()
    left = Signal()
    opened = Signal(int)

    def __init__(self, model: TurnOrderModel) -> None:
        super().__init__(showGrid=False, wordWrap=False)
        self._order = model
        self._delegate = TurnOrderDelegate(self)
        self.letters: Mapping[str, str] = {}
        self._takes_letters = False
        self._hovered = -1
        self._pressed: tuple[int, QPoint] | None = None
        self._anchor = ""  # the row at which a Shift selection starts
        self._counted_next = ""  # the row after the one whose count is edited; a new count may move the rows
        self._drag = ""
        self._drop: Drop | None = None
        self.is_folded = True
        self.copies: dict[int, int] = {}  # first rows of runs of copies, with the numbers of rows folded behind them
        self.deathSaveClicked = self._delegate.deathSaveClicked
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(tr("ui.turn-order.title"))
        self.setMouseTracking(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(scaled(24))
        self.verticalHeader().setSectionResizeMode(QtWidgets.QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setProperty("close", True)  # narrow padding, to leave more width for the name
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setMinimumSectionSize(scaled(20))
        self.fit()

    def fit(self) -> None:
        """Set the sizes of rows and columns for the font scale. Show the check mark columns only when they apply."""
        ticks = self._order.has_switches
        for column in SWITCHES:
            self.setColumnHidden(column, not ticks)
        self.setColumnHidden(TurnOrderColumn.LEAD, ticks)  # the names need its width when the check marks are shown
        header = self.horizontalHeader()
        header.setVisible(ticks)
        set_role(header, "caption")
        header.setSectionResizeMode(QtWidgets.QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(TurnOrderColumn.WHO, QtWidgets.QHeaderView.ResizeMode.Stretch)
        for column in TurnOrderColumn:
            if column != TurnOrderColumn.WHO:
                header.resizeSection(column, self._width_of(column))
        self._fit_rows()

    def fold(self, folded: bool) -> None:
        """Hide or show the rows of combatants that are out, and of copies behind the first."""
        self.is_folded = folded
        self._fit_rows()

    def _fit_rows(self) -> None:
        """Set the heights of the rows, and hide those of combatants that are out and of copies. Skip unchanged rows."""
        gap_row = self._gap_row()
        self.copies = {} if self._order.is_setting_up else self._order.copies(self.selected_ids())
        behind = {first + step for first, more in self.copies.items() for step in range(1, more + 1)}
        for place in range(self._order.rowCount()):
            row = self._order.row_at(place)
            hidden = (row.is_out or place in behind) and self.is_folded
            if hidden != self.isRowHidden(place):
                self.setRowHidden(place, hidden)
            is_low = self._order.is_setting_up and not row.tags
            height = scaled(row_painter.ROW_HEIGHT) if is_low else row_painter.row_height(row)
            height += scaled(DROP_GAP) if place == gap_row else 0
            if not hidden and height != self.rowHeight(place):
                self.setRowHeight(place, height)
        current = self.currentIndex()
        if current.isValid() and self.isRowHidden(current.row()):  # keys act on a visible row
            self.set_current_row(max(0, self._order.active_row()))

    def _width_of(self, column: TurnOrderColumn) -> int:
        """Return the width of a column: fixed, or that of its header or its widest text."""
        if column in WIDTHS and not self._order.has_switches:
            return scaled(WIDTHS[column])
        text = str(self._order.headerData(column, Qt.Orientation.Horizontal))
        width = role_metrics("caption").horizontalAdvance(text)
        if column in TEXTS:
            metrics, write = role_metrics("body"), TEXTS[column]
            rows = range(self._order.rowCount())
            width = max([width, *(metrics.horizontalAdvance(write(self._order.row_at(row))) for row in rows)])
        return width + scaled(2 * row_painter.HEAD_PADDING + 2)

    # Appearance of rows ------------------------------------------------------------------------------------------

    def look_of(self, place: int) -> row_painter.RowLook:
        """Return a row with its state in the view."""
        row = self._order.row_at(place)
        if self.is_folded and place in self.copies:
            label = tr("ui.turn-order.with-copies", name=row.label, n=self.copies[place])
            row = msgspec.structs.replace(row, label=label)
        selected = self.selectionModel().isRowSelected(place, QModelIndex())
        letter = self.letters.get(row.id, "")
        hovered = place == self._hovered and bool(row.slot)
        return row_painter.RowLook(row, selected, hovered, letter, self._order.is_setting_up, self._order.face(row))

    def show_letters(self, letters: Mapping[str, str], *, choosing: bool = False) -> None:
        """Show the letters of targets in front of their rows. With `choosing`, typing a letter chooses the target."""
        self.letters, self._takes_letters = letters, choosing and bool(letters)
        self.viewport().update()

    def is_dragged(self, place: int) -> bool:
        """Whether a row is being dragged."""
        return bool(self._drag) and self._order.row_at(place).id == self._drag

    def without_gap(self, place: int, rect: QRect) -> QRect:
        """Return a cell's rectangle without the gap for a dragged row, which is above the row or below the last row."""
        if self._drop is None or place != self._gap_row():
            return rect
        gap = scaled(DROP_GAP)
        return rect.adjusted(0, 0, 0, -gap) if self._drop.row > place else rect.adjusted(0, gap, 0, 0)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        bar = self.verticalScrollBar()
        if self._drop is not None and self._drop.after:  # the hint below has made the table less high
            bar.setValue(bar.maximum())
        elif self.selectionModel().hasSelection():  # the bulk bar has made it less high
            self.scrollTo(self.currentIndex())

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        super().paintEvent(event)
        with QtGui.QPainter(self.viewport()) as painter, smoothly(painter):
            current = self.currentIndex()
            if self._drop is not None:
                self._paint_drop(painter, self._drop)
            elif self.hasFocus() and current.isValid() and not self.isRowHidden(current.row()):
                ticked = current.column() in SWITCHES
                place = self.visualRect(current) if ticked else self._row_rect(current.row())
                draw_focus(painter, QRectF(place).adjusted(1, 1, -1, -1), scaled(4), 3)

    def _paint_drop(self, painter: QtGui.QPainter, drop: Drop) -> None:
        """Paint a line, and below it the dragged row as a card in the gap."""
        theme, gap_row = current_theme(), self._gap_row()
        row_rect = self._row_rect(gap_row)
        top = row_rect.bottom() + 1 - scaled(DROP_GAP) if drop.row > gap_row else row_rect.top()
        painter.fillRect(QRect(0, top, row_rect.width(), scaled(3)), theme.colour("accent"))
        card = QRect(row_rect.left(), top + scaled(GAP), row_rect.width(), scaled(DROP_GAP - 2 * GAP))
        painter.setPen(QtGui.QPen(theme.colour("accent"), 1))
        painter.setBrush(theme.colour("raised"))
        painter.drawRoundedRect(QRectF(card).adjusted(GAP, 0.5, -GAP, -0.5), scaled(8), scaled(8))
        count = self._order.row_at(self._order.row_of(drop.neighbour)).count
        moved = self._order.row_at(self._order.row_of(drop.who))
        row = msgspec.structs.replace(moved, count=count, tags=(), active=False, next_up=False)
        look = row_painter.RowLook(row, hovered=True, bare=self._order.is_setting_up)
        for column in TurnOrderColumn:
            if not self.isColumnHidden(column) and column not in SWITCHES:
                left, width = self.columnViewportPosition(column), self.columnWidth(column)
                row_painter.paint_cell(painter, QRect(left, card.top(), width, card.height()), look, column)

    def _row_rect(self, place: int) -> QRect:
        return QRect(0, self.rowViewportPosition(place), self.viewport().width(), self.rowHeight(place))

    # Selection -----------------------------------------------------------------------------------------------------

    def selectionCommand(self, index: Index, event: QEvent | None = None) -> QtCore.QItemSelectionModel.SelectionFlag:
        return Flag.NoUpdate  # making a row current must not select it; `choose` and keys do

    def selected_ids(self) -> tuple[str, ...]:
        """Return the ids of the selected rows from top to bottom, the current one last."""
        places = sorted(index.row() for index in self.selectionModel().selectedRows())
        places.sort(key=lambda place: place == self.currentIndex().row())
        return tuple(self._order.row_at(place).id for place in places)

    def select_ids(self, ids: Iterable[str]) -> None:
        """Select exactly the rows of these combatants.

        The last of them becomes the current row, unless the current row is already one of them.
        """
        picked = QtCore.QItemSelection()
        places = [place for who in ids if (place := self._order.row_of(who)) >= 0]
        for place in places:
            index = self._order.index(place, TurnOrderColumn.WHO)
            picked.select(index, index)
        if places and self.currentIndex().row() not in places:
            self.setCurrentIndex(self._order.index(places[-1], TurnOrderColumn.WHO))
        self.selectionModel().select(picked, Flag.ClearAndSelect | Flag.Rows)
        self._fit_rows()

    def set_current_row(self, place: int) -> None:
        """Make a row current without selecting it. Do nothing if the row doesn't exist."""
        index = self._order.index(place, TurnOrderColumn.WHO)
        if place < self._order.rowCount():
            self.selectionModel().setCurrentIndex(index, Flag.NoUpdate)

    def choose(self, place: int, modifiers: Qt.KeyboardModifier, *, toggles: bool = False) -> None:
        """Select a row. With Shift, extend the selection to it; with Ctrl or `toggles`, toggle it."""
        who = self._order.row_at(place).id
        anchor = self._order.row_of(self._anchor)
        if modifiers & Qt.KeyboardModifier.ShiftModifier and anchor >= 0:
            first, last = sorted((anchor, place))
            visible = [row for row in range(first, last + 1) if not self.isRowHidden(row)]
            self.select_ids([self._order.row_at(row).id for row in visible])
            return
        self._anchor = who
        if modifiers & Qt.KeyboardModifier.ControlModifier or toggles:
            index = self._order.index(place, TurnOrderColumn.WHO)
            self.selectionModel().select(index, Flag.Toggle | Flag.Rows)
        else:
            self.select_ids([who])

    # Keys ----------------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        return claims_key(event, self._takes) or super().event(event)

    def _takes(self, event: QtGui.QKeyEvent) -> bool:
        """Whether a key has another meaning here than in the window."""
        goes = event.key() == Qt.Key.Key_G and not event.modifiers() and self.currentIndex().isValid()
        return goes or (self._takes_letters and event.text().isalpha())

    def _choose_by_letter(self, typed: str) -> None:
        """Choose a target by its letter. Other letters do nothing."""
        target = next((who for who, letter in self.letters.items() if letter == typed.lower()), "")
        if target:
            self.show_letters({})
            self.targetChosen.emit(target)

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self._takes_letters:
            self.show_letters({})

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        key, current = event.key(), self.currentIndex()
        if self._takes_letters and event.text().isalpha():
            self._choose_by_letter(event.text())
        elif key == Qt.Key.Key_Escape and self._leave():
            return
        elif key == Qt.Key.Key_Space and current.column() in SWITCHES:
            self._delegate.editorEvent(event, self._order, QStyleOptionViewItem(), current)
        elif key == Qt.Key.Key_Space and current.isValid():
            self.choose(current.row(), event.modifiers(), toggles=True)
        elif key == Qt.Key.Key_G and not event.modifiers() and current.isValid():
            self.goRequested.emit()
        elif key in ENTER and self._order.is_setting_up:
            if self.state() != QAbstractItemView.State.EditingState:  # otherwise Enter keeps the count, and comes here
                self.beginRequested.emit()
        elif key in ENTER and current.isValid():
            self.opened.emit(current.row())
        elif key == Qt.Key.Key_A and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            rows = [self._order.row_at(place) for place in range(self._order.rowCount())]
            self.select_ids([row.id for row in rows if row.side == ENEMIES and not row.is_out])
        elif self._order.is_setting_up and event.text().isdecimal() and current.isValid():
            self.edit_count(event.text())
        else:
            super().keyPressEvent(event)
            if key in STEPS and event.modifiers() & Qt.KeyboardModifier.ShiftModifier and current.isValid():
                for index in (current, self.currentIndex()):
                    self.selectionModel().select(index, Flag.Select | Flag.Rows)

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Return the next current cell. Home and End lead to the first and last row, in the same column."""
        if action not in (QAbstractItemView.CursorAction.MoveHome, QAbstractItemView.CursorAction.MoveEnd):
            return super().moveCursor(action, modifiers)
        column = max(TurnOrderColumn.COUNT, self.currentIndex().column())
        return super().moveCursor(action, modifiers | Qt.KeyboardModifier.ControlModifier).siblingAtColumn(column)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.viewport().update()  # the focus ring is around whole rows, not only around the two cells

    def _leave(self) -> bool:
        """Cancel the drag, hide the letters, or clear the selection, whichever applies. Return False if none does."""
        self.left.emit()
        if self._drag:
            self._end_drag()
            self._pressed = None
        elif self._takes_letters:
            self.show_letters({})
        elif self.selectionModel().hasSelection():
            self.clearSelection()
        else:
            return False
        return True

    def edit_count(self, typed: str = "") -> None:
        """Edit the initiative count of the current row, starting with the text typed so far."""
        index = self.currentIndex().siblingAtColumn(TurnOrderColumn.COUNT)
        if not index.isValid():
            return
        self.setCurrentIndex(index)
        after = index.row() + 1
        self._counted_next = self._order.row_at(after).id if after < self._order.rowCount() else ""
        self.edit(index)
        self.countEdited.emit(index.row())
        editor = self.indexWidget(index)
        if typed and isinstance(editor, QLineEdit):
            editor.setText(typed)

    def closeEditor(self, editor: QWidget, hint: QtWidgets.QAbstractItemDelegate.EndEditHint) -> None:
        """Close an editor. Tab in an initiative count continues with the count of the row that was next."""
        index, place = self.currentIndex(), self._order.row_of(self._counted_next)
        onward = (
            hint == QtWidgets.QAbstractItemDelegate.EndEditHint.EditNextItem and index.column() == TurnOrderColumn.COUNT
        )
        super().closeEditor(editor, QtWidgets.QAbstractItemDelegate.EndEditHint.NoHint if onward else hint)
        self.countEdited.emit(-1)
        if onward and place >= 0:
            self.setCurrentIndex(index.siblingAtRow(place))
            self.edit_count()

    # Mouse ---------------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        super().mousePressEvent(event)
        place = self.rowAt(round(event.position().y()))
        if event.button() == Qt.MouseButton.LeftButton and place >= 0:
            self._pressed = (place, event.position().toPoint())

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        position = event.position().toPoint()
        if self._pressed is None:
            super().mouseMoveEvent(event)
            self._hover(self.rowAt(position.y()))
            return
        place, start = self._pressed
        far = (position - start).manhattanLength() >= QtWidgets.QApplication.startDragDistance()
        if not self._drag and far and self._is_movable(self._order.row_at(place)):
            self._drag = self._order.row_at(place).id
            self.setCurrentIndex(self._order.index(place, TurnOrderColumn.WHO))
        if self._drag:
            self._drag_to(position.y())

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        drop, dragged = self._drop, bool(self._drag)
        super().mouseReleaseEvent(event)
        if dragged:
            self._end_drag()
            if drop is not None:
                self.dropped.emit(drop)
        elif pressed is not None:
            self._click(event, pressed[0])

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(-1)

    def _click(self, event: QtGui.QMouseEvent, place: int) -> None:
        """Edit an initiative or select the row, unless a box was clicked. Clicking hit points asks for an amount."""
        index = self.indexAt(event.position().toPoint())
        if not index.isValid() or index.row() != place or index.column() in SWITCHES:
            return
        boxes = row_painter.death_save_boxes(self.visualRect(index), self._order.row_at(place))
        if index.column() == TurnOrderColumn.WHO and any(box.contains(event.position()) for _, box, _, _ in boxes):
            return
        if index.column() == TurnOrderColumn.COUNT and not event.modifiers():
            self.edit_count()
        else:
            self.choose(place, event.modifiers(), toggles=index.column() == TurnOrderColumn.LEAD)
        if self.is_on_points(index, event.position().toPoint()):
            self.pointsClicked.emit()

    def is_on_points(self, index: Index, point: QPoint) -> bool:
        """Whether a point is on the hit points in a cell."""
        if index.column() != TurnOrderColumn.WHO or self.look_of(index.row()).bare:
            return False
        return row_painter.points_rect(self.visualRect(index)).contains(point)

    def _hover(self, place: int) -> None:
        if place != self._hovered:
            self._hovered = place
            self.viewport().update()

    # Dragging ------------------------------------------------------------------------------------------------------

    def _is_movable(self, row: TurnOrderRow) -> bool:
        return bool(row.slot) and not row.is_out

    def _gap_row(self) -> int:
        """Return the row that contains the gap: the row below the gap, or the last one; -1 if there is no gap."""
        return -1 if self._drop is None else min(self._drop.row, self._last_placed())

    def _last_placed(self) -> int:
        rows = range(self._order.rowCount())
        return max((place for place in rows if self._is_movable(self._order.row_at(place))), default=-1)

    def _drag_to(self, y: int) -> None:
        """Open the gap at the destination of the dragged row, or close it if the row wouldn't move."""
        bar, edge = self.verticalScrollBar(), scaled(SCROLL_EDGE)
        if y < edge or y > self.viewport().height() - edge:
            bar.setValue(bar.value() + (edge if y >= edge else -edge) // 2)
        if (drop := self._drop_at(y)) != self._drop:
            self._drop = drop
            self._fit_rows()
            self.viewport().update()
            self.dragMoved.emit(drop)

    def _drop_at(self, y: int) -> Drop | None:
        moved = self._order.row_at(self._order.row_of(self._drag))
        destination = self._last_placed() + 1
        for place in range(self._last_placed() + 1):
            if y < self.without_gap(place, self._row_rect(place)).center().y():
                destination = place
                break
        above = self._order.row_at(destination - 1) if destination > 0 else None
        below = self._order.row_at(destination) if destination <= self._last_placed() else None
        if moved.slot in {row.slot for row in (above, below) if row is not None}:
            return None
        neighbour = below or above
        return Drop(moved.id, neighbour.id, below is None, destination) if neighbour is not None else None

    def _end_drag(self) -> None:
        self._drag = ""
        self._drop = None
        self._fit_rows()
        self.viewport().update()
        self.dragMoved.emit(None)
