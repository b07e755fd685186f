"""The docks of handouts, treasure, reminders and problems.

The handout inspector: a printable text or picture for the players.

The reminder inspector: the text of a reminder, and the moment in the fight when it appears.

The treasure inspector: items that the characters can find, printable as a card.

The problems panel, a list of problems in the file and unknown names in the encounter. A click selects the record.
"""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QSizePolicy, QWidget

from turnwright.encounter.prepared import Countdown, Handout, Reminder, RosterEntry, Treasure
from turnwright.play.kernel.scheduler import Changed
from turnwright.ui.docks.dock import Dock
from turnwright.ui.docks.editing.inspector import InspectorDock
from turnwright.ui.docks.shared.row_view import RowDelegate, RowView
from turnwright.ui.forms.encounter_layouts import HANDOUT, REMINDER, TREASURE
from turnwright.ui.look.fonts import GAP, scaled
from turnwright.ui.look.theme import ThemeSource
from turnwright.ui.look.translations import tr
from turnwright.ui.models.problems import LINE, MESSAGE, WHERE, ProblemsModel
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.text import plain_label, tool_button


class HandoutDock(InspectorDock):
    """Edits a handout. Emits `sendRequested(handout)` to show it to the players."""

    sendRequested = Signal(object)
    kind = Handout
    name = "handout"
    form_layout = HANDOUT
    icon_name = "email-outline"

    def add_buttons(self, row: QHBoxLayout) -> None:
        super().add_buttons(row)
        self.send_button = tool_button("send", tr("ui.handout.send"), self._send)
        row.addWidget(self.send_button)

    def _send(self) -> None:
        handout = self.binding.value()
        if isinstance(handout, Handout):
            self.sendRequested.emit(handout)


class ReminderDock(InspectorDock):
    """Edits a reminder."""

    kind = Reminder
    name = "reminder"
    form_layout = REMINDER
    icon_name = "bell-outline"

    def is_affected_by(self, changed: Changed) -> bool:
        """Whether a change affects this panel."""
        return changed.touches(Reminder.table, RosterEntry.table, Countdown.table)


class TreasureDock(InspectorDock):
    """Edits treasure."""

    kind = Treasure
    name = "treasure"
    form_layout = TREASURE
    icon_name = "treasure-chest-outline"


class ProblemsDock(Dock):
    """Lists the problems and shows their number in the title. Emits `editRequested(key)` when the user opens one."""

    name = "problems"
    editRequested = Signal(object)

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        self.model = ProblemsModel(document, self)
        self.view = RowView()
        self.view.setAccessibleName(tr("ui.problems.name"))
        self.view.setModel(self.model)
        self.view.setItemDelegate(RowDelegate(self.view))
        header = self.view.horizontalHeader()
        header.setSectionResizeMode(MESSAGE, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(WHERE, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(LINE, QHeaderView.ResizeMode.ResizeToContents)
        header.setHighlightSections(False)
        header.setVisible(True)
        self.empty = plain_label(tr("ui.problems.none"), tone="muted")
        self.empty.setContentsMargins(scaled(12), scaled(GAP), scaled(12), scaled(GAP))
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.set_pages(self.view, self.empty)
        self.view.clicked.connect(self._select)
        self.view.selectionModel().currentRowChanged.connect(lambda index, _before: self._select(index))
        self.view.rowActivated.connect(self._open)
        self.model.countChanged.connect(self._count)
        self._count(self.model.rowCount())

    def _count(self, n: int) -> None:
        self.set_title(tr("ui.problems.title", n=n))
        shown = self.view if n else self.empty
        for page in (self.view, self.empty):  # so that the dock is only as high as the page shown
            policy = QSizePolicy.Policy.Preferred if page is shown else QSizePolicy.Policy.Ignored
            page.setSizePolicy(policy, policy)
        self._stack.setCurrentWidget(shown)

    def _select(self, index: QModelIndex) -> None:
        problem = self.model.problem_at(index)
        if problem is not None and problem.target is not None and self._document.encounter.record(problem.target):
            self._document.select(problem.target)

    def _open(self, index: QModelIndex) -> None:
        problem = self.model.problem_at(index)
        if problem is not None and problem.target is not None:
            self.editRequested.emit(problem.target)
