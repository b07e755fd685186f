"""The dialog that lists the errors in a file that could not be opened."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QTreeWidgetItem, QWidget

from turnwright.storage.findings import Finding
from turnwright.ui.look.style import escaped_tooltip, scaled, tr
from turnwright.ui.widgets.dialog import StandardDialog, TableTree
from turnwright.ui.widgets.text import push_button


class FindingsDialog(StandardDialog):
    """Lists findings with their line, key and message."""

    def __init__(self, path: Path, findings: Sequence[Finding], parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.findings.title", name=path.name), parent, tr("ui.findings.lead", file=str(path)))
        headings = [tr(f"ui.problems.{word}") for word in ("line", "where", "what")]
        self.tree = TableTree(self.windowTitle(), headings, stretched=2)
        self.tree.setWordWrap(True)
        for finding in findings:
            row = QTreeWidgetItem([str(finding.line), finding.key, finding.message])
            row.setToolTip(2, escaped_tooltip(finding.message))
            self.tree.addTopLevelItem(row)
        self.column.addWidget(self.tree, 1)
        self.add_buttons(push_button(tr("ui.general.close"), self.accept, "primary"))
        self.resize(scaled(680), scaled(360))
