"""What an import has to tell, as a tree: what stays as text by kind and record, what could not be read by file, what held nothing.

The tree is plain and may be made in a worker; the model only shows it, so that a hundred thousand lines open at once.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from turnwright.storage.importers.importing import Outcome
from turnwright.storage.importers.results import Report, Unread
from turnwright.ui.say import say

LONG: Final = 300
_FIGURE = re.compile(r"\S*\d\S*(?:(?: [+-])? \S*\d\S*)*")
AnyIndex = QModelIndex | QPersistentModelIndex


class Line:
    """One line of the tree: what it is about, what is said of it, and the lines below."""

    __slots__ = ("above", "below", "said", "text", "where")

    def __init__(self, text: str, said: str = "", below: Sequence[Line] = ()) -> None:
        self.text = text
        self.said = said
        self.above: Line | None = None
        self.where = 0
        self.below = tuple(below)
        for where, line in enumerate(self.below):
            line.above, line.where = self, where


def tree_of(outcome: Outcome) -> Line:
    """Return everything that an import has to tell, the gravest first."""
    groups = []
    if outcome.unread:
        groups.append(_titled(say("ui.import.unread"), outcome.unread, _unread(outcome.unread)))
    if outcome.reports:
        groups.append(_titled(say("ui.import.as-text"), outcome.reports, _reports(outcome.reports)))
    if outcome.skipped:
        groups.append(_titled(say("ui.import.skipped"), outcome.skipped, [Line(one) for one in outcome.skipped]))
    return Line("", below=groups)


def _titled(text: str, told: Sequence[object], below: Sequence[Line]) -> Line:
    return Line(say("ui.import.group", what=text, n=len(told)), below=below)


def _unread(unread: Sequence[Unread]) -> list[Line]:
    """Return a line for each file, the records of it below; the reason beside the file where all of it is unread."""
    lines = []
    for file, some in _sorted_by((one.file, one) for one in unread):
        name = Path(file).name or file
        if len(some) == 1:
            record = some[0].record
            lines.append(Line(f"{name}: {record}" if record else name, some[0].why))
        else:
            below = [Line(one.record or name, one.why) for one in some]
            lines.append(Line(name, say("ui.import.count", n=len(some)), below))
    return lines


def _reports(reports: Sequence[Report]) -> list[Line]:
    """Return a line for each kind of report, the commonest first, and below it each record with its field and text."""
    kinds = _sorted_by((kind_of(report), report) for report in reports)
    kinds.sort(key=lambda each: -len(each[1]))
    return [
        Line(why[:1].upper() + why[1:], say("ui.import.count", n=len(some)), _by_record(some, why))
        for why, some in kinds
    ]


def _by_record(reports: Sequence[Report], kind: str) -> list[Line]:
    lines = []
    for record, some in _sorted_by((report.record, report) for report in reports):
        below = [
            Line(report.field, report.text if report.why == kind else f"{report.text} ({report.why})")
            for report in some
        ]
        if len(below) == 1:
            lines.append(Line(f"{record}: {below[0].text}", below[0].said))
        else:
            lines.append(Line(record, say("ui.import.count", n=len(below)), below))
    return lines


def kind_of(report: Report) -> str:
    """Return why a report was made, without the figures of its record."""
    return _FIGURE.sub("…", report.why)


def _sorted_by(pairs: Iterable[tuple[str, Any]]) -> list[tuple[str, list[Any]]]:
    found: dict[str, list[Any]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return list(found.items())


class ImportedModel(QAbstractItemModel):
    """Shows such a tree in two columns."""

    def __init__(self, tree: Line, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tree = tree

    def line_at(self, index: AnyIndex) -> Line:
        """Return the line of an index, the whole tree for none."""
        found = index.internalPointer() if index.isValid() else None
        return found if isinstance(found, Line) else self._tree

    def index(self, row: int, column: int, parent: AnyIndex = QModelIndex()) -> QModelIndex:  # noqa: B008  # Qt's own signature
        below = self.line_at(parent).below
        return self.createIndex(row, column, below[row]) if 0 <= row < len(below) and column < 2 else QModelIndex()

    def parent(self, index: AnyIndex) -> QModelIndex:  # type: ignore[override]  # Qt has another one without an index
        above = self.line_at(index).above
        if above is None or above is self._tree:
            return QModelIndex()
        return self.createIndex(above.where, 0, above)

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature
        return 0 if parent.isValid() and parent.column() else len(self.line_at(parent).below)

    def columnCount(self, _parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature
        return 2

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self.line_at(index)
        text = line.said if index.column() else line.text
        if role == Qt.ItemDataRole.DisplayRole:
            return " ".join(text[:LONG].split())
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"<qt>{html.escape(text[:2000])}</qt>" if text else None
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return say("ui.import.why" if section else "ui.import.what")
        return None
