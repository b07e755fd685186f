"""The problems panel, a list of problems in the file and unknown names in the encounter. A click selects the record."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QSizePolicy, QWidget

from turnwright.ui.docks.dock import Dock
from turnwright.ui.docks.shared.row_delegate import RowDelegate
from turnwright.ui.docks.shared.row_view import RowView
from turnwright.ui.look.fonts import GAP, scaled
from turnwright.ui.look.theme import ThemeSource
from turnwright.ui.look.translations import tr
from turnwright.ui.models.problems import LINE, MESSAGE, WHERE, ProblemsModel
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.text import plain_label


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
