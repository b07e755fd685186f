"""The Journal panel: the list of journal lines, and a field to write a note.

Lines don't wrap, because the layout of ten thousand lines is fast only if all have the same height. A card shows an
elided line in full.
"""

import msgspec
from PySide6 import QtWidgets
from PySide6.QtCore import QModelIndex, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent

from turnwright.play.kernel.events import JournalLine
from turnwright.play.table.game_master import AddNote
from turnwright.ui.docks.dock import Dock
from turnwright.ui.docks.shared.explainer import Explainer, explainer, subject_name
from turnwright.ui.look.icons import draw_icon
from turnwright.ui.look.style import Theme, ThemeSource, current_theme, role_font, scaled, tr
from turnwright.ui.look.window_data import icons
from turnwright.ui.models.journal import Index, JournalModel
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.workers import single_shot_timer
from turnwright.ui.widgets.fields import add_action_with_key, pop_up
from turnwright.ui.widgets.layout import EmptyState, fill, horizontal, vertical
from turnwright.ui.widgets.paint import draw_focus
from turnwright.ui.widgets.rules.why import HOVER_MS, WhyPopup
from turnwright.ui.widgets.text import IconLabel, ToolButton, named

ROW_HEIGHT = 24
INDENT = 26
MARGIN = 8
ICONS = icons("journal")


def text_runs(text: str, subject: str) -> list[tuple[str, bool]]:
    """Split a text into runs (text, is bold), with the first mention of the subject in bold."""
    at = text.find(subject) if subject else -1
    if at < 0:
        return [(text, False)]
    runs = [(text[:at], False), (subject, True), (text[at + len(subject) :], False)]
    return [run for run in runs if run[0]]


class JournalDelegate(QtWidgets.QStyledItemDelegate):
    """Paints one line of the journal."""

    def sizeHint(self, option: QtWidgets.QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(scaled(200), scaled(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QtWidgets.QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        if not isinstance(model, JournalModel):
            return
        line, text = model.line_at(index.row()), model.text_at(index.row())
        theme = current_theme()
        painter.save()
        if option.state & QtWidgets.QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, theme.colour("selection"))
        elif option.state & QtWidgets.QStyle.StateFlag.State_MouseOver and line.kind != "header":
            painter.fillRect(option.rect, theme.colour("sunken"))
        if line.kind == "header":
            _header(painter, option.rect, text, theme)
        else:
            _event(painter, option.rect, line, text, theme)
        if option.state & QtWidgets.QStyle.StateFlag.State_HasFocus:
            draw_focus(painter, QRectF(option.rect), scaled(4))
        painter.restore()

    def createEditor(
        self, parent: QtWidgets.QWidget, option: QtWidgets.QStyleOptionViewItem, index: Index
    ) -> QtWidgets.QWidget:
        editor = super().createEditor(parent, option, index)
        editor.setAccessibleName(tr("ui.journal.correct"))
        return editor

    def updateEditorGeometry(
        self, editor: QtWidgets.QWidget, option: QtWidgets.QStyleOptionViewItem, index: Index
    ) -> None:
        editor.setGeometry(option.rect.adjusted(scaled(INDENT), 0, -scaled(4), 0))


def _header(painter: QPainter, rect: QRect, text: str, theme: Theme) -> None:
    font = role_font("strong")
    painter.setFont(font)
    painter.setPen(theme.colour("accent"))
    left = rect.left() + scaled(8)
    painter.drawText(rect.adjusted(scaled(8), 0, -scaled(8), 0), Qt.AlignmentFlag.AlignVCenter, text)
    after = left + QFontMetrics(font).horizontalAdvance(text) + scaled(10)
    painter.setPen(QPen(theme.colour("line"), 1))
    if after < rect.right() - scaled(8):
        painter.drawLine(after, rect.center().y(), rect.right() - scaled(8), rect.center().y())


def _event(painter: QPainter, rect: QRect, line: JournalLine, text: str, theme: Theme) -> None:
    icon, tone = ICONS.get(line.kind, ("", ""))
    if icon:
        size = scaled(14)
        box = QRectF(rect.left() + scaled(8), rect.center().y() - size / 2 + 0.5, size, size)
        draw_icon(painter, icon, box, theme.colour(tone))
    plain, strong = _fonts()
    left = rect.left() + scaled(INDENT)
    right = rect.right() - scaled(MARGIN)
    runs = text_runs(text, subject_name(line))
    for number, (run, bold) in enumerate(runs):
        font = strong if bold else plain
        metrics = QFontMetrics(font)
        room = right - left
        for following, heavy in runs[number + 1 : number + 2]:  # if a run is long, leave room for the rest of the line
            room -= min(QFontMetrics(strong if heavy else plain).horizontalAdvance(following), room // 2)
        visible_text = metrics.elidedText(run, Qt.TextElideMode.ElideMiddle, room)  # keep the end, which is the outcome
        painter.setFont(font)
        quiet = line.kind in ("roll", "note") and not bold
        painter.setPen(theme.colour("muted" if quiet else "text"))
        place = QRect(left, rect.top(), right - left, rect.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, visible_text)
        left += metrics.horizontalAdvance(visible_text)


def _fonts() -> tuple[QFont, QFont]:
    """Return the fonts for a line's text and its subject."""
    plain, strong = role_font("body"), role_font("body")
    strong.setWeight(QFont.Weight.DemiBold)
    return plain, strong


class JournalView(QtWidgets.QListView):
    """The list of journal lines. Hovering or pressing `?` opens a card with the full text, dice and reasons.

    While scrolled to the end, the list follows new lines.
    """

    def __init__(self, model: JournalModel, explain: Explainer) -> None:
        super().__init__(uniformItemSizes=True)
        self._journal = model
        self._explain = explain
        self.popup = WhyPopup(self)
        self._hovered = -1
        self._at_end = True
        self._delegate = JournalDelegate(self)
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(tr("ui.journal.title"))
        self.setMouseTracking(True)
        self.setEditTriggers(QtWidgets.QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QtWidgets.QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._timer = single_shot_timer(self, lambda: self.open_card(self._hovered, hovered=True), HOVER_MS)
        self.verticalScrollBar().valueChanged.connect(self._note_end)
        self.verticalScrollBar().rangeChanged.connect(self._follow_end)
        model.rowsInserted.connect(self._follow_end)
        model.modelReset.connect(self.scrollToBottom)
        self.scrollToBottom()

    def open_card(self, row: int, *, hovered: bool = False) -> bool:
        """Show the card of a line. Return False if the line isn't elided and has no details."""
        self.close_card()
        if not 0 <= row < self._journal.rowCount():
            return False
        why = self._explain.explain_journal_line(self._journal.line_at(row))
        if self.is_cut(row):
            why = msgspec.structs.replace(why, title=self._journal.text_at(row))
        elif not (why.lines or why.dice):
            return False
        part = self.visualRect(self._journal.index(row)).adjusted(scaled(INDENT), 0, 0, 0)
        self.popup.open(why, part, self.viewport(), hovered=hovered)
        return True

    def is_cut(self, row: int) -> bool:
        """Whether a line is elided."""
        line = self._journal.line_at(row)
        plain, strong = (QFontMetrics(font) for font in _fonts())
        runs = text_runs(self._journal.text_at(row), subject_name(line))
        wide = sum((strong if bold else plain).horizontalAdvance(run) for run, bold in runs)
        return wide > self.viewport().width() - scaled(INDENT) - scaled(MARGIN)

    def close_card(self) -> None:
        """Close the card."""
        self._timer.stop()
        self.popup.close()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show only whole lines. The remaining height stays empty above them."""
        self.setViewportMargins(0, self.contentsRect().height() % scaled(ROW_HEIGHT), 0, 0)
        super().resizeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Question:
            self.open_card(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if (row := self.indexAt(event.position().toPoint()).row()) != self._hovered:
            self._hovered = row
            self.close_card()
            if row >= 0:
                self._timer.start()

    def leaveEvent(self, event: object) -> None:
        self._hovered = -1
        self._timer.stop()
        super().leaveEvent(event)  # type: ignore[arg-type]

    def _note_end(self) -> None:
        bar = self.verticalScrollBar()
        self._at_end = bar.value() >= bar.maximum() - scaled(ROW_HEIGHT)

    def _follow_end(self) -> None:
        self.close_card()
        if self._at_end:
            self.scrollToBottom()


MIN_HEIGHT = 56  # two lines


class JournalDock(Dock):
    """The Journal panel. A click or Enter selects the subject of a line.

    Emits `homeRequested` after a note was written, and on Esc.
    """

    name = "journal"
    has_home = True

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        explain = explainer(document)
        self.model = JournalModel(document, explain.phrase, self)
        self.view = JournalView(self.model, explain)
        self.empty = EmptyState("script-text-outline", document.words("ui.journal.empty"))
        self.note = QtWidgets.QLineEdit(placeholderText=document.words("ui.journal.note"))
        self.note.setAccessibleName(document.words("ui.journal.note"))
        self.note.returnPressed.connect(self._write)
        short = document.words("ui.journal.all")
        self.bookkeeping = QAction(document.words("ui.journal.bookkeeping"), self, iconText=short, checkable=True)
        self.bookkeeping.toggled.connect(self.model.show_bookkeeping)
        self._stack = fill(QtWidgets.QStackedWidget(), self.empty, self.view)
        # keeps the note visible
        self._stack.setSizePolicy(QtWidgets.QSizePolicy.Policy.Preferred, QtWidgets.QSizePolicy.Policy.Ignored)
        self._stack.setMinimumHeight(scaled(MIN_HEIGHT))
        self.setWidget(self._inside())
        self._correct = add_action_with_key(self.view, document.words("ui.journal.correct"), "F2", self._edit)
        self._show = add_action_with_key(self.view, document.words("ui.journal.go"), "Return", self._go)
        self.view.clicked.connect(self._select)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._menu_at)
        theme.changed.connect(self._restyle)
        for signal in (self.model.rowsInserted, self.model.rowsRemoved, self.model.modelReset):
            signal.connect(lambda *_: self._show_what_there_is())
        self._show_what_there_is()

    def explain(self) -> bool:
        """Explain the current line. Return False if it has no details."""
        return self.view.open_card(self.view.currentIndex().row())

    def _inside(self) -> QtWidgets.QWidget:
        inside = QtWidgets.QWidget()
        switch = named(ToolButton(), self.bookkeeping.text())
        switch.setDefaultAction(self.bookkeeping)
        sign = IconLabel("note-text-outline", "muted", 16)
        row = fill(horizontal(margins=(8, 0, 8, 0)), sign, (self.note, 1), switch)
        fill(vertical(inside, spacing=6, margins=(0, 0, 0, 6)), (self._stack, 1), row)
        return inside

    def _restyle(self) -> None:
        self.view.scheduleDelayedItemsLayout()
        self.view.viewport().update()

    def _show_what_there_is(self) -> None:
        self._stack.setCurrentIndex(1 if self.model.rowCount() else 0)

    def _write(self) -> None:
        if (text := self.note.text().strip()) and self._document.execute(AddNote(text)):
            self.note.clear()
            self.homeRequested.emit()

    def _select(self, index: QModelIndex) -> None:
        table, id = self.model.line_at(index.row()).subject
        if id and self._document.encounter.record((table, id)) is not None:
            self._document.select((table, id))

    def _go(self) -> None:
        if self.view.currentIndex().isValid():
            self._select(self.view.currentIndex())

    def _edit(self) -> None:
        if self.view.currentIndex().isValid():
            self.view.edit(self.view.currentIndex())

    def _menu_at(self, place: QPoint) -> None:
        index = self.view.indexAt(place)
        menu = QtWidgets.QMenu(self.view)
        if index.isValid():
            self.view.setCurrentIndex(index)
            self._show.setEnabled(bool(self.model.line_at(index.row()).subject[1]))
            menu.addActions([self._show, self._correct])
            menu.addSeparator()
        menu.addAction(self.bookkeeping)
        pop_up(menu, self.view.viewport().mapToGlobal(place))
