"""The About dialog: name, purpose, versions, location of the log, and licences of all shipped components."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QFontDatabase
from PySide6.QtWidgets import (
    QApplication,
    QGridLayout,
    QLabel,
    QPlainTextEdit,
    QSizePolicy,
    QSplitter,
    QTabWidget,
    QTreeWidgetItem,
    QWidget,
)

from turnwright.storage.library.licences import components, licence_text
from turnwright.ui.look.fonts import GAP, GROUP_GAP, scaled
from turnwright.ui.look.translations import tr
from turnwright.ui.services.identity import app_icon
from turnwright.ui.widgets.dialog import StandardDialog, TableTree
from turnwright.ui.widgets.layout import horizontal, vertical
from turnwright.ui.widgets.text import plain_label, push_button
from turnwright.workspace.folders import Folders
from turnwright.workspace.log_file import log_file
from turnwright.workspace.versions import versions

ICON = 96


class AboutDialog(StandardDialog):
    """Shows information about the program and the licences of its components."""

    def __init__(self, folders: Folders, parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.about.title"), parent)
        self._folders = folders
        self.tabs = QTabWidget()
        self.tabs.addTab(self._program(), tr("ui.about.program"))
        self.tabs.addTab(self._licences(), tr("ui.about.licences"))
        self.column.addWidget(self.tabs, 1)
        self.copy_button = push_button(tr("ui.about.copy"), self.copy, "quiet", "content-copy")
        show_log = push_button(tr("ui.about.show-log"), self.show_log, "quiet", "folder-open-outline")
        close = push_button(tr("ui.general.close"), self.accept, "primary")
        self.add_buttons(close, left=(self.copy_button, show_log))
        self.resize(scaled(960), scaled(600))

    def copy(self) -> None:
        """Copy the versions to the clipboard, for a bug report."""
        QApplication.clipboard().setText("\n".join(f"{name} {version}" for name, version in versions().items()))

    def show_log(self) -> None:
        """Open the folder that contains the log file."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(log_file(self._folders.state).parent)))

    def _program(self) -> QWidget:
        page = QWidget()
        column = vertical(page, spacing=GROUP_GAP, margins=(GROUP_GAP, 24, GROUP_GAP, GROUP_GAP))
        head = horizontal(spacing=24)
        icon = QLabel()
        icon.setPixmap(app_icon().pixmap(scaled(ICON), scaled(ICON)))
        head.addWidget(icon)
        words = vertical(spacing=GAP)
        words.addStretch(1)
        words.addWidget(plain_label(tr("ui.window.name"), "banner"))
        words.addWidget(plain_label(tr("ui.about.purpose"), wraps=True))
        words.addWidget(plain_label(tr("ui.about.licence"), "caption", "muted", wraps=True))
        words.addStretch(1)
        head.addLayout(words, 1)
        column.addLayout(head)
        column.addSpacing(scaled(GAP))
        facts = QGridLayout()
        facts.setHorizontalSpacing(scaled(24))
        facts.setVerticalSpacing(scaled(GAP))
        facts.setColumnStretch(1, 1)
        facts_by_label = dict(
            zip((tr("ui.about.version"), "Python", "Qt", tr("ui.about.system")), _version_texts(), strict=True)
        )
        facts_by_label[tr("ui.about.log")] = str(log_file(self._folders.state))
        facts_by_label[tr("ui.about.library")] = str(self._folders.library)
        for row, (name, value) in enumerate(facts_by_label.items()):
            facts.addWidget(plain_label(name, tone="muted"), row, 0)
            facts.addWidget(_selectable(value), row, 1)
        column.addLayout(facts)
        column.addStretch(1)
        return page

    def _licences(self) -> QWidget:
        self._components = components()
        self.list = TableTree(tr("ui.about.licences"), [tr("ui.about.part")])
        self.list.addTopLevelItems([QTreeWidgetItem([component.title]) for component in self._components])
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName(tr("ui.about.text"))
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setTabChangesFocus(True)
        self.list.currentItemChanged.connect(self._show)
        self.list.setCurrentIndex(self.list.model().index(0, 0))
        both = QSplitter()
        both.addWidget(self.list)
        both.addWidget(self.text)
        both.setSizes([scaled(260), scaled(660)])
        both.setChildrenCollapsible(False)
        page = QWidget()
        column = vertical(page, margins=(0, GAP, 0, 0))
        column.addWidget(plain_label(tr("ui.about.licences-lead"), "caption", "muted", wraps=True))
        column.addWidget(both, 1)
        return page

    def _show(self, row: QTreeWidgetItem, _before: QTreeWidgetItem | None) -> None:
        self.text.setPlainText(licence_text(self._components[self.list.indexOfTopLevelItem(row)]))


def _version_texts() -> list[str]:
    """Return the versions to show. The last line is the operating system's name and version."""
    by_name = versions()
    *others, system = by_name
    return [*(by_name[name] for name in others), f"{system} {by_name[system]}"]


def _selectable(text: str) -> QLabel:
    label = plain_label(text, wraps=True)
    label.setTextInteractionFlags(label.textInteractionFlags() | Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    return label
