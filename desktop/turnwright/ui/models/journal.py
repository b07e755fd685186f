"""The journal as a list model. New steps append lines; undoing a step removes its lines.

Texts are composed when a row is first shown, so ten thousand lines cost nothing.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from turnwright.play.kernel.events import JournalLine, Phrase
from turnwright.play.kernel.scheduler import Step
from turnwright.play.session import Session
from turnwright.play.table.corrections import CorrectLine
from turnwright.ui.services.document_model import DocumentModel

CORRECTION = "correction"
Index = QModelIndex | QPersistentModelIndex
NO_INDEX = QModelIndex()


class JournalModel(QAbstractListModel):
    """The lines of all applied steps, oldest first, with or without bookkeeping. `to_text` formats a phrase."""

    def __init__(
        self, document: DocumentModel, to_text: Callable[[Phrase], str], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._other: Session | None = None
        self._speak = to_text
        self._shows_bookkeeping = False
        self._lines: list[JournalLine] = []
        self._texts: list[str | None] = []
        self._steps: list[Step] = []
        document.changed.connect(self._follow)
        document.documentChanged.connect(self._start_over)
        self._start_over()

    # Reading -------------------------------------------------------------------------------------------------------

    def show_bookkeeping(self, shown: bool) -> None:
        """Show or hide lines about bookkeeping."""
        self._shows_bookkeeping = shown
        self._start_over()

    def show_session(self, session: Session) -> None:
        """Show the journal of another session than the document's, read-only."""
        self._other = session
        self._start_over()

    def line_at(self, row: int) -> JournalLine:
        """Return the line in a row."""
        return self._lines[row]

    def text_at(self, row: int) -> str:
        """Return the text of a row."""
        text = self._texts[row]
        if text is None:
            text = self._texts[row] = self._speak(self._lines[row].phrase)
        return text

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._lines):
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.text_at(index.row())
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        return flags if self._other is not None else flags | Qt.ItemFlag.ItemIsEditable

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Correct the text of a line. The correction is a step, so undo restores the old text."""
        if not index.isValid() or role != Qt.ItemDataRole.EditRole:
            return False
        text = str(value).strip()
        line = self._lines[index.row()]
        if not text or text == self.text_at(index.row()):
            return False
        return self._document.execute(CorrectLine(line.serial, line.index, text))

    # Following changes ---------------------------------------------------------------------------------------------

    @property
    def _session(self) -> Session:
        return self._other or self._document.source.session

    def _shown(self, lines: Iterable[JournalLine]) -> list[JournalLine]:
        return [line for line in lines if line.kind != CORRECTION and (self._shows_bookkeeping or not line.bookkeeping)]

    def _start_over(self) -> None:
        self.beginResetModel()
        self._lines = self._shown(self._session.journal())
        self._texts = [None] * len(self._lines)
        self._steps = list(self._session.history.applied)
        self.endResetModel()

    def _follow(self, _changed: object) -> None:
        history = self._session.history
        depth, last = history.depth, history.last
        if not -1 <= depth - len(self._steps) <= 1:
            self._start_over()
            return
        if depth < len(self._steps) or (depth == len(self._steps) and depth and last is not self._steps[-1]):
            self._take_back()
        if depth > len(self._steps) and last is not None:
            self._append(last)

    def _append(self, step: Step) -> None:
        self._steps.append(step)
        if lines := self._shown(step.lines):
            first = len(self._lines)
            self.beginInsertRows(NO_INDEX, first, first + len(lines) - 1)
            self._lines += lines
            self._texts += [None] * len(lines)
            self.endInsertRows()
        self._reread(step)

    def _take_back(self) -> None:
        step = self._steps.pop()
        if count := len(self._shown(step.lines)):
            first = len(self._lines) - count
            self.beginRemoveRows(NO_INDEX, first, first + count - 1)
            del self._lines[first:], self._texts[first:]
            self.endRemoveRows()
        self._reread(step)

    def _reread(self, step: Step) -> None:
        """Update the lines that a step corrects. Corrections are rare, so the whole journal is read again."""
        corrected = [_corrected_by(line) for line in step.lines if line.kind == CORRECTION]
        if not corrected:
            return
        now = self._shown(self._session.journal())
        for serial, index in corrected:
            row = bisect_left(self._lines, (serial, index), key=lambda line: (line.serial, line.index))
            if row < min(len(self._lines), len(now)) and (now[row].serial, now[row].index) == (serial, index):
                self._lines[row] = now[row]
                self._texts[row] = None
                self.dataChanged.emit(self.index(row), self.index(row))


def _corrected_by(line: JournalLine) -> tuple[int, int]:
    params = dict(line.phrase.params)
    return int(params.get("serial", -1)), int(params.get("line", -1))
