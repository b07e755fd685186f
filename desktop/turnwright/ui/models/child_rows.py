"""Rows for the parts of a record: a creature's features, or an environment's features or world actions.

The record's editor sets the parts. Rows are identified by part ids.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from PySide6.QtCore import QObject, Qt

from turnwright.ui.look.tooltips import role_text
from turnwright.ui.look.translations import tr
from turnwright.ui.models.row_list_model import DETAIL_ROLE, KEY_ROLE, QUIET_ROLE, Index, RowListModel


class ChildRow(Protocol):
    """Properties that all parts have."""

    @property
    def id(self) -> str:
        """The id of the part, unique within its record."""

    @property
    def name(self) -> str:
        """The name of the part."""


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

    def set_children(self, children: Sequence[ChildRow]) -> None:
        """Set the parts to list."""
        self.show_contents({(self._table, part.id): part for part in children})

    def id_at(self, row: int) -> str:
        """Return the id of the part in a row, or an empty string if there is no such row."""
        return self.keys[row][1] if 0 <= row < len(self.keys) else ""

    def row_of_id(self, id: str) -> int:
        """Return the row of a part, or -1 if it isn't listed."""
        return self.row_of((self._table, id))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        key = self.key_at(index)
        if key is None:
            return None
        part = self.contents[key]
        enabled = getattr(part, "enabled", True)
        if role == Qt.ItemDataRole.DisplayRole:
            return part.name or tr("ui.stat.unnamed")
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            detail = self._describe(part)
            return role_text(role, f"{part.name}: {detail}" if detail else part.name)
        if role == Qt.ItemDataRole.CheckStateRole and self._switch is not None:
            return Qt.CheckState.Checked if enabled else Qt.CheckState.Unchecked
        if role == DETAIL_ROLE:
            return self._describe(part)
        return {KEY_ROLE: key, QUIET_ROLE: not enabled}.get(role)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        key = self.key_at(index)
        if key is None or role != Qt.ItemDataRole.CheckStateRole or self._switch is None:
            return False
        self._switch(key[1], Qt.CheckState(value) == Qt.CheckState.Checked)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        if self.key_at(index) is None:
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        return flags | Qt.ItemFlag.ItemIsUserCheckable if self._switch is not None else flags
