"""A table model for a list of row keys, updated by inserting, moving and removing rows.

Views keep their selection. Indexes contain no pointers: rows are looked up by number. Rows may be the parts of a
record, which are identified by part ids: a creature's features, or an environment's features or world actions.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from turnwright.encounter.prepared import Point, RosterEntry
from turnwright.encounter.state import Encounter, wave_name
from turnwright.ui.look.style import role_text, tr

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

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        key = self.key_at(index)
        if key is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text_of(key, index.column())
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return role_text(role, self.spoken(key, index.column()))
        return self.further_roles(key, index.column()).get(role)

    def text_of(self, key: Row, column: int) -> str:
        """Return the text of a cell."""
        return str(self.contents[key].text)

    def spoken(self, key: Row, column: int) -> str:
        """Return the text of a cell for tooltips and screen readers."""
        return self.text_of(key, column)

    def further_roles(self, key: Row, column: int) -> dict[int, Any]:
        """Return the data of a cell by role, without its texts."""
        return {KEY_ROLE: key}

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
        if (row := self.row_of(key)) >= 0:
            self.dataChanged.emit(self.index(row, 0), self.index(row, self._columns - 1))

    def _drop(self, keep: set[Row]) -> None:
        for kept, run in reversed(_runs(self._keys, keep)):
            if not kept:
                self.beginRemoveRows(QModelIndex(), run.start, run.stop - 1)
                del self._keys[run.start : run.stop]
                self.endRemoveRows()

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
        for is_present, run in _runs(keys, present):
            if not is_present:
                self.beginInsertRows(QModelIndex(), run.start, run.stop - 1)
                self._keys[run.start : run.start] = keys[run.start : run.stop]
                self.endInsertRows()


def _runs(keys: Sequence[Row], members: set[Row]) -> list[tuple[bool, range]]:
    """Split the places of keys into runs of members and runs of others."""
    runs = [(is_in, [*run]) for is_in, run in groupby(range(len(keys)), key=lambda place: keys[place] in members)]
    return [(is_in, range(run[0], run[-1] + 1)) for is_in, run in runs]


class ChildRowsModel(RowListModel):
    """Lists parts in order. `describe` summarises a part, and `switch` enables or disables one.

    If there is no `switch`, rows can't be checked.
    """

    def __init__(
        self,
        table: str,
        describe: Callable[[Any], str],
        switch: Callable[[str, bool], object] | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(1, parent)
        self._table = table
        self._describe = describe
        self._switch = switch

    def set_children(self, children: Sequence[Any]) -> None:
        """Set the parts to list."""
        self.show_contents({(self._table, part.id): part for part in children})

    def id_at(self, row: int) -> str:
        """Return the id of the part in a row, or an empty string if there is no such row."""
        return self.keys[row][1] if 0 <= row < len(self.keys) else ""

    def row_of_id(self, id: str) -> int:
        """Return the row of a part, or -1 if it isn't listed."""
        return self.row_of((self._table, id))

    def text_of(self, key: Row, column: int) -> str:
        return self.contents[key].name or tr("ui.stat.unnamed")

    def spoken(self, key: Row, column: int) -> str:
        part = self.contents[key]
        detail = self._describe(part)
        return f"{part.name}: {detail}" if detail else part.name

    def further_roles(self, key: Row, column: int) -> dict[int, Any]:
        part = self.contents[key]
        enabled = getattr(part, "enabled", True)
        checked = Qt.CheckState.Checked if enabled else Qt.CheckState.Unchecked
        return {
            Qt.ItemDataRole.CheckStateRole: checked if self._switch is not None else None,
            KEY_ROLE: key,
            QUIET_ROLE: not enabled,
            DETAIL_ROLE: self._describe(part),
        }

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        key = self.key_at(index)
        if key is None or role != Qt.ItemDataRole.CheckStateRole or self._switch is None:
            return False
        self._switch(key[1], Qt.CheckState(value) == Qt.CheckState.Checked)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsUserCheckable if index.isValid() and self._switch is not None else flags


_SIDES = ("enemies", "party")


def side_name(side: str) -> str:
    """Return a side as a heading, translated if it is a known side."""
    text = tr(f"ui.side.{side}")
    return side[:1].upper() + side[1:] if text.startswith("ui.side.") else text


def side_order(sides: Iterable[str]) -> list[str]:
    """Return sides in display order: enemies, party, then the others in their original order."""
    present = list(dict.fromkeys(sides))
    return [*(side for side in _SIDES if side in present), *(side for side in present if side not in _SIDES)]


def pending_waves(encounter: Encounter) -> list[tuple[str, str]]:
    """Return the ids and names of the pending waves in roster order."""
    waves = dict.fromkeys(entry.wave for entry in encounter.all(RosterEntry) if entry.wave)
    return [(wave, wave_name(wave)) for wave in waves]


def wave_by_name(encounter: Encounter, text: str) -> str:
    """Return the id of a wave by name, ignoring case, or the name itself if there is no such wave yet."""
    return next((wave for wave, name in pending_waves(encounter) if name.casefold() == text.casefold()), text)


def id_as_words(id: str) -> str:
    """Convert an id to words (`cold-weather-gear` → `cold weather gear`)."""
    return id.replace("-", " ").replace("_", " ")


def squares_text(squares: Iterable[Point]) -> str:
    """Return map squares as text (`3,4; 4,4`: column, row)."""
    return "; ".join(f"{column},{row}" for column, row in squares)
