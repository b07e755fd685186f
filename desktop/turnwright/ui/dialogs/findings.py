"""The dialog that lists the findings of a file that was not opened."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from turnwright.storage.findings import Finding
from turnwright.ui.fonts import GROUP_GAP, scaled
from turnwright.ui.translations import tr
from turnwright.ui.widgets.layout import vertical
from turnwright.ui.widgets.tab_order import ReadingOrderDialog
from turnwright.ui.widgets.text import escaped_tooltip, plain_label, push_button


class FindingsDialog(ReadingOrderDialog):
    """A list of findings: line, key, message."""

    def __init__(self, path: Path, findings: Sequence[Finding], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("ui.findings.title", name=path.name))
        column = vertical(self, spacing=GROUP_GAP, margins=GROUP_GAP)
        column.addWidget(plain_label(tr("ui.findings.lead", file=str(path)), tone="muted", wraps=True))
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(self.windowTitle())
        self.tree.setRootIsDecorated(False)
        self.tree.setWordWrap(True)
        self.tree.setHeaderLabels([tr("ui.problems.line"), tr("ui.problems.where"), tr("ui.problems.what")])
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        for finding in findings:
            row = QTreeWidgetItem([str(finding.line), finding.key, finding.message])
            row.setToolTip(2, escaped_tooltip(finding.message))
            self.tree.addTopLevelItem(row)
        column.addWidget(self.tree, 1)
        close = push_button(tr("ui.general.close"), self.accept, "primary")
        column.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
        self.resize(scaled(680), scaled(360))
