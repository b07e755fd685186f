"""The Journal panel: the list of journal lines, and a field to write a note."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QLineEdit,
    QMenu,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from turnwright.play.table.game_master import AddNote
from turnwright.ui.docks.dock import Dock
from turnwright.ui.docks.journal.view import JournalView
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.look.fonts import scaled
from turnwright.ui.look.theme import ThemeSource
from turnwright.ui.models.journal import JournalModel
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.cards import EmptyState
from turnwright.ui.widgets.layout import fill, horizontal, vertical
from turnwright.ui.widgets.pick_row import add_action_with_key, pop_up
from turnwright.ui.widgets.text import IconLabel, ToolButton

MIN_HEIGHT = 56  # two lines


class JournalDock(Dock):
    """The Journal panel. A click or Enter selects the subject of a line.

    Emits `homeRequested` after a note was written, and on Esc.
    """

    name = "journal"
    homeRequested = Signal()

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        explain = explainer(document)
        self.model = JournalModel(document, explain.phrase, self)
        self.view = JournalView(self.model, explain)
        self.empty = EmptyState("script-text-outline", document.words("ui.journal.empty"))
        self.note = QLineEdit()
        self.note.setPlaceholderText(document.words("ui.journal.note"))
        self.note.setAccessibleName(document.words("ui.journal.note"))
        self.note.returnPressed.connect(self._write)
        self.bookkeeping = QAction(document.words("ui.journal.bookkeeping"), self)
        self.bookkeeping.setIconText(document.words("ui.journal.all"))
        self.bookkeeping.setCheckable(True)
        self.bookkeeping.toggled.connect(self.model.show_bookkeeping)
        self._stack = fill(QStackedWidget(), self.empty, self.view)
        self._stack.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)  # keeps the note visible
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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.homeRequested.emit()
        else:
            super().keyPressEvent(event)

    def explain(self) -> bool:
        """Explain the current line. Return False if it has no details."""
        return self.view.explain()

    def _inside(self) -> QWidget:
        inside = QWidget()
        switch = ToolButton()
        switch.setDefaultAction(self.bookkeeping)
        switch.setAccessibleName(self.bookkeeping.text())
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
        text = self.note.text().strip()
        if text and self._document.execute(AddNote(text)):
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
        menu = QMenu(self.view)
        if index.isValid():
            self.view.setCurrentIndex(index)
            self._show.setEnabled(bool(self.model.line_at(index.row()).subject[1]))
            menu.addActions([self._show, self._correct])
            menu.addSeparator()
        menu.addAction(self.bookkeeping)
        pop_up(menu, self.view.viewport().mapToGlobal(place))
