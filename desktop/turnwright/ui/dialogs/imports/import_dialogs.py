"""Import dialogs: progress, results, repeating or undoing an earlier import, and creatures from pasted text."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QDateTime, QLocale, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFormLayout, QHeaderView, QMenu, QTreeView, QTreeWidgetItem, QWidget

from turnwright.encounter.prepared import Creature
from turnwright.importers.files import import_manifest, imported_characters, pending_import
from turnwright.importers.pasted_text.format import read_text
from turnwright.importers.pasted_text.reading import PastedReading
from turnwright.importers.results import ImportedFile, ImportedRecord, ImportOutcome, postprocessed
from turnwright.rules.parts.preparation.creature_translation import CreatureTranslation, translate_creature
from turnwright.rules.system_data import SystemData
from turnwright.ui.dialogs.imports.marked_text import LOOKS, MarkedTextEdit
from turnwright.ui.look.style import GROUP_GAP, escaped_tooltip, scaled, tr
from turnwright.ui.models import import_report, roster
from turnwright.ui.services.workers import single_shot_timer
from turnwright.ui.widgets import dialog, fields, layout
from turnwright.ui.widgets.records.stat_block import StatBlockView
from turnwright.ui.widgets.text import named, plain_label, push_button

NOWHERE: Mapping[str, str] = {}


class ImportResultDialog(dialog.StandardDialog):
    """Shows the result of an import.

    - `showInLibraryRequested`: show the records in the library.
    - `openRequested`: open the imported encounter file.
    - `undoRequested`: remove the imported files.
    - `againRequested`: repeat the import without some entries of the trait catalogue.
    - `placeRequested`: move the imported characters to a place, one of the labelled `places`.
    """

    showInLibraryRequested = Signal()
    openRequested = Signal(str)
    undoRequested = Signal()
    againRequested = Signal(tuple)
    placeRequested = Signal(str)

    def __init__(
        self,
        outcome: ImportOutcome,
        tree: import_report.ReportLine,
        parent: QWidget | None = None,
        places: Mapping[str, str] = NOWHERE,
    ) -> None:
        super().__init__(tr("ui.import.title"), parent)
        self.outcome, column = outcome, self.column
        self.lead = plain_label(import_summary(outcome), "strong", wraps=True)
        self.lead.setAccessibleName(self.lead.text())
        column.addWidget(self.lead)
        if outcome.folder:
            column.addWidget(plain_label(tr("ui.import.where", folder=outcome.folder), tone="muted", wraps=True))
        self.model = import_report.ImportReportModel(tree, self)
        self.view = named(QTreeView(), tr("ui.import.notes"))
        self.view.setUniformRowHeights(True)
        self.view.setModel(self.model)
        self.view.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.view.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.view.header().setStretchLastSection(True)
        self.view.header().resizeSection(0, scaled(620))
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
        self._add_buttons(places)
        first: QWidget = self.view if tree.children else self.close_button
        (self.places_button if places else first).setFocus()
        self.resize(scaled(840), scaled(480 if tree.children else 180))

    def _add_buttons(self, places: Mapping[str, str]) -> None:
        self.undo_button = push_button(tr("ui.import.undo"), self._then(self.undoRequested.emit), icon_name="undo")
        usual, special = ("", "primary") if places else ("primary", "")
        self.show_in_library = push_button(tr("ui.import.show"), self._then(self.showInLibraryRequested.emit), usual)
        self.places_button = push_button(tr("ui.import.characters"), lambda: None, special, "account-group")
        self.places_button.setToolTip(tr("ui.import.characters-tip"))
        menu = QMenu(self.places_button)
        for place, label in places.items():
            menu.addAction(label.replace("&", "&&"), self._then(partial(self.placeRequested.emit, place)))
        self.places_button.setProperty("menu", True)
        self.places_button.setMenu(menu)
        self.places_button.setVisible(bool(places))
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
        self.add_buttons(self.open_button, self.close_button, self.show_in_library, self.places_button, left=left)
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
    kinds = Counter("character" if imported_characters.is_character(file) else file.kind for file in files)
    counts = [tr(f"ui.import.imported.{kind}", n=count) for kind, count in kinds.most_common()]
    if not counts:
        return ""
    return tr("ui.import.and", first=", ".join(counts[:-1]), last=counts[-1]) if len(counts) > 1 else counts[0]


class ImportAgainDialog(dialog.StandardDialog):
    """Shows which records of a previously imported source are new, changed or the same.

    Emits `chosen` with `update`, `skip` or `both`, and the indexes of the checked records. Only edited and removed
    records have a check box.
    """

    chosen = Signal(str, object)

    def __init__(self, pending: pending_import.PendingImport, parent: QWidget | None = None) -> None:
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
        self.model = import_report.ImportReportModel(
            import_report.pending_tree(pending.records, [entry.name for entry in pending.gone]), self
        )
        self.view = named(QTreeView(), self.lead.text())
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


class TakeBackDialog(dialog.StandardDialog):
    """Lists the library's imports, latest first. Emits `takeBackRequested` with the folder of the chosen import."""

    takeBackRequested = Signal(object)

    def __init__(self, imports: Sequence[import_manifest.PastImport], parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.undo-import.title"), parent, tr("ui.undo-import.lead"))
        self._imports = imports
        headings = [tr(f"ui.undo-import.{name}") for name in ("date", "source", "number")]
        self.list = dialog.TableTree(tr("ui.undo-import.title"), headings, stretched=1)
        for past in imports:
            item = QTreeWidgetItem([import_date(past), ", ".join(past.sources), str(len(past.entries))])
            item.setToolTip(1, escaped_tooltip("\n".join((*past.sources, str(past.folder)))))
            item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.list.addTopLevelItem(item)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.column.addWidget(self.list, 1)
        self.take_back_button = push_button(tr("ui.undo-import.undo"), self._take_back, "primary", "undo")
        self.add_buttons(push_button(tr("ui.general.cancel"), self.reject), self.take_back_button)
        self.list.itemActivated.connect(lambda *_: self.take_back_button.click())
        self.list.setCurrentIndex(self.list.model().index(0, 0))
        self.list.setFocus()
        self.resize(scaled(720), scaled(360))

    def _take_back(self) -> None:
        self.accept()
        self.takeBackRequested.emit(self._imports[self.list.currentIndex().row()].folder)


def import_date(past: import_manifest.PastImport) -> str:
    """Return the time of an import or its last update, in the user's locale."""
    time = QDateTime.fromSecsSinceEpoch(int(past.imported.timestamp()))
    return QLocale().toString(time, QLocale.FormatType.ShortFormat)


READ_AFTER_MS = 150
SystemChoice = tuple[str, str]  # the id of a rule system and its name


class PasteDialog(dialog.StandardDialog):
    """Reads pasted stat blocks. Emits `addRequested(creature)` and `saveRequested(creature, system)`, and stays open.

    `systems` are the available rule systems, `data_of` returns a system's data, and `own` is the encounter's system.
    """

    addRequested = Signal(object)
    saveRequested = Signal(object, str)

    def __init__(
        self,
        text: str,
        systems: Sequence[SystemChoice],
        data_of: Callable[[str], SystemData],
        own: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("ui.paste.title"), parent, tr("ui.paste.lead"))
        self._names = dict(systems)
        self._data_of = data_of
        self._own = own
        self._readings: tuple[PastedReading, ...] = ()
        self._timer = single_shot_timer(self, self.read, READ_AFTER_MS)
        self.text = MarkedTextEdit(tr("ui.paste.text"), tr("ui.paste.placeholder"))
        self.reason = plain_label("", "caption", "muted", wraps=True)
        choices = [("", tr("ui.paste.by-the-text")), *systems]
        self.system = fields.with_options(named(fields.ComboBox(), tr("ui.paste.system")), choices)
        self.which = named(fields.ComboBox(), tr("ui.paste.which"))
        self.view = StatBlockView()
        self.summary = plain_label("", "body", wraps=True)
        self._lay_out()
        self.text.textChanged.connect(self._timer.start)
        self.text.cursorPositionChanged.connect(self._explain_line)
        self.system.activated.connect(lambda _index: self.read())
        self.which.activated.connect(lambda _index: self._show())
        self.text.setPlainText(text)
        self.read()
        self.text.setFocus()

    def creature(self) -> Creature | None:
        """Return the displayed creature, or None if the text doesn't contain one."""
        reading = self._reading()
        if reading is None or reading.creature is None:
            return None
        imported = ImportedRecord(reading.creature.name, reading.creature, reading.system)
        record = postprocessed(imported).record
        return record if isinstance(record, Creature) else None

    def read(self) -> None:
        """Parse the current text again and show the result."""
        self._timer.stop()
        self._readings = read_text(self.text.toPlainText(), str(self.system.currentData() or ""))
        lines = [line for reading in self._readings for line in reading.lines]
        self.text.set_marks(
            [line.mark for line in lines], {at for at, line in enumerate(lines) if line.why or line.mark == "left"}
        )
        with QSignalBlocker(self.which):
            at = min(max(self.which.currentIndex(), 0), len(self._readings) - 1)
            self.which.clear()
            for number, reading in enumerate(self._readings, 1):
                name = reading.creature.name if reading.creature else tr("ui.paste.unread", n=number)
                self.which.addItem(name)
            self.which.setCurrentIndex(at)
        self._choices.setRowVisible(self.which, len(self._readings) > 1)
        self._show()

    def show_result(self, message: str) -> None:
        """Show the outcome of adding or saving the creature in the summary. An empty message changes nothing."""
        if message:
            self.summary.setText(message)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.add_button.click()
            return
        super().keyPressEvent(event)

    def _lay_out(self) -> None:
        legend = "   ".join(f"{look.sign} {tr(f'ui.paste.mark-{mark}')}" for mark, look in LOOKS.items())
        explained = plain_label(legend, "caption", "muted", wraps=True)
        left = layout.fill(layout.vertical(), (self.text, 1), self.reason, explained)
        self._choices = QFormLayout(fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._choices.addRow(tr("ui.paste.system"), self.system)
        self._choices.addRow(tr("ui.paste.which"), self.which)
        right = layout.fill(layout.vertical(), self._choices, (self.view, 1), self.summary)
        self.column.addLayout(layout.fill(layout.horizontal(spacing=GROUP_GAP), (left, 1), (right, 1)), 1)
        self.add_button = push_button(tr("ui.paste.add"), self._add, "primary", "plus")
        self.save_button = push_button(tr("ui.paste.save"), self._save, icon_name="content-save-outline")
        self.add_buttons(push_button(tr("ui.general.close"), self.reject), self.save_button, self.add_button)
        self.resize(scaled(1080), scaled(700))

    def _reading(self) -> PastedReading | None:
        at = max(self.which.currentIndex(), 0)
        return self._readings[at] if at < len(self._readings) else None

    def _show(self) -> None:
        reading, creature = self._reading(), self.creature()
        system = reading.system if reading else ""
        self.view.set_creature(creature, self._data_of(system) if creature else None)
        self.save_button.setEnabled(creature is not None)
        self.add_button.setEnabled(creature is not None)
        self.summary.setText(self._summary(reading, self._translation()))
        self._explain_line()

    def _translation(self) -> CreatureTranslation | None:
        """Return the creature converted to the encounter's rule system, or None if there is nothing to convert."""
        reading, creature = self._reading(), self.creature()
        if reading is None or creature is None or self._data_of(reading.system).id == self._own:
            return None
        return translate_creature(creature, self._data_of(reading.system), self._data_of(self._own))

    def _summary(self, reading: PastedReading | None, translation: CreatureTranslation | None) -> str:
        if reading is None or not self.text.toPlainText().strip():
            return tr("ui.paste.nothing")
        if reading.creature is None:
            return tr("ui.paste.problem", why=reading.problem)
        counts = Counter(str(line.mark) for line in reading.lines)
        parts = [tr(f"ui.paste.counted-{mark}", n=counts[mark]) for mark in LOOKS if counts[mark]]
        text = tr("ui.paste.summary", game=self._names.get(reading.system, reading.system), lines=", ".join(parts))
        if translation is None:
            return text
        own = dict(self._data_of(self._own).terms).get("system.short", self._own)
        return f"{text} {tr('ui.paste.other-game', game=own)} {roster.translation_text(translation, own)}"

    def _explain_line(self) -> None:
        """Show how the line at the cursor was parsed."""
        line = self.text.current_line()
        lines = [marked_line for reading in self._readings for marked_line in reading.lines]
        mark = lines[line].mark if line < len(lines) else ""
        text = tr("ui.paste.line", n=line + 1, mark=tr(f"ui.paste.mark-{mark}")) if mark else ""
        if mark and lines[line].why:
            text = tr("ui.paste.line-why", said=text, why=lines[line].why)
        self.reason.setText(text)

    def _add(self) -> None:
        translation = self._translation()
        creature = self.creature() if translation is None else translation.creature
        if creature is not None:
            self.addRequested.emit(creature)

    def _save(self) -> None:
        reading, creature = self._reading(), self.creature()
        if reading is not None and creature is not None:
            self.saveRequested.emit(creature, reading.system)
