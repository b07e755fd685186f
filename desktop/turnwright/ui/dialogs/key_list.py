"""The list of keyboard shortcuts (F1): those of the action table, followed by those that widgets handle themselves."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QLineEdit,
    QTreeWidgetItem,
    QWidget,
)

from turnwright.ui.look.fonts import GAP, scaled
from turnwright.ui.look.translations import tr
from turnwright.ui.services.actions import ActionTable, C, native_keys, without_mnemonic
from turnwright.ui.services.matching import best_matches
from turnwright.ui.widgets.dialog import StandardDialog, TableTree
from turnwright.ui.widgets.text import push_button


class KeyRow(msgspec.Struct, frozen=True):
    """A row of the list: where the shortcut works, its keys in portable text, and its effect."""

    place: str
    keys: str
    text: str


def key_rows(table: ActionTable[C]) -> list[KeyRow]:
    """Return a row for each action that has a shortcut, in menu order."""
    rows: list[KeyRow] = []
    for menu in (*table.menus, ""):
        place = without_mnemonic(tr(f"ui.menu.{menu}")) if menu else tr("ui.keys.elsewhere")
        rows += [
            KeyRow(place, ", ".join(spec.look.shortcuts), spec.plain_text.rstrip("…"))
            for spec in table.specs
            if spec.look.menu == menu and spec.look.shortcuts
        ]
    return rows


def field_keys() -> list[KeyRow]:
    """Return a row for each key that a widget handles itself."""
    pairs = (
        ("order", "Space", "select"),
        ("order", "Shift+Down", "range"),
        ("order", "Ctrl+A", "foes"),
        ("order", "Return", "open"),
        ("order", "F2", "initiative"),
        ("order", "Alt+Up", "earlier"),
        ("order", "Alt+Down", "later"),
        ("order", "E", "delay"),
        ("order", "B", "come-in"),
        ("order", "Ctrl+H", "hide"),
        ("order", "Shift+F2", "rename"),
        ("order", "Ctrl+Del", "dead"),
        ("order", "Del", "remove"),
        ("order", "Esc", "leave"),
        ("prompt", "Return", "roll"),
        ("prompt", "Shift+Return", "all"),
        ("prompt", "1", "choose"),
        ("prompt", "S", "skip"),
        ("prompt", "Esc", "leave"),
        ("amount", "Return", "full"),
        ("amount", "Ctrl+Return", "half"),
        ("amount", "Shift+Return", "double"),
        ("total", "?", "why"),
        ("pips", "Space", "toggle"),
        ("pips", "Alt", "keys"),
        ("actions", "1", "number"),
        ("card", "Return", "submit"),
        ("card", "Esc", "close"),
        ("card", "Space", "cycle"),
        ("card", "A", "letter"),
        ("card", "Left", "earlier"),
        ("card", "Right", "later"),
        ("library", "*", "star"),
        ("library", "Del", "delete"),
        ("paper", "Ctrl++", "larger"),
        ("paper", "Ctrl+-", "smaller"),
        ("paper", "Ctrl+0", "fit"),
        ("paper", "Ctrl+PgDown", "next"),
        ("roster", "+", "more"),
        ("roster", "-", "fewer"),
        ("roster", "Ctrl+Left", "side"),
        ("roster", "Ctrl+Right", "side"),
        ("map", "M", "move"),
        ("map", "V", "move-in-fight"),
        ("map", "T", "aim"),
        ("map-area", "1", "shape"),
        ("map-area", "+", "larger"),
        ("map-area", "-", "smaller"),
        ("map-area", "R", "turn"),
        ("map-area", "O", "origin"),
        ("map-area", "C", "count"),
        ("map-area", "L", "lasts"),
        ("map-area", "Return", "take"),
        ("map", "W", "mode"),
        ("map", "Shift+F10", "menu"),
        ("map", "PgUp", "raise"),
        ("map", ",", "previous"),
        ("map", ".", "next"),
        ("map", "S", "show"),
        ("map", "F", "fit"),
        ("map", "G", "fog"),
        ("map", "L", "line"),
        ("map", "Ctrl+V", "portrait"),
        ("map", "R", "fog-room"),
        ("map", "B", "fog-rectangle"),
        ("map", "P", "fog-brush"),
        ("map", "1", "fog-shown"),
        ("map", "2", "fog-explored"),
        ("map", "3", "fog-hidden"),
        ("map", "L", "fog-look"),
    )
    return [KeyRow(tr(f"ui.keys.{place}"), keys, tr(f"ui.keys.{place}-{does}")) for place, keys, does in pairs]


class KeyListDialog(StandardDialog):
    """Shows the list of shortcuts and a line to filter it."""

    def __init__(self, parent: QWidget | None, rows: Sequence[KeyRow]) -> None:
        super().__init__(tr("ui.keys.title"), parent, spacing=GAP)
        self._rows = tuple(rows)
        self.line = QLineEdit()
        self.line.setPlaceholderText(tr("ui.keys.filter"))
        self.line.setAccessibleName(tr("ui.keys.filter"))
        self.line.textChanged.connect(self._fill)
        self.tree = TableTree(self.windowTitle(), [tr("ui.keys.what"), tr("ui.keys.key")])
        self.column.addWidget(self.line)
        self.column.addWidget(self.tree, 1)
        self.add_buttons(push_button(tr("ui.general.close"), self.accept, "primary"))
        self.resize(scaled(520), scaled(560))
        self._fill("")

    def _fill(self, query: str) -> None:
        matches = set(best_matches(query, [f"{row.text} {row.place} {row.keys}" for row in self._rows]))
        self.tree.clear()
        groups: dict[str, QTreeWidgetItem] = {}
        for index, row in enumerate(self._rows):
            if index not in matches:
                continue
            if row.place not in groups:
                groups[row.place] = self._heading(row.place)
            keys = ", ".join(native_keys(key) or key for key in row.keys.split(", "))
            groups[row.place].addChild(QTreeWidgetItem([row.text, keys]))
        self.tree.expandAll()

    def _heading(self, text: str) -> QTreeWidgetItem:
        heading = QTreeWidgetItem([text])
        font = heading.font(0)
        font.setBold(True)
        heading.setFont(0, font)
        heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
        self.tree.addTopLevelItem(heading)
        return heading
