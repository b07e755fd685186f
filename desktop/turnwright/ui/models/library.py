"""The library as a list: sections with their rows, narrowed while a person types.

Each row's words are kept in small letters, so that a key press is one pass over short texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
from PySide6.QtCore import QMimeData, QModelIndex, QObject, Qt

from turnwright.storage.library import LibraryEntry, LibraryRecord, by_system
from turnwright.ui.models.naming import rating_text
from turnwright.ui.models.roster import LIBRARY_MIME
from turnwright.ui.models.rows import DETAIL_ROLE, HEADING, ICON_ROLE, KEY_ROLE, Index, Row, RowsModel
from turnwright.ui.say import say

SECTIONS: Mapping[str, str] = MappingProxyType({
    "creature": "paw",
    "environment": "earth",
    "countdown": "timer-sand",
    "encounter": "map",
})  # fmt: skip


class Item(msgspec.Struct, frozen=True):
    """One thing to take: from the library, or an encounter to open (`path`)."""

    kind: str
    id: str
    name: str
    detail: str
    haystack: str
    path: str
    entry: LibraryEntry | None = None

    @property
    def key(self) -> Row:
        """The key of its row."""
        return (self.kind, self.path)


def items_of(entries: Iterable[LibraryEntry], samples: Iterable[Path], system: str) -> list[Item]:
    """Return what a library offers to an encounter of a system, and the sample encounters."""
    items = [
        Item(entry.kind, entry.id, entry.name, rating_text(entry.rating), entry.haystack, entry.path, entry)
        for entry in by_system(entries).get(system, ())
    ]
    for path in samples:
        name = path.stem.replace("-", " ").capitalize()
        items.append(Item("encounter", path.stem, name, "", name.casefold(), str(path)))
    return items


class LibraryModel(RowsModel):
    """Sections with their rows. `load` reads the record of an entry when it is dragged."""

    def __init__(self, load: Callable[[LibraryEntry], LibraryRecord | None], parent: QObject | None = None) -> None:
        super().__init__(1, parent)
        self._load = load
        self._items: dict[Row, Item] = {}
        self._query = ""

    def set_items(self, items: Sequence[Item]) -> None:
        """Offer these."""
        before = self._items
        items_by_key = {item.key: item for item in items}
        self._items = {**before, **items_by_key}
        self.follow(self._matching(items))
        self._items = items_by_key
        for key, item in items_by_key.items():
            if key in before and before[key] != item:
                self.tell(key)

    def search(self, query: str) -> None:
        """Show only what has every word of the query in it."""
        self._query = query
        self.follow(self._matching(self._items.values()))

    def item_at(self, index: Index) -> Item | None:
        """Return the item of a row, None for a heading."""
        key = self.key_at(index)
        return self._items.get(key) if key else None

    @property
    def found(self) -> int:
        """How many items are shown."""
        return sum(1 for key in self.keys if key[0] != HEADING)

    def first_row(self) -> int:
        """Return the row of the first item shown, or -1."""
        return next((row for row, key in enumerate(self.keys) if key[0] != HEADING), -1)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        key = self.key_at(index)
        if key is None:
            return None
        if key[0] == HEADING:
            if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
                return say(f"ui.library.{key[1]}")
            if role == DETAIL_ROLE and key[1] == "creature":
                return say("ui.library.rating")
            return key if role == KEY_ROLE else None
        item = self._items[key]
        if role == Qt.ItemDataRole.DisplayRole:
            return item.name
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return _spoken(item)
        return {KEY_ROLE: key, DETAIL_ROLE: item.detail, ICON_ROLE: SECTIONS[item.kind]}.get(role)

    def flags(self, index: Index) -> Qt.ItemFlag:
        key = self.key_at(index)
        if key is None or key[0] == HEADING:
            return Qt.ItemFlag.ItemIsEnabled if key else Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags if key[0] == "encounter" else flags | Qt.ItemFlag.ItemIsDragEnabled

    def mimeTypes(self) -> list[str]:
        return [LIBRARY_MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        item = next((found for index in indexes if (found := self.item_at(index)) and found.entry), None)
        record = self._load(item.entry) if item and item.entry else None
        if item is not None and record is not None:
            data.setData(LIBRARY_MIME, msgspec.msgpack.encode((item.kind, record)))
            data.setText(item.name)
        return data

    def supportedDragActions(self) -> Qt.DropAction:
        return Qt.DropAction.CopyAction

    def _matching(self, items: Iterable[Item]) -> list[Row]:
        words = self._query.casefold().split()
        by_kind: dict[str, list[Row]] = {kind: [] for kind in SECTIONS}
        for item in items:
            if all(word in item.haystack for word in words):
                by_kind[item.kind].append(item.key)
        return [row for kind, rows in by_kind.items() if rows for row in ((HEADING, kind), *rows)]


def _spoken(item: Item) -> str:
    kind = say(f"ui.library.one-{item.kind}")
    entry = item.entry
    if entry is None or item.kind != "creature":
        return f"{item.name} ({kind})"
    rating = f", {say('ui.stat.rating', rating=entry.rating)}" if entry.rating else ""
    tags = f", {', '.join(entry.tags)}" if entry.tags else ""
    return f"{item.name} ({kind}{rating}{tags})"
