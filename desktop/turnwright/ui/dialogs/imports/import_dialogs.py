"""Import dialogs: one for progress, and one for the result, including records that could not be read completely.

Dialogs about previous imports: one to repeat an import, and one to choose an import to undo.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTreeView, QTreeWidgetItem, QWidget

from turnwright.importers.files.import_manifest import PastImport
from turnwright.importers.files.pending_import import PendingImport
from turnwright.importers.results import ImportedFile, ImportOutcome
from turnwright.ui.look.fonts import scaled
from turnwright.ui.look.theme import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.models.import_report import ImportReportModel, ReportLine, pending_tree
from turnwright.ui.widgets.dialog import StandardDialog, TableTree
from turnwright.ui.widgets.text import plain_label, push_button


class ImportResultDialog(StandardDialog):
    """Shows the result of an import.

    - `showInLibraryRequested`: show the records in the library.
    - `openRequested`: open the imported encounter file.
    - `undoRequested`: remove the imported files.
    - `againRequested`: repeat the import without some entries of the trait catalogue.
    """

    showInLibraryRequested = Signal()
    openRequested = Signal(str)
    undoRequested = Signal()
    againRequested = Signal(tuple)

    def __init__(self, outcome: ImportOutcome, tree: ReportLine, parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.import.title"), parent)
        self.outcome, column = outcome, self.column
        self.lead = plain_label(import_summary(outcome), "strong", wraps=True)
        self.lead.setAccessibleName(self.lead.text())
        column.addWidget(self.lead)
        if outcome.folder:
            column.addWidget(plain_label(tr("ui.import.where", folder=outcome.folder), tone="muted", wraps=True))
        self.model = ImportReportModel(tree, self)
        self.view = QTreeView()
        self.view.setAccessibleName(tr("ui.import.notes"))
        self.view.setUniformRowHeights(True)
        self.view.setModel(self.model)
        self.view.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.view.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.view.header().setStretchLastSection(True)
        self.view.header().resizeSection(0, scaled(440))
        for row in range(self.model.rowCount()):
            index = self.model.index(row, 0)
            self.view.setFirstColumnSpanned(row, self.view.rootIndex(), True)
            self.view.setExpanded(index, row == 0)
        self.view.setCurrentIndex(self.model.index(0, 0))
        if tree.children:
            column.addWidget(self.view, 1)
        else:
            self.view.hide()
            column.addWidget(plain_label(tr("ui.import.all-well"), tone="muted", wraps=True))
            column.addStretch(1)
        self._add_buttons()
        first: QWidget = self.view if tree.children else self.close_button
        first.setFocus()
        self.resize(scaled(840), scaled(480 if tree.children else 180))

    def _add_buttons(self) -> None:
        self.undo_button = push_button(tr("ui.import.undo"), self._then(self.undoRequested.emit), icon_name="undo")
        self.show_in_library = push_button(
            tr("ui.import.show"), self._then(self.showInLibraryRequested.emit), "primary"
        )
        encounters = [file.path for file in self.outcome.placed if file.kind == "encounter"]
        self.open_button = push_button(
            tr("ui.import.open"),
            self._then(lambda: self.openRequested.emit(encounters[0])),
            icon_name="folder-open-outline",
        )
        self.close_button = push_button(tr("ui.general.close"), self.accept, "" if self.outcome.folder else "primary")
        self.again_button = push_button(
            tr("ui.import.read-again"),
            self._then(lambda: self.againRequested.emit(self.model.switched_off())),
            icon_name="refresh",
        )
        self.again_button.setToolTip(tr("ui.import.read-again-tip"))
        self.model.dataChanged.connect(lambda: self.again_button.setVisible(bool(self.model.switched_off())))
        self.again_button.hide()
        left = [self.undo_button, self.again_button]
        self.add_buttons(self.open_button, self.close_button, self.show_in_library, left=left)
        self.open_button.setVisible(len(encounters) == 1)
        for button in (self.undo_button, self.show_in_library):
            button.setVisible(bool(self.outcome.folder))

    def _then(self, step: Callable[[], object]) -> Callable[[], None]:
        def close_and_step() -> None:
            self.accept()
            step()

        return close_and_step


def import_summary(outcome: ImportOutcome) -> str:
    """Return the numbers of imported and updated records by type, in one sentence each."""
    imported = _kinds_text([file for file in outcome.placed if file.state not in ("changed", "edited")])
    updated = _kinds_text([file for file in outcome.placed if file.state in ("changed", "edited")])
    sentences = [tr("ui.import.imported-summary", what=imported)] if imported else []
    sentences += [tr("ui.import.updated-summary", what=updated)] if updated else []
    return " ".join(sentences) or tr("ui.import.nothing")


def _kinds_text(files: Sequence[ImportedFile]) -> str:
    """Return the numbers of files by type, or an empty string if there are none."""
    kinds = Counter(file.kind for file in files)
    counts = [tr(f"ui.import.imported.{kind}", n=count) for kind, count in kinds.most_common()]
    if not counts:
        return ""
    return tr("ui.import.and", first=", ".join(counts[:-1]), last=counts[-1]) if len(counts) > 1 else counts[0]


class ImportAgainDialog(StandardDialog):
    """Shows which records of a previously imported source are new, changed or the same.

    Emits `chosen` with `update`, `skip` or `both`, and the indexes of the checked records. Only edited and removed
    records have a check box.
    """

    chosen = Signal(str, object)

    def __init__(self, pending: PendingImport, parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.import.title"), parent)
        counts, past = pending.counts, pending.main
        if counts is None or past is None:
            raise ValueError("the source was not imported before")
        self._counts = counts
        lead = tr("ui.import.again", date=import_date(past))
        if not (counts.new or counts.changed):
            lead = f"{lead} {tr('ui.import.again-nothing')}"
        self.lead = plain_label(lead, "strong", wraps=True)
        self.column.addWidget(self.lead)
        self.column.addWidget(
            plain_label(tr("ui.import.again-where", folder=str(past.folder)), tone="muted", wraps=True)
        )
        self.model = ImportReportModel(pending_tree(pending.records, [entry.name for entry in pending.gone]), self)
        self.view = QTreeView()
        self.view.setAccessibleName(self.lead.text())
        self.view.setUniformRowHeights(True)
        self.view.setModel(self.model)
        self.view.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.view.setHeaderHidden(True)
        self.view.setColumnHidden(1, True)
        for row in range(self.model.rowCount()):
            index = self.model.index(row, 0)
            self.view.setExpanded(index, self.model.line_at(index).is_open)
        self.view.setCurrentIndex(self.model.index(0, 0))
        self.column.addWidget(self.view, 1)
        self.update_button = push_button(tr("ui.import.update"), self._choose("update"), "primary")
        self.skip_button = push_button(tr("ui.import.skip"), self._choose("skip"))
        self.both_button = push_button(tr("ui.import.both"), self._choose("both"))
        for button, name in ((self.update_button, "update"), (self.skip_button, "skip"), (self.both_button, "both")):
            button.setToolTip(escaped_tooltip(tr(f"ui.import.{name}-tip")))
        cancel = push_button(tr("ui.general.cancel"), self.reject)
        self.add_buttons(cancel, self.both_button, self.skip_button, self.update_button)
        self.skip_button.setEnabled(bool(counts.new))
        self.model.dataChanged.connect(self._enable)
        self._enable()
        self.view.setFocus()
        self.resize(scaled(640), scaled(420))

    def _enable(self) -> None:
        self.update_button.setEnabled(bool(self._counts.new or self._counts.changed or self.model.ticked()))

    def _choose(self, again: str) -> Callable[[], None]:
        def chosen() -> None:
            ticked = self.model.ticked() if again == "update" else ()
            self.chosen.emit(again, ticked)
            self.accept()

        return chosen


class TakeBackDialog(StandardDialog):
    """Lists the library's imports, latest first. Emits `takeBackRequested` with the folder of the chosen import."""

    takeBackRequested = Signal(object)

    def __init__(self, imports: Sequence[PastImport], parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.take-back.title"), parent, tr("ui.take-back.lead"))
        self._imports = imports
        headings = [tr(f"ui.take-back.{name}") for name in ("date", "source", "number")]
        self.list = TableTree(tr("ui.take-back.title"), headings, stretched=1)
        for past in imports:
            item = QTreeWidgetItem([import_date(past), ", ".join(past.sources), str(len(past.entries))])
            item.setToolTip(1, escaped_tooltip("\n".join((*past.sources, str(past.folder)))))
            item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.list.addTopLevelItem(item)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.column.addWidget(self.list, 1)
        self.take_back_button = push_button(tr("ui.take-back.take-back"), self._take_back, "primary", "undo")
        self.add_buttons(push_button(tr("ui.general.cancel"), self.reject), self.take_back_button)
        self.list.itemActivated.connect(lambda *_: self.take_back_button.click())
        self.list.setCurrentIndex(self.list.model().index(0, 0))
        self.list.setFocus()
        self.resize(scaled(720), scaled(360))

    def _take_back(self) -> None:
        self.accept()
        self.takeBackRequested.emit(self._imports[self.list.currentIndex().row()].folder)


def import_date(past: PastImport) -> str:
    """Return the time of an import or its last update, in the user's locale."""
    time = QDateTime.fromSecsSinceEpoch(int(past.imported.timestamp()))
    return QLocale().toString(time, QLocale.FormatType.ShortFormat)
