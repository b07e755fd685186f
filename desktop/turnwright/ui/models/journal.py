"""The journal as a list model. New steps append lines; undoing a step removes its lines.

Texts are composed when a row is shown.
"""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from turnwright.play.kernel.events import JournalLine, Phrase
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
        return self._speak(self._lines[row].phrase)

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._lines):
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.text_at(index.row())
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() and self._other is None else flags

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
        self.endResetModel()

    def _follow(self, _changed: object) -> None:
        now = self._shown(self._session.journal())
        common = min(len(self._lines), len(now))
        for row in range(common):
            if self._lines[row] != now[row]:
                self._lines[row] = now[row]
                self.dataChanged.emit(self.index(row), self.index(row))
        if common < len(self._lines):
            self.beginRemoveRows(NO_INDEX, common, len(self._lines) - 1)
            del self._lines[common:]
            self.endRemoveRows()
        elif common < len(now):
            self.beginInsertRows(NO_INDEX, common, len(now) - 1)
            self._lines += now[common:]
            self.endInsertRows()
