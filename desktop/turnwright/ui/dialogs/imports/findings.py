"""The dialog that lists the errors in a file that could not be opened, or what an export left out."""

from collections.abc import Sequence

from PySide6.QtWidgets import QTreeWidgetItem, QWidget

from turnwright.ui.look.style import escaped_tooltip, scaled, tr
from turnwright.ui.widgets.dialog import StandardDialog, TableTree
from turnwright.ui.widgets.text import push_button


class FindingsDialog(StandardDialog):
    """Lists findings: rows of texts below the headings, the longest in the last column."""

    def __init__(
        self, title: str, lead: str, headings: Sequence[str], rows: Sequence[Sequence[str]], parent: QWidget | None
    ) -> None:
        super().__init__(title, parent, lead)
        last = len(headings) - 1
        self.tree = TableTree(self.windowTitle(), list(headings), stretched=last)
        self.tree.setWordWrap(True)
        for texts in rows:
            row = QTreeWidgetItem(list(texts))
            row.setToolTip(last, escaped_tooltip(texts[last]))
            self.tree.addTopLevelItem(row)
        self.column.addWidget(self.tree, 1)
        self.add_buttons(push_button(tr("ui.general.close"), self.accept, "primary"))
        self.resize(scaled(680), scaled(360))
