"""While files are imported, how far it is; and afterwards what came in, what stays as text and what could not be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QHeaderView, QProgressBar, QTreeView, QVBoxLayout, QWidget

from turnwright.storage.importers.importing import Outcome
from turnwright.ui.fonts import GAP, GROUP_GAP, px
from turnwright.ui.models.imported import ImportedModel, Line
from turnwright.ui.say import say
from turnwright.ui.widgets.layout import ElidedLabel
from turnwright.ui.widgets.text import plain_label, push_button


class ProgressDialog(QDialog):
    """Says how far work is; `cancelled` once when a person has had enough. Whoever works closes it by `done`."""

    cancelled = Signal()

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(GROUP_GAP), px(GROUP_GAP), px(GROUP_GAP), px(GROUP_GAP))
        column.setSpacing(px(GROUP_GAP))
        self.label = ElidedLabel(say("ui.import.reading", file=""))
        column.addWidget(self.label)
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)  # nobody knows how many records are in files that are still to be read
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(title)
        column.addWidget(self.bar)
        self.cancel = push_button(say("ui.general.cancel"), self.reject)
        column.addWidget(self.cancel, 0, Qt.AlignmentFlag.AlignRight)
        self.resize(px(420), self.sizeHint().height())

    def tell(self, text: str) -> None:
        """Say what is being done now."""
        if self.cancel.isEnabled():
            self.label.setText(text)

    def reject(self) -> None:
        if self.cancel.isEnabled():
            self.cancel.setEnabled(False)
            self.label.setText(say("ui.import.cancelling"))
            self.cancelled.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()
        self.reject()


class ImportResult(QDialog):
    """What an import gave.

    `shown`: they want to see it in the library; `opened`: the encounter of this file; `taken_back`: they want it gone again.
    """

    shown = Signal()
    opened = Signal(str)
    taken_back = Signal()

    def __init__(self, outcome: Outcome, tree: Line, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.outcome = outcome
        self.setWindowTitle(say("ui.import.title"))
        column = QVBoxLayout(self)
        column.setContentsMargins(px(GROUP_GAP), px(GROUP_GAP), px(GROUP_GAP), px(GROUP_GAP))
        column.setSpacing(px(GROUP_GAP))
        self.lead = plain_label(lead_of(outcome), "strong", wraps=True)
        self.lead.setAccessibleName(self.lead.text())
        column.addWidget(self.lead)
        if outcome.folder:
            column.addWidget(plain_label(say("ui.import.where", folder=outcome.folder), tone="muted", wraps=True))
        self.model = ImportedModel(tree, self)
        self.view = QTreeView()
        self.view.setAccessibleName(say("ui.import.told"))
        self.view.setUniformRowHeights(True)
        self.view.setModel(self.model)
        self.view.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.view.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.view.header().setStretchLastSection(True)
        self.view.header().resizeSection(0, px(440))
        for row in range(self.model.rowCount()):
            index = self.model.index(row, 0)
            self.view.setFirstColumnSpanned(row, self.view.rootIndex(), True)
            self.view.setExpanded(index, row == 0)
        self.view.setCurrentIndex(self.model.index(0, 0))
        if tree.below:
            column.addWidget(self.view, 1)
        else:
            self.view.hide()
            column.addWidget(plain_label(say("ui.import.all-well"), tone="muted", wraps=True))
            column.addStretch(1)
        column.addLayout(self._buttons())
        first: QWidget = self.view if tree.below else self.close_button
        first.setFocus()
        self.resize(px(840), px(480 if tree.below else 180))

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(px(GAP))
        self.take_back = push_button(say("ui.import.take-back"), self._then(self.taken_back.emit), icon_name="undo")
        self.show_in_library = push_button(say("ui.import.show"), self._then(self.shown.emit), "primary")
        encounters = [one.path for one in self.outcome.placed if one.kind == "encounter"]
        self.open_button = push_button(
            say("ui.import.open"), self._then(lambda: self.opened.emit(encounters[0])), icon_name="folder-open-outline"
        )
        self.close_button = push_button(say("ui.general.close"), self.accept, "" if self.outcome.folder else "primary")
        if self.outcome.folder:
            row.addWidget(self.take_back)
        row.addStretch(1)
        if len(encounters) == 1:
            row.addWidget(self.open_button)
        row.addWidget(self.close_button)
        if self.outcome.folder:
            row.addWidget(self.show_in_library)
        return row

    def _then(self, step: Callable[[], object]) -> Callable[[], None]:
        def both() -> None:
            self.accept()
            step()

        return both


def lead_of(outcome: Outcome) -> str:
    """Return how many of what came in, in a sentence."""
    kinds = Counter(one.kind for one in outcome.placed)
    counts = [say(f"ui.import.came.{kind}", n=count) for kind, count in kinds.most_common()]
    if not counts:
        return say("ui.import.nothing")
    last = say("ui.import.and", first=", ".join(counts[:-1]), last=counts[-1]) if len(counts) > 1 else counts[0]
    return say("ui.import.came-in", what=last)
