"""The About dialog and the list of keyboard shortcuts.

The About dialog: name, purpose, versions, location of the log, and licences of all shipped components.

The list of keyboard shortcuts (F1): those of the action table, followed by those that widgets handle themselves.
"""

from collections.abc import Sequence

import msgspec
from PySide6 import QtWidgets
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QFontDatabase

from turnwright.storage.library.search import components, licence_text
from turnwright.ui.look.style import GAP, GROUP_GAP, scaled, tr
from turnwright.ui.look.window_data import window_data
from turnwright.ui.services import actions, new_window, services
from turnwright.ui.widgets import dialog, layout
from turnwright.ui.widgets.text import named, plain_label, push_button
from turnwright.workspace.settings import Folders
from turnwright.workspace.versions import log_file, versions

ICON = 96


class AboutDialog(dialog.StandardDialog):
    """Shows information about the program and the licences of its components."""

    def __init__(self, folders: Folders, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(tr("ui.about.title"), parent)
        self._folders = folders
        self.tabs = QtWidgets.QTabWidget()
        self.tabs.addTab(self._program(), tr("ui.about.program"))
        self.tabs.addTab(self._licences(), tr("ui.about.licences"))
        self.column.addWidget(self.tabs, 1)
        self.copy_button = push_button(tr("ui.about.copy"), self.copy, "quiet", "content-copy")
        show_log = push_button(tr("ui.about.show-log"), self.show_log, "quiet", "folder-open-outline")
        self.add_buttons(push_button(tr("ui.general.close"), self.accept, "primary"), left=(self.copy_button, show_log))
        self.resize(scaled(960), scaled(600))

    def copy(self) -> None:
        """Copy the versions to the clipboard, for a bug report."""
        QtWidgets.QApplication.clipboard().setText(
            "\n".join(f"{name} {version}" for name, version in versions().items())
        )

    def show_log(self) -> None:
        """Open the folder that contains the log file."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(log_file(self._folders.state).parent)))

    def _program(self) -> QtWidgets.QWidget:
        page, icon = QtWidgets.QWidget(), QtWidgets.QLabel()
        icon.setPixmap(new_window.app_icon().pixmap(scaled(ICON), scaled(ICON)))
        title, purpose = plain_label(tr("ui.window.name"), "banner"), plain_label(tr("ui.about.purpose"), wraps=True)
        licence = plain_label(tr("ui.about.licence"), "caption", "muted", wraps=True)
        words = layout.fill(layout.vertical(), layout.STRETCH, title, purpose, licence, layout.STRETCH)
        column = layout.vertical(page, spacing=GROUP_GAP, margins=(GROUP_GAP, 24, GROUP_GAP, GROUP_GAP))
        layout.fill(column, layout.fill(layout.horizontal(spacing=24), icon, (words, 1)))
        column.addSpacing(scaled(GAP))
        facts = layout.grid_layout(across=24)
        facts.setColumnStretch(1, 1)
        names = (tr("ui.about.version"), "Python", "Qt", *(tr(f"ui.about.{id}") for id in ("system", "log", "library")))
        values = (*_version_texts(), str(log_file(self._folders.state)), str(self._folders.library))
        for row, (name, value) in enumerate(zip(names, values, strict=True)):
            facts.addWidget(plain_label(name, tone="muted"), row, 0)
            facts.addWidget(_selectable(value), row, 1)
        layout.fill(column, facts, layout.STRETCH)
        return page

    def _licences(self) -> QtWidgets.QWidget:
        self._components = components()
        self.list = dialog.TableTree(tr("ui.about.licences"), [tr("ui.about.part")])
        self.list.addTopLevelItems([QtWidgets.QTreeWidgetItem([component.title]) for component in self._components])
        self.text = named(QtWidgets.QPlainTextEdit(readOnly=True), tr("ui.about.text"))
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setTabChangesFocus(True)
        self.list.currentItemChanged.connect(self._show)
        self.list.setCurrentIndex(self.list.model().index(0, 0))
        both = layout.fill(QtWidgets.QSplitter(), self.list, self.text)
        both.setSizes([scaled(260), scaled(660)])
        both.setChildrenCollapsible(False)
        page, lead = QtWidgets.QWidget(), plain_label(tr("ui.about.licences-lead"), "caption", "muted", wraps=True)
        layout.fill(layout.vertical(page, margins=(0, GAP, 0, 0)), lead, (both, 1))
        return page

    def _show(self, row: QtWidgets.QTreeWidgetItem, _before: QtWidgets.QTreeWidgetItem | None) -> None:
        self.text.setPlainText(licence_text(self._components[self.list.indexOfTopLevelItem(row)]))


def _version_texts() -> list[str]:
    """Return the versions to show. The last line is the operating system's name and version."""
    by_name = versions()
    *others, system = by_name
    return [*(by_name[name] for name in others), f"{system} {by_name[system]}"]


def _selectable(text: str) -> QtWidgets.QLabel:
    label = plain_label(text, wraps=True)
    label.setTextInteractionFlags(label.textInteractionFlags() | Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Minimum)
    return label


class KeyRow(msgspec.Struct, frozen=True):
    """A row of the list: where the shortcut works, its keys in portable text, and its effect."""

    place: str
    keys: str
    text: str


def key_rows(table: actions.ActionTable[actions.C]) -> list[KeyRow]:
    """Return a row for each action that has a shortcut, in menu order."""
    rows: list[KeyRow] = []
    for menu in (*table.menus, ""):
        place = actions.without_mnemonic(tr(f"ui.menu.{menu}")) if menu else tr("ui.keys.elsewhere")
        rows += [
            KeyRow(place, ", ".join(spec.look.shortcuts), spec.plain_text.rstrip("…"))
            for spec in table.specs
            if spec.look.menu == menu and spec.look.shortcuts
        ]
    return rows


def field_keys() -> list[KeyRow]:
    """Return a row for each key that a widget handles itself."""
    pairs = window_data("keys.list", tuple[tuple[str, str, str], ...])
    return [KeyRow(tr(f"ui.keys.{place}"), keys, tr(f"ui.keys.{place}-{does}")) for place, keys, does in pairs]


class KeyListDialog(dialog.StandardDialog):
    """Shows the list of shortcuts and a line to filter it."""

    def __init__(self, parent: QtWidgets.QWidget | None, rows: Sequence[KeyRow]) -> None:
        super().__init__(tr("ui.keys.title"), parent, spacing=GAP)
        self._rows = tuple(rows)
        self.line = named(QtWidgets.QLineEdit(placeholderText=tr("ui.keys.filter")), tr("ui.keys.filter"))
        self.line.textChanged.connect(self._fill)
        self.tree = dialog.TableTree(self.windowTitle(), [tr("ui.keys.what"), tr("ui.keys.key")])
        layout.fill(self.column, self.line, (self.tree, 1))
        self.add_buttons(push_button(tr("ui.general.close"), self.accept, "primary"))
        self.resize(scaled(520), scaled(560))
        self._fill("")

    def _fill(self, query: str) -> None:
        matches = set(services.best_matches(query, [f"{row.text} {row.place} {row.keys}" for row in self._rows]))
        self.tree.clear()
        groups: dict[str, QtWidgets.QTreeWidgetItem] = {}
        for index, row in enumerate(self._rows):
            if index not in matches:
                continue
            if row.place not in groups:
                groups[row.place] = self._heading(row.place)
            keys = ", ".join(actions.native_keys(key) or key for key in row.keys.split(", "))
            groups[row.place].addChild(QtWidgets.QTreeWidgetItem([row.text, keys]))
        self.tree.expandAll()

    def _heading(self, text: str) -> QtWidgets.QTreeWidgetItem:
        heading = QtWidgets.QTreeWidgetItem([text])
        font = heading.font(0)
        font.setBold(True)
        heading.setFont(0, font)
        heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
        self.tree.addTopLevelItem(heading)
        return heading
