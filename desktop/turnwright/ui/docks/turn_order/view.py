"""How the turn order is painted: counts, names with conditions, hit points, check marks during set-up."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QIntValidator, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from turnwright.rules.parts.damage.dying import FAILURES, SUCCESSES
from turnwright.ui.fonts import role_font, scaled, set_role
from turnwright.ui.icons import draw_icon
from turnwright.ui.models.turn_order import (
    ALIGNMENT,
    EDITORS,
    SWITCHES,
    TEXTS,
    TurnOrderColumn,
    TurnOrderModel,
    TurnOrderRow,
)
from turnwright.ui.theme import Theme, current_theme
from turnwright.ui.translations import number_text, tr
from turnwright.ui.widgets.paint import draw_hit_point_bar, draw_pip, hit_points

ROW_HEIGHT = 36
COUNT_WIDTH = 42
COUNTS = (-99, 999)
HEAD_PADDING = 8  # as in the style sheet's header sections, so that names align with their caption
Index = QModelIndex | QPersistentModelIndex


class TurnOrderDelegate(QStyledItemDelegate):
    """Paints one cell of the turn order; edits labels and check marks.

    `deathSaveClicked(who, track, value)` when a box of the death saves is clicked.
    """

    deathSaveClicked = Signal(str, str, int)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(scaled(40), scaled(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        if not isinstance(model, TurnOrderModel):
            return
        row = model.row_at(index.row())
        theme = current_theme()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        _ground(painter, option.rect, row, theme, selected)
        column = TurnOrderColumn(index.column())
        if column == TurnOrderColumn.COUNT:
            _count(painter, option.rect, row, theme)
        elif column == TurnOrderColumn.WHO:
            _who(painter, option.rect, row, theme, bare=model.is_setting_up)
        elif column in SWITCHES:
            _tick(painter, option.rect, ticked=SWITCHES[column].is_on(row), theme=theme)
        else:
            _text(painter, option.rect, row, column, theme)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(theme.colour("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), scaled(4), scaled(4))
        painter.restore()

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        if (
            isinstance(model, TurnOrderModel)
            and index.column() == TurnOrderColumn.WHO
            and event.type() == QEvent.Type.MouseButtonRelease
        ):
            return isinstance(event, QMouseEvent) and self._click_box(event, option.rect, model.row_at(index.row()))
        if not isinstance(model, TurnOrderModel) or index.column() not in SWITCHES or not model.is_setting_up:
            return False
        clicked = event.type() == QEvent.Type.MouseButtonRelease
        typed = (
            event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Space
        )
        if not clicked and not typed:
            return event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
        now = index.data(Qt.ItemDataRole.CheckStateRole)
        other = Qt.CheckState.Unchecked if now == Qt.CheckState.Checked else Qt.CheckState.Checked
        return model.setData(index, other, Qt.ItemDataRole.CheckStateRole)

    def _click_box(self, event: QMouseEvent, rect: QRect, row: TurnOrderRow) -> bool:
        """Tick a death save, or untick the last one."""
        for track, box, number, ticked in death_save_boxes(rect, row):
            if box.adjusted(-2, -4, 2, 4).contains(event.position()):
                self.deathSaveClicked.emit(row.id, track, number - 1 if ticked else number)
                return True
        return False

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        if index.column() == TurnOrderColumn.COUNT:
            editor.setValidator(QIntValidator(*COUNTS, editor))
            editor.setAlignment(Qt.AlignmentFlag.AlignRight)
        editor.setAccessibleName(tr(EDITORS[TurnOrderColumn(index.column())].name))
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        if isinstance(editor, QLineEdit):
            value = index.data(Qt.ItemDataRole.EditRole)
            editor.setText("" if value is None else str(value))
            editor.selectAll()

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(option.rect.adjusted(scaled(1), scaled(2), -scaled(1), -scaled(2)))


class TurnOrderView(QTableView):
    """The table of combatants. The name takes the width that the other columns leave; it never scrolls sideways."""

    def __init__(self, model: TurnOrderModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._order = model
        self._delegate = TurnOrderDelegate(self)
        self.deathSaveClicked = self._delegate.deathSaveClicked
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(tr("ui.turn-order.title"))
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.clicked.connect(self._on_clicked)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setMinimumSectionSize(scaled(20))
        self.fit()

    def fit(self) -> None:
        """Set the sizes of rows and columns for the font scale; columns of check marks are shown during set-up."""
        ticks = self._order.is_setting_up
        self.verticalHeader().setDefaultSectionSize(scaled(ROW_HEIGHT))
        for column in SWITCHES:
            self.setColumnHidden(column, not ticks)
        header = self.horizontalHeader()
        header.setVisible(ticks)
        set_role(header, "caption")
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(TurnOrderColumn.WHO, QHeaderView.ResizeMode.Stretch)
        for column in TurnOrderColumn:
            if column != TurnOrderColumn.WHO:
                header.resizeSection(column, self._width_of(column))

    def _width_of(self, column: TurnOrderColumn) -> int:
        """Return the width of a column: fixed for the count, else that of its header or its widest text."""
        if column == TurnOrderColumn.COUNT:
            return scaled(COUNT_WIDTH)
        text = str(self._order.headerData(column, Qt.Orientation.Horizontal))
        width = QFontMetrics(role_font("caption")).horizontalAdvance(text)
        if column in TEXTS:
            metrics, write = QFontMetrics(role_font("body")), TEXTS[column]
            rows = range(self._order.rowCount())
            width = max([width, *(metrics.horizontalAdvance(write(self._order.row_at(row))) for row in rows)])
        return width + scaled(2 * HEAD_PADDING + 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.currentIndex().column() in SWITCHES:
            self._delegate.editorEvent(event, self._order, QStyleOptionViewItem(), self.currentIndex())
            return
        if self._order.is_setting_up and event.text().isdecimal() and self.currentIndex().isValid():
            self.edit_count(event.text())
            return
        super().keyPressEvent(event)

    def edit_count(self, typed: str = "") -> None:
        """Edit the count of the current row, beginning with what has been typed."""
        index = self.currentIndex().siblingAtColumn(TurnOrderColumn.COUNT)
        if not index.isValid():
            return
        self.setCurrentIndex(index)
        self.edit(index)
        editor = self.indexWidget(index)
        if typed and isinstance(editor, QLineEdit):
            editor.setText(typed)

    def _on_clicked(self, index: QModelIndex) -> None:
        if index.column() == TurnOrderColumn.COUNT:
            self.edit_count()

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """Close an editor; Tab in a count goes on to the count of the next row."""
        index = self.currentIndex()
        onward = hint == QAbstractItemDelegate.EndEditHint.EditNextItem and index.column() == TurnOrderColumn.COUNT
        super().closeEditor(editor, QAbstractItemDelegate.EndEditHint.NoHint if onward else hint)
        if onward and index.row() + 1 < self._order.rowCount():
            self.setCurrentIndex(index.siblingAtRow(index.row() + 1))
            self.edit_count()


def _ground(painter: QPainter, rect: QRect, row: TurnOrderRow, theme: Theme, selected: bool) -> None:
    if selected:
        painter.fillRect(rect, theme.colour("selection"))
    elif row.active:
        painter.fillRect(rect, theme.colour("accent_soft"))


def _count(painter: QPainter, rect: QRect, row: TurnOrderRow, theme: Theme) -> None:
    if row.active:
        painter.fillRect(QRect(rect.left(), rect.top(), scaled(4), rect.height()), theme.colour("accent"))
        size = scaled(18)
        box = QRectF(rect.left() + scaled(2), rect.center().y() - size / 2 + 1, size, size)
        draw_icon(painter, "menu-right", box, theme.colour("accent"))
    painter.setFont(role_font("strong" if row.active else "body"))
    painter.setPen(theme.colour("muted" if row.state == "dead" else "text"))
    text = "–" if row.count is None else str(row.count)
    painter.drawText(
        rect.adjusted(0, 0, -scaled(6), 0), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text
    )


def _text(painter: QPainter, rect: QRect, row: TurnOrderRow, column: TurnOrderColumn, theme: Theme) -> None:
    """Paint the text of a column that has no painting of its own."""
    painter.setFont(role_font("strong" if row.active else "body"))
    painter.setPen(theme.colour("muted" if row.state == "dead" else "text"))
    room = rect.adjusted(scaled(HEAD_PADDING), 0, -scaled(HEAD_PADDING), 0)
    painter.drawText(room, ALIGNMENT[column] | Qt.AlignmentFlag.AlignVCenter, TEXTS[column](row))


def _who(painter: QPainter, rect: QRect, row: TurnOrderRow, theme: Theme, *, bare: bool) -> None:
    """Paint the name over a line of tags; on the right the hit points, and a pip while a reaction is left."""
    right = rect.right() - scaled(8)
    if not bare:
        right = _points(painter, rect, row, theme)
    left = rect.left() + scaled(HEAD_PADDING)
    width = max(scaled(20), right - left - scaled(6))
    tagged = bool(row.tags) or row.next_up
    dead = row.state == "dead"
    name = role_font("strong" if row.active else "body")
    name.setStrikeOut(dead)
    painter.setFont(name)
    painter.setPen(theme.colour("muted" if dead else "text"))
    metrics = QFontMetrics(name)
    label = metrics.elidedText(row.label, Qt.TextElideMode.ElideRight, width)
    if not tagged:
        painter.drawText(QRect(left, rect.top(), width, rect.height()), Qt.AlignmentFlag.AlignVCenter, label)
        return
    caption = QFontMetrics(role_font("caption"))
    top = rect.top() + (rect.height() - metrics.height() - caption.height()) // 2
    painter.drawText(QRect(left, top, width, metrics.height()), Qt.AlignmentFlag.AlignVCenter, label)
    _tags(painter, QRect(left, top + metrics.height(), width, caption.height()), row, theme)


def _tags(painter: QPainter, rect: QRect, row: TurnOrderRow, theme: Theme) -> None:
    painter.setFont(role_font("caption"))
    metrics = painter.fontMetrics()
    left = rect.left()
    size = min(scaled(13), rect.height())
    marks = [(tag.text, tag.icon, tag.tone) for tag in row.tags]
    if row.next_up:
        marks.insert(0, (tr("ui.turn-order.next-up"), "chevron-right", "accent"))
    for text, icon, tone in marks:
        room = rect.right() - left - size - scaled(3)
        if room < scaled(8):
            break
        draw_icon(painter, icon, QRectF(left, rect.center().y() - size / 2 + 0.5, size, size), theme.colour(tone))
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        painter.setPen(theme.colour(tone))
        box = QRect(left + size + scaled(3), rect.top(), room, rect.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, shown)
        left += size + scaled(3) + metrics.horizontalAdvance(shown) + scaled(8)


def _points(painter: QPainter, rect: QRect, row: TurnOrderRow, theme: Theme) -> int:
    """Paint the hit points and the reaction's pip at the right; return where they begin."""
    pip = rect.right() - scaled(10)
    if row.can_react and row.state != "down":
        draw_pip(
            painter,
            QRectF(pip - scaled(4), rect.center().y() - scaled(4), scaled(8), scaled(8)).center(),
            scaled(4),
            theme,
            "accent",
            filled=True,
        )
    painter.setFont(role_font("caption"))
    metrics = painter.fontMetrics()
    cap = f" +{row.temp_hp}" if row.temp_hp else ""
    text = f"{number_text(row.hp)}/{row.hp_max}{cap}"
    width = max(metrics.horizontalAdvance("000/000"), metrics.horizontalAdvance(text), scaled(56))
    right = pip - scaled(10)
    left = right - width
    painter.setPen(theme.colour("muted" if row.state == "dead" else "text"))
    middle = rect.center().y()
    align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
    painter.drawText(
        QRect(left, middle - metrics.height() - scaled(1), width, metrics.height() + scaled(2)), align, text
    )
    if row.death_saves is not None:
        _death(painter, rect, row, theme)
        return left
    state = row.state if row.state in ("bloodied", "down") else "down" if row.state == "dead" else ""
    points = hit_points(row.hp, row.hp_max, row.temp_hp, state)
    draw_hit_point_bar(painter, QRectF(left, middle + scaled(4), width, scaled(6)), points, theme)
    return left


def death_save_boxes(rect: QRect, row: TurnOrderRow) -> list[tuple[str, QRectF, int, bool]]:
    """Return the boxes of the death saves in the cell of a row: track, place, number, and whether it is ticked."""
    if row.death_saves is None:
        return []
    kinds = (
        (SUCCESSES, row.death_saves.successes, row.death_saves.successes_needed),
        (FAILURES, row.death_saves.failures, row.death_saves.failures_allowed),
    )
    size, step, gap = scaled(8), scaled(10), scaled(5)
    left = (
        rect.right() - scaled(10) - step * (row.death_saves.successes_needed + row.death_saves.failures_allowed) - gap
    )
    top = rect.center().y() + scaled(3)
    found = []
    for track, value, most in kinds:
        for number in range(1, most + 1):
            found.append((track, QRectF(left, top, size, size), number, number <= value))
            left += step
        left += gap
    return found


def _death(painter: QPainter, rect: QRect, row: TurnOrderRow, theme: Theme) -> None:
    """Paint the death saves: circles for successes, squares for failures, filled when ticked."""
    for track, box, _number, ticked in death_save_boxes(rect, row):
        colour = theme.colour("heal" if track == SUCCESSES else "harm")
        painter.setPen(QPen(colour, 1.2))
        painter.setBrush(colour if ticked else Qt.BrushStyle.NoBrush)
        if track == SUCCESSES:
            painter.drawEllipse(box)
        else:
            painter.drawRect(box)


def _tick(painter: QPainter, rect: QRect, *, ticked: bool, theme: Theme) -> None:
    size = scaled(16)
    box = QRectF(rect.center().x() - size / 2 + 0.5, rect.center().y() - size / 2 + 0.5, size, size)
    painter.setPen(QPen(theme.colour("accent" if ticked else "edge"), 1))
    painter.setBrush(theme.colour("accent" if ticked else "raised"))
    painter.drawRoundedRect(box, scaled(4), scaled(4))
    if ticked:
        draw_icon(painter, "check-bold", box.adjusted(2, 2, -2, -2), theme.colour("accent_text"))
