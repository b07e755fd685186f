"""The library dock: everything that can be taken into an encounter, found while typing, added by Enter, a double click or a drag."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import msgspec
from PySide6.QtCore import QEvent, QModelIndex, QObject, QRunnable, Qt, QThreadPool, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDockWidget,
    QHBoxLayout,
    QLineEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from turnwright.encounter.prepared import Countdown, Creature, Environment, RosterEntry
from turnwright.encounter.state import Key
from turnwright.play.commands import Edit
from turnwright.play.steps import Changed
from turnwright.storage.library import Library, LibraryEntry, LibraryRecord
from turnwright.storage.resources import samples
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.bringing_in import bring_in, is_origin
from turnwright.ui.docks.row_delegate import RowDelegate
from turnwright.ui.docks.row_view import RowView
from turnwright.ui.fonts import GAP, SPACE, px
from turnwright.ui.icons import icon
from turnwright.ui.models.library import LibraryModel, items_of
from turnwright.ui.say import say
from turnwright.ui.theme import ThemeSource
from turnwright.ui.widgets.cards import Banner, EmptyState
from turnwright.ui.widgets.text import push_button
from turnwright.ui.widgets.why import Why, WhyLine, WhyPopup
from turnwright.workspace.folders import folders

NAME = "library"


class _Scan(QObject):
    done = Signal(object)


class _Scanning(QRunnable):
    """Reads the list of the library in a worker."""

    def __init__(self, library: Library, scan: _Scan) -> None:
        super().__init__()
        self._library = library
        self._scan = scan

    def run(self) -> None:
        entries = self._library.entries()
        with suppress(RuntimeError):  # the window, and all that listens, may have gone meanwhile
            self._scan.done.emit(entries)


def usual_library() -> Library:
    """Return the person's own library with everything shipped, remembered in the state folder."""
    usual = folders()
    return Library.standard(usual.library, usual.state / "library.index")


class LibraryDock(QDockWidget):
    """`openRequested(path)` when a person wants to open a sample encounter; `opened(key)` to edit what was added."""

    openRequested = Signal(str)
    opened = Signal(object)
    listed = Signal()

    def __init__(
        self, bridge: Bridge, theme: ThemeSource, parent: QWidget | None = None, *, library: Library | None = None
    ) -> None:
        super().__init__(say("ui.library.title"), parent)
        self.setObjectName(NAME)
        self.setAccessibleName(say("ui.library.title"))
        self._bridge = bridge
        self._theme = theme
        self.library = library or usual_library()
        self._entries: Sequence[LibraryEntry] = ()
        self._scan = _Scan()
        self._scan.done.connect(self._list)
        self._asked = False
        self.model = LibraryModel(self._load, self)
        self._popup = WhyPopup(self)
        self._build()
        bridge.selected.connect(lambda _key: self._judge_buttons())
        bridge.changed.connect(self._on_changed)
        bridge.replaced.connect(self._show_items)
        self._judge_buttons()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._asked:
            self.reload()

    def reload(self) -> None:
        """Read the list again, off the GUI thread; `listed` when it stands."""
        self._asked = True
        QThreadPool.globalInstance().start(_Scanning(self.library, self._scan))

    def add_current(self) -> bool:
        """Add the current row to the encounter; a sample encounter is asked to be opened instead."""
        item = self.model.item_at(self.view.currentIndex())
        if item is None:
            return False
        if item.entry is None:
            self.openRequested.emit(item.path)
            return True
        record = self._load(item.entry)
        return record is not None and bring_in(self._bridge, record, NAME)

    def explain(self) -> bool:
        """Explain the rating of the current creature; False where the row has none."""
        item = self.model.item_at(self.view.currentIndex())
        if item is None or not item.detail:
            return False
        line = WhyLine(item.detail, say("ui.answers.rating"))
        self._popup.open(
            Why(item.name, "", (line,)), self.view.visualRect(self.view.currentIndex()), self.view.viewport()
        )
        return True

    def save_selected(self) -> None:
        """Write what is selected into the person's own library."""
        record = self._selected()
        if record is None:
            return
        try:
            path = self.library.save(record, self._bridge.rules.id)
        except OSError as error:
            self.banner.show_message(say("ui.library.not-saved", what=record.name, why=error.strerror or ""), "harm")
            return
        self.banner.show_message(say("ui.library.saved", what=record.name, file=path.name), "heal")
        self.reload()

    def refresh_selected(self) -> None:
        """Put the library's present figures in place of those of what is selected; one step."""
        record = self._selected()
        entry = self._origin_entry(record)
        found = self._load(entry) if entry is not None else None
        if record is None or found is None or type(found) is not type(record):
            return
        kept = {"id": record.id, "source": getattr(record, "source", "")}
        fresh = msgspec.structs.replace(found, **kept)
        if fresh == record:
            self.banner.show_message(say("ui.library.same", what=record.name))
        elif self._bridge.do(Edit(fresh), initiator=NAME):
            self.banner.show_message(say("ui.library.refreshed", what=record.name), "heal")

    # Building -------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.search = QLineEdit()
        self.search.setPlaceholderText(say("ui.library.search"))
        self.search.setAccessibleName(say("ui.library.search"))
        self.search.setClearButtonEnabled(True)
        self.search.addAction(icon("magnify", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self.search.textChanged.connect(self._find)
        self.search.returnPressed.connect(self.add_current)
        self.search.installEventFilter(self)
        self.view = RowView()
        self.view.setAccessibleName(say("ui.library.title"))
        self.view.setModel(self.model)
        self.view.setItemDelegate(RowDelegate(self.view, detail_right=True))
        self.view.setDragEnabled(True)
        self.view.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.view.opened.connect(lambda _index: self.add_current())
        self.empty = EmptyState("magnify", "", "")
        self.stack = QStackedWidget()
        self.stack.addWidget(self.view)
        self.stack.addWidget(self.empty)
        self.banner = Banner()
        self.save_button = push_button(say("ui.library.save"), self.save_selected, "quiet", "content-save-outline")
        self.refresh_button = push_button(say("ui.library.refresh"), self.refresh_selected, "quiet", "refresh")
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(px(GAP), px(GAP), px(GAP), px(GAP))
        column.setSpacing(px(GAP))
        column.addWidget(self.search)
        column.addWidget(self.stack, 1)
        column.addWidget(self.banner)
        row = QHBoxLayout()
        row.setSpacing(px(SPACE))
        for button in (self.save_button, self.refresh_button):
            button.setMinimumWidth(1)
            row.addWidget(button, 1)
        column.addLayout(row)
        self.setWidget(whole)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys in the search line go through the list."""
        if watched is self.search and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            by = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if by is not None:
                self._step(by)
                return True
        return super().eventFilter(watched, event)

    def _step(self, by: int) -> None:
        row = self.view.currentIndex().row() + by if self.view.currentIndex().isValid() else self.model.first_row()
        while 0 <= row < self.model.rowCount() and self.model.item_at(self.model.index(row, 0)) is None:
            row += by
        if 0 <= row < self.model.rowCount():
            self.view.go_to(row)

    # Following --------------------------------------------------------------------------------------------------

    def _list(self, entries: Sequence[LibraryEntry]) -> None:
        self._entries = entries
        self._show_items()
        self.listed.emit()

    def _show_items(self) -> None:
        self.model.set_items(items_of(self._entries, samples(), self._bridge.rules.id))
        self._judge_emptiness()
        self._judge_buttons()

    def _find(self, query: str) -> None:
        self.model.search(query)
        self._judge_emptiness()
        if query and self.model.item_at(self.view.currentIndex()) is None:
            self.view.setCurrentIndex(QModelIndex())
            self.view.go_to(self.model.first_row())

    def _judge_emptiness(self) -> None:
        nothing = not self.model.found
        query = self.search.text().strip()
        if nothing:
            self.empty.set_sentence(say("ui.library.nothing", query=query) if query else say("ui.library.empty"))
        self.stack.setCurrentWidget(self.empty if nothing else self.view)

    def _judge_buttons(self) -> None:
        record = self._selected()
        self.save_button.setEnabled(record is not None)
        self.save_button.setToolTip(say("ui.library.save-tip", what=record.name) if record else "")
        entry = self._origin_entry(record)
        self.refresh_button.setEnabled(entry is not None)
        self.refresh_button.setToolTip(say("ui.library.refresh-tip", what=record.name) if record and entry else "")

    def _selected(self) -> LibraryRecord | None:
        record = self._bridge.selected_record()
        if isinstance(record, RosterEntry):
            record = self._bridge.encounter.get(Creature, record.creature)
        return record if isinstance(record, Creature | Environment | Countdown) else None

    def _origin_entry(self, record: LibraryRecord | None) -> LibraryEntry | None:
        system = self._bridge.rules.id
        return next((entry for entry in self._entries if is_origin(entry, record, system)), None)

    def _load(self, entry: LibraryEntry) -> LibraryRecord | None:
        record, findings = self.library.load(entry)
        if record is None:
            why = findings[0].message if findings else ""
            self.banner.show_message(say("ui.library.unreadable", what=entry.name, why=why), "harm")
        return record

    def _on_changed(self, changed: Changed) -> None:
        key: Key | None = self._bridge.selection
        if key is not None and changed.touches(key[0], Creature.table):
            self._judge_buttons()
