"""The report of an import as a tree: what to do about its notes, automated features, unread and unused files.

The tree is plain data and may be built in a worker. The model only displays it, so even a hundred thousand lines open
immediately.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt

from turnwright.encounter.state import grouped
from turnwright.importers.characters import WORKED_OUT
from turnwright.importers.files.notices import Notice, kind_of, notices
from turnwright.importers.files.pending_import import PendingRecord
from turnwright.importers.results import ImportOutcome, UnderstoodFeature, UnreadRecord
from turnwright.storage.fights import ConversionNote
from turnwright.ui.look.style import escaped_tooltip, scaled, tr

MAX_TEXT: Final = 300
EXTENTS: Final = ("whole", "part", "reminder", "off")
ROW_HEIGHT: Final = 22  # enough for a check box
AnyIndex = QModelIndex | QPersistentModelIndex


class ReportLine:
    """A line of the tree: its text, a detail, and the lines below it. A `number` or an `entry` adds a check box.

    `entry` is the id of an entry of the trait catalogue. Clearing its check mark excludes it from a repeated import.
    """

    __slots__ = ("children", "detail", "entry", "is_open", "is_ticked", "number", "parent", "row", "text")

    def __init__(self, text: str, detail: str = "", children: Sequence[ReportLine] = ()) -> None:
        self.text = text
        self.detail = detail
        self.number: int | None = None
        self.entry = ""
        self.is_ticked = False
        self.is_open = False
        self.parent: ReportLine | None = None
        self.row = 0
        self.children = tuple(children)
        for where, line in enumerate(self.children):
            line.parent, line.row = self, where

    @property
    def can_be_ticked(self) -> bool:
        """Whether the line has a check box."""
        return self.number is not None or bool(self.entry)


def report_tree(outcome: ImportOutcome) -> ReportLine:
    """Return the report of an import as a tree, most serious group first."""
    groups = []
    if outcome.unread:
        groups.append(_titled(tr("ui.import.unread"), outcome.unread, _unread(outcome.unread)))
    worked_out = [report for report in outcome.reports if report.why.startswith(WORKED_OUT)]
    others = [report for report in outcome.reports if report not in worked_out] if worked_out else outcome.reports
    if worked_out:
        short = [msgspec.structs.replace(one, why=one.why.removeprefix(WORKED_OUT).strip()) for one in worked_out]
        lines = _by_record(short, "")
        below = lines[0].children if len(lines) == 1 and lines[0].children else lines
        groups.append(_titled(tr("ui.import.worked-out"), worked_out, below))
    for group, told in notices(others).items():
        lines = [ReportLine(one.text, tr("ui.import.count", n=len(one.notes)), _below(one)) for one in told]
        groups.append(_titled(tr(f"ui.import.notices.{group}"), [note for one in told for note in one.notes], lines))
    if outcome.understood:
        groups.append(_titled(tr("ui.import.understood"), outcome.understood, _understood(outcome.understood)))
        extents = Counter(feature.extent for feature in outcome.understood)
        counts = [tr(f"ui.import.extents.{extent}", n=extents[extent]) for extent in EXTENTS if extents[extent]]
        counts += [tr("ui.import.extents.text", n=outcome.unplayed)] if outcome.unplayed else []
        groups[-1].text = tr("ui.import.extents-of", group=groups[-1].text, extents=", ".join(counts))
    if outcome.skipped:
        groups.append(_titled(tr("ui.import.skipped"), outcome.skipped, [ReportLine(file) for file in outcome.skipped]))
    return ReportLine("", children=groups)


def pending_tree(records: Sequence[PendingRecord], gone: Sequence[str] = ()) -> ReportLine:
    """Return the records of a previously imported source by state. Edited and removed records can be checked.

    `gone` are the names of records that are no longer in the source.
    """
    groups = []
    for state in ("new", "changed", "edited", "removed", "same"):
        below = []
        for number, record in enumerate(records):
            if record.imported.state == state:
                line = ReportLine(record.imported.name)
                line.number = number if state in ("edited", "removed") else None
                below.append(line)
        if below:
            group = _titled(tr(f"ui.import.state.{state}"), below, below)
            group.is_open = state != "same"
            groups.append(group)
    if gone:
        groups.append(_titled(tr("ui.import.state.gone"), gone, [ReportLine(name) for name in gone]))
        groups[-1].is_open = True
    return ReportLine("", children=groups)


def _titled(text: str, items: Sequence[object], below: Sequence[ReportLine]) -> ReportLine:
    return ReportLine(tr("ui.import.group", what=text, n=len(items)), children=below)


def _unread(unread: Sequence[UnreadRecord]) -> list[ReportLine]:
    """Return a line for each file, with its unread records below. A single record is shown on the file's line."""
    lines = []
    for file, unread_records in grouped((unread_record.file, unread_record) for unread_record in unread).items():
        name = Path(file).name or file
        if len(unread_records) == 1:
            record = unread_records[0].record
            lines.append(ReportLine(f"{name}: {record}" if record else name, unread_records[0].why))
        else:
            below = [ReportLine(unread_record.record or name, unread_record.why) for unread_record in unread_records]
            lines.append(ReportLine(name, tr("ui.import.count", n=len(unread_records)), below))
    return lines


def _below(notice: Notice) -> list[ReportLine]:
    """Return the records, fields and texts of a notice, or nothing if it already says everything."""
    return _by_record(notice.notes, kind_of(notice.notes[0])) if len(notice.notes) > 1 else []


def _understood(understood: Sequence[UnderstoodFeature]) -> list[ReportLine]:
    """Return a line for each entry of the trait catalogue, most frequent first, with the features that it matched."""
    entries = [*grouped((entry, feature) for feature in understood for entry in feature.entries).items()]
    entries.sort(key=lambda entry_features: -len(entry_features[1]))
    lines = []
    for entry, features in entries:
        below = [
            ReportLine(f"{feature.creature}: {feature.feature}", tr(f"ui.import.extent.{feature.extent}"))
            for feature in features
        ]
        lines.append(ReportLine(entry.replace("-", " ").capitalize(), tr("ui.import.count", n=len(features)), below))
        lines[-1].entry, lines[-1].is_ticked = entry, True
    return lines


def _by_record(reports: Sequence[ConversionNote], kind: str) -> list[ReportLine]:
    lines = []
    for record, some_reports in grouped((report.record, report) for report in reports).items():
        below = [
            ReportLine(report.field, report.text if report.why == kind else f"{report.text} ({report.why})")
            for report in some_reports
        ]
        if len(below) == 1:
            lines.append(ReportLine(f"{record}: {below[0].text}", below[0].detail))
        else:
            lines.append(ReportLine(record, tr("ui.import.count", n=len(below)), below))
    return lines


class ImportReportModel(QAbstractItemModel):
    """Shows a report tree in two columns."""

    def __init__(self, tree: ReportLine, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tree = tree

    def line_at(self, index: AnyIndex) -> ReportLine:
        """Return the line at an index, or the root if the index is invalid."""
        line = index.internalPointer() if index.isValid() else None
        return line if isinstance(line, ReportLine) else self._tree

    def index(self, row: int, column: int, parent: AnyIndex = QModelIndex()) -> QModelIndex:  # noqa: B008  # Qt's own signature
        below = self.line_at(parent).children
        return self.createIndex(row, column, below[row]) if 0 <= row < len(below) and column < 2 else QModelIndex()

    def parent(self, index: AnyIndex) -> QModelIndex:  # type: ignore[override]  # Qt has another one without an index
        above = self.line_at(index).parent
        if above is None or above is self._tree:
            return QModelIndex()
        return self.createIndex(above.row, 0, above)

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature
        return 0 if parent.isValid() and parent.column() else len(self.line_at(parent).children)

    def columnCount(self, _parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature
        return 2

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self.line_at(index)
        text = line.detail if index.column() else line.text
        if role == Qt.ItemDataRole.DisplayRole:
            return " ".join(text[:MAX_TEXT].split())
        if role == Qt.ItemDataRole.SizeHintRole:
            return QSize(0, scaled(ROW_HEIGHT))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tr("ui.import.entry-tip") if line.entry else escaped_tooltip(text[:2000]) or None
        if role == Qt.ItemDataRole.CheckStateRole and line.can_be_ticked and not index.column():
            return Qt.CheckState.Checked if line.is_ticked else Qt.CheckState.Unchecked
        return None

    def setData(self, index: AnyIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        line = self.line_at(index)
        if role != Qt.ItemDataRole.CheckStateRole or not line.can_be_ticked:
            return False
        line.is_ticked = Qt.CheckState(value) == Qt.CheckState.Checked
        self.dataChanged.emit(index, index, [role])
        return True

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        can_tick = index.isValid() and self.line_at(index).can_be_ticked
        return super().flags(index) | (Qt.ItemFlag.ItemIsUserCheckable if can_tick else Qt.ItemFlag.NoItemFlags)

    def ticked(self) -> tuple[int, ...]:
        """Return the numbers of the checked lines in all groups."""
        lines = (line for group in self._tree.children for line in group.children)
        return tuple(line.number for line in lines if line.number is not None and line.is_ticked)

    def switched_off(self) -> tuple[str, ...]:
        """Return the ids of the trait catalogue entries whose check marks were cleared."""
        lines = (line for group in self._tree.children for line in group.children)
        return tuple(line.entry for line in lines if line.entry and not line.is_ticked)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return tr("ui.import.why" if section else "ui.import.what")
        return None
