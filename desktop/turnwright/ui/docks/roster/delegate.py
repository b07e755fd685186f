"""The roster's list: rows that are painted and edited in place, with keys for the count and the side of an entry."""

from PySide6.QtCore import QAbstractItemModel, QEvent, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPainterStateGuard, QPen
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QLineEdit, QStyle, QStyleOptionViewItem, QTableView, QWidget

from turnwright.encounter.field_specs import spec_of
from turnwright.encounter.prepared import RosterEntry
from turnwright.encounter.state import wave_name
from turnwright.ui.docks.shared.row_view import RowDelegate, RowView, draw_background, draw_text, is_heading
from turnwright.ui.look.icons import draw_icon
from turnwright.ui.look.style import GAP, SPACE, current_theme, role_metrics, scaled, tr
from turnwright.ui.models.roster import CAPTIONS, FIELDS, INHERITED_ROLE, NUMBERS, SWITCHES, RosterColumn, RosterModel
from turnwright.ui.models.row_list_model import DETAIL_ROLE, Index, side_name
from turnwright.ui.widgets.fields import ComboBox, NumberField, with_options

ICONS = {RosterColumn.SNEAKING: "foot-print", RosterColumn.HIDDEN: "eye-off"}
EDITOR_EXTRA = 24
TITLE_ROLE = (RosterColumn.COUNT, RosterColumn.NAME)


class RosterDelegate(RowDelegate):
    """Paints rows, headings and the captions of the columns, and creates the editors of cells."""

    def __init__(self, model: RosterModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model

    def widths(self) -> dict[RosterColumn, int]:
        """Return the required width of each column except the name. Each distinct text is measured once."""
        body, caption = role_metrics("body"), role_metrics("caption")
        widths: dict[RosterColumn, int] = {}
        for column in RosterColumn:
            if column == RosterColumn.NAME:
                continue
            head = caption.horizontalAdvance(tr(CAPTIONS[column])) if column in CAPTIONS else 0
            if column in SWITCHES:
                widths[column] = head + scaled(GAP)
                continue
            extra = scaled(EDITOR_EXTRA) if column in (RosterColumn.SIDE, RosterColumn.WAVE) else 0
            texts = [body.horizontalAdvance(text) + extra for text in self._model.texts(column)]
            widths[column] = max(scaled(44), max([head, *texts]) + scaled(GAP * 2))
        return widths

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        column = RosterColumn(index.column())
        with QPainterStateGuard(painter):
            if is_heading(index):
                view, widths = option.widget, [0, option.rect.width()]
                if isinstance(view, QTableView):
                    widths = [view.columnWidth(title_column) for title_column in TITLE_ROLE]
                self._draw_heading_cell(painter, option.rect, index, column, widths)
                return
            draw_background(painter, option, index)
            if column in SWITCHES:
                self._draw_switch(painter, option, index, column)
            else:
                self.draw_row(painter, option, index)

    def check_area(self, rect: QRect, index: Index) -> QRect:
        """Return the area in which a click toggles the check mark: the whole cell."""
        return rect

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        column = RosterColumn(index.column())
        if column in NUMBERS:
            blank = "" if column == RosterColumn.COUNT else index.data(INHERITED_ROLE)
            spec = spec_of(RosterEntry, FIELDS[column])
            number = NumberField(spec.least, spec.most, "", blank, parent)
            number.setProperty("compact", True)
            number.setButtonSymbols(NumberField.ButtonSymbols.NoButtons)
            editor: QWidget = number
        elif column in (RosterColumn.SIDE, RosterColumn.WAVE):
            editor = self._choice(parent, column)
        else:
            editor = QLineEdit(parent, placeholderText=index.data(Qt.ItemDataRole.DisplayRole))
        name = "ui.roster-entry.name" if column == RosterColumn.NAME else "ui.roster-entry.count"
        editor.setAccessibleName(tr(CAPTIONS.get(column, name)))
        editor.setAutoFillBackground(True)
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        value = index.data(Qt.ItemDataRole.EditRole)
        if isinstance(editor, NumberField):
            editor.set_number(value)
            editor.selectAll()
        elif isinstance(editor, ComboBox):
            editor.setCurrentIndex(editor.findData(value))
            editor.setEditText(side_name(value) if index.column() == RosterColumn.SIDE else wave_name(value))
            editor.text_line().selectAll()
        elif isinstance(editor, QLineEdit):
            editor.setText(value)

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        if isinstance(editor, NumberField):
            editor.interpretText()
            model.setData(index, editor.number(), Qt.ItemDataRole.EditRole)
        elif isinstance(editor, QComboBox):
            place = editor.findText(editor.currentText())
            value = editor.itemData(place) if place >= 0 else None
            model.setData(index, value or editor.currentText(), Qt.ItemDataRole.EditRole)
        elif isinstance(editor, QLineEdit):
            model.setData(index, editor.text(), Qt.ItemDataRole.EditRole)

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(option.rect.adjusted(0, -scaled(1), 0, scaled(1)))

    def _choice(self, parent: QWidget, column: RosterColumn) -> ComboBox:
        box = ComboBox(parent)
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        sides = ((side, side_name(side)) for side in dict.fromkeys(("enemies", "party", *self._model.sides())))
        return with_options(box, sides if column == RosterColumn.SIDE else self._model.waves())

    def _draw_heading_cell(
        self, painter: QPainter, rect: QRect, index: Index, column: RosterColumn, widths: list[int]
    ) -> None:
        painter.setPen(QPen(current_theme().colour("line"), 1))
        painter.drawLine(rect.left(), rect.bottom(), rect.right() + 1, rect.bottom())
        if column in TITLE_ROLE:
            before = widths[0] if column == RosterColumn.NAME else 0
            self._draw_title(painter, rect, index, QRect(rect.left() - before, rect.top(), sum(widths), rect.height()))
        elif column in SWITCHES:
            draw_text(painter, rect, index.data() or "", "caption", "muted", align=Qt.AlignmentFlag.AlignHCenter)
        else:
            align = Qt.AlignmentFlag.AlignRight if column in NUMBERS else Qt.AlignmentFlag.AlignLeft
            room = rect.adjusted(scaled(GAP), 0, -scaled(GAP), 0)
            draw_text(painter, room, index.data() or "", "caption", "muted", align=align)

    def _draw_title(self, painter: QPainter, rect: QRect, index: Index, both: QRect) -> None:
        """Paint a heading's text across the first two cells. Each call paints the part inside one cell."""
        name = index.sibling(index.row(), RosterColumn.NAME)
        painter.setClipRect(rect)
        wide = both.adjusted(scaled(SPACE), 0, -scaled(SPACE), 0)
        used = draw_text(painter, wide, name.data(), "strong", "text")
        draw_text(painter, wide.adjusted(used + scaled(GAP), 0, 0, 0), name.data(DETAIL_ROLE) or "", "caption", "muted")

    def _draw_switch(self, painter: QPainter, option: QStyleOptionViewItem, index: Index, column: RosterColumn) -> None:
        on, state = Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole)) == Qt.CheckState.Checked, option.state
        near = QStyle.StateFlag.State_MouseOver in state or QStyle.StateFlag.State_Selected in state
        if not on and not near:
            return
        side = scaled(16)
        rect = option.rect
        place = QRect(rect.center().x() - side // 2, rect.center().y() - side // 2, side, side)
        draw_icon(painter, ICONS[column], place, current_theme().colour("warn" if on else "edge"))

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        return False if is_heading(index) else super().editorEvent(event, model, option, index)


MORE_KEYS = (Qt.Key.Key_Plus,)
ENCOUNTER_ROW = 32
FEWER_KEYS = (Qt.Key.Key_Minus, Qt.Key.Key_Underscore)


class RosterView(RowView):
    """The rows of the roster.

    Emits `countChangeRequested(±1)` on + and −, and `sideChangeRequested(±1)` on Ctrl+Left and Ctrl+Right.
    Emits `partyEditRequested` on F2 at a heading, or before a row is chosen.
    """

    countChangeRequested = Signal(int)
    sideChangeRequested = Signal(int)
    partyEditRequested = Signal()
    printRequested = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, fits_rows=True, row_height=ENCOUNTER_ROW)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, editing = event.key(), self.state() == QAbstractItemView.State.EditingState
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        is_chosen = self.currentIndex().isValid() and not is_heading(self.currentIndex())
        if key == Qt.Key.Key_F2 and not (editing or is_chosen):
            self.partyEditRequested.emit()
        elif editing or not self.currentIndex().isValid():
            super().keyPressEvent(event)
        elif control and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.sideChangeRequested.emit(-1 if key == Qt.Key.Key_Left else 1)
        elif not control and key in (*MORE_KEYS, *FEWER_KEYS):
            self.countChangeRequested.emit(1 if key in MORE_KEYS else -1)
        else:
            super().keyPressEvent(event)
