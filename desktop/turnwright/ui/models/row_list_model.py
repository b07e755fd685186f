"""Table model of a list of row keys, updated by insertions, moves and removals.

Views keep their selection, and indexes never carry objects: a row is looked up by its number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

Row = tuple[str, str]
Index = QModelIndex | QPersistentModelIndex
HEADING = "#"

KEY_ROLE = Qt.ItemDataRole.UserRole + 1
QUIET_ROLE = Qt.ItemDataRole.UserRole + 2
DETAIL_ROLE = Qt.ItemDataRole.UserRole + 3
ICON_ROLE = Qt.ItemDataRole.UserRole + 4
TONE_ROLE = Qt.ItemDataRole.UserRole + 5


class RowListModel(QAbstractTableModel):
    """Holds row keys: pairs (table, id), or (`#`, name) for a heading. `contents` are what rows show, by key."""

    def __init__(self, columns: int = 1, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns = columns
        self._keys: list[Row] = []
        self.contents: Mapping[Row, Any] = {}

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._keys)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else self._columns

    @property
    def keys(self) -> Sequence[Row]:
        """The keys of all rows, first to last."""
        return self._keys

    def key_at(self, index: Index) -> Row | None:
        """Return the key of an index's row, None for no index."""
        return self._keys[index.row()] if index.isValid() and index.row() < len(self._keys) else None

    def row_of(self, key: Row) -> int:
        """Return the row of a key, or -1."""
        return self._keys.index(key) if key in self._keys else -1

    def update_rows(self, wanted: Sequence[Row]) -> None:
        """Change the rows to the wanted ones by removals, moves and insertions of runs."""
        if self._keys == list(wanted):
            return
        self._drop(set(wanted))
        known = set(self._keys)
        self._reorder([key for key in wanted if key in known])
        self._fill(wanted, known)

    def show_contents(self, shown: Mapping[Row, Any]) -> None:
        """Change rows and contents to the given ones, and emit `dataChanged` for rows with other contents."""
        before = self.contents
        self.contents = {**before, **shown}  # views still read removed rows until the removal ends
        self.update_rows(list(shown))
        self.contents = shown
        for key, content in shown.items():
            if key in before and before[key] != content:
                self.notify_changed(key)

    def notify_changed(self, key: Row) -> None:
        """Emit `dataChanged` for the row of a key."""
        row = self.row_of(key)
        if row >= 0:
            self.dataChanged.emit(self.index(row, 0), self.index(row, self._columns - 1))

    def _drop(self, wanted: set[Row]) -> None:
        end = len(self._keys)
        while end > 0:
            if self._keys[end - 1] in wanted:
                end -= 1
                continue
            start = end - 1
            while start > 0 and self._keys[start - 1] not in wanted:
                start -= 1
            self.beginRemoveRows(QModelIndex(), start, end - 1)
            del self._keys[start:end]
            self.endRemoveRows()
            end = start

    def _reorder(self, wanted: Sequence[Row]) -> None:
        for place, key in enumerate(wanted):
            if self._keys[place] == key:
                continue
            if self._keys[place + 1] == key:  # one row went down: one move
                self._move(place, wanted.index(self._keys[place]))
            else:
                self._move(self._keys.index(key, place), place)

    def _move(self, source: int, goal: int) -> None:
        self.beginMoveRows(QModelIndex(), source, source, QModelIndex(), goal + 1 if goal > source else goal)
        self._keys.insert(goal, self._keys.pop(source))
        self.endMoveRows()

    def _fill(self, wanted: Sequence[Row], known: set[Row]) -> None:
        place = 0
        while place < len(wanted):
            if wanted[place] in known:
                place += 1
                continue
            end = place
            while end < len(wanted) and wanted[end] not in known:
                end += 1
            self.beginInsertRows(QModelIndex(), place, end - 1)
            self._keys[place:place] = wanted[place:end]
            self.endInsertRows()
            place = end
