"""A table model for a list of row keys, updated by inserting, moving and removing rows.

Views keep their selection. Indexes contain no pointers: rows are looked up by number.
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
    """Holds row keys: pairs (table, id), or (`#`, name) for headings. `contents` maps row keys to their contents."""

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
        """The keys of all rows in display order."""
        return self._keys

    def key_at(self, index: Index) -> Row | None:
        """Return the row key at an index, or None if the index is invalid."""
        return self._keys[index.row()] if index.isValid() and index.row() < len(self._keys) else None

    def row_of(self, key: Row) -> int:
        """Return the row of a key, or -1."""
        return self._keys.index(key) if key in self._keys else -1

    def update_rows(self, keys: Sequence[Row]) -> None:
        """Change the rows to the given keys by removing, moving and inserting rows."""
        if self._keys == list(keys):
            return
        self._drop(set(keys))
        present = set(self._keys)
        self._reorder([key for key in keys if key in present])
        self._fill(keys, present)

    def show_contents(self, contents: Mapping[Row, Any]) -> None:
        """Set the rows and their contents. Emit `dataChanged` for rows whose contents have changed."""
        before = self.contents
        self.contents = {**before, **contents}  # views still read removed rows until the removal ends
        self.update_rows(list(contents))
        self.contents = contents
        for key, content in contents.items():
            if key in before and before[key] != content:
                self.notify_changed(key)

    def notify_changed(self, key: Row) -> None:
        """Emit `dataChanged` for the row of a key."""
        row = self.row_of(key)
        if row >= 0:
            self.dataChanged.emit(self.index(row, 0), self.index(row, self._columns - 1))

    def _drop(self, keep: set[Row]) -> None:
        end = len(self._keys)
        while end > 0:
            if self._keys[end - 1] in keep:
                end -= 1
                continue
            start = end - 1
            while start > 0 and self._keys[start - 1] not in keep:
                start -= 1
            self.beginRemoveRows(QModelIndex(), start, end - 1)
            del self._keys[start:end]
            self.endRemoveRows()
            end = start

    def _reorder(self, keys: Sequence[Row]) -> None:
        for place, key in enumerate(keys):
            if self._keys[place] == key:
                continue
            if self._keys[place + 1] == key:  # one row moved down
                self._move(place, keys.index(self._keys[place]))
            else:
                self._move(self._keys.index(key, place), place)

    def _move(self, source: int, goal: int) -> None:
        self.beginMoveRows(QModelIndex(), source, source, QModelIndex(), goal + 1 if goal > source else goal)
        self._keys.insert(goal, self._keys.pop(source))
        self.endMoveRows()

    def _fill(self, keys: Sequence[Row], present: set[Row]) -> None:
        place = 0
        while place < len(keys):
            if keys[place] in present:
                place += 1
                continue
            end = place
            while end < len(keys) and keys[end] not in present:
                end += 1
            self.beginInsertRows(QModelIndex(), place, end - 1)
            self._keys[place:place] = keys[place:end]
            self.endInsertRows()
            place = end
